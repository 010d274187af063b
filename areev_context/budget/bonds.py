"""What belongs together: the parts of a passage that must be shown with a part of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from areev_context.budget.slices import PROSE, runs
from areev_context.text.part import Part, PartKind

__all__ = ["Bonds"]

_SMALL_GAP = 12  # characters: about the three tokens that a mark has to stand for
_LEAST_PIECE = 20  # characters of a stretch between two marks
_LEAST_ENTRY = 25  # characters of what an entry says
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
    """What belongs together in one passage; what is asked for is found once.

    Args:
        text: The passage.
        parts: All its parts.
        glued: Characters up to which a sentence in pieces is shown whole or not at all.
    """

    def __init__(self, text: str, parts: Sequence[Part], glued: int) -> None:
        self._text = text
        self._parts = parts
        self._glued = glued
        self._needs: dict[int, frozenset[int]] = {}

    def with_needs(self, index: int) -> frozenset[int]:
        """Return a part and all that must be shown with it."""
        found = self._needs.get(index)
        if found is None:
            seen = {index, *self._leans_on(index)}  # one step: else a page would hang on a page
            todo = sorted(seen)
            while todo:
                for need in self._direct(todo.pop()):
                    if need not in seen:
                        seen.add(need)
                        todo.append(need)
            found = self._needs[index] = frozenset(seen)
        return found

    def together(self, shown: set[int]) -> list[int]:
        """Return the parts to show where these are: with small gaps filled, and without crumbs."""
        found = sorted(shown)
        while True:
            more = self._gap(found) or self._crumb(found)
            if not more:
                return found
            for index in more:
                shown |= self.with_needs(index)
            found = sorted(shown)

    def _size(self, first: int, last: int) -> int:
        """Return the characters from one part to another, without blanks at the ends."""
        start, end = self._parts[first].start, self._parts[last].end
        return len(self._text[start:end].strip()) if end - start < 100 else end - start

    def _gap(self, shown: Sequence[int]) -> Sequence[int]:
        """Return the parts of the first gap that is too small for a mark, or nothing."""
        before = -1
        for first, last in runs(shown):
            if first > before + 1 and self._size(before + 1, first - 1) <= _SMALL_GAP:
                return range(before + 1, first)
            before = last
        end = len(self._parts)
        if end > before + 1 and self._size(before + 1, end - 1) <= _SMALL_GAP:
            return range(before + 1, end)
        return ()

    def _crumb(self, shown: Sequence[int]) -> Sequence[int]:
        """Return the part to add where a stretch, or the entry, says too little, or nothing."""
        stretches = list(runs(shown))
        for first, last in stretches:
            between = first > 0 and last + 1 < len(self._parts)
            if between and self._size(first, last) < _LEAST_PIECE:
                return self._beside(first, last)
        if len(shown) < len(self._parts) and self._shows_little(shown):
            return self._beside(*stretches[-1])
        return ()

    def _shows_little(self, shown: Iterable[int]) -> bool:
        """Return whether an entry of these parts has too few characters of its own."""
        own = 0
        for index in shown:
            if self._parts[index].alone:
                own += self._size(index, index)
                if own >= _LEAST_ENTRY:
                    return False
        return True

    def _beside(self, first: int, last: int) -> Sequence[int]:
        """Return the neighbour of a stretch that goes with it best."""
        if last + 1 == len(self._parts):
            return (first - 1,)
        if first == 0 or self._parts[last].kind in _FRAMES:
            return (last + 1,)
        after, before = self._size(last + 1, last + 1), self._size(first - 1, first - 1)
        return (last + 1,) if after <= before else (first - 1,)

    def _direct(self, index: int) -> Sequence[int]:
        part = self._parts[index]
        if part.kind not in PROSE:
            return part.needs
        return (*part.needs, *self._sentence(index))

    def _sentence(self, index: int) -> Sequence[int]:
        """Return the other pieces of a sentence in pieces, where it is not too long to be whole."""
        parts, first, last = self._parts, index, index
        if parts[index].kind is PartKind.PIECE:
            while first > 0 and parts[first].kind is PartKind.PIECE:
                first -= 1
        while last + 1 < len(parts) and parts[last + 1].kind is PartKind.PIECE:
            last += 1
        if first == last or parts[last].end - parts[first].start > self._glued:
            return ()
        whole = self._text[parts[first].start : parts[last].end]
        return range(first, last + 1) if _ENDED.search(whole) else ()

    def _leans_on(self, index: int) -> Sequence[int]:
        """Return the sentence before one that cannot be understood without it, or nothing."""
        part = self._parts[index]
        if not self._leans(part):
            return ()
        before = index - 1
        while before >= 0 and self._parts[before].kind is PartKind.PIECE:
            before -= 1
        return (before,) if before >= 0 and self._beside_in_paragraph(before, index) else ()

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
