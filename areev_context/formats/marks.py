"""Patterns of text that a lenient reader takes for a mark, and characters that look alike.

Markdown and plain text share these. A pattern is written for ASCII. A text that has other
characters is looked at through `LOOKS`, which gives every character the one that it passes for,
so that places in what is seen are places in the text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

__all__ = [
    "BREAKS",
    "FILLERS",
    "LOOKS",
    "MARKDOWN",
    "OPEN_START",
    "OPEN_TAIL",
    "ORDINAL",
    "PLAIN_TEXT",
    "Marks",
    "cites",
    "has_bracket",
    "has_guard",
    "is_status",
    "mark_place",
    "statuses",
]

BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""Every character at which `str.splitlines` ends a line."""

FILLERS = "\u115f\u1160\u3164\uffa0"
"""Letters of Hangul that are invisible."""

_OPENING = "[［﹇【︻〔︹〖︗〘〚⁅⟦⟬❲⦋⦍⦏⦗﹝⌈⌊"
_CLOSING = "]］﹈】︼〕︺〗︘〙〛⁆⟧⟭❳⦌⦎⦐⦘﹞⌉⌋"
_OTHER_OPENING = _OPENING[1:]

# Letters of other scripts that look like those of our words.
_TWINS = {
    twin: letter
    for letter, twins in {
        "a": "АаΑαᴀ",
        "c": "СсϹϲᴄ",
        "d": "Ԁԁᴅ",
        "e": "ЕеΕɛεєᴇ",
        "i": "ІіΙιıɪ",
        "n": "Νոпηɴ",
        "o": "ОоΟοσօᴏ",
        "r": "гᴦʀꭇ",
        "s": "ѕЅꜱ",
        "t": "ТтΤτᴛ",
        "u": "սυᴜ",
    }.items()
    for twin in twins
}
# Blank or invisible by what they are, whatever Unicode calls them: fillers, an empty braille cell,
# the place of an object, a note without a head, and what Unicode keeps free for such characters.
_UNSEEN = frozenset({*FILLERS, "\u2800", "\ufffc", "\U0001d159", "\u2065"})
_UNSEEN_BLOCKS = (range(0xFFF0, 0xFFF9), range(0xE0000, 0xE1000))
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me", "Mc"})


class _Looks(dict[int, str]):
    """What each character passes for; found out when it is first asked for."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, _look_of(chr(code)))


def _look_of(char: str) -> str:
    """Return the one character that a lenient eye takes a character for.

    A line break is a newline; what shows nothing, and a mark over another character, is a blank;
    letters, digits and signs in another width or style, and with marks over them, are the plain
    ones in small letters; everything else is itself.
    """
    if char in BREAKS:
        return "\n"
    if char.isascii() and (char == "\t" or char.isprintable()):
        return char.lower()
    if char in _OPENING:
        return "["
    if char in _CLOSING:
        return "]"
    code = ord(char)
    unseen = char in _UNSEEN or any(code in block for block in _UNSEEN_BLOCKS)
    category = unicodedata.category(char)
    if unseen or category in _UNSEEN_CATEGORIES:
        return " "
    if category == "No":
        return char  # a number in a circle, or a small one
    separated = unicodedata.normalize("NFKD", _TWINS.get(char, char))
    bases = [each for each in separated if unicodedata.category(each)[0] != "M"]
    plain = len(bases) == 1 and bases[0].isascii() and bases[0] != " "
    return bases[0].lower() if plain else char


LOOKS = _Looks()
_PLAIN = re.compile(r"[\t -~]*")


def _seen(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else text.translate(LOOKS)


# --- marks at the start of a line -------------------------------------------------------------

_W = r"[ \t]*+"  # what may stand before a mark, and between its parts
_STOP = r"(?:[ \t]|\Z)"
_END = rf"{_W}\Z"
_NUMBER = rf"{_W}\d[\d, \t\-]*+"
_THREE = rf"={_W}={_W}=|={_W}(?:={_W})?+\Z"  # a banner, an underline
_FENCE = rf"`{_W}`{_W}`|~{_W}~{_W}~"
_MARKS = "|".join(
    (
        r"\\",  # a backslash of the text's own
        rf"\[{_NUMBER}\]",  # a number: [3], [1, 2]
        rf"[-*+]{_STOP}",  # a bullet
        rf"\#(?:{_W}\#){{0,5}}{_STOP}",  # a heading
        _THREE,
        rf"-{_W}-{_W}-|-{_W}(?:-{_W})?+\Z",
        rf"([-*_])(?:{_W}\2)*+{_END}",  # a rule
        _FENCE,
        rf">|\||:?{_W}-(?:{_W}-)*+{_W}:?{_W}(?:\||\Z)",  # a quotation; a table, and what makes one
        rf"\d(?:{_W}\d){{0,8}}+{_W}[.)]{_STOP}",  # an ordered item
        "↓",  # a gap of a timeline
    )
)


class Marks(NamedTuple):
    """The patterns of text that reads as a mark of a format at the start of a line.

    Attributes:
        first: The marks on the first line of a text.
        further: The marks on its other lines.
        joined: The marks that two values make when they are joined, with text between or without.
    """

    first: re.Pattern[str]
    further: re.Pattern[str]
    joined: re.Pattern[str]


MARKDOWN = Marks(
    first=re.compile(rf"({_W})(?:{_MARKS})"),
    # On a further line a tag would open a block that swallows lines.
    further=re.compile(rf"({_W})(?:<[A-Za-z/!?]|{_MARKS})"),
    joined=re.compile(
        rf"({_W})(?:\[{_NUMBER}\]|{_THREE}|{_FENCE}"
        rf"|\d(?:{_W}\d){{0,8}}+{_W}\){_STOP}|\*(?:{_W}\*){{2,}}+{_END})"
    ),
)
_BANNER_OR_NUMBER = rf"\[{_NUMBER}\]|={_W}={_W}="
_PLAIN_MARK = re.compile(rf"({_W})\\*+(?:{_BANNER_OR_NUMBER}|↓)")
PLAIN_TEXT = Marks(_PLAIN_MARK, _PLAIN_MARK, re.compile(rf"({_W})(?:{_BANNER_OR_NUMBER})"))
"""Plain text has banners, numbers and gaps; no bullets, headings, fences or tables.

A backslash of the text's own counts only where it stands before one of these.
"""

ORDINAL = re.compile(rf"({_W})\\*+\d(?:{_W}\d){{0,8}}+{_W}\.{_STOP}")
"""The start of an entry in a timeline of plain text."""

_BEGUN = rf"\[[^\]]*\Z|`{_W}(?:`{_W})?\Z|~{_W}(?:~{_W})?\Z|<{_END}|:[:\- \t]*+\Z"
OPEN_START = re.compile(rf"({_W})(?:<[A-Za-z/!?]|[.)]{_STOP}|[`~]|{_BEGUN})")
"""How a first line starts what other words of its line would make a mark."""

OPEN_TAIL = re.compile(rf"({_W})(?:\Z|\d(?:{_W}\d)*+{_END}|{_BEGUN})")
"""A last line, whole, that the words after it would make a mark."""

# The run in which a mark at the start of a line stands: letters end it, those of Hangul that show
# nothing do not.
_HEAD = re.compile(rf"[\W\d_{FILLERS}]*+")


_STARTS = frozenset(" \t[-*+#=_`~>|:<.)\\↓0123456789")


def mark_place(line: str, mark: re.Pattern[str]) -> int | None:
    """Return the index at which the mark at the start of a line begins; None without a mark.

    Args:
        line: One line.
        mark: One of the patterns of this module.
    """
    first = line.lstrip(" \t")[:1]
    if first:
        look = LOOKS[ord(first)]
        if look not in _STARTS and not look.isdecimal():
            return None
    found = mark.match(line)
    if found is None:
        head = _HEAD.match(line)
        assert head is not None
        if _PLAIN.fullmatch(head[0]):
            return None
        rest = "x" if head.end() < len(line) else ""
        found = mark.match(head[0].translate(LOOKS) + rest)
    return None if found is None else found.end(1)


# --- statuses and numbers, in brackets, anywhere ----------------------------------------------

_STATUSES = ("current]", "outdated]", "session:")
# A status starts with one of these, plain or in another guise; the usual letters of Chinese,
# Japanese and Korean are none.
_MAY_BE_STATUS = re.compile(
    rf"[{re.escape(_OPENING)}]"
    r"(?=[\x00-\x20\x7f]*+[cosCOS\x80-\u302f\u3099\u309a\u3164\ua000-\uabff\ud7b0-\U0010ffff])"
)
_MAY_BE_PLAIN_STATUS = re.compile(r"\[(?=[\x00-\x20\x7f]*+[cosCOS])")
_BRACKETED = re.compile(
    rf"[{re.escape(_OPENING)}]([^{re.escape(_OPENING + _CLOSING)}]*+)[{re.escape(_CLOSING)}]"
)
_DIGIT = re.compile(r"\d")
_WORDS = (
    "and|or|to|through|und|oder|bis|et|y|e|sources?|src|references?|refs?|documents?|docs?"
    "|passages?|footnotes?|notes?|fn|citations?|cite|numbers?|nos?|nr|n[°º]|items?|entry|entries"
    "|results?|id|quellen?|fuentes?|fonti?"
)
_GLUE = rf"(?:[\s,;&/+^#~–—‒−‐‑、，；～和与と\"'-]|\.\.|(?:{_WORDS})(?![^\W\d_])\s*+[.:=]?+)*+"
_INSIDE = rf"{_GLUE}(?:\d++{_GLUE})++(?:(?::\d++)*+\s*+[†‡][^\]\[]*+)?+"
_CITED = re.compile(_INSIDE, re.IGNORECASE)
_PLAIN_CITED = re.compile(rf"\[({_INSIDE})\]", re.IGNORECASE)
_OPENS_LINE = re.compile(_NUMBER)


def has_bracket(text: str) -> bool:
    """Return whether a text has a bracket that may begin a status or a number."""
    return "[" in text or (not text.isascii() and any(map(text.__contains__, _OTHER_OPENING)))


def statuses(text: str) -> list[int]:
    """Return the indexes of the brackets that begin what reads as a status or a session."""
    found = (_MAY_BE_PLAIN_STATUS if text.isascii() else _MAY_BE_STATUS).finditer(text)
    return [match.start() for match in found if is_status(text, match.end())]


def is_status(text: str, place: int) -> bool:
    """Return whether the text after a bracket, from an index on, reads as a status."""
    left: tuple[str, ...] = _STATUSES
    at = 0
    for n in range(place, len(text)):
        look = LOOKS[ord(text[n])]
        if look in " \t\n":
            continue
        left = tuple(word for word in left if word[at] == look)
        at += 1
        if not left or at == len(left[0]):
            break
    return bool(left) and at == len(left[0])


def cites(text: str) -> list[tuple[int, str]]:
    """Return the indexes of the brackets that a lenient reader takes for citations.

    With each index comes the text in the bracket, as such a reader sees it.
    """
    if _PLAIN.fullmatch(text):
        found = _PLAIN_CITED.finditer(text)
        return [(match.start(), match[1]) for match in found]
    places = []
    for match in _BRACKETED.finditer(text):
        inside = _seen(match[1]) if _DIGIT.search(match[1]) else ""
        if _CITED.fullmatch(inside):
            places.append((match.start(), inside))
    return places


def has_guard(text: str, place: int, inside: str) -> bool:
    """Return whether a bracket of a citation, a number at the start of a line, has its backslash.

    Args:
        text: A text that was guarded.
        place: Where the bracket opens.
        inside: What stands in it.
    """
    if text[place - 1 : place] != "\\" or not _OPENS_LINE.fullmatch(inside):
        return False
    while place and text[place - 1] == "\\":
        place -= 1
    while place and LOOKS[ord(text[place - 1])] in " \t":
        place -= 1
    return not place or text[place - 1] in BREAKS
