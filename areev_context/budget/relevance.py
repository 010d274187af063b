"""How well each part of a set of passages is likely to answer a query.

The estimate is lexical and cheap. It uses the words a part shares with the query, rare words more;
the words of headings above the part; the rank of the passage; and the passages beside it in its
source. The weights were fitted on public question sets; docs/allocation.md describes how.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from areev_context.budget.parted import Parted, PassageNumber
from areev_context.text.part import Part, PartKind
from areev_context.text.words import Asked, asked_of_each, terms

__all__ = ["FITTED", "Weights", "part_values"]

_CODED = frozenset({
    PartKind.CODE, PartKind.DATA, PartKind.FRAME, PartKind.ROW, PartKind.HEADER, PartKind.RECORD,
})  # fmt: skip
_ROWS = frozenset({PartKind.ROW, PartKind.RECORD})
_PROSE = frozenset({PartKind.SENTENCE, PartKind.PIECE})
_TALK = frozenset({PartKind.TURN, PartKind.LABEL})
_CAMEL = re.compile(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])")


class Weights(NamedTuple):
    """The fitted weights of the features; the value of a part is the exponential of their sum.

    Attributes:
        lexical: The square of its passage's share of the query, as BM25 has it, over the best's.
        rank: The logarithm of the passage's place, from 1.
        next_to: The better place of the two passages beside it in their source.
        before: The query's words in the passage before it.
        two_before: The lexical share of the passage two before it.
        two_after: The lexical share of the passage two after it.
        speaker: The query names who speaks.
        title: The query's words in the title.
        parts: The logarithm of the number of its passage's parts.
        shared: The query's words in the part.
        shared_of_many: The same, times the logarithm of the number of the query's words.
        shared_next: The query's words in the part after it.
        shared_before: The query's words in the part before it.
        context: The query's words in what stands above it and not in the part.
        context_of_many: The same, times the logarithm of the number of the query's words.
        size: The logarithm of the number of its words.
        short: It is prose and hardly a sentence.
        opening: It is the first below its heading.
        coded: It is code, data, a row or a record.
        item: It is an item of a list.
        row: It is a row of a table, or a record.
        named: How much of the title the query names.
        lexical_talk: What `lexical` weighs more in what somebody says.
        shared_talk: The same of `shared`.
        size_talk: The same of `size`.
        rank_talk: The same of `rank`.
        top: Its share of the query's words, over that of its passage's best part.
        size_coded: What `size` weighs more in code, data, a row or a record.
        shared_coded: The same of `shared`.
        under: How much of the heading above it the query names.
        pairs: The query's pairs of words that stand in it one after the other.
    """

    lexical: float = 2.19
    rank: float = -0.47
    next_to: float = 0.93
    before: float = 0.96
    two_before: float = 1.07
    two_after: float = 0.59
    speaker: float = 1.99
    title: float = -0.02
    parts: float = -0.23
    shared: float = 0.50
    shared_of_many: float = 1.50
    shared_next: float = 0.52
    shared_before: float = 0.67
    context: float = 0.45
    context_of_many: float = 1.35
    size: float = -0.10
    short: float = -0.97
    opening: float = 0.59
    coded: float = 1.08
    item: float = 0.60
    row: float = 1.01
    named: float = 1.07
    lexical_talk: float = -0.45
    shared_talk: float = -2.45
    size_talk: float = 0.36
    rank_talk: float = 0.06
    top: float = 0.18
    size_coded: float = 0.36
    shared_coded: float = 0.34
    under: float = 0.40
    pairs: float = 0.57


FITTED = Weights()

# BM25's constants, over the passages at hand.
_SATURATION = 1.2
_LENGTH = 0.5

_FEW = 4  # a query of fewer terms counts as one of so many: the fit has seen hardly any
_FADE = 0.1  # how a place counts for its neighbours: 1 / (1 + 0.1 * place)
_HARDLY = 32  # characters up to which a sentence is hardly one


def part_values(
    query: str, passages: Sequence[Parted], weights: Weights = FITTED
) -> list[list[float]]:
    """Return the logarithm of the value of each part of each passage.

    Values compare within one call only.

    Args:
        query: The query; if it has no words to match, the ranks decide.
        passages: The passages, best first.
        weights: The weights.
    """
    asked = Asked(terms(_spaced(query)))
    words = [_Words(*of) for of in asked_of_each([_texts_of(p) for p in passages], asked)]
    heads = [terms(passage.speaker or passage.title) for passage in passages]
    rare = _rarity(asked, words, heads)
    most = sum(rare.values()) or 1.0
    around = _Around(
        {p.number: n for n, p in reversed(list(enumerate(passages))) if p.number is not None},
        [1.0 / (1.0 + _FADE * place) for place in range(len(passages))],
        _lexical(rare, words, heads),
        [_share(of.shared(), rare) / most for of in words],
    )
    many = math.log1p(max(_FEW, len(asked)))
    of_words = _OfWords(
        rare,
        most,
        weights.shared + weights.shared_of_many * many,
        weights.context + weights.context_of_many * many,
        frozenset(pairwise(terms(query))),
    )
    out = []
    for place, passage in enumerate(passages):
        base = weights.lexical * around.lexical[place] ** 2 + weights.rank * math.log1p(place)
        base += weights.parts * math.log(len(passage.parts))
        base += _beside(passage.number, around, weights)
        base += _about(passage, heads[place], of_words, weights)
        if _is_talk(passage):
            base += weights.lexical_talk * around.lexical[place] ** 2
            base += weights.rank_talk * math.log1p(place)
        out.append(_of_parts(passage, words[place], of_words, weights, base))
    return out


class _Words(NamedTuple):
    """The number of terms of each part of a passage, and the terms that were asked for."""

    sizes: Sequence[int]
    asked: Sequence[Sequence[str]]

    def shared(self) -> list[str]:
        """Return the passage's terms that were asked, in order, with repeats."""
        return [term for found in self.asked for term in found]


class _Around(NamedTuple):
    """What is known of all passages, by their place, and the place of each number."""

    at: Mapping[PassageNumber, int]
    near: Sequence[float]
    lexical: Sequence[float]
    shares: Sequence[float]


class _OfWords(NamedTuple):
    """What the query's words weigh."""

    rare: Mapping[str, float]
    most: float
    per_share: float
    per_context: float
    pairs: frozenset[tuple[str, str]]


def _spaced(text: str) -> str:
    """Return a text and, behind it, the pieces of its names in camel case."""
    names = [name for name in text.split() if _CAMEL.search(name)] if _CAMEL.search(text) else []
    return " ".join((text, *(_CAMEL.sub(r"\1\3 \2\4", name) for name in names))) if names else text


def _texts_of(passage: Parted) -> list[str]:
    """Return the text of each part, names in code with their pieces behind them."""
    texts = [passage.text[part.start : part.end] for part in passage.parts]
    if not _CODED.isdisjoint([part.kind for part in passage.parts]):
        texts = [
            _spaced(text) if part.kind in _CODED else text
            for text, part in zip(texts, passage.parts, strict=True)
        ]
    return texts


def _of_parts(
    passage: Parted, words: _Words, of_words: _OfWords, weights: Weights, base: float
) -> list[float]:
    """Return what each part of a passage is worth, by itself, between its neighbours, in place."""
    rare, most = of_words.rare, of_words.most
    shares = [_share(found, rare) / most if found else 0.0 for found in words.asked]
    last, per_top = len(shares) - 1, weights.top / (max(shares) or 1.0)
    talk, above = _is_talk(passage), _Above(passage.parts, words.asked)
    kinds: dict[PartKind, _OfKind] = {}
    out, opening = [], False
    for index, part in enumerate(passage.parts):
        if part.kind not in kinds:
            kinds[part.kind] = _of_kind(part.kind, talk, of_words, weights)
        constant, per_share, per_size, short = kinds[part.kind]
        worth = base + constant + (per_share + per_top) * shares[index]
        worth += per_size * math.log1p(words.sizes[index])
        if short and part.end - part.start < _HARDLY:
            worth += short
        if index:
            worth += weights.shared_before * shares[index - 1]
            if opening or passage.parts[index - 1].kind is PartKind.HEADING:
                opening = _opens(passage, index)
                worth += weights.opening * opening
        if index < last:
            worth += weights.shared_next * shares[index + 1]
        if (part.needs or part.context) and (found := above.of(index)):
            worth += of_words.per_context * _share(sorted(found), rare) / most
            worth += weights.under * _named(part, passage.parts, words)
        if of_words.pairs and len(words.asked[index]) > 1:
            pairs = of_words.pairs.intersection(pairwise(words.asked[index]))
            worth += weights.pairs * len(pairs) / len(of_words.pairs)
        out.append(worth)
    return out


_OfKind = tuple[float, float, float, float]
"""What parts of a kind weigh: each one, by their share, by their size, and where they are short."""


def _of_kind(kind: PartKind, talk: bool, of_words: _OfWords, weights: Weights) -> _OfKind:
    constant, share, size, short = 0.0, of_words.per_share, weights.size, 0.0
    if talk:
        share, size = share + weights.shared_talk, size + weights.size_talk
    if kind in _CODED:
        constant += weights.coded
        share, size = share + weights.shared_coded, size + weights.size_coded
    elif kind is PartKind.ITEM:
        constant += weights.item
    else:
        short = weights.short
    if kind in _ROWS:
        constant += weights.row
    return constant, share, size, short


def _named(part: Part, parts: Sequence[Part], words: _Words) -> float:
    """Return how much of the heading right above a part the query names, 0..1."""
    for need in part.needs:
        if parts[need].kind is PartKind.HEADING:
            return len(words.asked[need]) / (words.sizes[need] or 1)
    return 0.0


def _opens(passage: Parted, index: int) -> bool:
    """Return whether a part is in the first paragraph below a heading, as the one before it is."""
    last, part = passage.parts[index - 1], passage.parts[index]
    if last.kind is PartKind.HEADING:
        return part.kind is not PartKind.HEADING
    prose = part.kind in _PROSE and last.kind in _PROSE
    return prose and not passage.text.endswith("\n\n", last.start, last.end)


def _is_talk(passage: Parted) -> bool:
    return bool(passage.speaker) or passage.parts[-1].kind in _TALK


class _Above:
    """The query's words in what stands above each part of a passage."""

    def __init__(self, parts: Sequence[Part], asked: Sequence[Sequence[str]]) -> None:
        self._parts = parts
        self._asked = asked
        self._known: dict[int, frozenset[str]] = {}

    def of(self, index: int) -> frozenset[str]:
        """Return the words above a part that it has not itself."""
        return self._above(index).difference(self._asked[index])

    def _above(self, index: int) -> frozenset[str]:
        """Return the words of what a part needs, and of the context of either; no recursion."""
        todo = [index]
        while todo:
            at = todo[-1]
            part = self._parts[at]
            unknown = [need for need in part.needs if need not in self._known]
            if unknown:
                todo.extend(unknown)
                continue
            words = [self._asked[above] for above in (*part.needs, *part.context)]
            self._known[at] = frozenset().union(*words, *map(self._known.__getitem__, part.needs))
            todo.pop()
        return self._known[index]


def _rarity(
    asked: frozenset[str], words: Sequence[_Words], heads: Sequence[Sequence[str]]
) -> dict[str, float]:
    """Return how rare each of the query's terms is among the passages, as BM25 counts it."""
    seen: Counter[str] = Counter()
    for of, head in zip(words, heads, strict=True):
        seen.update(asked.intersection(head).union(*of.asked))
    size = len(words)
    return {
        term: math.log(1 + max(0.0, size - seen[term] + 0.5) / (seen[term] + 0.5))
        for term in sorted(asked)
    }


def _lexical(
    rare: Mapping[str, float], words: Sequence[_Words], heads: Sequence[Sequence[str]]
) -> list[float]:
    """Return BM25 of each passage, its head included, over the best passage's: 0..1."""
    lengths = [sum(of.sizes) for of in words]
    usual = sum(lengths) / len(lengths) or 1.0 if lengths else 1.0
    scores = []
    for of, head, length in zip(words, heads, lengths, strict=True):
        counts = Counter(of.shared())
        counts.update(rare.keys() & head)
        damp = _SATURATION * (1 - _LENGTH + _LENGTH * length / usual)
        scores.append(
            sum(rare[t] * n * (_SATURATION + 1) / (n + damp) for t, n in sorted(counts.items()))
        )
    top = max(scores, default=0.0) or 1.0
    return [score / top for score in scores]


def _share(found: Sequence[str], rare: Mapping[str, float]) -> float:
    return sum(rare[term] for term in dict.fromkeys(found) if term in rare)


def _beside(number: PassageNumber | None, around: _Around, weights: Weights) -> float:
    """Return what the neighbours of a passage in its source add to it."""
    if number is None:
        return 0.0

    def of(step: int, values: Sequence[float]) -> float:
        place = around.at.get((number[0], number[1] + step))
        return 0.0 if place is None else values[place]

    nearest = max(of(-1, around.near), of(1, around.near))
    return (
        weights.next_to * nearest
        + weights.before * of(-1, around.shares)
        + weights.two_before * of(-2, around.lexical)
        + weights.two_after * of(2, around.lexical)
    )


def _about(passage: Parted, head: Sequence[str], of_words: _OfWords, weights: Weights) -> float:
    if passage.speaker:
        return weights.speaker * any(term in of_words.rare for term in head)
    named = sum(term in of_words.rare for term in head) / len(head) if head else 0.0
    return weights.title * _share(head, of_words.rare) / of_words.most + weights.named * named
