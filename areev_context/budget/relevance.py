"""How much each sentence of a set of passages should tell somebody who asked a query.

Lexical and cheap: the words a sentence shares with the query, rare ones weighing more; the order in
which the retriever returned the passages; what stands beside a passage in its source. The weights
were fitted on public question sets with gold evidence; docs/allocation.md says how.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from areev_context.text.words import asked_by, asked_of, asked_of_each

__all__ = ["Part", "Passage", "part_of", "sentence_values"]

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

# The fitted weights: a sentence is worth the exponential of their sum. Of its passage:
_LEXICAL = 1.54  # the square of its share of the query, as BM25 has it, over the best passage's
_RANK = -0.39  # the logarithm of its place, from 1
_NEXT_TO = 1.18  # the better place of the two passages beside it in their source
_BEFORE = 1.16  # the query's words in the passage before it
_TWO_BEFORE = 1.19  # the lexical share of the passage two before it, and
_TWO_AFTER = 0.85  # two after
_SPEAKER = 3.10  # the query names who speaks
_TITLE = 3.82  # the query's words in the title
_SENTENCES = -0.32  # the logarithm of the number of its sentences
# Of its own:
_SHARED = -4.97  # the query's words in it, times this and, where the query has many,
_SHARED_OF_MANY = 3.86  # the logarithm of their number more
_SHARED_NEXT = 0.80  # the query's words in the sentence after it, and
_SHARED_BEFORE = 0.67  # before it
_FEW = 4  # a query of fewer terms counts as one of so many: the fit has seen hardly any
_SIZE = 0.30  # the logarithm of its length
_SHORT = -0.56  # it is hardly a sentence

_FADE = 0.1  # how a place counts for its neighbours: 1 / (1 + 0.1 * place)
_HARDLY = 32  # characters up to which a sentence is hardly one


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
    asked = asked_by(query)
    told = [_Told(*of) for of in asked_of_each([p.sentences for p in passages], asked)]
    _, heads = asked_of([passage.speaker or passage.title for passage in passages], asked)
    rare = _rarity(asked, told, heads)
    most = sum(rare.values()) or 1.0
    around = _Around(
        {p.part: n for n, p in reversed(list(enumerate(passages))) if p.part is not None},
        [1.0 / (1.0 + _FADE * place) for place in range(len(passages))],
        _lexical(rare, told, heads),
        [_share(of.shared(), rare) / most for of in told],
    )
    per_share = _SHARED + _SHARED_OF_MANY * math.log1p(max(_FEW, len(asked)))
    out = []
    for place, passage in enumerate(passages):
        base = _LEXICAL * around.lexical[place] ** 2 + _RANK * math.log1p(place)
        base += _SENTENCES * math.log(len(passage.sentences))
        base += _beside(passage.part, around) + _about(passage, heads[place], rare, most)
        shares = [_share(found, rare) / most if found else 0.0 for found in told[place].asked]
        own = _of_sentences(passage.sentences, told[place].sizes, shares, per_share)
        out.append([math.exp(base + worth) for worth in own])
    return out


class _Told(NamedTuple):
    """Of each sentence of a passage: how many terms it has, and those of them that were asked."""

    sizes: Sequence[int]
    asked: Sequence[Sequence[str]]

    def shared(self) -> list[str]:
        """Return the passage's terms that were asked, in order, with repeats."""
        return [term for found in self.asked for term in found]


class _Around(NamedTuple):
    """What is known of all passages, by their place, and the place of each part."""

    at: Mapping[Part, int]
    near: Sequence[float]
    lexical: Sequence[float]
    shares: Sequence[float]


def _of_sentences(
    sentences: Sequence[str],
    sizes: Sequence[int],
    shares: Sequence[float],
    per_share: float,
) -> list[float]:
    """Return what each sentence of a passage is worth by itself and between its neighbours."""
    before, after = (0.0, *shares[:-1]), (*shares[1:], 0.0)
    return [
        per_share * share
        + _SHARED_BEFORE * last
        + _SHARED_NEXT * following
        + _SIZE * math.log1p(size)
        + (_SHORT if len(sentence) < _HARDLY else 0.0)
        for sentence, size, share, last, following in zip(
            sentences, sizes, shares, before, after, strict=True
        )
    ]


def _rarity(
    asked: frozenset[str], told: Sequence[_Told], heads: Sequence[Sequence[str]]
) -> dict[str, float]:
    """Return how rare each of the query's terms is among the passages, as BM25 counts it."""
    seen: Counter[str] = Counter()
    for of, head in zip(told, heads, strict=True):
        seen.update(asked.intersection(head).union(*of.asked))
    size = len(told)
    return {
        term: math.log(1 + max(0.0, size - seen[term] + 0.5) / (seen[term] + 0.5))
        for term in sorted(asked)
    }


def _lexical(
    rare: Mapping[str, float], told: Sequence[_Told], heads: Sequence[Sequence[str]]
) -> list[float]:
    """Return BM25 of each passage, its head included, over the best passage's: 0..1."""
    lengths = [sum(of.sizes) for of in told]
    usual = sum(lengths) / len(lengths) or 1.0 if lengths else 1.0
    scores = []
    for of, head, length in zip(told, heads, lengths, strict=True):
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


def _beside(part: Part | None, around: _Around) -> float:
    """Return what the neighbours of a passage in its source add to it."""
    if part is None:
        return 0.0

    def of(step: int, values: Sequence[float]) -> float:
        place = around.at.get((part[0], part[1] + step))
        return 0.0 if place is None else values[place]

    nearest = max(of(-1, around.near), of(1, around.near))
    return (
        _NEXT_TO * nearest
        + _BEFORE * of(-1, around.shares)
        + _TWO_BEFORE * of(-2, around.lexical)
        + _TWO_AFTER * of(2, around.lexical)
    )


def _about(passage: Passage, head: Sequence[str], rare: Mapping[str, float], best: float) -> float:
    if passage.speaker:
        return _SPEAKER * any(term in rare for term in head)
    return _TITLE * _share(head, rare) / best
