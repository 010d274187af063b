"""What a sentence may open with: the first sign that tells whether one begins."""

from __future__ import annotations

import re

from areev_context.text.abbreviations import STARTERS

__all__ = ["JOINING", "first_sign", "lower_style", "opens", "word_at"]

_SILENT = re.compile(r"[\s\"'“„”«»‘‚(（\[［¿¡「『*_`•⁃‣▪●◦–—―‐-]*+")
_WORD = re.compile(r"[^\W\d_]+")
_REACH = 60  # characters read for the first sign, so that a run of any sign costs little

# A sentence goes on where one of these comes first.
JOINING = ",;:&)]}=+/|%….،؛，、；：)）」』”’»›!?"


def first_sign(flat: str, at: int, end: int) -> int:
    """Return the place of the first sign behind quotes, brackets and dashes, or `end`."""
    match = _SILENT.match(flat, at, min(end, at + _REACH))
    return match.end() if match else at


def word_at(flat: str, at: int) -> str:
    """Return the word that starts at a place, of at most 30 letters, empty where none does."""
    match = _WORD.match(flat, at, at + 30)
    return match[0] if match else ""


def opens(flat: str, at: int) -> bool:
    """Say whether the word at a place opens sentences: `The`, not an initial such as `A.`."""
    word = word_at(flat, at)
    return word in STARTERS and flat[at + len(word) : at + len(word) + 1] != "."


def lower_style(flat: str, start: int) -> bool:
    """Say whether a sentence began with a small letter, as all do in a text without capitals."""
    first = first_sign(flat, start, len(flat))
    return flat[first : first + 1].islower()
