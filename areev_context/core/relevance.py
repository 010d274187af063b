"""How much each sentence of a set of passages should tell somebody who asked a query.

Lexical and cheap: the words a sentence shares with the query, rare ones weighing more; the order in
which the retriever returned the passages; what stands beside a passage in its source. The weights
were fitted on public question sets with gold evidence; docs/allocation.md says how.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

__all__ = ["Part", "Passage", "part_of", "sentence_values", "terms"]

Part = tuple[str, int]
"""What a passage is a part of, and the number of the part."""


class Passage(NamedTuple):
    """One passage as its sentences are weighed.

    Attributes:
        sentences: Its sentences, in reading order, at least one.
        speaker: Who speaks; empty where nobody does.
        title: The words about it, its title and source.
        part: What it is a part of; None where that is unknown.
    """

    sentences: Sequence[str]
    speaker: str
    title: str
    part: Part | None


# BM25's constants, over the passages at hand.
_SATURATION = 1.2
_LENGTH = 0.5

# The fitted weights: a sentence is worth the exponential of their sum.
_LEXICAL = 1.95  # the passage's share of the query, as BM25 has it, over the best passage's
_RANK = -0.42  # the logarithm of the passage's place, from 1
_NEXT_TO = 1.52  # the better place of the two passages beside it
_TWO_BEFORE = 1.24  # the lexical share of the passage two before it, and
_TWO_AFTER = 0.74  # two after
_SPEAKER = 2.94  # the query names who speaks
_TITLE = 4.23  # the query's words in the title
_SHARED = -5.49  # the query's words in the sentence, times this and, where it has many,
_SHARED_OF_MANY = 4.05  # the logarithm of their number more
_SIZE = 0.50  # the logarithm of the sentence's length
_FADE = 0.1  # how a place counts for its neighbours: 1 / (1 + 0.1 * place)

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "she",
        "should",
        "so",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "about",
        "into",
        "than",
    ]
)
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


def _pairs(word: str) -> list[str]:
    if not _UNSPACED.search(word):
        return [word]
    return [word[n : n + 2] for n in range(max(1, len(word) - 1))]


def part_of(identifier: str | None) -> Part | None:
    """Return what stands before the number that ends an id, and the number."""
    whole = identifier or ""
    head = whole.rstrip("0123456789")
    digits = whole[len(head) :]
    return (head, int(digits)) if 0 < len(digits) <= 9 and digits.isascii() else None


def sentence_values(query: str, passages: Sequence[Passage]) -> list[list[float]]:
    """Return the value of each sentence of each passage, above 0.

    Values compare within one call only.

    Args:
        query: What was asked; without words of its own, places decide.
        passages: The passages, best first.
    """
    asked = frozenset(terms(query))
    told = [[terms(sentence) for sentence in passage.sentences] for passage in passages]
    heads = [terms(passage.speaker or passage.title) for passage in passages]
    rare = _rarity(asked, told, heads)
    best = sum(rare.values()) or 1.0
    lexical = _lexical(rare, told, heads)
    places = [1.0 / (1.0 + _FADE * place) for place in range(len(passages))]
    at = {p.part: n for n, p in reversed(list(enumerate(passages))) if p.part is not None}
    per_share = (_SHARED + _SHARED_OF_MANY * math.log1p(len(asked))) / best
    out = []
    for place, passage in enumerate(passages):
        base = _LEXICAL * lexical[place] + _RANK * math.log1p(place)
        base += _beside(passage.part, at, places, lexical)
        base += _about(passage, heads[place], rare, best)
        out.append([
            math.exp(base + per_share * _share(found, rare) + _SIZE * math.log1p(len(found)))
            for found in told[place]
        ])  # fmt: skip
    return out


def _rarity(
    asked: frozenset[str], told: Sequence[Sequence[Sequence[str]]], heads: Sequence[Sequence[str]]
) -> dict[str, float]:
    """Return how rare each of the query's terms is among the passages, as BM25 counts it."""
    seen: Counter[str] = Counter()
    for found, head in zip(told, heads, strict=True):
        seen.update(asked.intersection(head).union(*(asked.intersection(s) for s in found)))
    size = len(told)
    return {
        term: math.log(1 + max(0.0, size - seen[term] + 0.5) / (seen[term] + 0.5))
        for term in sorted(asked)
    }


def _lexical(
    rare: Mapping[str, float],
    told: Sequence[Sequence[Sequence[str]]],
    heads: Sequence[Sequence[str]],
) -> list[float]:
    """Return BM25 of each passage, its head included, over the best passage's: 0..1."""
    sizes = [sum(map(len, found)) for found in told]
    usual = sum(sizes) / len(sizes) or 1.0 if sizes else 1.0
    scores = []
    for found, head, size in zip(told, heads, sizes, strict=True):
        counts = Counter(term for sentence in found for term in sentence if term in rare)
        counts.update(set(head) & rare.keys())
        damp = _SATURATION * (1 - _LENGTH + _LENGTH * size / usual)
        scores.append(
            sum(rare[t] * n * (_SATURATION + 1) / (n + damp) for t, n in sorted(counts.items()))
        )
    top = max(scores, default=0.0) or 1.0
    return [score / top for score in scores]


def _share(found: Sequence[str], rare: Mapping[str, float]) -> float:
    return sum(rare[term] for term in dict.fromkeys(found) if term in rare)


def _beside(
    part: Part | None, at: Mapping[Part, int], places: Sequence[float], lexical: Sequence[float]
) -> float:
    """Return what the neighbours of a passage in its source add to it."""
    if part is None:
        return 0.0

    def of(step: int, values: Sequence[float]) -> float:
        place = at.get((part[0], part[1] + step))
        return 0.0 if place is None else values[place]

    nearest = max(of(-1, places), of(1, places))
    return _NEXT_TO * nearest + _TWO_BEFORE * of(-2, lexical) + _TWO_AFTER * of(2, lexical)


def _about(passage: Passage, head: Sequence[str], rare: Mapping[str, float], best: float) -> float:
    if passage.speaker:
        return _SPEAKER * any(term in rare for term in head)
    return _TITLE * _share(head, rare) / best
