"""Strings before any format touches them: cleaning, folding, clipping, guarding lines.

`clean` is the one place that removes what no output may hold (law 3). `guard_lines` is the rule
that Markdown and plain text share; each of the two formats owns its own escape and calls it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import Any

__all__ = [
    "Say",
    "clean",
    "clean_json",
    "clip",
    "fold",
    "folding",
    "guard_lines",
    "held",
    "is_clean",
    "seal",
    "unused_name",
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

    Two keys that become equal stay two: the later one gets trailing underscores (`unused_name`).
    """
    return (value, 0) if is_clean(value) else _clean_json(value)


def _clean_json(value: Any) -> tuple[Any, int]:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return _clean_object(value)
    if not isinstance(value, list):
        return value, 0
    cleaned = [_clean_json(item) for item in value]
    return [item for item, _ in cleaned], sum(count for _, count in cleaned)


def _clean_object(value: dict[str, Any]) -> tuple[dict[str, Any], int]:
    count = 0
    out: dict[str, Any] = {}
    tried: dict[str, int] = {}
    for key, item in value.items():
        name, dirty_name = clean(key)
        mended, dirty = _clean_json(item)
        if dirty_name and (name in out or name in value):
            name = unused_name(name, tried, out, value)
        out[name] = mended
        count += dirty_name + dirty
    return out, count


_UNDERSCORES = 8  # names of ever more underscores would take up the square of their number


def unused_name(name: str, tried: dict[str, int], *taken: Container[str]) -> str:
    """Return a name with what makes it differ from every name that is taken.

    That is one to eight underscores; beyond that an underscore and a number, from 9.

    Args:
        name: The name, which is taken.
        tried: How many have been tried of each name; it is brought up to date, so that many names
            that become one take no longer than as many different ones.
        taken: Where names are taken.
    """
    n = tried.get(name, 0)
    found = name
    while any(found in names for names in taken):
        n += 1
        found = f"{name}{'_' * n}" if n <= _UNDERSCORES else f"{name}_{n}"
    tried[name] = n
    return found


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


# White space and characters without width that may stand before a mark of ours and hide it.
_BLANK = r"(?:\s|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff])*"
_BLANK_HERE = _BLANK.replace(r"\s", r"[^\S\u2028\u2029]")  # within what a line separator starts
# A run of backslashes is read from its start alone: tried from every one, it would take for ever.
_STATUS = re.compile(r"(?<!\\)\\*+\[(?:CURRENT\]|OUTDATED\]|session:)")
_END = r"[ \t]*$"
_MARKS = "|".join(
    (
        r"\\",  # a backslash of the text's own
        r"\[\d[\d, \-]*\]",  # a number: [3], [1, 2]
        r"[-*+](?:[ \t]|$)",  # a bullet
        r"\#{1,6}(?:[ \t]|$)",  # a heading
        r"={3}|=+" + _END,  # a banner, an underline
        r"-{3}|-+" + _END,
        r"([-*_])(?:[ \t]*\3)*" + _END,  # a rule
        "`{3}|~{3}",  # a fence
        r">|\||:-+:?[ \t]*(?:\||$)",  # a quotation, a row of a table
        r"\d{1,9}[.)](?:[ \t]|$)",  # an ordered item
        "↓",  # a gap of a timeline
    )
)
_OPENING = re.compile(rf"({_BLANK})(?:({_STATUS.pattern})|(?={_MARKS}))")
_HTML = re.compile(rf"({_BLANK})()(?=<[A-Za-z/!?])")  # would open a block that swallows lines
# What values become side by side, or beside something of ours, at the start of a line.
_TOGETHER = (
    rf"\[\d[\d, \-]*\]|={{3}}|=+{_END}|[`~]{{3}}|\d{{1,9}}\)(?:[ \t]|$)|\*(?:[ \t]*\*){{2,}}{_END}"
)
_STARTED = re.compile(rf"({_BLANK})(?={_TOGETHER})")
_FORGED = re.compile(
    r"(?<!\\)(?=\[(?:CURRENT\]|OUTDATED\]|session:))"
    rf"|((?:^|(?<=[\u2028\u2029])){_BLANK_HERE})(?={_TOGETHER})"
)
_OPEN_END = re.compile(r"(?<=\n)(?=[^\S\n]*\Z)")


def guard_lines(text: str) -> str:
    """Return the text so that no line of it reads as a mark of ours; undone without a remainder.

    A backslash goes before what would open a heading, a list item, a banner, a rule, a fence, a
    quotation, a table, a number, a gap or, on a further line, raw HTML; one more where a line
    starts with a backslash; and one before ``[CURRENT]``, ``[OUTDATED]`` and ``[session:``
    anywhere. Every further line that is not blank is indented by two spaces.
    """
    if text[:1].isalpha() and "[" not in text and text.isprintable():
        return text  # one line that starts with a letter: most values
    first, *further = text.split("\n")
    lines = [_guarded(first, opens=_OPENING)]
    for line in further:
        guarded = _guarded(line, opens=_HTML)
        lines.append(f"  {guarded}" if line and not line.isspace() else guarded)
    return "\n".join(lines)


def _guarded(line: str, opens: re.Pattern[str]) -> str:
    """Guard one line; a line separator of Unicode's starts another, which is not indented."""
    if "\u2028" in line or "\u2029" in line:
        head, *parts = re.split("([\u2028\u2029])", line)
        guarded = (
            f"{mark}{_guarded(part, _HTML)}"
            for mark, part in zip(parts[::2], parts[1::2], strict=True)
        )
        return _guarded(head, opens) + "".join(guarded)
    if line[:1].isalpha() or not line:
        return _STATUS.sub(r"\\\g<0>", line) if "[" in line else line
    opening = _OPENING.match(line) or opens.match(line)
    if opening is None:
        return _STATUS.sub(r"\\\g<0>", line) if "[" in line else line
    rest = _STATUS.sub(r"\\\g<0>", line[opening.end() :])
    return f"{opening[1]}\\{opening[2] or ''}{rest}"


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
    if plain and "[" not in line and line.isprintable():
        return line
    first, *further = line.split("\n")
    if opens:
        first = _sealed(first) if first.strip() else f"\\{first}"
    return "\n".join([first, *(_sealed(_indented(each)) for each in further)])


def _sealed(line: str) -> str:
    if "[" in line or not line.isprintable():
        return _FORGED.sub(lambda match: f"{match[1] or ''}\\", line)
    if line.lstrip(" ")[:1].isalpha():  # most lines
        return line
    return _STARTED.sub(r"\1\\", line, count=1) if _STARTED.match(line) else line


def _indented(line: str) -> str:
    return line if line.startswith("  ") or not line.strip() else f"  {line}"


def held(value: str) -> str:
    """Return a guarded value that something of ours follows: a new line it ends in is indented."""
    return _OPEN_END.sub("  ", value)
