"""The hits of this session, then hits of other sessions, each with the name of its session."""

from __future__ import annotations

from collections.abc import Sequence

from areev_context.hits.hit import RecallSource
from areev_context.layout.mode import Mode, Situation
from areev_context.layout.ordering import expansion_section, flat_or_grouped, in_order
from areev_context.layout.outline import Entry, Node, Section
from areev_context.policy import FormatPolicy, RenderingHints
from areev_context.selection.item import Item

__all__ = ["MODE"]


def _applies(situation: Situation) -> bool:
    return any(item.hit.recall_source is RecallSource.CENSUS for item in situation.items)


def _pools(body: Sequence[Item], budget: int) -> list[tuple[list[int], int]]:
    """Give the main hits four fifths, the other sessions one; shares are rounded down."""
    census = [n for n, c in enumerate(body) if c.hit.recall_source is RecallSource.CENSUS]
    main = [n for n, c in enumerate(body) if c.hit.recall_source is not RecallSource.CENSUS]
    return [(main, budget * 4 // 5), (census, budget // 5)]


def _arrange(
    entries: Sequence[Entry], policy: FormatPolicy, hints: RenderingHints
) -> tuple[Node, ...]:
    groups: dict[RecallSource, list[Entry]] = {source: [] for source in RecallSource}
    for entry in entries:
        groups[entry.item.hit.recall_source or RecallSource.PRIMARY].append(entry)
    nodes = flat_or_grouped(groups[RecallSource.PRIMARY], policy)
    expansion = in_order(groups[RecallSource.EXPANSION], policy.ordering)
    census = map(_in_session, in_order(groups[RecallSource.CENSUS], policy.ordering))
    if expansion:
        nodes += (expansion_section(expansion),)
    if groups[RecallSource.CENSUS]:
        nodes += (Section("census", "Additional Sessions (census)", tuple(census)),)
    return nodes


def _in_session(entry: Entry) -> Entry:
    return entry._replace(session=entry.item.hit.source_namespace or "unknown")


MODE = Mode("census", _applies, _arrange, _pools, updates=False)
