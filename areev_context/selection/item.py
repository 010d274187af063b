"""A hit with the data that the steps from selection to receipt need."""

from __future__ import annotations

from collections.abc import Hashable
from enum import StrEnum
from typing import NamedTuple

from areev_context.hits.hit import Grain, SearchHit

__all__ = ["Allocation", "Item", "Joined", "Member"]


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
        pinned: Whether it is shown whole, and first.
        talk: What tells its session and day from others, for a turn that may share a head with the
            other turns of both; None otherwise.
        joined: The hits that it stands for, if it is a joined one; None for a single hit. Index,
            hit and hash of a joined one are those of its best hit.
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
    pinned: bool = False
    talk: Hashable = None
    joined: Joined | None = None

    @property
    def happened(self) -> int:
        """Seconds since the epoch when what it tells happened; 0 is unknown."""
        return 0 if self.hit.event_at_sec == 0 else self.grain.created_at

    @property
    def hits(self) -> tuple[Item, ...]:
        """The hits that it stands for, in reading order."""
        return (self,) if self.joined is None else tuple(m.item for m in self.joined.members)


class Member(NamedTuple):
    """One hit of a joined entry, and where its text stands in the joined text.

    Attributes:
        item: The hit.
        start: The index of its first character in the joined text, blanks at its ends left out.
        end: The index after its last character.
        offset: The index of that first character in its own text.
    """

    item: Item
    start: int
    end: int
    offset: int


class Joined(NamedTuple):
    """Several passages of one source as one.

    The joined text is the content of the entry's grain: the texts of the hits in reading order,
    what they share once.

    Attributes:
        members: The hits, in reading order.
        gaps: The places of the joined text, each from its first character to the one after its
            last, that hold nothing but a mark: something of the source is missing there.
    """

    members: tuple[Member, ...]
    gaps: tuple[tuple[int, int], ...] = ()
