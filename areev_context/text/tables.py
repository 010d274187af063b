"""Tables: rows, and the header that each of them needs."""

from __future__ import annotations

import re

from areev_context.text.part import PartKind
from areev_context.text.part_draft import Above, Lines, PartDraft

__all__ = ["columns_end", "is_rule", "pipe_end", "read_columns", "read_pipes"]

_RULE = re.compile(r"\|?\s*:?-+:?\s*(?:[|+]\s*:?-+:?\s*)*\|?$")
_GRID = re.compile(r"\+(?:[-=]+\+)+$|=+(?:\s+=+)+$|[-─━═]{2,}(?:(?:\s+|[-─━═┼╪+|]+)[-─━═]{2,})+$")
_GAP = re.compile(r"\S(?:\t|  )\s*(?=\S)")
_FEWEST = 3  # lines that make columns
_NUMBER = re.compile(r"\d")


def is_rule(body: str) -> bool:
    """Return whether a line is the rule below the header of a pipe table."""
    return "-" in body and ("|" in body or "+" in body) and _RULE.match(body) is not None


def pipe_end(lines: Lines, first: int, end: int) -> int:
    """Return the end of a pipe table that starts at ``first``; ``first`` if there is none.

    A table has a rule. If the rule was cut off, it has two rows between pipes, or one row at the
    start or the end of the lines.
    """
    bodies = lines.bodies
    body = bodies[first]
    if "|" not in body and not (body[0] == "+" and _GRID.match(body)):
        return first
    if first + 1 < end and bodies[first + 1] and is_rule(bodies[first + 1]):
        return _lines_end(bodies, first, end)
    if body[0] == "+":
        place = _lines_end(bodies, first, end) if _GRID.match(body) else first
        return place if place - first >= _FEWEST else first
    framed = first
    while framed < end and bodies[framed][:1] == "|" == bodies[framed][-1:]:
        framed += 1
    if framed - first >= 2 or (framed > first and len(body) > 2 and (first == 0 or framed == end)):
        return framed
    if first == 0:
        place = _lines_end(bodies, first, end)
        return place if place > 1 and _alike(bodies[:place]) else first
    return first


def _lines_end(bodies: list[str], place: int, end: int) -> int:
    while place < end and bodies[place] and ("|" in bodies[place] or bodies[place][0] == "+"):
        place += 1
    return place


def _alike(bodies: list[str]) -> bool:
    """Return whether lines without a rule all have the same number of ` | `, two or more."""
    count = bodies[0].count(" | ")
    return count >= 2 and all(body.count(" | ") == count for body in bodies)


def read_pipes(draft: PartDraft, lines: Lines, first: int, end: int, above: Above) -> None:
    """Add the header and the rows of a pipe table or of a grid.

    Rows whose first cell is empty go on with the header; a row with its first cell only names
    the rows that follow it.
    """
    bodies, place = lines.bodies, first
    if bodies[first][0] == "+":
        place = _grid_header(bodies, first, end)
    elif is_rule(bodies[first]):
        place = first + 1
    elif first + 1 < end and is_rule(bodies[first + 1]):
        place = first + 2
    while first < place < end - 1 and _cells(bodies[place])[:1] == [""]:
        place += 1
    if place > first:
        above = _header(draft, lines, first, above)
    below = above
    for row in range(place, end):
        body = bodies[row]
        if body[0] == "+" or is_rule(body):
            continue  # belongs to the row before it
        cells = _cells(body)
        names = len(cells) > 2 and cells[0] and not any(cells[1:])
        index = draft.add(
            PartKind.ROW,
            lines.starts[row],
            above if names else below,
            indent=lines.indents[row],
        )
        if names and row + 1 < end and any(_cells(bodies[row + 1])[1:]):
            below = Above((*above.needs, index), above.context)


def _header(draft: PartDraft, lines: Lines, first: int, above: Above) -> Above:
    index = draft.add(
        PartKind.HEADER, lines.starts[first], above, indent=lines.indents[first], alone=False
    )
    return Above((index,), above.context)


def _grid_header(bodies: list[str], first: int, end: int) -> int:
    """Return where the header of a grid ends: after its rule of ``=``, or after its first rule."""
    for place in range(first + 1, min(end, first + 8)):
        if bodies[place][:2] == "+=":
            return place + 1
    second = [place for place in range(first + 1, min(end, first + 8)) if bodies[place][0] == "+"]
    return second[0] + 1 if second and second[0] + 1 < end else first + 1


def _cells(body: str) -> list[str]:
    return [cell.strip() for cell in body.strip("|").split("|")]


def columns_end(lines: Lines, first: int, end: int) -> int:
    """Return the end of aligned or tab-separated columns; ``first`` if there are none.

    Columns are three lines or more with gaps of two blanks or a tab. The gaps stand one below the
    other, or the lines have the same number of tabs.
    """
    bodies = lines.bodies
    place = first
    gaps: list[set[int]] = []
    tabs: list[int] = []
    text = lines.text
    while place < end and bodies[place]:
        body = bodies[place]
        start = lines.starts[place]
        found = {match.end() + start - start for match in _GAP.finditer(body)}
        rule = _GRID.match(body) is not None
        if not found and not rule:
            break
        offset = lines.indents[place]
        gaps.append({gap + offset for gap in found})
        tabs.append(text.count("\t", start, lines.starts[place + 1]))
        place += 1
    if place - first < _FEWEST:
        return first
    if min(tabs) == max(tabs) > 0:
        return place
    shared = set.intersection(*(found for found in gaps if found)) if any(gaps) else set()
    return place if shared else first


def read_columns(draft: PartDraft, lines: Lines, first: int, end: int, above: Above) -> None:
    """Add the header and the rows of aligned columns.

    The first line is the header if it has no number and other lines have one, if it is in capitals,
    or if a rule stands below it.
    """
    bodies = lines.bodies
    place = first
    while place < end and _GRID.match(bodies[place]):
        place += 1
    ruled = place + 1 < end and _GRID.match(bodies[place + 1]) is not None
    if ruled:
        place += 2
    elif place < end and _is_header(bodies[place], bodies[place + 1 : end]):
        place += 1
    if place > first:
        above = _header(draft, lines, first, above)
    for row in range(place, end):
        if not _GRID.match(bodies[row]):
            start = lines.starts[row]
            draft.add(PartKind.ROW, start, above, indent=lines.indents[row])


def _is_header(body: str, others: list[str]) -> bool:
    if body.isupper() and not all(other.isupper() for other in others):
        return True
    numbers = sum(_NUMBER.search(other) is not None for other in others)
    return _NUMBER.search(body) is None and 2 * numbers >= len(others)
