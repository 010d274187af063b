"""The signs and words with which a sentence may begin."""

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
    """Return the index of the first character after quotes, brackets and dashes, or `end`."""
    match = _SILENT.match(flat, at, min(end, at + _REACH))
    return match.end() if match else at


def word_at(flat: str, at: int) -> str:
    """Return the word that starts at an index, of at most 30 letters; empty if there is none."""
    match = _WORD.match(flat, at, at + 30)
    return match[0] if match else ""


def opens(flat: str, at: int) -> bool:
    """Return whether the word at an index may begin a sentence: `The`, not an initial as `A.`."""
    word = word_at(flat, at)
    behind = flat[at + len(word) : at + len(word) + 2]
    if word == "I" and (behind[:1] in ",;)" or behind[1:].isupper()):
        return False  # a Roman one, as in `I ZR 145/05`
    return word in STARTERS and behind[:1] != "."


def lower_style(flat: str, start: int) -> bool:
    """Return whether a sentence began with a small letter, as in a text without capitals."""
    first = first_sign(flat, start, len(flat))
    return flat[first : first + 1].islower()
