"""The terms by which a text is matched: the stems of its words, without stop words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import filterfalse

__all__ = ["Asked", "Query", "asked_by", "asked_of", "asked_of_each", "shared_with", "terms"]

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
    """The stem of each word of one call, found once. No memory of words outlives the call."""

    def __missing__(self, word: str) -> str:
        stem = self[word] = _stem(word)
        return stem


def _stem(word: str) -> str:
    """Return a word without a common English ending; the empty string for a stop word.

    The first three characters of a word stay: `Asked` relies on it. Words of other languages lose
    little.
    """
    if word in _STOP:
        return ""
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STAYS:
            word = word.removesuffix(ending) + instead
            break
    return word[:-1] if len(word) > _STAYS and word.endswith("e") else word


_STAYS = 3  # characters of a word that no stem loses


class Asked(frozenset[str]):
    """The terms that a query asks for.

    Most words of a text are not asked for, and their first characters are enough to see it: only
    other words need a stem.
    """

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(term[:_STAYS] for term in self)

    def matches(self, words: set[str]) -> dict[str, str]:
        """Return the words that are asked for, each with its term."""
        beginnings = self._beginnings
        near = [word for word in words if word[:_STAYS] in beginnings]
        return {word: stem for word in near if (stem := _stem(word)) in self}


class Query(str):
    """A query that caches its terms, so that many texts can be matched with it."""

    @cached_property
    def asked(self) -> Asked:
        """The terms of the query."""
        return Asked(terms(self))


def asked_by(query: str) -> Asked:
    """Return the terms of a query."""
    return query.asked if isinstance(query, Query) else Asked(terms(query))


def terms(text: str) -> list[str]:
    """Return the terms of a text, in order, with repeats and without stop words.

    A term is the stem of a word, or a pair of characters in a script without spaces.
    """
    return _terms(text, _Stems())


def _terms(text: str, stems: _Stems) -> list[str]:
    found = list(map(stems.__getitem__, _WORD.findall(text.casefold())))
    if _is_unspaced(text):
        found = [part for word in found for part in _pairs(word)]
    return [term for term in found if term]


def _is_unspaced(text: str) -> bool:
    return not text.isascii() and _UNSPACED.search(text) is not None


def shared_with(text: str, asked: Asked) -> frozenset[str]:
    """Return the terms of a text that are asked for."""
    if _is_unspaced(text):
        return asked.intersection(terms(text))
    return frozenset(asked.matches(set(_WORD.findall(text.casefold()))).values())


def asked_of(sentences: Sequence[str], asked: Asked) -> tuple[list[int], list[list[str]]]:
    """Return the number of terms of each sentence, and its terms that are asked for, in order.

    Args:
        sentences: Texts that `clean` returned; all are read in one pass.
        asked: The terms that are asked for.
    """
    return asked_of_each([sentences], asked)[0]


def asked_of_each(
    texts: Sequence[Sequence[str]], asked: Asked
) -> list[tuple[list[int], list[list[str]]]]:
    """Return the result of `asked_of` for each of several texts, given by their sentences."""
    words = [_words_of(sentences) for sentences in texts]
    matches = asked.matches(set().union(*[of for of in words if of is not None]))
    return [
        _unspaced_of(sentences, asked) if of is None else _divided(of, len(sentences), matches)
        for sentences, of in zip(texts, words, strict=True)
    ]


def _words_of(sentences: Sequence[str]) -> list[str] | None:
    """Return the words but stop words, each sentence's with an end after them.

    None where there are words in a script without spaces.
    """
    whole = f" {_END} ".join((*sentences, ""))
    if not whole.isascii():
        for mark in _TYPOGRAPHIC:
            whole = whole.replace(mark, " ")
    if whole.isascii():
        words = whole.encode().translate(_BLANKED).decode().split()
    elif _UNSPACED.search(whole):
        return None
    else:
        words = _WORD_OR_END.findall(whole.casefold())
    return list(filterfalse(_STOP.__contains__, words))


def _unspaced_of(sentences: Sequence[str], asked: Asked) -> tuple[list[int], list[list[str]]]:
    stems = _Stems()
    found = [_terms(sentence, stems) for sentence in sentences]
    return list(map(len, found)), [[term for term in of if term in asked] for of in found]


def _divided(
    words: list[str], count: int, matches: Mapping[str, str]
) -> tuple[list[int], list[list[str]]]:
    """Return of so many sentences their number of words, and the terms of those that match."""
    known = matches.keys()
    sizes, shared, start = [], [], 0
    for _ in range(count):
        end = words.index(_END, start)
        of = words[start:end]
        sizes.append(end - start)
        found = not known.isdisjoint(of)
        shared.append([matches[word] for word in of if word in matches] if found else [])
        start = end + 1
    return sizes, shared


def _pairs(word: str) -> list[str]:
    if not _UNSPACED.search(word):
        return [word]
    return [word[n : n + 2] for n in range(max(1, len(word) - 1))]
