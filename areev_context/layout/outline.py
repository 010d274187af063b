"""The outline of a page, which modes make and formats write: five kinds of node, no markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from areev_context.selection.item import Allocation, Item

__all__ = [
    "EntityLine",
    "Entry",
    "Gap",
    "Node",
    "Outline",
    "Piece",
    "Section",
    "Update",
    "entries_of",
    "joined",
    "numbered",
]


class Entry(NamedTuple):
    """One hit of the body in the form in which it is shown.

    Attributes:
        item: The hit, with its priority and its tokens.
        form: Full or summary.
        text: The finished text of its renderer; None if the format writes data instead.
        session: The session that is shown with it; None if none is shown.
        turn: Its text in an entry that it shares with other turns; None if it shares none.
        turns: The turns that share this entry, oldest first; empty for an entry of one hit.
        time: The time of day that stands beside its date in a timeline, ``HH:MM``; empty = none.
        stretches: The stretches of the hit's text that an entry in part shows, in order, each from
            its first character to the one after its last; empty if it is whole, or if that is not
            known.
    """

    item: Item
    form: Allocation
    text: str | None
    session: str | None = None
    stretches: tuple[tuple[int, int], ...] = ()
    time: str = ""
    turn: str | None = None
    turns: tuple[Entry, ...] = ()

    @property
    def moment(self) -> str:
        """The date of an entry of a timeline, with its time if it has one; empty if unknown."""
        if not self.item.happened:
            return ""
        return f"{self.item.grain.day} {self.time}" if self.time else self.item.grain.day

    @property
    def index(self) -> int:  # type: ignore[override]  # instead of tuple.index
        """Index of the hit in the input, from 0."""
        return self.item.index


@dataclass(frozen=True, slots=True)
class Update:
    """A knowledge update: an old value, and the new value that replaced it.

    Attributes:
        index: Index of the newest hit in the input, from 0.
        old_index: Index of the oldest hit in the input.
        subject: The subject of the value; may be empty.
        old: The old value; None if the query asks for the current value only.
        old_date: ``YYYY-MM-DD`` or empty.
        new: The new value.
        new_date: ``YYYY-MM-DD`` or empty.
    """

    index: int
    old_index: int
    subject: str
    old: str | None
    old_date: str
    new: str
    new_date: str


@dataclass(frozen=True, slots=True)
class Gap:
    """The time between two neighbors of a timeline.

    Attributes:
        days: Whole days.
        label: The time in words, such as ``12 days`` or ``1 year, 2 months``.
    """

    days: int
    label: str


@dataclass(frozen=True, slots=True)
class EntityLine:
    """The entities of a query, for the line above their sections.

    Attributes:
        count: The number of entities, from the hints.
        names: Their names.
    """

    count: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled group of nodes. Every format can write every section by these attributes alone.

    Attributes:
        key: The name for programs: letters, digits and ``_``, beginning with a letter. For a
            section of one grain type it is `section_of` that type.
        title: The heading for readers.
        nodes: The content, in order; a section may contain sections.
        name: A value of the hits that distinguishes sections of one key, such as an entity; None
            if the key is enough. Formats escape it.
        ordered: Whether its entries are in order of time; formats show the date of each.
        of_type: Whether all its entries have one grain type, the one that the key names.
    """

    key: str
    title: str
    nodes: tuple[Node, ...]
    name: str | None = None
    ordered: bool = False
    of_type: bool = False


Node = Entry | Update | Gap | EntityLine | Section


@dataclass(frozen=True, slots=True)
class Outline:
    """One page.

    Attributes:
        nodes: The content in reading order, updates first.
        grouped: Whether the body is grouped by type.
        numbers: Index of a hit -> its number, 1..n in reading order; empty without numbering.
    """

    nodes: tuple[Node, ...]
    grouped: bool = False
    numbers: Mapping[int, int] = field(default_factory=dict)


Piece = tuple[Entry | Update | None, str]
"""A stretch of a page: the node that it shows, None for headings and separators; and its text."""


def joined(pieces: Iterable[Piece], between: str) -> Iterator[Piece]:
    """Yield the pieces, with the text `between` after each piece but the last."""
    separator: Piece | None = None
    for piece in pieces:
        if separator is not None:
            yield separator
        yield piece
        separator = None, between


def entries_of(nodes: tuple[Node, ...]) -> Iterator[Entry | Update]:
    """Yield entries and updates in reading order."""
    for node in nodes:
        if isinstance(node, Section):
            yield from entries_of(node.nodes)
        elif isinstance(node, Entry | Update):
            yield node


def numbered(indexes: Iterable[int], first: int = 1) -> dict[int, int]:
    """Return index -> number, from `first` up, of each hit shown.

    The number of an update is that of its newest hit; two updates with one newest hit share it.

    Args:
        indexes: The indexes of the hits shown, in reading order; repeats do not count.
        first: The number of the first.
    """
    return {index: number for number, index in enumerate(dict.fromkeys(indexes), start=first)}
