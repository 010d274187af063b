"""Write a passage in part: unchanged slices of its text, and a mark where text is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from areev_context.text.part import PROSE, Part, PartKind

__all__ = ["runs", "shown_text"]

_MARK = "…"
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_FENCE = re.compile(r"[`~]{3,}")


def runs(shown: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last index of each stretch of neighbours, in order.

    Args:
        shown: Indexes of parts in rising order.
    """
    first = last = -2
    for index in shown:
        if index != last + 1:
            if first >= 0:
                yield first, last
            first = index
        last = index
    if first >= 0:
        yield first, last


def shown_text(text: str, parts: Sequence[Part], shown: Sequence[int]) -> str:
    """Return the shown parts of a text, in reading order, with a mark wherever text is left out.

    A mark is `` … `` inside a line, and a line ``…`` with the indentation of what follows between
    lines. A fence that is opened and whose end is not shown is closed.

    Args:
        text: The text.
        parts: All its parts.
        shown: Indexes of the parts that are shown, in rising order, at least one.
    """
    out, before = "", -1
    for first, last in runs(shown):
        if before >= 0:
            out += _mark_between(text, parts, before, first)
        elif first:
            out += _mark_at_start(text, parts[first])
        piece = text[parts[first].start : parts[last].end].rstrip()
        out += piece.lstrip() if out.endswith(f"{_MARK} ") else piece
        before = last
    out = out.lstrip("\n")
    if shown[-1] + 1 < len(parts):
        out += _mark_after(text, parts, shown[-1])
    return out + _fence_end(text, parts, shown)


def _begins_line(text: str, part: Part) -> bool:
    return part.start == 0 or text[part.start - 1] == "\n"


def _mark_at_start(text: str, part: Part) -> str:
    """Return the mark that stands before the first stretch, where something comes before it."""
    if _begins_line(text, part) and (part.indent or not _goes_on(text, part)):
        return f"{_indent(text, part)}{_MARK}\n"
    return f"{_MARK} "


def _mark_between(text: str, parts: Sequence[Part], last: int, first: int) -> str:
    """Return the mark between a stretch that ends with one part and the next stretch."""
    if _one_paragraph(text, parts, last, first):
        return f" {_MARK} "
    part = parts[first]
    if _begins_line(text, part):
        return f"\n{_indent(text, part)}{_MARK}\n"
    return f"\n{_MARK} " if "\n" in text[parts[last].start : part.start].lstrip() else f" {_MARK} "


def _one_paragraph(text: str, parts: Sequence[Part], last: int, first: int) -> bool:
    """Return whether two stretches of prose and what is left out between them are one paragraph."""
    if parts[last].kind not in PROSE:
        return False
    if not all(_goes_on(text, part) for part in parts[last + 1 : first + 1]):
        return False
    return _BLANK_LINE.search(text, parts[last].start, parts[first].start) is None


def _mark_after(text: str, parts: Sequence[Part], last: int) -> str:
    following = parts[last + 1]
    paragraph = parts[last].kind in PROSE and _goes_on(text, following)
    if paragraph or not _begins_line(text, following):
        return f" {_MARK}"
    return f"\n{_indent(text, following)}{_MARK}"


def _goes_on(text: str, part: Part) -> bool:
    """Return whether a part may stand in the line of what comes before it: a turn may not."""
    if part.kind is PartKind.TURN:
        return not _begins_line(text, part)
    return part.kind in PROSE


def _indent(text: str, part: Part) -> str:
    return text[part.start : part.start + part.indent]


def _fence_end(text: str, parts: Sequence[Part], shown: Sequence[int]) -> str:
    """Return the line that closes the fence which the parts shown leave open, or nothing."""
    opened = None
    for index in shown:
        if parts[index].kind is PartKind.FENCE:
            opened = index
        elif parts[index].kind is PartKind.FENCE_END:
            opened = None
    if opened is None:
        return ""
    part = parts[opened]
    found = _FENCE.search(text, part.start, part.end)
    return f"\n{_indent(text, part)}{found[0]}" if found else ""
