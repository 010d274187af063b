"""Guarding lines, as Markdown and plain text do, each against the marks that it has."""

from __future__ import annotations

import re

from areev_context.formats.marks import (
    BREAKS,
    FILLERS,
    MARKDOWN,
    OPEN_START,
    OPEN_TAIL,
    ORDINAL,
    Marks,
    cites,
    has_bracket,
    has_guard,
    is_status,
    mark_place,
    statuses,
)

__all__ = [
    "guard_end", "guard_joined", "guard_lines", "guard_numbers", "guard_ordinals", "guard_value",
]  # fmt: skip

_OPEN_END = re.compile(rf"(?<=[{BREAKS}])(?=[^\S{BREAKS}]*+\Z)")


def guard_lines(text: str, marks: Marks = MARKDOWN) -> str:
    """Escape a text so that no line of it reads as a mark of the format; this can be undone.

    A backslash goes before what would open one of the marks: in Markdown a heading, a list item, a
    rule, a fence, a quotation, a table, a number, a gap or, on a further line, raw HTML; in plain
    text a banner, a number or a gap. One more goes where a line starts with a backslash of its own
    (in plain text: with one before such a mark); and one before ``[CURRENT]``, ``[OUTDATED]`` and
    ``[session:`` anywhere. What shows nothing before a mark or between its parts does not hide it,
    nor does another width, case or style of it. A line ends where `str.splitlines` ends it. Every
    further line is indented by two spaces, but a blank one that a newline ends or nothing.
    """
    if text[:1].isalpha() and text.isascii() and "[" not in text and text.isprintable():
        return text  # most values
    return text if _is_bare(text) else _guarded(text, marks, open_ended=False)


def guard_value(text: str) -> str:
    """Escape one value so that an application may put it anywhere in a line of its own text.

    As `guard_lines` in Markdown, and undone in the same way. What the words around it would make
    a mark is guarded too, at the start of its first line and on its last; and a last line is never
    blank.
    """
    return text if _is_bare(text) else _guarded(text, MARKDOWN, open_ended=True)


def _is_bare(text: str) -> bool:
    """Return whether a text is one line that starts with a letter and has no bracket."""
    return (
        text[:1].isalpha()
        and text.isprintable()
        and not has_bracket(text)
        and text[0] not in FILLERS
    )


def _guarded(text: str, marks: Marks, *, open_ended: bool) -> str:
    marked = _with_backslashes(text, statuses(text)) if has_bracket(text) else text
    lines = marked.splitlines(keepends=True) or [""]
    if open_ended and lines[-1][-1:] in BREAKS and marked:
        lines.append("")  # what follows would start a line of its own
    last, start, out = len(lines) - 1, 0, []
    for n, line in enumerate(lines):
        bare = line.rstrip(BREAKS)
        place = _guard_place(marked, start, bare, marks.further if n else marks.first)
        if open_ended and n in (0, last):
            place = _open_place(bare, place, first=n == 0, alone=last == 0)
        if n and (place is not None or not _stays_blank(line)):
            out.append("  ")
        out.append(line if place is None else f"{line[:place]}\\{line[place:]}")
        start += len(line)
    return "".join(out)


def _guard_place(text: str, start: int, line: str, mark: re.Pattern[str]) -> int | None:
    """Return where in a line a backslash goes; a status that starts it has its own already."""
    place = mark_place(line, mark)
    if place is not None and line[place] == "\\" and has_bracket(line):
        bracket = len(line) - len(line[place:].lstrip("\\"))
        if has_bracket(line[bracket : bracket + 1]) and is_status(text, start + bracket + 1):
            return None
    return place


def _open_place(line: str, place: int | None, *, first: bool, alone: bool) -> int | None:
    """Return the same for the first or the last line of a value between words of a host's."""
    if first:
        if line[:1].isspace() or not (line or alone):
            return 0  # else a sign before it opens a heading, or it looks like a further line
        return mark_place(line, OPEN_START) if place is None else place
    return mark_place(line, OPEN_TAIL) if place is None else place


def guard_numbers(text: str) -> str:
    """Escape an entry, guarded before, so that nothing in it reads as the number of an entry.

    A backslash goes before the bracket of ``[2]``, ``[ 2 ]``, ``[2;3]``, ``[2–3]``, ``[^2]``,
    ``[Source 2]``, ``【2†source】`` and their like, wherever it stands. At the start of a line
    ``[2]`` has its backslash already.
    """
    if not has_bracket(text):
        return text
    places = [place for place, inside in cites(text) if not has_guard(text, place, inside)]
    return _with_backslashes(text, places) if places else text


def _with_backslashes(text: str, places: list[int]) -> str:
    ends = [*places, len(text)]
    parts = (text[start:end] for start, end in zip(places, ends[1:], strict=True))
    return "\\".join((text[: ends[0]], *parts))


def guard_joined(line: str, marks: Marks = MARKDOWN, *, opens: bool = True) -> str:
    """Escape marks that appear only when two escaped values are joined.

    A ``[`` of the format and a value ``CURRENT`` make a mark that neither is alone. Text after a
    value that ends in a newline is indented, as every further line is. A blank first line gets a
    backslash. Text that is guarded already does not change.

    Args:
        line: Values, and the text between them.
        marks: The marks of the format.
        opens: Whether `line` starts a line; if not, only its further lines can have a mark.
    """
    plain = line.removeprefix("**")[:1].isalpha() or line[:1] == "("
    if plain and line.isascii() and "[" not in line and line.isprintable():
        return line
    if has_bracket(line):
        places = [place for place in statuses(line) if line[place - 1 : place] != "\\"]
        line = _with_backslashes(line, places)
    first, *further = line.splitlines(keepends=True) or [""]
    if opens:
        first = _guard_line(first, marks.joined) if first.strip() else f"\\{first}"
    return "".join([first, *(_guard_line(_indented(each), marks.joined) for each in further)])


def guard_ordinals(text: str) -> str:
    """Escape a guarded entry of a timeline so that no further line of it reads as an entry."""
    first, *further = text.splitlines(keepends=True) or [""]
    return "".join([first, *(_guard_line(line, ORDINAL) for line in further)])


def _guard_line(line: str, mark: re.Pattern[str]) -> str:
    place = mark_place(line.rstrip(BREAKS), mark)
    return line if place is None else f"{line[:place]}\\{line[place:]}"


def _indented(line: str) -> str:
    return line if line.startswith("  ") or _stays_blank(line) else f"  {line}"


def _stays_blank(line: str) -> bool:
    """Return whether a line is blank to CommonMark too, to which only a newline ends a line."""
    return not line or (line.isspace() and (line[-1] in "\n\r" or line[-1] not in BREAKS))


def guard_end(value: str) -> str:
    """Return a guarded value that more text follows: a newline at its end gets an indent."""
    return _OPEN_END.sub("  ", value) if value[-1:].isspace() else value
