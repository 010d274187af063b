"""A hit with the data that the steps from selection to receipt need."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from areev_context.hits.hit import Grain, SearchHit

__all__ = ["Allocation", "Item"]


class Allocation(StrEnum):
    """Whether an entry is shown whole, as a summary, or not at all."""

    FULL = "full"
    SUMMARY = "summary"
    OMIT = "omit"


class Item(NamedTuple):  # made once a hit, four times as fast as a frozen dataclass
    """A hit that may be shown, from selection to receipt.

    Screening makes it; selection adds its priority and its tokens.

    Attributes:
        index: Index of the hit in the input, from 0.
        hit: The hit, with cleaned strings.
        grain: The hit's grain, with values that formats can read.
        score: Its score, 0..1; if that is unknown, its rank, ``1 - index / n``.
        priority: 0..1, higher first.
        tokens: Estimated tokens of the whole entry, at least 1.
        mark: ``CURRENT`` or ``OUTDATED``; None if the recall does not state it.
        at_least: The shortest form that it should have, if the budget allows it.
        unread: The names of the fields whose values were not understood.
    """

    index: int  # type: ignore[assignment]  # instead of tuple.index, which nothing needs
    hit: SearchHit
    grain: Grain
    score: float
    priority: float = 0.0
    tokens: int = 1
    mark: str | None = None
    at_least: Allocation = Allocation.OMIT
    unread: tuple[str, ...] = ()

    @property
    def happened(self) -> int:
        """Seconds since the epoch when what it tells happened; 0 is unknown."""
        return 0 if self.hit.event_at_sec == 0 else self.grain.created_at
