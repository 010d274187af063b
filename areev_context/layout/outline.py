"""The neutral page: what modes write and formats read. Five kinds of node, no output character."""

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
    """One hit of the main body, as it will be shown.

    Attributes:
        candidate: The hit with its worth and cost.
        form: Full or summary.
        text: The finished text of its renderer; None where the format writes it from the grain.
        session: The session it is shown to come from; None where none is shown.
    """

    item: Item
    form: Allocation
    text: str | None
    session: str | None = None

    @property
    def index(self) -> int:  # type: ignore[override]  # instead of tuple.index
        """Place of the hit among those that came in, from 0."""
        return self.item.index


@dataclass(frozen=True, slots=True)
class Update:
    """An old value and the new one that replaced it.

    Attributes:
        place: Place of the newest hit among those that came in.
        old_place: Place of the oldest one.
        subject: What it is about; may be empty.
        old: The old value, or None where the query asks for the current one only.
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
    """Time that passed between two neighbours of a timeline.

    Attributes:
        days: Whole days.
        label: The same in words, as ``12 days`` or ``1 year, 2 months``.
    """

    days: int
    label: str


@dataclass(frozen=True, slots=True)
class EntityLine:
    """The entities a query is about.

    Attributes:
        count: How many the caller counted.
        names: Their names.
    """

    count: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled group of nodes; formats write any, by these attributes alone.

    Attributes:
        key: Its name for machines: letters, digits and ``_``, beginning with a letter, but for a
            section of one type, whose key is `section_of` that type.
        title: Its heading in words.
        nodes: Its content, in order; sections nest.
        name: A value of the hits that tells it from others of its key, as an entity; None where
            the key does. Formats escape it.
        ordered: Whether its entries stand in order of time; formats show the date of each.
        of_type: Whether its entries are all of one grain type, which its key names.
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
        nodes: Its content in reading order, updates first.
        grouped: Whether the main body is grouped by type.
        numbers: Place of a hit -> its number, 1..n in reading order; empty when not asked for.
    """

    nodes: tuple[Node, ...]
    grouped: bool = False
    numbers: Mapping[int, int] = field(default_factory=dict)


Piece = tuple[Entry | Update | None, str]
"""A stretch of a page's text: the node that it says, None for what stands about nodes; the text."""


def joined(pieces: Iterable[Piece], between: str) -> Iterator[Piece]:
    """Yield the pieces with a text between each two of them."""
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


def numbered(indexes: Iterable[int]) -> dict[int, int]:
    """Return the number of each hit shown, 1..n, by its place.

    An update carries its newest hit's; two updates with one newest hit share it.

    Args:
        indexes: The indexes of the hits shown, in reading order; repeats do not count.
    """
    return {index: number for number, index in enumerate(dict.fromkeys(indexes), start=1)}
