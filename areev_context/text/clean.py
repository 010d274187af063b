"""Clean, fold and clip strings before any format uses them.

`clean` is the one place that removes the characters that no output may contain (law 3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import Any

__all__ = ["Write", "clean", "clean_json", "clip", "fold", "folding", "is_clean", "unused_name"]

Write = Callable[[str], str]
"""A function that writes one value of a grain: the escape of a format, with or without folding."""

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
    """Return the text without characters that no output may hold, and the number of changes.

    Split surrogate pairs are joined, lone surrogates, U+FFFE and U+FFFF become U+FFFD, CR and
    CRLF become a newline, and the other control characters but newline and tab are dropped.
    """
    if text.isprintable() or not _DIRT.search(text):  # nothing dirty is printable, and that is fast
        return text, 0
    return _DIRTY.subn(_mended, text)


def is_clean(value: Any) -> bool:
    """Return whether all strings and keys in a JSON value are clean."""
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
    """Clean every string and key in a JSON value; return the value itself if all are clean.

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
    """Return a name with a suffix that makes it different from every name that is taken.

    That is one to eight underscores; beyond that an underscore and a number, from 9.

    Args:
        name: The name, which is taken.
        tried: Name -> the number of suffixes tried; it is updated, so that many equal names take
            no longer than as many different names.
        taken: Containers of the names that are taken.
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


def folding(write: Write) -> Write:
    """Return `write` for values on one line: each value is folded first."""
    return lambda value: write(fold(value))


def clip(text: str, limit: int) -> str:
    """Return the text within `limit` UTF-8 bytes, ending in ``…`` when something was cut.

    The cut is between characters; three bytes are reserved for the mark. `limit` is at
    least 3.
    """
    raw = text.encode()
    if len(raw) <= limit:
        return text
    return raw[: limit - 3].decode(errors="ignore") + "…"
