"""What a text is matched by: its words by their stems, without those that say nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["asked_of", "terms"]

_MARKS = (
    r"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0981-\u0dff\u0e31-\u0e4e"
    r"\u0eb1-\u0ebc\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3"
)  # signs within words, of Hindi and Thai for instance, that are no letters to `re`
_WORD = re.compile(rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*")
_END = "\x01"  # a character that no text holds once it is cleaned
_WORD_OR_END = re.compile(rf"{_WORD.pattern}|{_END}")
# Of ASCII the same words are what stands between blanks once all else is blank, and faster.
_TYPOGRAPHIC = "’‘“”–—…•\u00a0"  # most texts that are not ASCII are so but for these
_BLANKED = bytes(
    ord(chr(n).lower() if chr(n).isalnum() or chr(n) == _END else " ") for n in range(128)
) + bytes(128)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_STOP = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "him", "his", "how", "i", "if",
    "in", "is", "it", "its", "me", "my", "of", "on", "or", "our", "she", "should", "so", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "us", "was",
    "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with",
    "would", "you", "your", "about", "into", "than",
})  # fmt: skip
_ENDINGS = (
    ("ingly", ""), ("edly", ""), ("ing", ""), ("ies", "y"), ("ied", "y"), ("ed", ""), ("es", ""),
    ("ly", ""), ("s", ""),
)  # fmt: skip


class _Stems(dict[str, str]):
    """Words by their stem, each found once: the word without a common English ending.

    Stop words have none. Words of other languages lose little by it.
    """

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_STEMS:
            self.clear()
        stem = self[word] = _stem(word)
        return stem


def _stem(word: str) -> str:
    if word in _STOP:
        return ""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + instead
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


_MOST_STEMS = 1 << 17
_STEMS = _Stems()


def terms(text: str) -> list[str]:
    """Return what a text is matched by, in order, with repeats and without stop words.

    That is the stem of a word, and of a word in a script without spaces each pair of characters.
    """
    found = list(map(_STEMS.__getitem__, _WORD.findall(text.casefold())))
    if not text.isascii() and _UNSPACED.search(text):
        found = [part for word in found for part in _pairs(word)]
    return [term for term in found if term]


def asked_of(sentences: Sequence[str], asked: frozenset[str]) -> tuple[list[int], list[list[str]]]:
    """Return of each sentence how many terms it has, and those of them that are asked, in order.

    Args:
        sentences: Texts as `clean` leaves them, read in one pass over them all.
        asked: Terms.
    """
    whole = f" {_END} ".join((*sentences, ""))
    if not whole.isascii():
        for mark in _TYPOGRAPHIC:
            whole = whole.replace(mark, " ")
    if whole.isascii():
        words = whole.encode().translate(_BLANKED).decode().split()
    elif _UNSPACED.search(whole):
        told = [terms(sentence) for sentence in sentences]
        return list(map(len, told)), [[term for term in of if term in asked] for of in told]
    else:
        words = _WORD_OR_END.findall(whole.casefold())
    found = list(map(_STEMS.__getitem__, words))
    sizes, shared, start = [], [], 0
    for _ in sentences:
        end = found.index(_END, start)
        of = found[start:end]
        sizes.append(end - start - of.count(""))
        shared.append([] if asked.isdisjoint(of) else [term for term in of if term in asked])
        start = end + 1
    return sizes, shared


def _pairs(word: str) -> list[str]:
    if not _UNSPACED.search(word):
        return [word]
    return [word[n : n + 2] for n in range(max(1, len(word) - 1))]
