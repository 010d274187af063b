"""Chains of replaced hits: which hit of the set each superseded one leads to."""

from __future__ import annotations

from collections.abc import Sequence

from areev_context.core.grains import SupersessionStatus
from areev_context.core.screen import Kept

__all__ = ["Ends", "chain_ends", "is_current", "next_hits", "stale_mark"]

Ends = dict[int, Kept | None]
"""The place of a superseded hit -> the hit that its chain ends in, which is not superseded; None
where the chain leads out of the set or into a cycle."""


def chain_ends(kept: Sequence[Kept]) -> Ends:
    """Return where the chain of each superseded hit ends; each hit is passed once."""
    newer = next_hits(kept)
    ends: Ends = {}
    for start in newer:
        path: list[int] = []
        at: int | None = start
        end: Kept | None = None
        while at is not None and at in newer and at not in ends:
            ends[at] = None  # what a cycle comes back to
            path.append(at)
            end = newer[at]
            at = None if end is None else end.place
        if at is not None and at in ends:
            end = ends[at]
        ends.update(dict.fromkeys(path, end))
    return ends


def next_hits(kept: Sequence[Kept]) -> Ends:
    """Return the next hit of each superseded one; None where it is not in the set."""
    superseded = [each for each in kept if _is_superseded(each)]
    if not superseded:
        return {}
    by_hash: dict[str, Kept] = {}
    for each in kept:
        by_hash.setdefault(each.hit.hash, each)
    return {each.place: by_hash.get(each.hit.superseded_by_hash or "") for each in superseded}


def stale_mark(kept: Kept, ends: Ends) -> str | None:
    """Return the only mark that an entry without metadata carries: a stale value has it always.

    Where the chain ends in a hit that the recall does not call current, the recall does not say
    which of the two counts, and neither has a mark.
    """
    if kept.place not in ends:
        return None
    end = ends[kept.place]
    return "OUTDATED" if end is None or is_current(end) else None


def _is_superseded(kept: Kept) -> bool:
    return kept.hit.supersession_status is SupersessionStatus.SUPERSEDED


def is_current(kept: Kept) -> bool:
    """Return whether the recall calls a hit current."""
    return kept.hit.supersession_status is SupersessionStatus.CURRENT
