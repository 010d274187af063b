"""The page of lines that Markdown and plain text share: one line a node, blank lines between."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
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
    joined,
)

__all__ = ["PageFormat"]

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
            mark: Its status mark; None where none is shown.
            ordinal: Its place in an ordered section, from 1; None elsewhere.
            number: Its number; None where none is asked for.
        """

    @abstractmethod
    def update(self, update: Update, number: int | None) -> str:
        """Return the line of an update; the number is None where none is asked for."""

    @abstractmethod
    def gap(self, gap: Gap, before: str) -> str:
        """Return the line of a gap, given the lines before it."""

    @abstractmethod
    def entity_line(self, entity_line: EntityLine) -> str:
        """Return the line of entities."""

    def pieces(self, outline: Outline) -> Iterator[Piece]:
        """Yield the page: a blank line between sections, none after a heading."""
        return self._parts(outline.nodes, outline, ordered=False)

    def _parts(self, nodes: Iterable[Node], outline: Outline, *, ordered: bool) -> Iterator[Piece]:
        """Yield sections and runs of other nodes, a blank line between each two of them."""
        between = ""
        for sections, run in groupby(nodes, key=_is_section):
            if not sections:
                if between:
                    yield None, between
                yield from joined(self._lines(run, outline, ordered=ordered), "\n")
                between = "\n\n"
                continue
            for section in run:
                assert isinstance(section, Section)
                gap = "\n\n" if section.key in _SPACED else "\n"
                yield None, f"{between}{_among(outline, self.heading(section))}{gap}"
                yield from self._parts(section.nodes, outline, ordered=section.ordered)
                between = "\n\n"

    def _lines(self, nodes: Iterable[Node], outline: Outline, *, ordered: bool) -> Iterator[Piece]:
        index, line = 0, ""
        for node in nodes:
            match node:
                case Entry():
                    index += 1
                    number = outline.numbers.get(node.index)
                    line = self.entry(node, node.item.mark, index if ordered else None, number)
                    yield node, line
                case Update():
                    yield node, self.update(node, outline.numbers.get(node.index))
                case Gap():
                    yield None, self.gap(node, line)
                case _:
                    assert isinstance(node, EntityLine)
                    yield None, _among(outline, self.entity_line(node))


def _is_section(node: Node) -> bool:
    return isinstance(node, Section)


def _among(outline: Outline, line: str) -> str:
    """Return a line without a number of its own as it stands among entries with numbers."""
    return guard_numbers(line) if outline.numbers else line
