"""Strings before any format touches them: cleaning, folding, clipping, guarding lines.

`clean` is the one place that removes what no output may hold (law 3). `guard_lines` is the rule
that Markdown and plain text share; each of the two formats owns its own escape and calls it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from areev_context.core.marks import (
    ANY_MARK,
    BREAKS,
    FILLERS,
    HTML_OR_MARK,
    JOINED_MARK,
    OPEN_START,
    OPEN_TAIL,
    cites,
    has_bracket,
    has_guard,
    is_status,
    mark_place,
    statuses,
)

__all__ = [
    "Say",
    "clean",
    "clean_json",
    "clip",
    "fold",
    "folding",
    "guard_lines",
    "guard_numbers",
    "guard_value",
    "held",
    "is_clean",
    "seal",
]

Say = Callable[[str], str]
"""How one value of a grain is spoken in a format: its escape, or escape after folding."""

_DIRTY = re.compile(
    "[\ud800-\udbff][\udc00-\udfff]"  # a pair that some decoder split
    "|\r\n?"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
)
# Any character of those: one set is searched for three times as fast, and mostly in vain.
_DIRT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def _mended(match: re.Match[str]) -> str:
    found = match.group()
    if found[0] == "\r":
        return "\n"
    if len(found) == 2:
        return found.encode("utf-16", "surrogatepass").decode("utf-16")
    return "\N{REPLACEMENT CHARACTER}" if found > "\x9f" else ""


def clean(text: str) -> tuple[str, int]:
    """Return the text as any output may hold it, and how many places were mended.

    Split surrogate pairs are joined, lone surrogates, U+FFFE and U+FFFF become U+FFFD, CR and
    CRLF become a newline, and the other control characters but newline and tab are dropped.
    """
    if text.isprintable() or not _DIRT.search(text):  # nothing dirty is printable, and that is fast
        return text, 0
    return _DIRTY.subn(_mended, text)


def is_clean(value: Any) -> bool:
    """Return whether no string and no key in a JSON value needs mending."""
    kind = value.__class__
    if kind is str:
        return value.isprintable() or not _DIRT.search(value)
    if kind is dict:
        for name, item in value.items():
            printable = item.__class__ is str and item.isprintable()
            if not printable and not is_clean(item):
                return False
            if not name.isprintable() and _DIRT.search(name):
                return False
        return True
    return kind is not list or all(map(is_clean, value))


def clean_json(value: Any) -> tuple[Any, int]:
    """Clean every string and key in a JSON value; the value itself comes back when none is dirty.

    Two keys that become equal stay two: the later one gets trailing underscores.
    """
    if is_clean(value):
        return value, 0
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return _clean_object(value)
    cleaned = [clean_json(item) for item in value]
    return [item for item, _ in cleaned], sum(count for _, count in cleaned)


def _clean_object(value: dict[str, Any]) -> tuple[dict[str, Any], int]:
    count = 0
    out: dict[str, Any] = {}
    for key, item in value.items():
        name, dirty_name = clean(key)
        mended, dirty = clean_json(item)
        while dirty_name and (name in out or name in value):
            name += "_"
        out[name] = mended
        count += dirty_name + dirty
    return out, count


def fold(text: str) -> str:
    """Return the text on one line: every run of white space is one space, none at the ends."""
    return " ".join(text.split())


def folding(say: Say) -> Say:
    """Return `say` for values on one line: each is folded first."""
    return lambda value: say(fold(value))


def clip(text: str, limit: int) -> str:
    """Return the text within `limit` UTF-8 bytes, ending in ``…`` when something was cut.

    The cut falls between characters; three bytes are kept free for the mark. `limit` is at
    least 3.
    """
    raw = text.encode()
    if len(raw) <= limit:
        return text
    return raw[: limit - 3].decode(errors="ignore") + "…"


_OPEN_END = re.compile(rf"(?<=[{BREAKS}])(?=[^\S{BREAKS}]*+\Z)")


def guard_lines(text: str) -> str:
    """Return the text so that no line of it reads as a mark of ours; undone without a remainder.

    A backslash goes before what would open a heading, a list item, a banner, a rule, a fence, a
    quotation, a table, a number, a gap or, on a further line, raw HTML; one more where a line
    starts with a backslash; and one before ``[CURRENT]``, ``[OUTDATED]`` and ``[session:``
    anywhere. What shows nothing before a mark or between its parts does not hide it, nor does
    another width, case or style of it. Every further line that is not blank is indented by two
    spaces; a line ends where `str.splitlines` ends it.
    """
    if text[:1].isalpha() and text.isascii() and "[" not in text and text.isprintable():
        return text  # most values
    return text if _is_bare(text) else _guarded(text, open_ended=False)


def guard_value(text: str) -> str:
    """Return one value so that it is safe wherever a host's own words put it in a line.

    As `guard_lines`, and undone in the same way. What the words around it would make a mark is
    guarded too, at the start of its first line and on its last; and a last line is never blank.
    """
    return text if _is_bare(text) else _guarded(text, open_ended=True)


def _is_bare(text: str) -> bool:
    """Return whether a text is one line that starts with a letter and has no bracket."""
    return (
        text[:1].isalpha()
        and text.isprintable()
        and not has_bracket(text)
        and text[0] not in FILLERS
    )


def _guarded(text: str, *, open_ended: bool) -> str:
    marked = _with_backslashes(text, statuses(text)) if has_bracket(text) else text
    lines = marked.splitlines(keepends=True) or [""]
    if open_ended and lines[-1][-1:] in BREAKS and marked:
        lines.append("")  # what follows would start a line of its own
    last, start, out = len(lines) - 1, 0, []
    for n, line in enumerate(lines):
        bare = line.rstrip(BREAKS)
        place = _guard_place(marked, start, bare, first=n == 0)
        if open_ended and n in (0, last):
            place = _open_place(bare, place, first=n == 0, alone=last == 0)
        if n and ((bare and not bare.isspace()) or place is not None):
            out.append("  ")
        out.append(line if place is None else f"{line[:place]}\\{line[place:]}")
        start += len(line)
    return "".join(out)


def _guard_place(text: str, start: int, line: str, *, first: bool) -> int | None:
    """Return where in a line a backslash goes; a status that starts it has its own already."""
    place = mark_place(line, ANY_MARK if first else HTML_OR_MARK)
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
    """Return a guarded entry so that nothing in it reads as the number of an entry of ours.

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


def seal(line: str, *, opens: bool = True) -> str:
    """Guard what guarded values became by being put together.

    ``[`` of ours and a value ``CURRENT`` make a mark that neither holds alone. What follows a value
    that ends in a newline is indented as every further line is. A blank first line gets a
    backslash. What is guarded already stays as it is.

    Args:
        line: Values and what stands between them.
        opens: Whether it starts a line; else only its further lines can.
    """
    plain = line.removeprefix("**")[:1].isalpha() or line[:1] == "("
    if plain and line.isascii() and "[" not in line and line.isprintable():
        return line
    if has_bracket(line):
        places = [place for place in statuses(line) if line[place - 1 : place] != "\\"]
        line = _with_backslashes(line, places)
    first, *further = line.splitlines(keepends=True) or [""]
    if opens:
        first = _sealed(first) if first.strip() else f"\\{first}"
    return "".join([first, *(_sealed(_indented(each)) for each in further)])


def _sealed(line: str) -> str:
    place = mark_place(line.rstrip(BREAKS), JOINED_MARK)
    return line if place is None else f"{line[:place]}\\{line[place:]}"


def _indented(line: str) -> str:
    return line if line.startswith("  ") or not line.strip() else f"  {line}"


def held(value: str) -> str:
    """Return a guarded value that something of ours follows: a new line it ends in is indented."""
    return _OPEN_END.sub("  ", value) if value[-1:].isspace() else value
