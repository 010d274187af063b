"""An excerpt of a passage: the parts that are shown of it, and how it grows by one more of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from areev_context.budget.bonds import Bonds

__all__ = ["MARK", "Excerpt", "Growth"]

_SMALL_GAP = 12  # characters: about the three tokens that a mark has to stand for
_LEAST_PIECE = 20  # characters of a stretch between two marks
_LEAST_ENTRY = 25  # characters of what an entry says
_FAR = 100  # characters; a stretch of so many is no small one, blanks and all
MARK = 2.0
"""Tokens of a mark where something is left out."""


class Growth(NamedTuple):
    """What an excerpt would grow by, and what it would be then.

    Attributes:
        added: Indexes of parts that it does not show yet.
        cost: Tokens of the grown excerpt: what stands about it, its parts, and marks.
        gaps: Stretches of it that are left out.
        own: Characters of the parts that say something by themselves.
        tokens: Tokens of its parts.
    """

    added: Sequence[int]
    cost: float
    gaps: int
    own: int
    tokens: float


class Excerpt:
    """The parts of one passage that are shown so far; what is asked for is found near by.

    What it shows is closed: with a part stands what belongs to it, a gap too small for a mark is
    filled, and no stretch is a crumb. So growing by a part looks at the part's neighbours only.

    Args:
        bonds: What belongs together in the passage.
        tokens: The tokens of each of its parts.
        head: The tokens of what is shown about it whatever is shown of it.
    """

    def __init__(self, bonds: Bonds, tokens: Sequence[float], head: float) -> None:
        self._bonds = bonds
        self._part_tokens = tokens
        self._head = head
        self._shown = bytearray(len(tokens))
        self._now = Growth((), head, 1, 0, 0.0)
        self._last = -1

    @property
    def cost(self) -> float:
        """The tokens of the excerpt; those of what stands about it where it shows no part."""
        return self._now.cost

    @property
    def is_empty(self) -> bool:
        """Whether it shows no part."""
        return self._last < 0

    @property
    def shown(self) -> tuple[int, ...]:
        """Indexes of the parts that it shows, in rising order."""
        return tuple(index for index, is_shown in enumerate(self._shown) if is_shown)

    def shows(self, index: int) -> bool:
        """Return whether it shows a part."""
        return bool(self._shown[index])

    def grown(self, new: Iterable[int]) -> Growth:
        """Return what it would show with these parts and all that has to come with them."""
        trial = _Trial(self._bonds, self._shown, self._now, self._last)
        for index in new:
            trial.add(index)
        trial.close()
        added = sorted(trial.added)
        tokens = self._now.tokens + sum([self._part_tokens[index] for index in added])
        cost = self._head + tokens + MARK * trial.gaps
        return Growth(added, cost, trial.gaps, trial.own, tokens)

    def whole(self, cost: float) -> Growth:
        """Return what it would grow by to show the whole passage, which costs so much."""
        added = [index for index, is_shown in enumerate(self._shown) if not is_shown]
        return Growth(added, cost, 0, _LEAST_ENTRY, cost - self._head)

    def take(self, growth: Growth) -> None:
        """Show what a growth adds."""
        for index in growth.added:
            self._shown[index] = 1
        self._last = max(self._last, growth.added[-1])
        self._now = growth


class _Trial:
    """Parts added to an excerpt, on trial."""

    def __init__(self, bonds: Bonds, shown: bytearray, now: Growth, last: int) -> None:
        self._bonds = bonds
        self._base = shown
        self._count = len(shown)
        self._last = last
        self._unfilled: list[int] = []  # parts added, beside which a gap may be small
        self._unmended: list[int] = []  # parts added, which may be in a crumb: a heap
        self.added: set[int] = set()
        self.gaps, self.own = now.gaps, now.own

    def add(self, index: int) -> None:
        """Show a part, and all that must be shown with it."""
        todo = [*self._bonds.leans_on(index), index]
        while todo:
            part = todo.pop()
            if not self._shows(part):
                self._show(part)
                todo.extend(self._bonds.needs(part))

    def close(self) -> None:
        """Fill the gaps that are too small for a mark, and mend crumbs, until none is left."""
        while self._unfilled or self._mend_crumb():
            while self._unfilled:
                self._fill_beside(self._unfilled.pop())

    def _shows(self, index: int) -> bool:
        return self._base[index] == 1 or index in self.added

    def _show(self, index: int) -> None:
        before = index == 0 or self._shows(index - 1)
        after = index + 1 == self._count or self._shows(index + 1)
        self.gaps += 1 - before - after
        self.added.add(index)
        self._last = max(self._last, index)
        self.own += self._bonds.own_size(index)
        self._unfilled.append(index)
        heappush(self._unmended, index)

    def _fill_beside(self, index: int) -> None:
        """Fill the gap on either side of a part, where it is too small for a mark."""
        for step in (-1, 1):
            end = index + step
            while 0 <= end < self._count and not self._shows(end):
                if self._bonds.span(*sorted((index + step, end))) >= _FAR:
                    break
                end += step
            else:
                first, last = sorted((index + step, end - step))
                if end != index + step and self._bonds.size(first, last) <= _SMALL_GAP:
                    for each in range(first, last + 1):
                        self.add(each)

    def _mend_crumb(self) -> bool:
        """Show one part more where a stretch, or the entry, says too little; return whether."""
        last = -1
        while self._unmended:
            index = heappop(self._unmended)
            if index <= last:
                continue
            first, last = self._stretch(index)
            between = first > 0 and last + 1 < self._count
            if between and self._bonds.size(first, last) < _LEAST_PIECE:
                self.add(self._bonds.beside(first, last))
                return True
        if self.gaps and self.own < _LEAST_ENTRY:
            self.add(self._bonds.beside(*self._stretch(self._last)))
            return True
        return False

    def _stretch(self, index: int) -> tuple[int, int]:
        """Return the ends of the stretch shown about a part, as far as it may be a small one."""
        first = last = index
        while first > 0 and self._shows(first - 1) and self._bonds.span(first, index) < _FAR:
            first -= 1
        while last + 1 < self._count and self._shows(last + 1):
            if self._bonds.span(first, last) >= _FAR:
                break
            last += 1
        return first, last
