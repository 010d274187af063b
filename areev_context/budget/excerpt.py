"""An excerpt of a passage: its shown parts, with the parts they need, and how it grows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from areev_context.budget.slices import PROSE
from areev_context.text.part import Part, PartKind

__all__ = ["MARK", "Bonds", "Excerpt", "Growth"]

_SMALL_GAP = 12  # characters: about the three tokens that a mark has to stand for
_LEAST_PIECE = 20  # characters of a stretch between two marks
_LEAST_ENTRY = 25  # characters of what an entry says
_FAR = 100  # characters; a stretch of so many is no small one, blanks and all
MARK = 2.0
"""Tokens of a mark where something is left out."""
_ENDED = re.compile(r"[.!?…:;。！？؟।۔][\"'”’)\]»」』*_`]*\s*$")
_FRAMES = frozenset({PartKind.HEADING, PartKind.HEADER, PartKind.FRAME, PartKind.LABEL})

# A sentence that opens so takes something back, or makes an exception: of the sentence before it.
_TURNS = (
    "but however yet nevertheless nonetheless otherwise except unless"
    " aber jedoch doch dennoch allerdings sondern trotzdem außer"
    " mais cependant toutefois pourtant néanmoins sauf"
    " pero salvo excepto sino ma però tuttavia eppure"
    " но однако зато кроме"
)
# One that opens so speaks of what the sentence before it names, or goes on from it.
_LEANS = (
    "he she it they this that these those such his her its their"
    " thus therefore hence so then also moreover furthermore likewise similarly consequently"
    " er sie es dies diese dieser dieses deshalb daher darum außerdem dann dadurch dabei dazu"
    " il elle ils elles ce cela ces cette donc ainsi alors"
    " ella ello ellos ellas esto esta este esos además así"
    " egli essa esso essi questo questa quindi inoltre"
    " он она оно они это этот эта эти поэтому также затем"
)
_LEANING = frozenset(f"{_TURNS} {_LEANS}".split())
_OPENING = re.compile(r"[\s\"'“‘«(*_]*([^\W\d_]+)")
_UNSPACED = re.compile(
    r"[\s「『“\"]*(?:但|然而|不过|可是|除非|しかし|だが|ただし|ところが|แต่|อย่างไรก็ตาม)"
)


class Bonds:
    """The parts of one passage that must be shown together.

    Args:
        text: The passage.
        parts: All its parts.
        glued: A sentence of up to so many characters is shown whole or not at all.
    """

    def __init__(self, text: str, parts: Sequence[Part], glued: int) -> None:
        self._text = text
        self._parts = parts
        self._glued = glued
        self._sentences: Sequence[tuple[int, int]] | None = None

    def needs(self, index: int) -> Sequence[int]:
        """Return the parts that must be shown with a part; each of them may need others."""
        part = self._parts[index]
        if part.kind not in PROSE:
            return part.needs
        return (*part.needs, *self._sentence(index))

    def leans_on(self, index: int) -> Sequence[int]:
        """Return the sentence before a sentence that cannot be understood without it, or nothing.

        This is one step only; a chain of such sentences could be a page long.
        """
        part = self._parts[index]
        if not self._leans(part):
            return ()
        before = index - 1
        while before >= 0 and self._parts[before].kind is PartKind.PIECE:
            before -= 1
        return (before,) if before >= 0 and self._beside_in_paragraph(before, index) else ()

    def span(self, first: int, last: int) -> int:
        """Return the number of characters from one part to another."""
        return self._parts[last].end - self._parts[first].start

    def size(self, first: int, last: int) -> int:
        """Return the number of characters from one part to another, without blanks at the end."""
        start, end = self._parts[first].start, self._parts[last].end
        return len(self._text[start:end].strip()) if end - start < 100 else end - start

    def own_size(self, index: int) -> int:
        """Return the characters of a part that is useful by itself; 0 for a heading or a header."""
        return self.size(index, index) if self._parts[index].alone else 0

    def beside(self, first: int, last: int) -> int:
        """Return the neighbor that fits a stretch of parts best; the stretch is not everything."""
        if last + 1 == len(self._parts):
            return first - 1
        if first == 0 or self._parts[last].kind in _FRAMES:
            return last + 1
        after, before = self.size(last + 1, last + 1), self.size(first - 1, first - 1)
        return last + 1 if after <= before else first - 1

    def _sentence(self, index: int) -> Sequence[int]:
        """Return the other pieces of a sentence in pieces, where it is not too long to be whole."""
        if self._sentences is None:
            self._sentences = _sentences(self._parts)
        first, last = self._sentences[index]
        if first == last or self.span(first, last) > self._glued:
            return ()
        whole = self._text[self._parts[first].start : self._parts[last].end]
        return range(first, last + 1) if _ENDED.search(whole) else ()

    def _leans(self, part: Part) -> bool:
        if part.kind not in PROSE or part.kind is PartKind.PIECE:
            return False
        text = self._text
        opening = _OPENING.match(text, part.start, min(part.end, part.start + 40))
        if opening is None:
            return False
        if opening[1].casefold() in _LEANING:
            return True
        return _UNSPACED.match(text, part.start, part.end) is not None

    def _beside_in_paragraph(self, before: int, index: int) -> bool:
        parts = self._parts
        if parts[before].kind not in PROSE:
            return False
        end = parts[index].start
        return "\n\n" not in self._text[end - 4 : end]


def _sentences(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """Return for each part where the sentence in pieces that it is of begins and ends."""
    out: list[tuple[int, int]] = []
    first = 0
    for index in range(len(parts) + 1):
        if index == len(parts) or parts[index].kind is not PartKind.PIECE:
            out.extend([(first, index - 1)] * (index - first))
            first = index
    return out


class Growth(NamedTuple):
    """The parts to add to an excerpt, and the costs of the excerpt after that.

    Attributes:
        added: The indexes of the parts to add.
        cost: The tokens of the grown excerpt: its title and metadata, its parts, and its marks.
        gaps: The number of stretches that the grown excerpt leaves out.
        own: The characters of its parts that are useful by themselves.
        tokens: The tokens of its parts.
    """

    added: Sequence[int]
    cost: float
    gaps: int
    own: int
    tokens: float


class Excerpt:
    """The parts of one passage that are shown so far, and the growth by further parts.

    The excerpt is closed: each part is shown with the parts it needs, a gap too small for a mark is
    filled, and no stretch is very short. So a growth looks at the neighbors of the new part only.

    Args:
        bonds: The parts of the passage that must be shown together.
        tokens: The tokens of each part.
        head: The tokens of the text around the parts, such as the title.
    """

    def __init__(self, bonds: Bonds, tokens: Sequence[float], head: float) -> None:
        self._bonds = bonds
        self._part_tokens = tokens
        self._head = head
        self._shown = bytearray(len(tokens))
        self._now = Growth((), head, 1, 0, 0.0)
        self._last = -1

    @property
    def is_empty(self) -> bool:
        """Whether it shows no part."""
        return self._last < 0

    @property
    def shown(self) -> tuple[int, ...]:
        """Indexes of the parts that it shows, in rising order."""
        return tuple(index for index, is_shown in enumerate(self._shown) if is_shown)

    def shows_all(self, indexes: Iterable[int]) -> bool:
        """Return whether it shows each of these parts."""
        return all(map(self._shown.__getitem__, indexes))

    def left_out(self, indexes: Iterable[int]) -> list[int]:
        """Return the indexes of these parts that it does not show."""
        return [index for index in indexes if not self._shown[index]]

    def more(self, growth: Growth) -> float:
        """Return the tokens that a growth adds; where it shows no part yet, all of them."""
        return growth.cost if self._last < 0 else growth.cost - self._now.cost

    def grown(self, new: Iterable[int]) -> Growth:
        """Return the growth by these parts and all parts that must be shown with them."""
        trial = _Trial(self._bonds, self._shown, self._now, self._last)
        for index in new:
            trial.add(index)
        trial.close()
        added = sorted(trial.added)
        tokens = self._now.tokens + sum([self._part_tokens[index] for index in added])
        cost = self._head + tokens + MARK * trial.gaps
        return Growth(added, cost, trial.gaps, trial.own, tokens)

    def whole(self, cost: float) -> Growth:
        """Return the growth to the whole passage, which costs `cost` tokens."""
        added = [index for index, is_shown in enumerate(self._shown) if not is_shown]
        return Growth(added, cost, 0, _LEAST_ENTRY, cost - self._head)

    def take(self, growth: Growth) -> None:
        """Add the parts of a growth."""
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
