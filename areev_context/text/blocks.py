"""Find the ends of the blocks of a document, and the lines that are titles."""

from __future__ import annotations

import re
from collections.abc import Collection

from areev_context.text.genre import Genre, genre_of, is_source
from areev_context.text.markup import BLOCK_TAG
from areev_context.text.part_draft import Lines
from areev_context.text.tables import pipe_end
from areev_context.text.titles import is_hash_heading, is_underline, title_level

__all__ = ["BULLETS", "CONTAINER", "ITEM", "RULE", "Blocks", "unquoted"]

ITEM = re.compile(
    r"(?:[-*+•‣◦▪●–]|\(?\d{1,9}[.)]|\(?[a-z]\)|[a-z]\.(?!\S)|\(?[ivx]{1,5}[.)])(?:\s+|$)"
)
_QUOTE = re.compile(r"(?:>(?!>>) ?)+")
BULLETS = frozenset("-*+•‣◦▪●–")
RULE = re.compile(r"(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|={5,}|/{3,})$")
CONTAINER = re.compile(r"!!!|\?\?\?\+?|\.\. [\w:-]+::|===[!+]? \"")
_SPECIAL = frozenset("#`~-*+•‣◦▪●–|<=(_^\"'!?.:/0123456789abcdefghijklmnopqrstuvwxyz")
_FRONT = 80  # lines that may stand in front of a document
_UNMARKED = 10  # titles without a mark stand below those with one


def unquoted(lines: Lines) -> tuple[Lines, frozenset[int]]:
    """Return the lines without quotation marks, and the lines where a quotation begins or ends."""
    bodies, widths = list(lines.bodies), list(lines.widths)
    breaks = set()
    before = 0
    for place, body in enumerate(bodies):
        found = _QUOTE.match(body) if body[:1] == ">" else None
        depth = found[0].count(">") if found else 0
        if found:
            rest = body[found.end() :]
            bodies[place] = rest.strip()
            widths[place] = len(rest) - len(rest.lstrip())
        if depth != before and (depth or body):
            breaks.add(place)
            before = depth
    return lines._replace(bodies=bodies, widths=widths), frozenset(breaks)


class Blocks:
    """The blocks of a document: they end at blank lines, fences, and the start of other blocks."""

    def __init__(self, lines: Lines, fences: Collection[int], breaks: frozenset[int]) -> None:
        self._lines = lines
        self._fences = fences
        self._breaks = breaks
        self._end = len(lines.bodies)
        self._hashes = any(body[:1] == "#" and is_hash_heading(body) for body in lines.bodies)

    def front(self) -> tuple[int, int]:
        """Return start and end of the data between `---` at the start of a document, or 0, 0."""
        bodies = self._lines.bodies
        first = self.next_text(0)
        if first == self._end or bodies[first] != "---":
            return 0, 0
        reach = range(first + 1, min(self._end, first + _FRONT))
        last = next((place for place in reach if bodies[place] == "---"), 0)
        found = last > first + 1 and ":" in bodies[first + 1]
        return (first, last + 1) if found else (0, 0)

    def next_text(self, place: int) -> int:
        """Return this line, or the next one that is not blank, or the end."""
        while place < self._end and not self._lines.bodies[place]:
            place += 1
        return place

    def end(self, place: int) -> int:
        """Return the next blank line, fence or end of a quotation."""
        bodies = self._lines.bodies
        place += 1
        while place < self._end and bodies[place] and place not in self._fences:
            if place in self._breaks:
                break
            place += 1
        return place

    def text_end(self, place: int, *, listed: bool = False) -> int:
        """Return the end of the text of a paragraph or an item that began before this line."""
        bodies = self._lines.bodies
        while place < self._end and bodies[place] and place not in self._fences:
            body = bodies[place]
            if body[0] in _SPECIAL and self._interrupts(place, body, listed=listed):
                break
            if place in self._breaks:
                break
            place += 1
        return place

    def _interrupts(self, place: int, body: str, *, listed: bool) -> bool:
        """Tell whether a line begins a block even where no blank line stands before it."""
        if is_hash_heading(body) or RULE.match(body) or CONTAINER.match(body):
            return True
        if is_underline(body, self._lines.bodies[place - 1]):
            return True
        if ITEM.match(body):
            bullet = body[0] in BULLETS and len(body) > 1
            return bullet or listed or body[:2] in {"1.", "1)"}
        if body[0] == "<":
            return BLOCK_TAG.match(body) is not None
        return body[0] in "|+" and pipe_end(self._lines, place, self._end) > place

    def title(self, place: int, end: int) -> int:
        """Return the level of a line that is a title; 0 in Markdown, where headings have marks."""
        bodies = self._lines.bodies
        if self._hashes or end - place > 1:
            return 0
        follows = self.next_text(end)
        if follows == self._end or follows in self._fences or self._lines.widths[follows] >= 2:
            return 0
        if ITEM.match(bodies[place]) and ITEM.match(bodies[follows]):
            return 0
        level = title_level(self._lines, place, end, follows)
        return level + _UNMARKED if level else 0

    def goes_on(self, genre: Genre, first: int, end: int) -> bool:
        """Return whether a block continues the genre of the block before it."""
        lines = self._lines
        if genre is Genre.CODE and all(
            lines.widths[place] or is_source(lines.bodies[place]) for place in range(first, end)
        ):
            return True
        return genre_of(lines, first, end) is genre
