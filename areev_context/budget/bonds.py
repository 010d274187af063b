"""What belongs together: the parts of a passage that must be shown with a part of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from areev_context.budget.slices import PROSE
from areev_context.text.part import Part, PartKind

__all__ = ["Bonds"]

_ENDED = re.compile(r"[.!?…:;。！？؟।۔][\"'”’)\]»」』*_`]*\s*$")
_FRAMES = frozenset({PartKind.HEADING, PartKind.HEADER, PartKind.FRAME, PartKind.LABEL})

# A sentence that opens so takes something back, or makes an exception: of the sentence before it.
_TURNS = (
    "but however yet nevertheless nonetheless otherwise except unless"
    " aber jedoch doch dennoch allerdings sondern trotzdem außer"
    " mais cependant toutefois pourtant néanmoins sauf"
    " pero salvo excepto sino ma però tuttavia eppure"
    " но однако зато кроме"
)
# One that opens so speaks of what the sentence before it names, or goes on from it.
_LEANS = (
    "he she it they this that these those such his her its their"
    " thus therefore hence so then also moreover furthermore likewise similarly consequently"
    " er sie es dies diese dieser dieses deshalb daher darum außerdem dann dadurch dabei dazu"
    " il elle ils elles ce cela ces cette donc ainsi alors"
    " ella ello ellos ellas esto esta este esos además así"
    " egli essa esso essi questo questa quindi inoltre"
    " он она оно они это этот эта эти поэтому также затем"
)
_LEANING = frozenset(f"{_TURNS} {_LEANS}".split())
_OPENING = re.compile(r"[\s\"'“‘«(*_]*([^\W\d_]+)")
_UNSPACED = re.compile(
    r"[\s「『“\"]*(?:但|然而|不过|可是|除非|しかし|だが|ただし|ところが|แต่|อย่างไรก็ตาม)"
)


class Bonds:
    """What belongs together in one passage.

    Args:
        text: The passage.
        parts: All its parts.
        glued: Characters up to which a sentence in pieces is shown whole or not at all.
    """

    def __init__(self, text: str, parts: Sequence[Part], glued: int) -> None:
        self._text = text
        self._parts = parts
        self._glued = glued
        self._sentences: Sequence[tuple[int, int]] | None = None

    def needs(self, index: int) -> Sequence[int]:
        """Return the parts that must be shown with a part, each of which has needs of its own."""
        part = self._parts[index]
        if part.kind not in PROSE:
            return part.needs
        return (*part.needs, *self._sentence(index))

    def leans_on(self, index: int) -> Sequence[int]:
        """Return the sentence before one that cannot be understood without it, or nothing.

        One step only: else a page would hang on a page.
        """
        part = self._parts[index]
        if not self._leans(part):
            return ()
        before = index - 1
        while before >= 0 and self._parts[before].kind is PartKind.PIECE:
            before -= 1
        return (before,) if before >= 0 and self._beside_in_paragraph(before, index) else ()

    def span(self, first: int, last: int) -> int:
        """Return the characters from one part to another."""
        return self._parts[last].end - self._parts[first].start

    def size(self, first: int, last: int) -> int:
        """Return the characters from one part to another, without blanks at the ends of a few."""
        start, end = self._parts[first].start, self._parts[last].end
        return len(self._text[start:end].strip()) if end - start < 100 else end - start

    def own_size(self, index: int) -> int:
        """Return the characters of a part that says something by itself; 0 for others."""
        return self.size(index, index) if self._parts[index].alone else 0

    def beside(self, first: int, last: int) -> int:
        """Return the neighbor of a stretch that goes with it best; it is not the whole passage."""
        if last + 1 == len(self._parts):
            return first - 1
        if first == 0 or self._parts[last].kind in _FRAMES:
            return last + 1
        after, before = self.size(last + 1, last + 1), self.size(first - 1, first - 1)
        return last + 1 if after <= before else first - 1

    def _sentence(self, index: int) -> Sequence[int]:
        """Return the other pieces of a sentence in pieces, where it is not too long to be whole."""
        if self._sentences is None:
            self._sentences = _sentences(self._parts)
        first, last = self._sentences[index]
        if first == last or self.span(first, last) > self._glued:
            return ()
        whole = self._text[self._parts[first].start : self._parts[last].end]
        return range(first, last + 1) if _ENDED.search(whole) else ()

    def _leans(self, part: Part) -> bool:
        if part.kind not in PROSE or part.kind is PartKind.PIECE:
            return False
        text = self._text
        opening = _OPENING.match(text, part.start, min(part.end, part.start + 40))
        if opening is None:
            return False
        if opening[1].casefold() in _LEANING:
            return True
        return _UNSPACED.match(text, part.start, part.end) is not None

    def _beside_in_paragraph(self, before: int, index: int) -> bool:
        parts = self._parts
        if parts[before].kind not in PROSE:
            return False
        end = parts[index].start
        return "\n\n" not in self._text[end - 4 : end]


def _sentences(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """Return for each part where the sentence in pieces that it is of begins and ends."""
    out: list[tuple[int, int]] = []
    first = 0
    for index in range(len(parts) + 1):
        if index == len(parts) or parts[index].kind is not PartKind.PIECE:
            out.extend([(first, index - 1)] * (index - first))
            first = index
    return out
