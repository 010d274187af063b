"""Which sentences of which passages to show within a budget: by their value, the best first.

A short passage stays together; a sentence that another passage already shows is not shown again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from areev_context.budget.relevance import Part

__all__ = ["Choice", "Shelf", "Text", "extract_of"]

_KEPT_TOGETHER = 40  # tokens up to which a passage is shown whole or not at all
_SHORTEST_TWIN = 20  # characters from which on a sentence that stands twice is shown once
_COST = 0.25  # the power of its tokens that a sentence's value is divided by
_COMPANY = 0.15  # how much of a sentence's value is its passage's best sentence's

GAP = " … "
"""What stands where sentences were left out between two that are shown."""


class Text(NamedTuple):
    """One passage, as it can be shown in part.

    Attributes:
        sentences: Its sentences, in reading order, at least one.
        values: The value of each, above 0.
        tokens: The tokens of each.
        head: The tokens of what is shown about it whatever is shown of it.
        part: What it is a part of; None where that is unknown.
        together: Whether it is shown whole when its best sentence's turn comes, if it fits.
    """

    sentences: Sequence[str]
    values: Sequence[float]
    tokens: Sequence[float]
    head: float
    part: Part | None
    together: bool = False


class _Atom(NamedTuple):
    worth: float
    text: int
    sentences: tuple[int, ...]


def _atoms(texts: Sequence[Text]) -> list[_Atom]:
    """Return what is shown or not, best first: sentences, and short passages as a whole."""
    atoms = []
    for n, text in enumerate(texts):
        best, size = max(text.values), sum(text.tokens)
        if size <= _KEPT_TOGETHER or len(text.sentences) == 1:
            whole = tuple(range(len(text.sentences)))
            atoms.append(_Atom(best / (size + text.head + 1) ** _COST, n, whole))
            continue
        company = best**_COMPANY
        worths = [
            value ** (1 - _COMPANY) * company / (tokens + 1) ** _COST
            for value, tokens in zip(text.values, text.tokens, strict=True)
        ]
        if text.together:
            atoms.append(_Atom(max(worths), n, tuple(range(len(worths)))))
        atoms.extend(_Atom(worth, n, (at,)) for at, worth in enumerate(worths))
    return sorted(atoms, key=lambda atom: -atom.worth)


def _twins(texts: Sequence[Text]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return for sentences that a passage beside theirs shows in one of its own, which one that is.

    The passages of a source overlap where it was divided, often within a sentence: what is found
    is the whole sentence, its beginning or its end.
    """
    at = {text.part: n for n, text in reversed(list(enumerate(texts))) if text.part is not None}
    rows: dict[int, _Rows] = {}
    twins: dict[tuple[int, int], tuple[int, int]] = {}
    for n, text in enumerate(texts):
        for step in (-1, 1):
            beside = at.get((text.part[0], text.part[1] + step)) if text.part else None
            if beside is None:
                continue
            if beside not in rows:
                rows[beside] = _Rows(texts[beside].sentences)
            for s, sentence in enumerate(text.sentences):
                if len(sentence) >= _SHORTEST_TWIN and (n, s) not in twins:
                    row = rows[beside].row_of(sentence)
                    if row is not None:
                        twins[n, s] = beside, row
    return twins


class _Rows:
    """The sentences of one passage, sorted by their beginnings and by their ends.

    Sorted, each piece is found by halving: a search through the whole passage for each would take
    the square of its length.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self._at: dict[str, int] = {}
        for row, sentence in enumerate(sentences):
            if len(sentence) >= _SHORTEST_TWIN:
                self._at.setdefault(sentence, row)
        self._forwards = sorted(self._at)
        self._backwards = sorted([sentence[::-1] for sentence in self._at])

    def row_of(self, piece: str) -> int | None:
        """Return the place of a sentence that begins or ends with a piece; None where none does."""
        row = self._at.get(piece)
        if row is not None:
            return row
        found = _first_with(piece, self._forwards)
        if found is None:
            found = _first_with(piece[::-1], self._backwards)
            return None if found is None else self._at[found[::-1]]
        return self._at[found]


def _first_with(beginning: str, ordered: Sequence[str]) -> str | None:
    place = bisect_left(ordered, beginning)
    if place < len(ordered) and ordered[place].startswith(beginning):
        return ordered[place]
    return None


class Choice(NamedTuple):
    """What is shown of one passage, and what it need not show because another does."""

    shown: frozenset[int]
    told_elsewhere: frozenset[int]


class Shelf:
    """The passages, sorted once, to be chosen from within one budget after another.

    Args:
        texts: The passages, best first.
        kept: The places of those that are shown whole in any case.
    """

    def __init__(self, texts: Sequence[Text], item: frozenset[int]) -> None:
        self._texts = texts
        self._kept = item
        self._atoms = _atoms(texts)
        self._twins = _twins(texts)

    def chosen(self, budget: float, join: float) -> tuple[dict[int, Choice], float]:
        """Return what is shown of which passages, as far as sums of tokens allow, and the sum.

        Args:
            budget: Tokens to spend.
            join: Tokens between two passages.
        """
        said: dict[str, int] = {}
        elsewhere: dict[int, set[int]] = {}
        shown = {n: set(range(len(self._texts[n].sentences))) for n in self._kept}
        used = sum(self._texts[n].head + join + sum(self._texts[n].tokens) for n in self._kept)
        for _, n, sentences in self._atoms:
            text = self._texts[n]
            if n not in shown and used + text.head + join >= budget:
                continue
            if text.together:  # its sentences are atoms of their own, too
                new = [s for s in sentences if s not in shown.get(n, ())]
            else:
                new = [s for s in sentences if not self._is_told(n, s, said, shown)]
            cost = sum([text.tokens[s] for s in new]) + (0 if n in shown else text.head + join)
            if len(new) < len(sentences):
                elsewhere.setdefault(n, set()).update(set(sentences).difference(new))
            if not new or used + cost > budget:
                continue
            used += cost
            shown.setdefault(n, set()).update(new)
            for s in new:
                said.setdefault(text.sentences[s], n)
        choice = {
            n: Choice(frozenset(of), frozenset(elsewhere.get(n, ())))
            for n, of in sorted(shown.items())
        }
        return choice, used

    def _is_told(
        self, n: int, s: int, said: Mapping[str, int], shown: Mapping[int, set[int]]
    ) -> bool:
        """Return whether a passage shown so far says a sentence of another, or holds it."""
        sentence = self._texts[n].sentences[s]
        if len(sentence) < _SHORTEST_TWIN:
            return False
        if said.get(sentence, n) != n:
            return True
        twin = self._twins.get((n, s))
        return twin is not None and twin[1] in shown.get(twin[0], ())


def extract_of(text: Text, shown: frozenset[int]) -> str:
    """Return the sentences shown, in reading order, on one line."""
    out: list[str] = []
    before = -1
    for s in sorted(shown):
        if out:
            out.append(" " if s == before + 1 else GAP)
        out.append(text.sentences[s])
        before = s
    return "".join(out)
