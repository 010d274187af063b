"""Decide whether a sentence ends at a full stop, a question mark or an exclamation mark."""

from __future__ import annotations

import re

from areev_context.text.abbreviations import (
    ABBREVIATIONS,
    IN_NAMES,
    LETTERS,
    NAMES_WITH_A_MARK,
    NOT_AFTER_A_TIME,
    ORDINAL_AFTER,
    ORDINAL_BEFORE,
    Kind,
)
from areev_context.text.openings import JOINING, first_sign, lower_style, opens, word_at

__all__ = ["after_full_stop", "after_mark", "next_marker"]

_LAST_PART = re.compile(r"[^\s\-–/'’(\[\"“„«‘¿¡*_<>|,⁃•]+\Z")
_MARKER = re.compile(r"\s*\(?(\d{1,3}|[a-z])(?:\.\)|[.)])\s")
_ROMAN = re.compile(r"(?:[IVXLC]{2,}|[VX])(?![\w'’])")
_CITED = re.compile(r"[A-Z](?:[.\d-]|$)|[§°#№]")  # as in `art. L. 121`
_DAY_AND_MONTH = re.compile(r"\d{1,2}\.(?:\s?\d|\s*\Z)")
_VOWELS = frozenset("aeiouyäöüáéíóúàèìòùâêîôûаеёиоуыэюяAEIOUYÄÖÜАЕЁИОУЫЭЮЯ")
_SYLLABLE = re.compile(  # one character that is a word
    r"[яЯ\u0900-\u0dff\u1100-\u11ff\u3040-\u9fff\uac00-\ud7af]"
)
_ABBREVIATED = ("str", "nr", "Nr", "pl")  # of compounds: `Hauptstr.`, `Hausnr.`
_EXTENSIONS = frozenset(
    {"js", "ts", "py", "md", "txt", "com", "org", "net", "io", "css", "csv", "pdf"}
)
_FEW_WORDS = 4


def after_full_stop(flat: str, start: int, dot: int, after: int, end: int) -> int:
    """Return the index at which a new sentence begins after the full stop; 0 if none begins.

    Args:
        flat: The text with a blank for every other white space.
        start: The start of the sentence that the full stop may end.
        dot: The index of the full stop.
        after: The index behind it and behind the closing signs and white space that follow it.
        end: The end of the paragraph.
    """
    if after >= end:
        return 0
    begin = flat.rfind(" ", start, dot) + 1 or start
    word = flat[begin:dot]
    kind = ABBREVIATIONS.get(word)
    if kind is Kind.NEVER and not flat[begin - 2].isdigit():
        return 0
    sign = flat[after + 1 : after + 2] if flat[after] in '"“„«‘' else flat[after]
    dotted = flat[dot + 1] in ".…" or flat[dot + 1 : dot + 3] == " ."
    plain = kind is None and not dotted and sign.isupper() and len(word) > 1 and word.isalpha()
    if plain and not _VOWELS.isdisjoint(word):
        return after  # as nearly always
    first = first_sign(flat, after, end)
    if first == end:
        return 0
    if dotted and flat[dot + 1] == " ":
        return _after_spaced_dots(flat, start, dot, after, first)
    if dotted:
        return after if dot > start and flat[first].isupper() else 0
    return _after_word(flat, start, dot, after, first)


def _after_spaced_dots(flat: str, start: int, dot: int, after: int, first: int) -> int:
    """Dots with blanks between them: where a fourth touches the word, it is the full stop."""
    if dot == start or not flat[first].isupper():
        return 0
    if flat.count(".", dot, after) > 3:
        return after if flat[dot - 1] == " " else dot + 2
    return 0 if word_at(flat, first) == "I" else after  # its capital says nothing


def after_mark(flat: str, start: int, mark: int, after: int, end: int) -> int:
    """Return the index at which a new sentence begins after `?`, `!` or `…`; 0 if none begins."""
    if flat[mark] == "?" and after < end and flat[after].isupper():
        return after
    first = first_sign(flat, after, end)
    if first == end or mark == start or flat[first] in JOINING:
        return 0
    if flat[mark] == "…" and not flat[first].isupper():
        return 0
    begin = flat.rfind(" ", start, mark) + 1 or start
    if flat[begin:mark] in NAMES_WITH_A_MARK:
        return after if opens(flat, first) else 0
    return 0 if flat[first].islower() and not lower_style(flat, start) else after


def next_marker(flat: str, start: int, begin: int, end: int) -> int:
    """Return `begin` if a numbered item begins there, after the one at `start`; else 0."""
    now = _MARKER.match(flat, start)
    then = _MARKER.match(flat, begin, end)
    if now is None or then is None or begin <= start:
        return 0
    label = now[1]
    following = str(int(label) + 1) if label.isdigit() else chr(ord(label) + 1)
    return begin if then[1] == following else 0


def _after_word(flat: str, start: int, dot: int, after: int, first: int) -> int:
    begin = flat.rfind(" ", start, dot) + 1 or start
    word, is_letter = _last_part(flat[max(begin, dot - 24) : dot])
    cut = next_marker(flat, start, begin, len(flat)) if len(word) < 4 else 0
    if cut:
        return cut
    sign = flat[first]
    if sign in JOINING:
        return 0
    if word.isdecimal() and len(word) <= 3 and not flat[begin : dot - len(word)].strip("(⁃•"):
        return _after_number(flat, start, dot - len(word), after, first)
    kind = ABBREVIATIONS.get(flat[begin:dot]) or ABBREVIATIONS.get(word)
    if kind is None:
        if is_letter:
            return _after_letter(flat, start, begin, after, first, word=word)
        after_digit = flat[begin - 2 : begin - 1].isdigit()
        if after_digit:  # a unit: `5 ft. 3 in.`
            unknown = sign.isdigit() and len(word) < 4
        else:
            unknown = (
                word.isalpha() and word[1:].islower() and len(word) < 6 and _VOWELS.isdisjoint(word)
            )
        if unknown or word.endswith(_ABBREVIATED) or ("." in word and _is_dotted(word)):
            kind = Kind.STARTER
    if sign.islower():
        goes_on = not flat[first + 1 : first + 2].isupper() and not lower_style(flat, start)
        return 0 if goes_on or kind is not None or (word.isdecimal() and len(word) < 4) else after
    return after if _ends_after(kind, flat, start, begin, first) else 0


def _last_part(word: str) -> tuple[str, bool]:
    """Return what follows the last hyphen or apostrophe of a word, and whether it is a letter."""
    match = _LAST_PART.search(word)
    part = match[0] if match else ""
    before = word[: -len(part)][-1:] if part else ""
    if len(part) == 1:
        dotted = before == "-" and word[-3:-2] == "."
        is_letter = part.isalpha() and (before in '(["“„«‘¿¡' or dotted or not before)
        return part, is_letter and not _SYLLABLE.match(part)
    return part, part[-2:-1] == "." and part[-1:].isalpha() and "@" not in part


def _is_dotted(word: str) -> bool:
    """Whether a word with full stops in it is short for several (`D.Lgs.`), no file's name."""
    parts = word.split(".")
    short = max(map(len, parts)) <= 4 and "@" not in word
    return short and parts[-1] not in _EXTENSIONS and not parts[-1].isdecimal()


def _ends_after(kind: Kind | None, flat: str, start: int, begin: int, first: int) -> bool:
    """Whether an abbreviation ends a sentence before a sign that is no small letter."""
    sign = flat[first]
    match kind:
        case None:
            return True
        case Kind.NEVER:  # but `20 Fr.`
            return flat[begin - 2].isdigit() and flat[begin].isupper() and opens(flat, first)
        case Kind.NUMBER:
            return not (sign.isdigit() or _ROMAN.match(flat, first) or _CITED.match(flat, first))
        case Kind.ROMAN:
            return not _is_ordinal(flat, start, begin, first)
        case Kind.YEAR if not (flat[begin - 2].isdigit() or flat[begin - 2] in "IVX"):
            return False
        case _:
            if opens(flat, first) or (flat[first - 2 : first] in ("— ", "– ") and sign.isupper()):
                return True
    if kind is Kind.STARTER or not (sign.isalpha() or sign in "$€£"):
        return False
    only_begun = sign.isupper() and flat.count(" ", start, min(begin, start + 100)) < _FEW_WORDS
    goes_on = only_begun or word_at(flat, first) in NOT_AFTER_A_TIME
    return kind is Kind.LIST or not goes_on


def _after_letter(flat: str, start: int, begin: int, after: int, first: int, *, word: str) -> int:
    """A letter is an initial, part of `z. B.`, the mark of a list; or a word (`you and I.`)."""
    if begin == start and len(word) == 1:
        return 0
    letters = word.replace(".", "")
    before = flat[flat.rfind(" ", start, begin - 1) + 1 if begin - 1 > start else start : begin - 1]
    if before.endswith("."):
        if before.rstrip(".").replace(".", "") + letters in LETTERS:
            return 0
    elif letters in LETTERS:
        return 0
    if not opens(flat, first):
        return 0
    return 0 if word_at(flat, first) in IN_NAMES and not before.islower() else after


def _after_number(flat: str, start: int, begin: int, after: int, first: int) -> int:
    """A number is an ordinal (`am 3. Mai`), the mark of a list, or ends a sentence."""
    if first_sign(flat, start, begin) >= begin:
        return 0
    if flat[first].islower() or _is_ordinal(flat, start, begin, first):
        return 0
    return after


def _is_ordinal(flat: str, start: int, begin: int, first: int) -> bool:
    if word_at(flat, first) in ORDINAL_AFTER or _DAY_AND_MONTH.match(flat, first):
        return True
    before = flat.rfind(" ", start, begin - 1) + 1 or start
    if flat[before : begin - 1] not in ORDINAL_BEFORE or not flat[first].isalpha():
        return False
    return not opens(flat, first) and flat[before - 2 : before] != "I "
