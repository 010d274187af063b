"""What a format is: how it writes one grain, and how it writes a page."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar, Self

from areev_context.hits.hit import Grain
from areev_context.layout.outline import Entry, Node, Outline, Piece, entries_of
from areev_context.policy import MetadataLevel, OutputFormat

__all__ = ["Format"]


class Format(ABC):
    """One format; every method is pure, and every value passes through its `escape`.

    Attributes:
        name: Its name.
        shortens: Whether it has summaries; without, an entry is whole or left out.
        takes_modes: Whether modes arrange its page; without, it is flat or grouped by type.
        marks: Whether its entries show their status, so that a replaced one may stand beside its
            successor.
        complete: Whether the metadata level full shows every text of a grain's own; without, its
            lines are the engine's.
    """

    name: ClassVar[OutputFormat]
    shortens: ClassVar[bool] = True
    takes_modes: ClassVar[bool] = True
    marks: ClassVar[bool] = True
    complete: bool = True

    @abstractmethod
    def escape(self, value: str, /) -> str:
        """Return one value, written so that it cannot pass for anything of ours."""

    @abstractmethod
    def render(self, grain: Grain, level: MetadataLevel) -> str:
        """Return one grain, whole."""

    @abstractmethod
    def pieces(self, outline: Outline) -> Iterable[Piece]:
        """Return the text of a page, piece by piece, in order."""

    def summary(self, grain: Grain, level: MetadataLevel, query: str) -> str:
        """Return one grain in one line; asked only of a format that has summaries."""
        raise NotImplementedError(f"{self.name} has no summaries")

    def line(self, grain: Grain, level: MetadataLevel) -> str | None:
        """Return the text that a page shows of a grain; None where it writes data instead."""
        return self.render(grain, level)

    def own_text(self, entry: Entry, level: MetadataLevel, *, ordered: bool) -> str:
        """Return an entry's text without its number, mark or ordinal.

        Args:
            entry: The entry.
            level: The metadata level.
            ordered: Whether it stands in an ordered section.
        """
        grain = entry.item.grain
        return self.render(grain, level) if entry.text is None else entry.text

    def reading_order(self, nodes: tuple[Node, ...]) -> Iterable[int]:
        """Return the places of the hits of a page in the order in which its text shows them."""
        return (node.index for node in entries_of(nodes))

    def as_engine(self) -> Self:
        """Return the format with the engine's own lines at every metadata level."""
        other = copy.copy(self)
        other.complete = False
        return other

    def write(self, outline: Outline) -> str:
        """Return the text of a page."""
        return "".join([text for _, text in self.pieces(outline)])
