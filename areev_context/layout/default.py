"""The policy's order, flat or grouped by type, then the hits that the recall's expansion found."""

from __future__ import annotations

from collections.abc import Sequence

from areev_context.hits.hit import RecallSource
from areev_context.layout.mode import Mode, Situation, one_pool
from areev_context.layout.ordering import expansion_section, flat_or_grouped, in_order
from areev_context.layout.outline import Entry, Node
from areev_context.policy import FormatPolicy, RenderingHints

__all__ = ["MODE"]


def _applies(situation: Situation) -> bool:
    return True


def _expanded(entry: Entry) -> bool:
    return entry.item.hit.recall_source is RecallSource.EXPANSION


def _arrange(
    entries: Sequence[Entry], policy: FormatPolicy, hints: RenderingHints
) -> tuple[Node, ...]:
    nodes = flat_or_grouped([e for e in entries if not _expanded(e)], policy)
    expansion = in_order([e for e in entries if _expanded(e)], policy.ordering)
    return (*nodes, expansion_section(expansion)) if expansion else nodes


MODE = Mode("default", _applies, _arrange, one_pool, updates=True)
