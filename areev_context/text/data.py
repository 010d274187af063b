"""Data: JSON, YAML, TOML, INI and XML as rows of a nested text."""

from __future__ import annotations

import re

from areev_context.text.nesting import DEEP, GLUES, JOINS, OWN, SPACED, Rows
from areev_context.text.part_draft import Lines

__all__ = ["rows_of_brackets", "rows_of_data", "rows_of_sections"]

_CLOSES = re.compile(r"[\])}]|</|-->|\?>|/>")
_ELEMENT = re.compile(r"-(?:\s|$)|[{\[]|<\w")
_SECTION = re.compile(r"\[{1,2}[^\[\]]+\]{1,2}\s*(?:[#;].*)?$")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[{}\[\],]', re.S)
_BLOCK = frozenset({": |", ": >", ": |-", ": >-", ": |+", ": >+"})  # text in lines of its own
_BLANKS = re.compile(r"\s*")
_CLOSING_QUOTE = re.compile(r"[^\"]*\"\s*[,:}\]]")


def rows_of_data(lines: Lines, first: int, end: int) -> Rows:
    """Return lines that are nested by indentation as rows: YAML, and indented JSON or XML."""
    bodies = lines.bodies
    places = [place for place in range(first, end) if bodies[place]]
    levels: list[int] = []
    flags: list[int] = []
    block = -1  # the level of a key whose text follows in lines of its own, or -1
    for place in places:
        body = bodies[place]
        level = 2 * lines.widths[place] + (body[0] == "-" and body[:2] in {"-", "- "})
        if 0 <= block < level:
            levels.append(DEEP)
            flags.append(0)
            continue
        block = level if body[-3:] in _BLOCK or body[-4:] in _BLOCK else -1
        flag = SPACED if place > first and not bodies[place - 1] else 0
        if _CLOSES.match(body):
            flag |= JOINS
        elif body[0] == "#":
            flag |= GLUES
        elif _ELEMENT.match(body):
            flag |= OWN
        levels.append(level)
        flags.append(flag)
    starts = [lines.starts[place] for place in places]
    starts.append(lines.starts[end])
    return Rows(starts, levels, flags, [lines.indents[place] for place in places])


def rows_of_sections(lines: Lines, first: int, end: int) -> Rows:
    """Return the lines of TOML, INI or properties as rows, nested in their sections."""
    rows = rows_of_data(lines, first, end)
    places = [place for place in range(first, end) if lines.bodies[place]]
    depth = 0
    for row, place in enumerate(places):
        body = lines.bodies[place]
        if _SECTION.match(body):
            rows.levels[row] = 0
            rows.flags[row] &= ~OWN
            depth = 1
        elif body[0] in "#;" and _before_section(lines, place, end):
            rows.levels[row] = 0
            rows.flags[row] |= GLUES
        else:
            rows.levels[row] += depth
    return rows


def _before_section(lines: Lines, place: int, end: int) -> bool:
    """Tell whether a comment stands above the line of a section: within a few lines, no blank."""
    for later in range(place + 1, min(end, place + 8)):
        body = lines.bodies[later]
        if not body or body[0] not in "#;":
            return bool(_SECTION.match(body))
    return False


def rows_of_brackets(text: str, start: int, end: int) -> Rows:
    """Return JSON as rows by its brackets, however its lines are broken.

    A row begins after an opening bracket, after a comma, and with a closing bracket. If the opening
    bracket was cut off, the level of a closing bracket is below zero.
    """
    found = _CLOSING_QUOTE.match(text, start, end)
    rows = Rows([], [], [], [])
    depth = 0
    new = True
    since = start
    for match in _TOKEN.finditer(text, found.end() - 1 if found else start, end):
        token = match[0]
        if token in {"}", "]"}:
            depth -= 1
            _bracket_row(rows, text, since, match.start(), depth=depth, flag=JOINS)
        elif new:
            place = _text_at(text, since)
            flag = OWN if text[place : place + 1] in {"{", "["} else 0
            _bracket_row(rows, text, since, place, depth=depth, flag=flag)
        depth += token in {"{", "["}
        new = token in {"{", "[", ","}
        since = match.end()
    place = _text_at(text, since)
    if new and place < end:
        _bracket_row(rows, text, since, place, depth=depth, flag=0)
    rows.starts.append(end)
    return rows


def _text_at(text: str, start: int) -> int:
    blanks = _BLANKS.match(text, start)
    return blanks.end() if blanks else start


def _bracket_row(rows: Rows, text: str, since: int, place: int, *, depth: int, flag: int) -> None:
    """Add a row; one that begins a line has the indentation of the line."""
    line = text.rfind("\n", since, place) + 1
    start = line if line and not text[line:place].strip() else place
    rows.starts.append(start)
    rows.levels.append(depth)
    rows.flags.append(flag)
    rows.indents.append(place - start)
