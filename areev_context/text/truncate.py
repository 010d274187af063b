"""Cut one text so that it fits: after a sentence, else after a word, never inside a character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

__all__ = ["CUT_MARK", "cut_to_fit"]

CUT_MARK = " […]"
"""The mark at the end of a text that was cut."""

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)|[。！？][」』”’）]*|(?<=\S)(?=\n)")
_WORD_END = re.compile(r"(?<=\S)(?=\s)")
# What goes with the character before it, beside the marks: joiners and variants, vowels and finals
# of Hangul in parts, voice marks of half width, Thai and Lao AM, an emoji's skin, a flag's letters.
_GOES_ON = re.compile(
    "[\u200c\u200d\ufe0e\ufe0f\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f\u0e33\u0eb3"
    "\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_MARKS = frozenset({"Mn", "Me", "Mc"})
_VIRAMA = 9  # the combining class of what ties a consonant to the next one


def cut_to_fit(text: str, fits: Callable[[str], bool]) -> str | None:
    """Return the longest beginning of a text that fits with the mark after it, or None.

    Args:
        text: The text, which does not fit whole.
        fits: Returns whether a text with its mark fits. If a text fits, shorter ones are expected
            to fit too; the returned text was checked.
    """
    for ends in (_ends(_SENTENCE_END, text), _ends(_WORD_END, text), _characters(text)):
        found = _longest(text, ends, fits)
        if found is not None:
            return found
    return None


def _ends(pattern: re.Pattern[str], text: str) -> Sequence[int]:
    return [match.end() for match in pattern.finditer(text) if match.end() < len(text)]


def _characters(text: str) -> Sequence[int]:
    """Return where a character as a reader sees it ends: not before a mark that joins it."""
    return [
        n
        for n in range(1, len(text))
        if not text[n - 1].isspace() and not _joined(text[n - 1], text[n])
    ]


def _joined(before: str, after: str) -> bool:
    return (
        before == "\u200d"
        or unicodedata.combining(before) == _VIRAMA
        or _GOES_ON.match(after) is not None
        or unicodedata.category(after) in _MARKS
        or ("\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff")
    )


def _longest(text: str, ends: Sequence[int], fits: Callable[[str], bool]) -> str | None:
    """Try short beginnings first, twice as long each time, then close in on the longest."""
    best, low, step = None, 0, 1
    while low < len(ends):
        at = min(low + step, len(ends)) - 1
        tried = text[: ends[at]] + CUT_MARK
        if fits(tried):
            best, low, step = tried, at + 1, step * 2
        elif step == 1:
            break
        else:
            step = max(1, step // 4)
    return best
