"""Read the numbers of entries that an answer cites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from areev_context.errors import InputError

__all__ = ["cited_numbers"]

_BRACKET = re.compile(
    r"(?<!\\)\[\s*(\d{1,6}(?:\s*[-–]\s*\d{1,6})?(?:\s*[,;]\s*\d{1,6}(?:\s*[-–]\s*\d{1,6})?)*)\s*\]",
    re.ASCII,
)
_WIDEST = 1000  # numbers one range may stand for; more is a slip, not a citation


def cited_numbers(answer: str) -> list[int]:
    """Return the numbers an answer cites, in order of appearance, without repeats.

    ``[3]``, ``[1, 2]`` and ``[1-3]`` are read; a range that falls or is wider than 1 000 gives
    its two ends. A bracket after a backslash is quoted from a passage, and not read.

    Raises:
        InputError: The answer is no string.
    """
    given: object = answer
    if not isinstance(given, str):
        raise InputError(f"the answer is of type {type(given).__name__}: give a string")
    found: dict[int, None] = {}
    after: dict[int, int] = {}
    for bracket in _BRACKET.finditer(answer):
        for part in re.split(r"[,;]", bracket[1]):
            ends = [int(end) for end in re.split(r"[-–]", part)]
            first, last = ends[0], ends[-1]
            if first <= last < first + _WIDEST:
                found.update(dict.fromkeys(_new_ones(first, last, after)))
            else:
                found.update(dict.fromkeys(ends))
    return list(found)


def _new_ones(first: int, last: int, after: dict[int, int]) -> Iterator[int]:
    """Yield the numbers of a range that no range before it had: one answer cites many alike.

    `after` leads from a number that a range had to one after it that may be new.
    """
    passed: list[int] = []
    number = first
    while number <= last:
        passed.append(number)
        if number not in after:
            yield number
        number = after.get(number, number + 1)
    after.update(dict.fromkeys(passed, number))
