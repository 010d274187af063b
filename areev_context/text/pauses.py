"""Pauses in a text that is too long for one sentence, or that has no sentence ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

__all__ = ["DENSE", "SHORT", "SHORT_IF_DENSE", "THAI_LETTER", "after_blank", "cuts"]

SHORT = 240  # characters, about 60 tokens: what is shorter is never divided
_LONGEST_SENTENCE = 400  # characters of a sentence that has its end
_DENSE_FACTOR = 3  # a character of a dense script counts as three
SHORT_IF_DENSE = SHORT // _DENSE_FACTOR

# Letters of Thai, Lao, Khmer and Burmese, which put a blank between sentences and no mark at their
# end. No digits, and no sign of repetition, which has blanks around it inside of a sentence.
THAI_LETTER = (
    "\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e\u0e81-\u0ec4\u0ec8-\u0ece\u0edc-\u0edf"
    "\u1780-\u17d3\u17dd\u1000-\u103f\u104c-\u108f\u109a-\u109f"
)
# Scripts that say in one character what Latin says in three.
DENSE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
_ENDED = re.compile(r"[.!?…。！？｡؟۔।॥։።။។៕][\"'”’“)\]»」』）]*\Z")

# The best first. Each has a character of its signs: they are looked for first, because one set is
# found, or not, many times as fast as an expression of several.
_PAUSES = [
    (
        re.compile(r"[;؛…；：。！？.!?:؟।۔}\]/<>—–\n-]"),
        re.compile(
            r"[;؛…][)\"'”’\]]*\s*|[；：。！？]|[.!?:؟।۔][\"'”’)\]]*\s+|[}\]],|/>|</[^<>]{1,40}>"
            r"|>(?=<\w)|\s[—–-](?=\s)|\n\s*"
        ),
    ),
    (
        re.compile(r"[,，、،၊;})>\]]"),
        re.compile(r",[\"'”’)\]]*\s+|,(?=[^\d\s])|[，、،၊]\s*|[;})>\]]"),
    ),
]
_PAUSES_WITHOUT_BLANKS = [
    re.compile("[\u200b](?=.)|(?=แต่|เพราะ|และ|ซึ่ง|โดย|เมื่อ|หรือ|ถ้า|ดังนั้น|ຍ້ອນ|ແລະ|ហើយ|និង|ដែល)"),
    re.compile(r"[/&?=_|+.-]"),
]
_BLANKS = re.compile(r"\s++")
_TITLE = re.compile(r"(?:นาย(?!ก)|นาง(?:สาว)?|คุณ|เด็กชาย|เด็กหญิง|ดร\.|พระ|ท้าว)")
_STAYS = re.compile(r"[พคจร]\.ศ\.|น\.(?=\s)|ที่\s\d|ฯ")


def after_blank(flat: str, start: int, mark: int, after: int, end: int) -> int:
    """Return the index of a sentence after a blank of Thai or a similar script; 0 in a name."""
    begin = max(flat.rfind(" ", start, mark) + 1, start)
    in_a_name = mark - begin < 25 and _TITLE.match(flat, begin)
    return 0 if in_a_name or _STAYS.match(flat, after, end) else after


def cuts(text: str, start: int, end: int, *, dense: bool) -> Iterator[int]:
    """Yield the indexes that divide a span too long for one sentence, in order.

    A span that ends as a sentence does may have 400 characters, another 240; a third of that in a
    dense script. The parts have at most 240, and end at the best pause there is.
    """
    end = start + len(text[start:end].rstrip())
    ended = _ENDED.search(text, max(start, end - 12), end) is not None
    limit = _limit(text, start, end) if dense else SHORT
    if end - start <= (limit * _LONGEST_SENTENCE // SHORT if ended else limit):
        return
    while end - start > limit:
        pause = _pause(text, start, min(start + limit, end - limit // 6))
        blanks = _BLANKS.match(text, pause, end)
        start = blanks.end() if blanks else pause
        yield start


def _limit(text: str, start: int, end: int) -> int:
    """Return how many characters make about 60 tokens, by the share of a dense script."""
    length = end - start
    share = len(DENSE.findall(text, start, end)) / length
    return int(SHORT / (1 + (_DENSE_FACTOR - 1) * share))


def _pause(text: str, start: int, reach: int) -> int:
    lowest = start + (reach - start) // 3
    for signs, pattern in _PAUSES:
        if signs.search(text, lowest, reach) and (place := _last(pattern, text, lowest, reach)):
            return place
    words = text[lowest:reach].rsplit(None, 1)
    if text[reach - 1].isspace():
        return reach
    if len(words) > 1 or text[lowest].isspace():
        return reach - len(words[-1])
    for pattern in _PAUSES_WITHOUT_BLANKS:
        if place := _last(pattern, text, lowest, reach):
            return place
    return _between_characters(text, lowest, reach)


def _last(pattern: re.Pattern[str], text: str, lowest: int, reach: int) -> int:
    """Return where the last match ends behind the lowest place, or 0."""
    ends = [match.end() for match in pattern.finditer(text, lowest, reach)]
    return ends[-1] if ends and ends[-1] > lowest else 0


def _between_characters(text: str, lowest: int, reach: int) -> int:
    """Return a place that tears no letter from its accents and vowels."""
    for place in range(reach, max(lowest, reach - 16), -1):
        after, before = text[place], text[place - 1]
        joined = unicodedata.category(after)[0] == "M" or after == "\u200d" or before == "\u200d"
        stacked = unicodedata.combining(before) == 9 or "\u0e40" <= before <= "\u0e44"
        if not (joined or stacked or "\u0ec0" <= before <= "\u0ec4"):
            return place
    return reach
