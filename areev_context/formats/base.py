"""What a format is: how it writes one grain, and how it writes a page."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Self

from areev_context.hits.hit import Grain
from areev_context.layout.outline import Entry, Node, Outline, Piece, entries_of
from areev_context.policy import FormatPolicy, MetadataLevel, OutputFormat
from areev_context.selection.item import Item

__all__ = ["Format"]


_OF_HEAD = frozenset({"confidence", "superseded_by"})


class Format(ABC):
    """One format. Every method is pure, and every value passes through its `escape`.

    Attributes:
        name: Its name.
        shortens: Whether it has summaries; if not, an entry is whole or left out.
        takes_modes: Whether modes arrange its page; if not, it is flat or grouped by type.
        joins: Whether hits of one source become one entry; not where each hit is a row of data.
        marks: Whether its entries show their status, so that a replaced hit may stand beside its
            successor.
        dates: Whether every entry shows its date; None = as the format does without being asked.
        metadata: The metadata level of the page, for a format that writes rows of data.
        complete: Whether the metadata level full shows every text field of a grain; if not, its
            lines are the lines of the reference engine.
    """

    name: ClassVar[OutputFormat]
    shortens: ClassVar[bool] = True
    takes_modes: ClassVar[bool] = True
    joins: ClassVar[bool] = True
    marks: ClassVar[bool] = True
    dates: bool | None = None
    metadata: MetadataLevel = MetadataLevel.MINIMAL
    complete: bool = True

    @abstractmethod
    def escape(self, value: str, /) -> str:
        """Return one value, escaped so that no part of it reads as markup of the format."""

    @abstractmethod
    def render(self, grain: Grain, level: MetadataLevel) -> str:
        """Return one grain, whole."""

    @abstractmethod
    def pieces(self, outline: Outline) -> Iterable[Piece]:
        """Return the text of a page, piece by piece, in order."""

    def summary(self, grain: Grain, level: MetadataLevel, query: str) -> str:
        """Return one grain in one line; called only for formats that have summaries."""
        raise NotImplementedError(f"{self.name} has no summaries")

    def turn(self, grain: Grain, level: MetadataLevel) -> str:
        """Return a turn without what the head of an entry of several turns shows for all."""
        fields = {name: value for name, value in grain.fields.items() if name not in _OF_HEAD}
        return self.render(grain._replace(created_at=0, fields=fields), level)

    def talk(self, grain: Grain, turns: Iterable[str], level: MetadataLevel) -> str:
        """Return one entry of several turns; empty if its head has nothing to show.

        Args:
            grain: A turn, whose date and metadata are those of all.
            turns: Their texts, as `turn` returns them, oldest first.
            level: The metadata level.
        """
        raise NotImplementedError(f"{self.name} joins no turns")

    def line(self, grain: Grain, level: MetadataLevel) -> str | None:
        """Return the text of a grain on a page; None if the format writes data instead."""
        return self.render(grain, level)

    def own_text(self, entry: Entry, level: MetadataLevel, *, ordered: bool) -> str:
        """Return an entry's text without its number, mark or ordinal.

        Args:
            entry: The entry.
            level: The metadata level.
            ordered: Whether it stands in an ordered section.
        """
        return self.whole(entry.item, level) if entry.text is None else entry.text

    def whole(self, item: Item, level: MetadataLevel) -> str:
        """Return the grain of a hit, whole, where the page writes data instead of lines."""
        return self.render(item.grain, level)

    def reading_order(self, nodes: tuple[Node, ...]) -> Iterable[int]:
        """Return the indexes of the hits of a page, in the order in which its text shows them."""
        return (node.index for node in entries_of(nodes))

    def for_policy(self, policy: FormatPolicy) -> Self:
        """Return the same format with a policy's dates and metadata level."""
        if (policy.dates, policy.metadata) == (self.dates, self.metadata):
            return self
        other = copy.copy(self)
        other.dates, other.metadata = policy.dates, policy.metadata
        return other

    def dated(self, grain: Grain) -> Grain:
        """Return a grain as it is written: without its date, if no entry shows one."""
        return grain._replace(created_at=0) if self.dates is False else grain

    def shows_date(self, grain: Grain, level: MetadataLevel) -> bool:
        """Return whether a format adds a date to its entry: by default that of a document."""
        if not grain.created_at or self.dates is False:
            return False
        usual = grain.grain_type == "document" and level is not MetadataLevel.NONE
        return usual or self.dates is True

    def as_engine(self) -> Self:
        """Return the same format with the reference engine's lines at every metadata level."""
        other = copy.copy(self)
        other.complete = False
        return other

    def write(self, outline: Outline) -> str:
        """Return the text of a page."""
        return "".join([text for _, text in self.pieces(outline)])
