"""Choose the parts of passages to show within a budget, by their value, the best first.

A part comes with the parts it needs. A short passage is shown whole or not at all, and so is a
passage of which little would be left out. Text that another passage of the same source already
shows is not shown again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from areev_context.budget.bonds import Bonds, bonds_of
from areev_context.budget.parted import Parted
from areev_context.budget.repeats import repeats_of
from areev_context.text.part import PartKind

__all__ = ["Excerpt", "Extract", "Extracts"]

_TOGETHER = 40  # tokens up to which a passage is shown whole or not at all
_COST = 0.25  # the power of its tokens that a part's value is divided by
_COMPANY = 0.15  # how much of a part's value is its passage's best part's
_COMPANY_OF_PAUSES = 0.8  # the same where no sentence has an end, as in Thai
_MARK = 2.0  # tokens of a mark where something is left out
_NEARLY_WHOLE = 1.1  # a passage that costs no more than so many times its extract is whole
_SAYS_NOTHING = 5.0  # what a passage loses that is nothing but headings
_LEAST = 3.0  # tokens below which nothing can be added
_SMALL_GAP = 12  # characters: about the three tokens that a mark has to stand for
_LEAST_PIECE = 20  # characters of a stretch between two marks
_LEAST_ENTRY = 25  # characters of what an entry says
_FAR = 100  # characters from which on a stretch is no small one, blanks and all
_FRAMES = frozenset({PartKind.HEADING, PartKind.HEADER, PartKind.FRAME, PartKind.LABEL})

_OPENING = 200  # characters that tell the script of a text
_UNENDED = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]")  # Thai, Lao, Burmese, Khmer


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
    """The passages, sorted once, to be chosen from within one budget after another.

    Args:
        passages: The passages, best first.
        values: For each passage, the logarithm of the value of each of its parts.
        required: The indexes of the passages that are always shown whole.
        first: The index of the passage that is shown if any part of it fits, and the range of its
            parts that counts; None = there is none.
        shares: For each passage what its share goes by, and the most tokens of all such passages
            while others could use the room; None = no limit. Empty = no limits.
    """

    def __init__(
        self,
        passages: Sequence[Parted],
        values: Sequence[Sequence[float]],
        required: frozenset[int],
        first: tuple[int, range] | None = None,
        shares: Sequence[tuple[Hashable, float] | None] = (),
    ) -> None:
        self._passages = passages
        self._values = values
        self._required = required
        self._wholes = [p.head + sum(p.tokens) for p in passages]
        self._atoms = _atoms(passages, values)
        self._of_first = [
            atom
            for atom in self._atoms
            if first is not None and atom.passage == first[0] and atom.parts[0] in first[1]
        ]
        self._repeats = repeats_of(passages)
        self._bonds: dict[int, Bonds] = {}
        self._shares = shares

    def best(self, index: int) -> tuple[int, ...]:
        """Return the smallest extract of a passage: its best part, with the parts it needs."""
        passage, values = self._passages[index], self._values[index]
        alone = [i for i, part in enumerate(passage.parts) if part.alone] or [0]
        first = max(alone, key=lambda i: (values[i], -i))
        excerpt = self._empty(index)
        excerpt.grow([first])
        return excerpt.indexes()

    def chosen(self, budget: float, join: float) -> tuple[dict[int, Extract], float]:
        """Return the extracts, by the index of their passage, and the sum of their tokens.

        Args:
            budget: Tokens to spend.
            join: Tokens between two passages.
        """
        choice = _Choice(join, self._shares)
        for index in sorted(self._required):
            choice.take_whole(index, self._empty(index), self._wholes[index])
        for atom in self._of_first:
            if atom.passage in choice.excerpts or budget - choice.used < _LEAST:
                break
            self._try(atom, choice, budget - choice.used)
        for atom in self._atoms:
            room = budget - choice.used
            if room < _LEAST:
                break
            self._try(atom, choice, room)
        choice.shares = ()  # what the others leave is for all
        for atom in choice.later:
            self._try(atom, choice, budget - choice.used)
        found = {
            index: Extract(excerpt.indexes(), self._is_elsewhere(index, excerpt, choice))
            for index, excerpt in sorted(choice.excerpts.items())
        }
        return found, choice.used

    def _empty(self, index: int) -> Excerpt:
        passage = self._passages[index]
        if index not in self._bonds:
            self._bonds[index] = bonds_of(passage.text, passage.parts, passage.glued)
        return Excerpt(passage, self._bonds[index])

    def _try(self, atom: _Atom, choice: _Choice, room: float) -> None:
        """Show what an atom holds, if it fits."""
        index, passage = atom.passage, self._passages[atom.passage]
        excerpt = choice.excerpts.get(index)
        new = atom.parts if excerpt is None else [i for i in atom.parts if not excerpt.shown[i]]
        if not passage.together:
            new = [i for i in new if not self._is_elsewhere_part(index, i, choice)]
        if not new:
            return
        least = sum([passage.tokens[i] for i in new]) + (0 if excerpt else passage.head)
        if least > room + _MARK:  # a gap that is closed gives its mark back
            return
        excerpt = excerpt or self._empty(index)
        cost, whole = excerpt.grow(new, room), self._wholes[index]
        if choice.passes_share(index, excerpt, cost):
            excerpt.shrink()
            choice.later.append(atom)
            return
        if whole <= _NEARLY_WHOLE * cost and choice.fits(excerpt, whole, room):
            choice.take_whole(index, excerpt, whole)
        elif choice.fits(excerpt, cost, room):
            choice.take(index, excerpt, cost)
        else:
            excerpt.shrink()

    def _is_elsewhere_part(self, index: int, part: int, choice: _Choice) -> bool:
        """Return whether another passage of the same source shows a part, or holds it."""
        for other, twins in self._repeats.get((index, part), ()):
            excerpt = choice.excerpts.get(other)
            if excerpt is not None and all(map(excerpt.shown.__getitem__, twins)):
                return True
        return False

    def _is_elsewhere(self, index: int, excerpt: Excerpt, choice: _Choice) -> bool:
        left_out = [part for part, is_shown in enumerate(excerpt.shown) if not is_shown]
        return bool(left_out) and all(self._is_elsewhere_part(index, p, choice) for p in left_out)


class _Choice:
    """What is shown so far of which passage, and its tokens."""

    def __init__(self, join: float, shares: Sequence[tuple[Hashable, float] | None]) -> None:
        self._join = join
        self.shares = shares
        self.later: list[_Atom] = []
        self._spent: dict[Hashable, float] = {}
        self._heads: set[Hashable] = set()
        self.excerpts: dict[int, Excerpt] = {}
        self.used = 0.0

    def _more(self, excerpt: Excerpt, cost: float) -> float:
        if excerpt.cost:
            return cost - excerpt.cost
        key, head = excerpt.shared
        return cost + self._join + (0.0 if key is None or key in self._heads else head)

    def passes_share(self, index: int, excerpt: Excerpt, cost: float) -> bool:
        """Return whether an excerpt at this cost would take more than the share of its like."""
        if not self.shares or (share := self.shares[index]) is None:
            return False
        return self._spent.get(share[0], 0.0) + self._more(excerpt, cost) > share[1]

    def fits(self, excerpt: Excerpt, cost: float, room: float) -> bool:
        """Return whether an excerpt can be shown at this cost."""
        return self._more(excerpt, cost) <= room

    def take(self, index: int, excerpt: Excerpt, cost: float) -> None:
        """Show an excerpt of a passage, as it has grown, at this cost."""
        more = self._more(excerpt, cost)
        self.used += more
        if self.shares and (share := self.shares[index]) is not None:
            self._spent[share[0]] = self._spent.get(share[0], 0.0) + more
        excerpt.cost = cost
        self._heads.add(excerpt.shared[0])
        self.excerpts[index] = excerpt

    def take_whole(self, index: int, excerpt: Excerpt, cost: float) -> None:
        """Show all of a passage."""
        excerpt.shown = bytearray(b"\1") * len(excerpt.shown)
        self.take(index, excerpt, cost)


class Excerpt:
    """The parts of one passage that are shown so far; it can grow by further parts.

    The excerpt is closed: each part is shown with the parts it needs, a gap too small for a mark is
    filled, and no stretch is very short. So a growth looks only at parts near the new part.

    Args:
        passage: The passage.
        bonds: The parts of the passage that must be shown together.

    Attributes:
        shown: For each part, whether it is shown: 0 or 1.
        shared: What tells the passages that share a head with it from others, None if none do; and
            the tokens of that head.
        cost: The tokens of the title and metadata, the shown parts and the marks; 0 while nothing
            is shown.
    """

    def __init__(self, passage: Parted, bonds: Bonds) -> None:
        self._text, self._parts = passage.text, passage.parts
        self._each = passage.tokens
        self._bonds = bonds
        self.shown = bytearray(len(passage.parts))
        self.cost = 0.0
        self._head = passage.head
        self.shared = passage.shared, passage.shared_head
        self._tokens, self._gaps, self._own, self._last = 0.0, 1, 0, -1
        self._before = (self._tokens, self._gaps, self._own, self._last)
        self._added: list[int] = []
        self._beside_new: list[int] = []  # a heap of where small gaps begin
        self._in_new: list[int] = []  # a heap of new parts, any of which may be in a crumb

    def indexes(self) -> tuple[int, ...]:
        """Return the indexes of the parts that are shown, in rising order."""
        return tuple([index for index, is_shown in enumerate(self.shown) if is_shown])

    def grow(self, new: Sequence[int], room: float = math.inf) -> float:
        """Show these parts and all parts that must be shown with them, and return the cost.

        Args:
            new: Parts that are not shown.
            room: The most tokens to grow by; if more are needed, the cost is infinite.
        """
        self._before = (self._tokens, self._gaps, self._own, self._last)
        self._added, self._beside_new, self._in_new = [], [], []
        most = self.cost + room + 1.0 - self._head  # beyond that the rest is not looked for
        for part in new:
            self._show_with_needs(part, most)
        while self._tokens <= most and (self._fill_gap(most) or self._mend_crumb(most)):
            pass
        if self._tokens > most:
            return math.inf
        more = sum([self._each[part] for part in sorted(self._added)])  # whatever came when
        self._tokens = self._before[0] + more
        return self._head + self._tokens + _MARK * self._gaps

    def shrink(self) -> None:
        """Undo the last growth."""
        for part in self._added:
            self.shown[part] = 0
        self._tokens, self._gaps, self._own, self._last = self._before

    def _show_with_needs(self, index: int, most: float) -> None:
        """Show a part, what it leans on, and all that must be shown with either."""
        todo = [index]
        if index in self._bonds.leans_on:
            todo.append(self._bonds.leans_on[index])
        while todo and self._tokens <= most:
            part = todo.pop()
            if not self.shown[part]:
                self._show(part)
                todo.extend(self._bonds.needs[part])

    def _show(self, index: int) -> None:
        shown, last = self.shown, len(self.shown) - 1
        shown[index] = 1
        self._added.append(index)
        self._tokens += self._each[index]
        self._own += self._size(index, index) if self._parts[index].alone else 0
        self._last = max(self._last, index)
        self._gaps += 1 - (index == 0 or shown[index - 1]) - (index == last or shown[index + 1])
        heappush(self._in_new, index)
        if index > 0 and not shown[index - 1]:
            first = self._end(index - 1, -1, 0)
            if self._is_small(first, index - 1):
                heappush(self._beside_new, first)
        if index < last and not shown[index + 1]:
            heappush(self._beside_new, index + 1)

    def _fill_gap(self, most: float) -> bool:
        """Show the parts of the first gap that is too small for a mark; return whether."""
        while self._beside_new:
            first = heappop(self._beside_new)
            if self.shown[first]:
                continue
            last = self._end(first, 1, 0)
            if self._is_small(first, last):
                for index in range(first, last + 1):
                    self._show_with_needs(index, most)
                return True
        return False

    def _mend_crumb(self, most: float) -> bool:
        """Show a part more where a stretch, or all of them, say too little; return whether."""
        shown, end = self.shown, len(self.shown)
        while self._in_new:
            index = self._in_new[0]
            first, last = self._end(index, -1, 1), self._end(index, 1, 1)
            if first > 0 and last + 1 < end and self._size(first, last) < _LEAST_PIECE:
                self._show_with_needs(self._neighbor(first, last), most)
                return True
            heappop(self._in_new)
        if self._gaps and self._own < _LEAST_ENTRY:
            first = shown.rfind(0, 0, self._last) + 1
            self._show_with_needs(self._neighbor(first, self._last), most)
            return True
        return False

    def _end(self, index: int, step: int, shown: int) -> int:
        """Return the last part in a direction that is shown, or not, as this one; or a far one."""
        parts, end = self._parts, len(self._parts) if step > 0 else -1
        start = parts[index].start
        while index + step != end and self.shown[index + step] == shown:
            if abs(parts[index].start - start) >= _FAR:
                break
            index += step
        return index

    def _is_small(self, first: int, last: int) -> bool:
        return self._size(first, last) <= _SMALL_GAP

    def _size(self, first: int, last: int) -> int:
        """Return the characters from one part to another, without blanks at the ends of a few."""
        start, end = self._parts[first].start, self._parts[last].end
        return len(self._text[start:end].strip()) if end - start < _FAR else end - start

    def _neighbor(self, first: int, last: int) -> int:
        """Return the part beside a stretch that goes with it best."""
        if last + 1 == len(self._parts):
            return first - 1
        if first == 0 or self._parts[last].kind in _FRAMES:
            return last + 1
        after, before = self._size(last + 1, last + 1), self._size(first - 1, first - 1)
        return last + 1 if after <= before else first - 1


def _has_pauses_only(text: str) -> bool:
    """Return whether a text is in a script that marks no end of a sentence, but pauses."""
    opening = text[:_OPENING]
    return not opening.isascii() and 3 * len(_UNENDED.findall(opening)) > len(opening)


def _atoms(passages: Sequence[Parted], values: Sequence[Sequence[float]]) -> list[_Atom]:
    """Return what is shown or not, best first: parts, and short passages as a whole."""
    atoms = [
        atom
        for n, (passage, of) in enumerate(zip(passages, values, strict=True))
        for unit in passage.units or (range(len(passage.parts)),)
        if unit
        for atom in _of_unit(n, passage, of, unit)
    ]
    return sorted(atoms, key=lambda atom: -atom.worth)


def _of_unit(index: int, passage: Parted, values: Sequence[float], unit: range) -> Iterator[_Atom]:
    """Yield the atoms of a passage, or of one of those that a joined one is made of."""
    alone = [i for i in unit if passage.parts[i].alone]
    best = max([values[i] for i in alone or unit])
    size = sum(map(passage.tokens.__getitem__, unit))
    if size <= _TOGETHER or len(alone) < 2:
        nothing = 0.0 if alone else _SAYS_NOTHING
        worth = best - nothing - _COST * math.log(size + passage.head + 1)
        yield _Atom(worth, index, unit)
        return
    company = _COMPANY_OF_PAUSES if _has_pauses_only(passage.text) else _COMPANY
    own = [values[i] * (1 - company) + best * company for i in alone]
    worths = [
        worth - _COST * math.log(passage.tokens[i] + 1) for worth, i in zip(own, alone, strict=True)
    ]
    if passage.together:
        yield _Atom(max(worths), index, unit)
    yield from (_Atom(worth, index, (i,)) for worth, i in zip(worths, alone, strict=True))
