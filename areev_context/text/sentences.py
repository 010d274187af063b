"""Sentences of a text in any language, as spans of its characters.

One regular expression finds the places where a sentence may end, and treats a pair of brackets or
quotes as a whole; a few cheap checks decide. The language is not given: the script, the word before
a mark and the word after it decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from areev_context.text.abbreviations import ABBREVIATIONS
from areev_context.text.fullstops import after_full_stop, after_mark, next_marker
from areev_context.text.openings import JOINING
from areev_context.text.pauses import DENSE, SHORT, SHORT_IF_DENSE, THAI_LETTER, after_blank, cuts
from areev_context.text.quotes import PAIRS, after_pair

__all__ = ["sentence_spans"]

_FULL = "。！？｡"
_WITHOUT_BLANK = "؟۔।॥։።။។៕"
_BULLETS = "•⁃‣▪●◦"
_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_CLOSERS = r"[\"'”’“‘)\]»›*_¹²³⁴-⁹]{0,4}+"
# What follows a mark and belongs to its sentence: closing signs, the number of a note, a face.
_TAIL = (
    _CLOSERS + r"(?:\s?[»›](?!\w)|\[\d{1,3}\]"
    r"|\s?[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f\u200d]{1,8}+|\s[:;]-?[)(DP](?!\w)){0,4}+"
)
_JOINED = (  # a sentence that follows without a blank, as on pages of the web
    r"(?=(?:The|This|That|These|Those|There|It|He|She|We|You|They|In|On|At|If|When|But|And|Today"
    r"|Mr|Mrs|Dr|Der|Die|Das|Er|Sie|Es|Wir|Il|Elle|Les|Los|Las|El)[ .,'’])"
)
# A word of six small letters is hardly ever an abbreviation: then a capital behind is enough, and
# group 1 says so. One of three with a vowel may be one: group 2 says that only the table is asked.
_PLAIN = (
    r"(?:(?<=[a-z]{6}\.)(?<!approx\.)(?<!transl\.)(?<!insbes\.)()"
    r"|(?<=[aeiouy][a-z]{2}\.|[a-z][aeiouy][a-z]\.|[a-z]{2}[aeiouy]\.)()) (?=[A-Z][a-z])"
)
_END = (
    rf"(?<![.!?…].)[.!?…]*+(?:{_TAIL}\s++|(?<=[a-z\d][.!?]){_JOINED}"
    rf"|(?<=[{_CJK}][!?])(?=[{_CJK}]))"
)
_SPACED = rf"(?<!\.\s.)(?:[ ]\.)++(?:{_TAIL}\s++|\Z)"
_WIDE_END = rf"(?<!モーニング娘。)[{_FULL}…!?]*+[」』”’）)\]】》〉\"]*+\s*+"
_BARE_END = rf"(?:\s?[{_WITHOUT_BLANK}!?.]|\s?[\d०-९]{{1,4}}\s?(?=॥))*+{_CLOSERS}\s*+"

# For each sign what must follow for a sentence to end there, perhaps, or for a pair. A sign of its
# own has an expression of its own: that one letter is looked for is what makes it fast.
_ASCII = {
    ".": f"(?:{_PLAIN}|{_SPACED}|{_END})",
    "!": _END,
    "?": _END,
    ")": r"(?:(?<=\b[\da-zA-Z]\))|(?<=\b\d\d\)))\s++",
} | {sign: inside for sign, inside in PAIRS.items() if sign.isascii()}
_OTHER = (
    {"…": _END, ";": r"(?<=[Ͱ-Ͽἀ-῿];)\s++", "\u037e": r"\s++"}
    | dict.fromkeys(_FULL, _WIDE_END)
    | dict.fromkeys(_WITHOUT_BLANK, _BARE_END)
    | dict.fromkeys(_BULLETS, "")
    | {sign: inside for sign, inside in PAIRS.items() if not sign.isascii()}
)


def _compiled(table: dict[str, str]) -> list[tuple[str, re.Pattern[str]]]:
    return [(sign, re.compile(re.escape(sign) + rest)) for sign, rest in table.items()]


_IN_ASCII = _compiled(_ASCII)
_IN_ANY = _IN_ASCII + _compiled(_OTHER)
_BLANK_IN_THAI = re.compile(rf"[{THAI_LETTER}]\s++(?=[{THAI_LETTER}])")
_THAI = re.compile(f"[{THAI_LETTER}]")

# A blank line, or a line that begins with a bullet. A single line break is a blank.
_NEW_PARAGRAPH = re.compile(r"\n[^\S\n]*+(?:\n\s*+|(?=[-*•‣▪●◦]\s))")
_BLANKS = "\n\t\r\x0b\x0c\xa0\u2009\u202f"

_Check = Callable[[str, int, int, int, int], int]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a prose text, as pairs of start and end.

    The spans cover the text whole, in order, without overlap, and none is empty. White space
    belongs to the sentence before it, and to the first at the beginning of the text. A text without
    sentence ends is divided into spans of about 60 tokens at most. The time is linear in the text.
    """
    flat = text
    for blank in _BLANKS:
        flat = flat.replace(blank, " ")
    dense = not text.isascii() and DENSE.search(text) is not None
    patterns = [p for sign, p in (_IN_ASCII if text.isascii() else _IN_ANY) if sign in flat]
    if dense and _THAI.search(text):
        patterns.append(_BLANK_IN_THAI)
    spans: list[tuple[int, int]] = []
    start = begin = len(text) - len(text.lstrip())
    never_long = SHORT_IF_DENSE if dense else SHORT
    for end in [*(m.end() for m in _NEW_PARAGRAPH.finditer(text, start)), len(text)]:
        for cut in [*_ends(flat, begin, end, patterns), end]:
            if cut - begin > never_long:
                for pause in cuts(text, begin, cut, dense=dense):
                    spans.append((begin, pause))
                    begin = pause
            if cut > begin:
                spans.append((begin, cut))
                begin = cut
    return [(0, spans[0][1]), *spans[1:]] if spans else [(0, start)] * (start > 0)


def _ends(flat: str, start: int, end: int, patterns: list[re.Pattern[str]]) -> list[int]:
    """Return where the sentences of a paragraph begin, but for the first."""
    places = [(*m.span(), m.lastindex) for p in patterns for m in p.finditer(flat, start, end)]
    if len(patterns) > 1:
        places.sort()
    cuts: list[int] = []
    behind = start  # what was read as part of a place before
    for mark, after, plain in places:
        if mark < behind:
            continue
        behind = after
        if plain == 1 or (plain and _is_plain(flat[flat.rfind(" ", start, mark) + 1 : mark])):
            cut = after
        else:
            check = _CHECKS.get(flat[mark], after_blank)
            cut = check(flat, start, mark, after, end)
            if not start < cut < end:
                continue
        cuts.append(cut)
        start = cut
    return cuts


def _is_plain(word: str) -> bool:
    return word not in ABBREVIATIONS and word.isalpha()


def _after_full(flat: str, start: int, mark: int, after: int, end: int) -> int:
    return after if after < end and flat[after] not in JOINING else 0


def _before_bullet(flat: str, start: int, mark: int, after: int, end: int) -> int:
    return mark if flat[mark - 1].isspace() else 0


def _before_marker(flat: str, start: int, mark: int, after: int, end: int) -> int:
    begin = flat.rfind(" ", start, mark) + 1
    return next_marker(flat, start, begin, end) if begin else 0


_CHECKS: dict[str, _Check] = {
    sign: check
    for signs, check in (
        (_FULL + _WITHOUT_BLANK, _after_full),
        (".", after_full_stop),
        ("!?…;\u037e", after_mark),
        (_BULLETS, _before_bullet),
        ("".join(PAIRS), after_pair),
        (")", _before_marker),
    )
    for sign in signs
}
