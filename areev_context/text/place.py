"""Where in a document a block stands: its headings, its list, the line before it."""

from __future__ import annotations

from typing import NamedTuple

from areev_context.text.draft import Above

__all__ = ["Item", "Place"]


class Item(NamedTuple):
    """An item whose lines may still come.

    Attributes:
        marker: The column of its marker.
        inner: The column from which on a line belongs to it.
        part: The index of its part.
        above: What its neighbors in the list need.
    """

    marker: int
    inner: int
    part: int
    above: Above


class Place:
    """What the next block needs."""

    def __init__(self, above: Above) -> None:
        self._above = above
        self._headings: list[tuple[int, int]] = []
        self._intro: tuple[int, bool, bool] | None = None
        self.items: list[Item] = []
        self.left: Item | None = None  # the last item that the present line has closed

    def heading(self, level: int) -> Above:
        """Return what counts for a heading: those above it; it needs none."""
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self.items.clear()
        self._intro = None
        return Above((), (*self._above.context, *(part for _, part in self._headings)))

    def headed(self, level: int, part: int) -> None:
        """Take note of a heading."""
        self._headings.append((level, part))

    def introduce(self, part: int, *, needed: bool, caption: bool) -> None:
        """Take note of the sentence before the next block, needed always or by a table only."""
        self._intro = (part, needed, caption)

    def leave(self, column: int) -> None:
        """Close the items that a line at this column does not belong to."""
        self.left = None
        while self.items and column < self.items[-1].inner:
            self.left = self.items.pop()

    def prose(self) -> Above:
        """Return what a paragraph needs: its item or its heading."""
        headings = [part for _, part in self._headings]
        if self.items:
            return Above((self.items[-1].part,), (*self._above.context, *headings))
        needs = tuple(headings[-1:]) or self._above.needs
        return Above(needs, (*self._above.context, *headings[:-1]))

    def block(self, *, table: bool = False) -> Above:
        """Return what a block needs that a sentence may introduce, which it takes up."""
        above = self.prose()
        intro, self._intro = self._intro, None
        if intro is None or intro[0] in above.needs:
            return above
        part, needed, caption = intro
        if needed or (table and caption):
            return Above((*above.needs, part), above.context)
        return Above(above.needs, (*above.context, part))
