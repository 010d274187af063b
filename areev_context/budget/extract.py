"""Choose the parts of passages to show within a budget, by their value, the best first.

A part comes with the parts it needs. A short passage is shown whole or not at all, and so is a
passage of which little would be left out. Text that another passage of the same source already
shows is not shown again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from areev_context.budget.excerpt import MARK, Bonds, Excerpt, Growth
from areev_context.budget.relevance import PassageNumber
from areev_context.budget.repeats import Sourced, repeats_of
from areev_context.text.part import Part

__all__ = ["Extract", "Extracts", "Parted"]

_TOGETHER = 40  # tokens up to which a passage is shown whole or not at all
_COST = 0.25  # the power of its tokens that a part's value is divided by
_COMPANY = 0.15  # how much of a part's value is its passage's best part's
_COMPANY_OF_PAUSES = 0.8  # the same where no sentence has an end, as in Thai
_NEARLY_WHOLE = 1.1  # a passage that costs no more than so many times its extract is whole
_SAYS_NOTHING = 5.0  # what a passage loses that is nothing but headings
_LEAST = 3.0  # tokens below which nothing can be added

_OPENING = 200  # characters that tell the script of a text
_UNENDED = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]")  # Thai, Lao, Burmese, Khmer


class Parted(NamedTuple):
    """One passage, as it can be shown in part.

    Attributes:
        text: Its text.
        parts: The parts of the text, in reading order, at least one.
        values: The logarithm of the value of each part.
        tokens: The tokens of each part.
        head: The tokens of the text around the parts, such as the title.
        number: The document it is a piece of, and the number of the piece; None if unknown.
        source: A key of its source; None if the source is unknown.
        together: Whether the whole passage is tried first when its best part's turn comes.
        glued: Sentences of up to so many characters are never shown in pieces.
    """

    text: str
    parts: Sequence[Part]
    values: Sequence[float]
    tokens: Sequence[float]
    head: float
    number: PassageNumber | None = None
    source: Hashable = None
    together: bool = False
    glued: int = 0


class Extract(NamedTuple):
    """The parts shown of one passage.

    Attributes:
        shown: The indexes of these parts, in rising order.
        elsewhere: Whether other passages show the text of all its other parts.
    """

    shown: tuple[int, ...]
    elsewhere: bool


class _Atom(NamedTuple):
    worth: float
    passage: int
    parts: Sequence[int]


class Extracts:
    """Chooses parts of passages for one budget after another; the passages are sorted once.

    Args:
        passages: The passages, best first.
        required: The indexes of the passages that are always shown whole.
    """

    def __init__(self, passages: Sequence[Parted], required: frozenset[int]) -> None:
        self._passages = passages
        self._required = required
        self._bonds = [Bonds(p.text, p.parts, p.glued) for p in passages]
        self._wholes = [p.head + sum(p.tokens) for p in passages]
        self._atoms = _atoms(passages)
        self._repeats = repeats_of([Sourced(p.text, p.parts, p.source, p.number) for p in passages])

    def best(self, index: int) -> tuple[int, ...]:
        """Return the smallest extract of a passage: its best part, with the parts it needs."""
        passage = self._passages[index]
        alone = [i for i, part in enumerate(passage.parts) if part.alone] or [0]
        first = max(alone, key=lambda i: (passage.values[i], -i))
        return tuple(self._empty(index).grown([first]).added)

    def chosen(self, budget: float, join: float) -> tuple[dict[int, Extract], float]:
        """Return the extracts, by the index of their passage, and the sum of their tokens.

        Args:
            budget: Tokens to spend.
            join: Tokens between two passages.
        """
        choice = _Choice(join)
        for index in sorted(self._required):
            excerpt = self._empty(index)
            choice.take(index, excerpt, excerpt.whole(self._wholes[index]))
        for atom in self._atoms:
            room = budget - choice.used
            if room < _LEAST:
                break
            self._try(atom, choice, room)
        found = {
            index: Extract(excerpt.shown, self._is_elsewhere(index, excerpt, choice))
            for index, excerpt in sorted(choice.excerpts.items())
        }
        return found, choice.used

    def _empty(self, index: int) -> Excerpt:
        passage = self._passages[index]
        return Excerpt(self._bonds[index], passage.tokens, passage.head)

    def _try(self, atom: _Atom, choice: _Choice, room: float) -> None:
        """Show what an atom holds, if it fits."""
        index, passage = atom.passage, self._passages[atom.passage]
        excerpt = choice.excerpts.get(index) or self._empty(index)
        new = excerpt.left_out(atom.parts)
        if not passage.together:
            new = [i for i in new if not self._is_elsewhere_part(index, i, choice)]
        if not new:
            return
        least = sum([passage.tokens[i] for i in new]) + excerpt.is_empty * passage.head
        if least > room + MARK:
            return
        growth = excerpt.grown(new)
        if self._wholes[index] <= _NEARLY_WHOLE * growth.cost:
            whole = excerpt.whole(self._wholes[index])
            if choice.fits(excerpt, whole, room):
                choice.take(index, excerpt, whole)
                return
        if choice.fits(excerpt, growth, room):
            choice.take(index, excerpt, growth)

    def _is_elsewhere_part(self, index: int, part: int, choice: _Choice) -> bool:
        """Return whether another passage of the same source shows a part, or holds it."""
        for other, twins in self._repeats.get((index, part), ()):
            excerpt = choice.excerpts.get(other)
            if excerpt is not None and excerpt.shows_all(twins):
                return True
        return False

    def _is_elsewhere(self, index: int, excerpt: Excerpt, choice: _Choice) -> bool:
        left_out = excerpt.left_out(range(len(self._passages[index].parts)))
        return bool(left_out) and all(self._is_elsewhere_part(index, p, choice) for p in left_out)


class _Choice:
    """What is shown so far of which passage, and its tokens."""

    def __init__(self, join: float) -> None:
        self._join = join
        self.excerpts: dict[int, Excerpt] = {}
        self.used = 0.0

    def _more(self, excerpt: Excerpt, growth: Growth) -> float:
        return excerpt.more(growth) + excerpt.is_empty * self._join

    def fits(self, excerpt: Excerpt, growth: Growth, room: float) -> bool:
        """Return whether there is room for an excerpt to grow so."""
        return self._more(excerpt, growth) <= room

    def take(self, index: int, excerpt: Excerpt, growth: Growth) -> None:
        """Let the excerpt of a passage grow."""
        self.used += self._more(excerpt, growth)
        excerpt.take(growth)
        self.excerpts[index] = excerpt


def _has_pauses_only(text: str) -> bool:
    """Return whether a text is in a script that marks no end of a sentence, but pauses."""
    opening = text[:_OPENING]
    return not opening.isascii() and 3 * len(_UNENDED.findall(opening)) > len(opening)


def _atoms(passages: Sequence[Parted]) -> list[_Atom]:
    """Return what is shown or not, best first: parts, and short passages as a whole."""
    atoms = []
    for n, passage in enumerate(passages):
        alone = [i for i, part in enumerate(passage.parts) if part.alone]
        every = range(len(passage.parts))
        best, size = max(passage.values[i] for i in alone or every), sum(passage.tokens)
        if size <= _TOGETHER or len(alone) < 2:
            nothing = 0.0 if alone else _SAYS_NOTHING
            worth = best - nothing - _COST * math.log(size + passage.head + 1)
            atoms.append(_Atom(worth, n, every))
            continue
        company = _COMPANY_OF_PAUSES if _has_pauses_only(passage.text) else _COMPANY
        own = [value * (1 - company) + best * company for value in passage.values]
        worths = [own[i] - _COST * math.log(passage.tokens[i] + 1) for i in alone]
        if passage.together:
            atoms.append(_Atom(max(worths), n, every))
        atoms.extend(_Atom(worth, n, (i,)) for worth, i in zip(worths, alone, strict=True))
    return sorted(atoms, key=lambda atom: -atom.worth)
