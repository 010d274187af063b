"""The five best hits first, then the rest, when there are many hits in the order given."""

from __future__ import annotations

from collections.abc import Sequence

from areev_context.layout.mode import Mode, Situation, one_pool
from areev_context.layout.ordering import flat_or_grouped
from areev_context.layout.outline import Entry, Node, Section
from areev_context.policy import Allocator, FormatPolicy, Ordering, RenderingHints

__all__ = ["MODE"]

_BEST = 5


def _applies(situation: Situation) -> bool:
    policy = situation.policy
    return (
        policy.highlight_over is not None
        and len(situation.items) > policy.highlight_over
        and policy.ordering is Ordering.AS_GIVEN
    )


def _arrange(
    entries: Sequence[Entry], policy: FormatPolicy, hints: RenderingHints
) -> tuple[Node, ...]:
    nodes: tuple[Node, ...] = ()
    most, auto = policy.highlight_over or 0, policy.allocation is Allocator.AUTO
    if policy.token_budget is not None and auto and len(entries) <= most:
        return flat_or_grouped(entries, policy)  # few are shown, however many came in
    if entries:
        nodes = (Section("most_relevant", "Most Relevant", tuple(entries[:_BEST])),)
    if entries[_BEST:]:
        rest = flat_or_grouped(entries[_BEST:], policy)
        nodes += (Section("additional_context", "Additional Context", rest),)
    return nodes


MODE = Mode("highlight", _applies, _arrange, one_pool, updates=True)
