"""Fences of Markdown, also fences whose opening or closing line was cut off."""

from __future__ import annotations

import re
from typing import NamedTuple

from areev_context.text.genre import Genre, genre_of, looks_like_source, named_genre
from areev_context.text.part import PartKind
from areev_context.text.part_draft import MOST, Above, Lines, PartDraft
from areev_context.text.readers import read_genre

__all__ = ["Fence", "fences_of", "read_fence"]

_BLANK = 2  # what a blank line beside a fence weighs, in lines
_NEAR = 2  # characters that a title and the line below it may differ in length
_LANGUAGE_END = re.compile(r"[\s}{,:]")
_NEVER_INSIDE = frozenset({Genre.PROSE, Genre.TALK, Genre.VALUES, Genre.LOG, Genre.MARKUP})
_LINE = re.compile(r"(`{3,})[^`]*$|(~{3,})")


class Fence(NamedTuple):
    """A fence: its opening line and its closing line; None for a line that was cut off."""

    opening: int | None
    closing: int | None


def fences_of(lines: Lines) -> list[Fence]:
    """Return the fences of the lines, in order.

    A text that begins inside a fence is recognized by its next fence line, which names a language
    and so opens another fence, and by lines that read as source.
    """
    marks = [
        (place, match[1] or match[2], len(body) > match.end(1 if match[1] else 2))
        for place, body in enumerate(lines.bodies)
        if body[:3] in {"```", "~~~"}
        and (match := _LINE.match(body))
        and not (place and body[0] == "~" and _underlines(body, lines.bodies[place - 1]))
    ]
    if not marks:
        return []
    as_opened, faults = _paired(marks, cut=False)
    if marks[0][2]:
        return as_opened
    as_cut, faults_cut = _paired(marks, cut=True)
    if faults != faults_cut:
        return as_opened if faults < faults_cut else as_cut
    return as_cut if _weight(lines, as_cut) > _weight(lines, as_opened) else as_opened


def _underlines(body: str, title: str) -> bool:
    """Tell whether a line of `~` stands below a title, as in reStructuredText."""
    return len(body) > 3 and body == "~" * len(body) and abs(len(body) - len(title)) <= _NEAR


def _paired(marks: list[tuple[int, str, bool]], *, cut: bool) -> tuple[list[Fence], int]:
    """Pair the fence lines, and count those that name a language inside of a fence."""
    found: list[Fence] = []
    faults = 0
    inside = cut
    opening: int | None = None
    run = ""
    for place, mark, named in marks:
        if not inside:
            inside, opening, run = True, place, mark
        elif named:
            faults += not run or (mark[0] == run[0] and len(mark) >= len(run))
        elif not run or (mark[0] == run[0] and len(mark) >= len(run)):
            found.append(Fence(opening, place))
            inside = False
    if inside:
        found.append(Fence(opening, None))
    return found, faults


def _weight(lines: Lines, fences: list[Fence]) -> int:
    """Weigh a pairing: what is inside reads as source, and blank lines stand outside."""
    bodies = lines.bodies
    count = len(bodies)
    inside: set[int] = set()
    whole = all(None not in fence for fence in fences)
    weight = 3 * _BLANK * whole
    for fence in fences:
        first = -1 if fence.opening is None else fence.opening
        last = count if fence.closing is None else fence.closing
        inside.update(range(first + 1, last))
        if fence.opening is not None and 0 < first < count - 1:
            weight += _BLANK * (not bodies[first - 1] or bodies[first - 1][-1] == ":")
        if fence.closing is not None and 0 < last < count - 1:
            weight += _BLANK * (not bodies[last + 1])
            weight -= _BLANK * (not bodies[last - 1])
    for place, body in enumerate(bodies):
        if body and body[:3] not in {"```", "~~~"}:
            source = looks_like_source(body, lines.indents[place])
            weight += 1 if source == (place in inside) else -1
    return weight


def read_fence(draft: PartDraft, lines: Lines, fence: Fence, above: Above) -> int:
    """Add a fence and return the line after it.

    Its content needs the opening line, and the opening line needs the closing line.
    """
    end = len(lines.bodies)
    first = 0 if fence.opening is None else fence.opening
    last = end if fence.closing is None else fence.closing
    inside, opening = above, -1
    if fence.opening is not None:
        indent = lines.indents[first]
        opening = draft.add(PartKind.FENCE, lines.starts[first], above, indent=indent, alone=False)
        inside = Above((opening,), above.context)
        first += 1
    while first < last and not lines.bodies[first]:
        first += 1
    if first < last:
        genre = _genre_inside(lines, first, last, fence)
        read_genre(draft, lines.part(first, last), genre, inside)
    if fence.closing is None:
        return end
    indent = lines.indents[last]
    closing = draft.add(PartKind.FENCE_END, lines.starts[last], above, indent=indent, alone=False)
    if opening >= 0:
        draft.need(opening, closing)
    return last + 1


def _genre_inside(lines: Lines, first: int, last: int, fence: Fence) -> Genre:
    """Return what a fence holds: what its language says, or what it reads as; in doubt code."""
    info = "" if fence.opening is None else lines.bodies[fence.opening].lstrip("`~ {.")
    named = named_genre(_LANGUAGE_END.split(info, maxsplit=1)[0])
    if named is Genre.CODE or (named is not None and lines.size(first, last) <= MOST):
        return named
    genre = genre_of(lines, first, last)
    return named or Genre.CODE if genre in _NEVER_INSIDE else genre
