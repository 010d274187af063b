"""Split parts that are larger than the room, each at the best place in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from areev_context.text.part import Part, PartKind

__all__ = ["within"]

_JOINED = "\u200d\ufe0f"  # what goes with the character before it, beside marks
# Where a text is split, the best first: at a line's end, a pause, the end of an element, a blank.
_PLACES = tuple(
    map(
        re.compile,
        (
            r"\n",
            r"[.;:!?。；：！？][\"'”’)\]]*\s",
            r"[,，、](?=\s|[\"'{\[(\w<])|[}\])>](?=[^}\])>,;])",
            r"\s",
        ),
    )
)


def within(text: str, parts: Sequence[Part], most: int, piece: int) -> tuple[Part, ...]:
    """Return the parts of a text; parts of more than `most` characters are split into pieces.

    A piece needs what its part needs; what needed the part needs its first piece.

    Args:
        text: The text.
        parts: Its parts.
        most: The characters a part may have, 1 or more.
        piece: The characters a piece of a larger part may have, 1 to `most`.
    """
    if all(part.end - part.start <= most for part in parts):
        return tuple(parts)
    pieces = [
        list(_pieces(text, part, piece if part.end - part.start > most else most)) for part in parts
    ]
    at = [0]
    for of in pieces:
        at.append(at[-1] + len(of))
    return tuple(
        piece._replace(
            needs=tuple(at[index] for index in piece.needs),
            context=tuple(at[index] for index in piece.context),
        )
        for of in pieces
        for piece in of
    )


def _pieces(text: str, part: Part, most: int) -> Iterator[Part]:
    start = part.start
    while part.end - start > most:
        end = _place(text, start, start + most)
        yield _piece(text, part, start, end)
        start = end
    yield _piece(text, part, start, part.end)


def _place(text: str, start: int, reach: int) -> int:
    """Return where the next piece starts: the last good place in reach, else the reach itself."""
    for place in _PLACES:
        ends = [match.end() for match in place.finditer(text, start + (reach - start) // 3, reach)]
        if ends:
            return ends[-1]
    end = reach  # no place at all: at least between two characters as a reader sees them
    while end > start + 1 and (text[end] in _JOINED or unicodedata.category(text[end])[0] == "M"):
        end -= 1
    return end if end > start + 1 else reach


def _piece(text: str, part: Part, start: int, end: int) -> Part:
    if start == part.start:
        return part._replace(end=end)
    if text[start - 1] == "\n":
        line = text[start:end]
        return part._replace(start=start, end=end, indent=len(line) - len(line.lstrip(" \t")))
    return part._replace(kind=PartKind.PIECE, start=start, end=end, indent=0)
