"""Chains of replaced hits: find the newest hit that each superseded hit leads to."""

from __future__ import annotations

from collections.abc import Sequence

from areev_context.hits.hit import SupersessionStatus
from areev_context.selection.item import Item

__all__ = ["Ends", "chain_ends", "is_current", "next_hits", "stale_mark"]

Ends = dict[int, Item | None]
"""Index of a superseded hit -> the last hit of its chain, which is not superseded; None if the
chain leaves the set or has a cycle."""


def chain_ends(items: Sequence[Item]) -> Ends:
    """Return the last hit of the chain of each superseded hit, in linear time."""
    newer = next_hits(items)
    ends: Ends = {}
    for start in newer:
        path: list[int] = []
        at: int | None = start
        end: Item | None = None
        while at is not None and at in newer and at not in ends:
            ends[at] = None  # what a cycle comes back to
            path.append(at)
            end = newer[at]
            at = None if end is None else end.index
        if at is not None and at in ends:
            end = ends[at]
        ends.update(dict.fromkeys(path, end))
    return ends


def next_hits(items: Sequence[Item]) -> Ends:
    """Return the successor of each superseded hit; None if it is not in the set."""
    superseded = [each for each in items if _is_superseded(each)]
    if not superseded:
        return {}
    by_hash: dict[str, Item] = {}
    for each in items:
        by_hash.setdefault(each.hit.hash, each)
    return {each.index: by_hash.get(each.hit.superseded_by_hash or "") for each in superseded}


def stale_mark(item: Item, ends: Ends) -> str | None:
    """Return the mark of a stale value, which an entry shows even without metadata; else None.

    If the last hit of the chain is not marked current by the recall, it is unknown which of the two
    values is valid, and neither has a mark.
    """
    if item.index not in ends:
        return None
    end = ends[item.index]
    return "OUTDATED" if end is None or is_current(end) else None


def _is_superseded(item: Item) -> bool:
    return item.hit.supersession_status is SupersessionStatus.SUPERSEDED


def is_current(item: Item) -> bool:
    """Return whether the recall marks a hit as current."""
    return item.hit.supersession_status is SupersessionStatus.CURRENT
