"""Pairs of brackets and quotes: the text inside belongs to the sentence around it."""

from __future__ import annotations

import re

from areev_context.text.openings import JOINING, first_sign, opens

__all__ = ["PAIRS", "after_pair"]

# What follows an opening sign up to the closing one: at most some hundred characters. A pair that
# closes later, or never, is none. Brackets may hold brackets of their own.
PAIRS: dict[str, str] = {
    '"': r"(?<![\w.,!?\"]\")(?=[^\s\"])[^\"]{1,300}+\"(?!\w)",
    "“": r"[^“”]{1,300}+”",
    "„": r"[^„“”\"]{1,300}+[“”\"]",
    "«": r"[^«»]{1,300}+»",
    "»": r"(?<!\w»)(?=\w)[^«»]{1,300}+«",
    "”": r"(?<![\w.,!?…]”)(?=\w)[^“”]{1,300}+”",
    "‘": r"(?:[^‘’]{1,300}+|’(?=\w)){1,15}+’",
    "‚": r"[^‚‘’]{1,300}+[‘’]",
    # An apostrophe is no quote: the closing one stands after a mark.
    "'": r"(?<![\w.,!?'\"]')(?=[^\s'])(?:[^']{1,300}+|(?<=\w)'(?=\w)){1,15}+(?<=[.,!?…])'(?!\w)",
}


def _nesting(pair: str) -> str:
    opening, closing = pair[0], pair[1]
    other = rf"[^\{opening}\{closing}]"
    return rf"(?:{other}{{1,300}}+|\{opening}{other}{{0,150}}+\{closing}){{0,5}}+\{closing}"


_BRACKETS = ("()", "[]", "（）", "［］", "「」", "『』", "《》", "〈〉", "【】", "〔〕")
PAIRS |= {pair[0]: _nesting(pair) for pair in _BRACKETS}

_NAMES_A_WORK = "《〈【〔"
_BRACKET = "([（［"
_END = ".!?…。！？｡؟۔।॥։።၊။។៕"
_CLOSING = "\"'”’“‘»›«‹」』 "
_AFTER = re.compile(r"[\"'”’)\]»」』）］*_]*(\s*)")
_SOURCE = re.compile(r"[(\[][^()\[\]]{1,80}[)\]][.,;:]")  # as in `"I came." (Smith 55).`
_INTRODUCES = (*":,：，،—–-", "ว่า")
_SAYING = re.compile(  # who said it, after what he said
    r"(?:\w+\.? ){0,2}?\w+ (?:said|says|asked|asks|replied|cried|shouted|whispered|answered|added"
    r"|thought|wondered|exclaimed|murmured|muttered|told|yelled|continued|explained|insisted"
    r"|laughed|sighed|agreed|wrote|warned|admitted|screamed|called|suggested|remarked|begged"
    r"|demanded|observed|repeated|snapped|declared|announced|groaned|gasped|growled|noted)\b"
    r"|[^。！？，,\s「“没沒不无無]{0,10}(?:说|道|问|喊|叫|答|解释|回答|說|問|嚷|笑着说)[^。！？“]{0,6}[。，：:！]"
    r"|(?:って|[をがのとに、]|は(?!い)|も(?![しう])|で(?![もす]))"
    r"|(?:قال|قالت|سأل|سألت|أجاب|أجابت|صاح|صاحت|أضاف|أضافت|همس|رد|ردت|يقول|تقول)\b"
    r"|(?:[^\s।]+ ){0,3}(?:ने )?(?:कहा|पूछा|बोला|बोली|बोले|चिल्लाया|चिल्लाई|जवाब)"
)


def after_pair(flat: str, start: int, mark: int, after: int, end: int) -> int:
    """Return the index of a new sentence after a pair of brackets or quotes; 0 if none begins.

    A sentence that ends inside of quotes ends with them, unless the words after them name the
    speaker. A bracket ends a sentence if it contains a whole sentence.
    """
    opening = flat[mark]
    if "0" <= flat[after - 2] < "\u0e00" and flat[after - 2].isalnum():  # most
        return 0
    behind = _AFTER.match(flat, after, end)
    follows = behind.end() if behind else end
    if follows >= end or opening in _NAMES_A_WORK:
        return 0
    inside = flat[mark + 1 : after - 1].rstrip(_CLOSING)
    if inside[-1:] not in _END or not inside:
        after_that = flat[mark - 4 : mark - 1] == "ว่า"  # Thai: he said that
        next_speaks = after_that or (opening in "「『" and flat[follows] in "「『")
        return follows if next_speaks and flat[follows - 1].isspace() else 0
    if opening in _BRACKET and mark > start:
        return 0
    if _SOURCE.match(flat, follows, end):
        return 0
    first = first_sign(flat, follows, end)
    if first == end or flat[first] in JOINING or flat[first].islower():
        return 0
    return follows if _ends(flat, start, mark, first) else 0


def _ends(flat: str, start: int, mark: int, first: int) -> bool:
    before = flat[max(start, mark - 20) : mark].rstrip()
    if mark - start < 20 and not before.strip("-–—― "):
        return opens(flat, first) or _SAYING.match(flat, first, first + 60) is None
    cased = flat[first].isupper() or not flat[first].isalpha()
    return cased or before.endswith(_INTRODUCES)
