"""The page of lines that Markdown and plain text share: one line per node, under headings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from itertools import groupby

from areev_context.formats.base import Format
from areev_context.formats.escaping import guard_numbers
from areev_context.layout.outline import (
    EntityLine,
    Entry,
    Gap,
    Node,
    Outline,
    Piece,
    Section,
    Update,
)

__all__ = ["PageFormat", "indented"]

_SPACED = frozenset({"expansion"})  # sections whose heading a blank line follows


class PageFormat(Format):
    """A format whose page is lines under headings, with a blank line between sections."""

    @abstractmethod
    def heading(self, section: Section) -> str:
        """Return a section's heading."""

    @abstractmethod
    def entry(self, entry: Entry, mark: str | None, ordinal: int | None, number: int | None) -> str:
        """Return the line of an entry.

        Args:
            entry: The entry.
            mark: Its status mark; None if none is shown.
            ordinal: Its number in an ordered section, without numbering its position from 1; None
                in other sections.
            number: Its number; None without numbering.
        """

    @abstractmethod
    def update(self, update: Update, number: int | None) -> str:
        """Return the line of an update; the number is None without numbering."""

    @abstractmethod
    def gap(self, gap: Gap, before: str) -> str:
        """Return the line of a gap, given the lines before it."""

    @abstractmethod
    def entity_line(self, entity_line: EntityLine) -> str:
        """Return the line of entities."""

    def pieces(self, outline: Outline) -> list[Piece]:
        """Return the page: a blank line between sections, none after a heading."""
        pieces: list[Piece] = []
        self._write_nodes(outline.nodes, outline, pieces, ordered=False)
        return pieces

    def _write_nodes(
        self, nodes: Iterable[Node], outline: Outline, pieces: list[Piece], *, ordered: bool
    ) -> None:
        """Add sections and runs of other nodes, a blank line between each two of them."""
        between = ""
        for sections, run in groupby(nodes, key=_is_section):
            if not sections:
                if between:
                    pieces.append((None, between))
                self._write_lines(run, outline, pieces, ordered=ordered)
                between = "\n\n"
                continue
            for section in run:
                assert isinstance(section, Section)
                gap = "\n\n" if section.key in _SPACED else "\n"
                heading = _among(outline, self.heading(section))
                pieces.append((None, f"{between}{heading}{gap}"))
                self._write_nodes(section.nodes, outline, pieces, ordered=section.ordered)
                between = "\n\n"

    def _write_lines(
        self, nodes: Iterable[Node], outline: Outline, pieces: list[Piece], *, ordered: bool
    ) -> None:
        place, line, numbers = 0, "", outline.numbers
        for node in nodes:
            if place or line:
                pieces.append((None, "\n"))
            match node:
                case Entry():
                    place += 1
                    number = numbers.get(node.index) if numbers else None
                    ordinal = (place if number is None else number) if ordered else None
                    line = self.entry(node, node.item.mark, ordinal, number)
                    pieces.append((node, line))
                case Update():
                    line = self.update(node, numbers.get(node.index))
                    pieces.append((node, line))
                case Gap():
                    pieces.append((None, self.gap(node, line)))
                case _:
                    assert isinstance(node, EntityLine)
                    line = _among(outline, self.entity_line(node))
                    pieces.append((None, line))


def indented(lines: str) -> str:
    """Return the lines of an entry as they stand in another, each behind two blanks."""
    return "\n".join([f"  {line}" if line else line for line in lines.split("\n")])


def _is_section(node: Node) -> bool:
    return isinstance(node, Section)


def _among(outline: Outline, line: str) -> str:
    """Return a line without a number of its own as it stands among entries with numbers."""
    return guard_numbers(line) if outline.numbers else line
