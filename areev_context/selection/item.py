"""One item: a hit on its way from selection to receipt."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from areev_context.hits.hit import Grain, SearchHit

__all__ = ["Allocation", "Item"]


class Allocation(StrEnum):
    """At what length an entry is shown."""

    FULL = "full"
    SUMMARY = "summary"
    OMIT = "omit"


class Item(NamedTuple):  # made once a hit, four times as fast as a frozen dataclass
    """A hit that may be shown, from selection to receipt.

    Screening makes it; selection adds what it is worth and what it costs.

    Attributes:
        index: Place among the hits that came in, from 0.
        hit: The hit, its strings cleaned.
        grain: The hit's grain.
        score: Its score, 0..1; where that is unknown its place, ``1 - index / n``.
        priority: 0..1, higher first.
        tokens: Estimated tokens of the whole entry, at least 1.
        mark: ``CURRENT`` or ``OUTDATED``, or None where the recall knows neither.
        at_least: The length that it should have at least, where the budget allows it.
    """

    index: int  # type: ignore[assignment]  # instead of tuple.index, which nothing needs
    hit: SearchHit
    grain: Grain
    score: float
    priority: float = 0.0
    tokens: int = 1
    mark: str | None = None
    at_least: Allocation = Allocation.OMIT
