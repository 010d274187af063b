"""What belongs together: the parts of a passage that must be shown with a part of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from areev_context.text.part import PROSE, Part, PartKind

__all__ = ["Bonds", "bonds_of"]

_WHOLE = PROSE - {PartKind.PIECE}
_ENDED = re.compile(r"[.!?…:;。！？؟।۔][\"'”’)\]»」』*_`]*\s*$")

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


class Bonds(NamedTuple):
    """What belongs together in one passage, by the indexes of its parts.

    Attributes:
        needs: For each part those that must be shown with it; each of them has needs of its own.
        leans_on: For a sentence that cannot be understood without the one before it, that one. It
            is no need: one step back is taken and no more, else a page would hang on a page.
    """

    needs: Sequence[Sequence[int]]
    leans_on: Mapping[int, int]


def bonds_of(text: str, parts: Sequence[Part], glued: int) -> Bonds:
    """Return what belongs together in a passage.

    Args:
        text: The passage.
        parts: All its parts.
        glued: Characters up to which a sentence in pieces is shown whole or not at all.
    """
    begins = [n for n, part in enumerate(parts) if part.kind is not PartKind.PIECE or n == 0]
    needs: list[Sequence[int]] = [part.needs for part in parts]
    if len(begins) < len(parts):
        for first, end in zip(begins, [*begins[1:], len(parts)], strict=True):
            if _is_glued(text, parts, first, end - 1, glued):
                whole = range(first, end)
                for n in whole if parts[first].kind in PROSE else whole[1:]:
                    needs[n] = (*parts[n].needs, *whole)
    return Bonds(needs, _leaning(text, parts, begins))


def _is_glued(text: str, parts: Sequence[Part], first: int, last: int, glued: int) -> bool:
    """Return whether what begins with one part and goes on in pieces is one short sentence."""
    start, end = parts[first].start, parts[last].end
    if first == last or end - start > glued:
        return False
    return _ENDED.search(text[start:end]) is not None


def _leaning(text: str, parts: Sequence[Part], begins: Sequence[int]) -> dict[int, int]:
    """Return the sentence before each one that leans on it, where they are of one paragraph."""
    spaced = text.isascii()
    return {
        index: before
        for before, index in pairwise(begins)
        if parts[index].kind in PROSE
        and parts[before].kind in _WHOLE
        and _leans(text, parts[index], spaced=spaced)
        and "\n\n" not in text[parts[index].start - 4 : parts[index].start]
    }


def _leans(text: str, part: Part, *, spaced: bool) -> bool:
    opening = _OPENING.match(text, part.start, min(part.end, part.start + 40))
    if opening is None:
        return False
    if opening[1].casefold() in _LEANING:
        return True
    return not spaced and _UNSPACED.match(text, part.start, part.end) is not None
