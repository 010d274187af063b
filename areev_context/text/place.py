"""The place of a block in a document: its headings, its list, the line before it."""

from __future__ import annotations

from typing import NamedTuple

from areev_context.text.part_draft import Above

__all__ = ["ListItem", "Place"]


class ListItem(NamedTuple):
    """A list item that may have further lines.

    Attributes:
        marker: The column of its marker.
        inner: The first column of lines that belong to it.
        part: The index of its part.
        above: The parts that its neighbors in the list need.
    """

    marker: int
    inner: int
    part: int
    above: Above


class Place:
    """Keeps track of the parts that the next block needs."""

    def __init__(self, above: Above) -> None:
        self._above = above
        self._headings: list[tuple[int, int]] = []
        self._intro: tuple[int, bool, bool] | None = None
        self.items: list[ListItem] = []
        self.left: ListItem | None = None  # the last item that the present line has closed

    def heading(self, level: int) -> Above:
        """Return the context of a heading: the headings above it; it needs none of them."""
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self.items.clear()
        self._intro = None
        return Above((), (*self._above.context, *(part for _, part in self._headings)))

    def headed(self, level: int, part: int) -> None:
        """Add a heading."""
        self._headings.append((level, part))

    def introduce(self, part: int, *, needed: bool, caption: bool) -> None:
        """Add the sentence before the next block, which every block or only a table needs."""
        self._intro = (part, needed, caption)

    def leave(self, column: int) -> None:
        """Close the items that a line at this column does not belong to."""
        self.left = None
        while self.items and column < self.items[-1].inner:
            self.left = self.items.pop()

    def prose(self) -> Above:
        """Return the needs of a paragraph: its item or its heading."""
        headings = [part for _, part in self._headings]
        if self.items:
            return Above((self.items[-1].part,), (*self._above.context, *headings))
        needs = tuple(headings[-1:]) or self._above.needs
        return Above(needs, (*self._above.context, *headings[:-1]))

    def block(self, *, table: bool = False) -> Above:
        """Return the needs of a block, with the sentence that introduces it, used once."""
        above = self.prose()
        intro, self._intro = self._intro, None
        if intro is None or intro[0] in above.needs:
            return above
        part, needed, caption = intro
        if needed or (table and caption):
            return Above((*above.needs, part), above.context)
        return Above(above.needs, (*above.context, part))
