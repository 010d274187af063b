"""The ceiling: count the whole text of a plan, and change the plan until it keeps the budget.

Each piece is counted once, and plans are made with sums of these counts. The joined text can cost
more tokens than the sum, so only its count decides. The difference between the two is used as the
cost of a join, so that few plans have to be counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from areev_context.selection.item import Allocation

__all__ = ["Meter", "Slot", "fill", "fit"]

_ROUNDS = 24  # whole texts that are counted to use the room a plan leaves
_SINGLES = 200  # longer forms that are then tried one by one, at most
_SINGLES_TOKENS = 100_000  # tokens of whole texts counted for that, about
_UNLIKELY_TOKENS = 4_000  # of them for forms whose headings should not fit


class Slot(NamedTuple):
    """A hit of the body or a knowledge update, which can be shown, shortened or left out.

    Attributes:
        section: The key of its section; the slots of one section share a heading.
        shortens: Whether it has a summary.
        least: The fewest tokens that any form of it can have.
    """

    section: Hashable
    shortens: bool
    least: int = 0


class Meter(Protocol):
    """Counts the tokens of one page and its pieces; implementations cache every count."""

    def piece(self, slot: int, form: Allocation) -> int:
        """Return the tokens of a slot's own text in a form."""
        ...

    def heading(self, slot: int) -> int:
        """Return the tokens of the heading of a slot's section."""
        ...

    def headings(self, forms: Sequence[Allocation]) -> int:
        """Return the tokens of all headings on the page of a plan."""
        ...

    def whole(self, forms: Sequence[Allocation]) -> int:
        """Return the tokens of the whole text of a plan; 0 for an empty text."""
        ...


_Refused = set[tuple[int, Allocation]]


class _Step(NamedTuple):
    slot: int
    before: Allocation
    after: Allocation


class _Count(NamedTuple):
    """A whole text that was counted, and the sums of its plan."""

    tokens: int
    pieces: int
    entries: int


@dataclass(slots=True)
class _Ledger:
    """The sums of a plan, the last whole text that was counted, and the cost of a join."""

    slots: Sequence[Slot]
    meter: Meter
    forms: list[Allocation]
    pieces: int = 0
    entries: int = 0
    join_cost: float = 1.0
    last: _Count = field(default_factory=lambda: _Count(0, 0, 0))
    shown: Counter[Hashable] = field(default_factory=Counter)

    def change(self, slot: int, form: Allocation, *, lean: bool = False) -> tuple[int, int]:
        """Return by how many tokens of pieces and by how many entries the text would grow.

        Lean leaves out the heading of a section that is not shown yet: an outer one may be there.
        """
        before, section = self.forms[slot], self.slots[slot].section
        pieces = self._cost(slot, form) - self._cost(slot, before)
        appears = (form is not Allocation.OMIT) - (before is not Allocation.OMIT)
        if not lean and appears and self.shown[section] - (before is not Allocation.OMIT) == 0:
            return pieces + appears * self.meter.heading(slot), appears
        return pieces, appears

    def _cost(self, slot: int, form: Allocation) -> int:
        return 0 if form is Allocation.OMIT else self.meter.piece(slot, form)

    def set(self, slot: int, form: Allocation) -> _Step:
        """Change the form of a slot, and the sums with it."""
        before = self.forms[slot]
        pieces, appears = self.change(slot, form)
        self.pieces += pieces
        self.entries += appears
        self.forms[slot] = form
        self.shown[self.slots[slot].section] += appears
        return _Step(slot, before, form)

    def tokens(self, pieces: int = 0, entries: int = 0) -> float:
        """Return what the whole text should cost after a change, going by the last count."""
        last = self.last
        joins = _joins(self.entries + entries) - _joins(last.entries)
        return last.tokens + self.pieces - last.pieces + pieces + self.join_cost * joins

    def shortens(self, slot: int) -> bool:
        """Return whether the summary of a slot is really smaller than the whole."""
        piece, summary = self.meter.piece, Allocation.SUMMARY
        return self.slots[slot].shortens and piece(slot, summary) < piece(slot, Allocation.FULL)

    def learn(self, tokens: int) -> None:
        """Take the count of this plan's text for the truth, and what a join costs from it."""
        before, self.last = self.last, _Count(tokens, self.pieces, self.entries)
        joins = _joins(self.entries) - _joins(before.entries)
        if joins:
            beyond = tokens - before.tokens - (self.pieces - before.pieces)
            self.join_cost = max(0.0, beyond / joins)


def _joins(entries: int) -> int:
    return max(0, entries - 1)


def fit(
    slots: Sequence[Slot],
    order: Sequence[int],
    plan: Sequence[Allocation],
    budget: int,
    meter: Meter,
) -> tuple[Allocation, ...]:
    """Return a plan whose counted text keeps the budget and uses the room.

    While the text is over the budget, the last slot of the order is reduced first: Full, Summary,
    Omit. While there is room, the first slots of the order are enlarged first, and a slot that fits
    whole is whole. A summary is used only if it is smaller than the whole.

    Args:
        slots: The slots that may be shown.
        order: The indexes of the slots; the first one is reduced last.
        plan: The form of each slot that the allocator prefers.
        budget: The ceiling, 0 or more.
        meter: The counts.
    """
    ledger = _ledger(slots, plan, meter)
    for slot, form in enumerate(plan):
        if form is Allocation.SUMMARY and not ledger.shortens(slot):
            ledger.set(slot, Allocation.FULL)
    _shrink(ledger, order, budget)
    _grow(ledger, order, budget, set(), len(slots))
    least = 1
    while (counted := meter.whole(ledger.forms)) > budget:
        ledger.learn(counted)
        _shrink(ledger, order, budget, least)
        least *= 2  # joins may cost anything: a plan is reached in few counts all the same
    ledger.learn(counted)
    return _fill(ledger, order, budget)


def fill(
    slots: Sequence[Slot],
    order: Sequence[int],
    plan: Sequence[Allocation],
    budget: int,
    meter: Meter,
) -> tuple[Allocation, ...]:
    """Return a plan that keeps the budget, enlarged to use the room; arguments as in `fit`."""
    ledger = _ledger(slots, plan, meter)
    ledger.learn(meter.whole(ledger.forms))
    return _fill(ledger, order, budget)


def _ledger(slots: Sequence[Slot], plan: Sequence[Allocation], meter: Meter) -> _Ledger:
    ledger = _Ledger(slots, meter, [Allocation.OMIT] * len(slots))
    for slot, form in enumerate(plan):
        if form is not Allocation.OMIT:
            ledger.set(slot, form)
    return ledger


def _fill(ledger: _Ledger, order: Sequence[int], budget: int) -> tuple[Allocation, ...]:
    """Use the room that a plan leaves, as long as counting the whole text shows it is there."""
    refused: _Refused = set()
    most = len(order)
    for _ in range(_ROUNDS):
        steps = _grow(ledger, order, budget, refused, most)
        if not steps:
            break
        item, tried = ledger.last, ledger.meter.whole(ledger.forms)
        ledger.learn(tried)
        if tried <= budget:
            most = len(order)
            continue
        for step in reversed(steps):
            ledger.set(step.slot, step.before)
        ledger.last = item
        if len(steps) == 1:
            refused.add((steps[0].slot, steps[0].after))
        most = max(1, len(steps) // 2)
    _fill_singly(ledger, order, budget)
    return tuple(ledger.forms)


def _fill_singly(ledger: _Ledger, order: Sequence[int], budget: int) -> None:
    """Try one by one what would fit if joins were free."""
    ledger.join_cost = 0.0
    tries = min(_SINGLES, max(_ROUNDS, _SINGLES_TOKENS // (budget + 1)))
    unlikely = _UNLIKELY_TOKENS // (budget + 1)
    tried: _Refused = set()
    for slot in order:
        while tries and (form := _next_form(ledger, slot, budget, tried, lean=True)):
            tried.add((slot, form))
            tries -= 1
            likely = _likely(ledger, slot, form, budget)
            unlikely -= not likely
            if likely or unlikely >= 0:
                _lengthen(ledger, slot, form, budget)


def _likely(ledger: _Ledger, slot: int, form: Allocation, budget: int) -> bool:
    """Return whether a longer form should fit with the headings that it brings along."""
    meter, forms = ledger.meter, list(ledger.forms)
    expected = ledger.tokens(*ledger.change(slot, form, lean=True)) - meter.headings(forms)
    forms[slot] = form
    return expected + meter.headings(forms) <= budget


def _lengthen(ledger: _Ledger, slot: int, form: Allocation, budget: int) -> None:
    """Give a slot a longer form, or leave it where the text would be too long."""
    step = ledger.set(slot, form)
    counted = ledger.meter.whole(ledger.forms)
    if counted > budget:
        ledger.set(slot, step.before)
    else:
        ledger.last = _Count(counted, ledger.pieces, ledger.entries)


def _shrink(ledger: _Ledger, order: Sequence[int], budget: int, least: int = 0) -> None:
    """Shorten and leave out, the last of the order first, until the text should fit."""
    done = 0
    for slot in reversed(order):
        if ledger.tokens() <= budget and done >= least:
            return
        if ledger.forms[slot] is Allocation.FULL and ledger.shortens(slot):
            ledger.set(slot, Allocation.SUMMARY)
            done += 1
            if ledger.tokens() <= budget and done >= least:
                return
        if ledger.forms[slot] is not Allocation.OMIT:
            ledger.set(slot, Allocation.OMIT)
            done += 1


def _grow(
    ledger: _Ledger, order: Sequence[int], budget: int, refused: _Refused, most: int
) -> list[_Step]:
    """Lengthen what should still fit, the first of the order first, in at most so many steps."""
    steps: list[_Step] = []
    before = -1
    while before < len(steps) < most:  # a heading paid for makes room for its neighbours
        before = len(steps)
        for slot in order:
            if len(steps) == most or ledger.tokens() >= budget:
                break
            form = _next_form(ledger, slot, budget, refused)
            if form is not None:
                steps.append(ledger.set(slot, form))
    return steps


def _next_form(
    ledger: _Ledger, slot: int, budget: int, refused: _Refused, *, lean: bool = False
) -> Allocation | None:
    """Return the longest form of a slot that should fit and is longer than its present one."""
    now = ledger.forms[slot]
    if now is Allocation.OMIT and ledger.tokens(ledger.slots[slot].least) > budget:
        return None
    for form in (Allocation.FULL, Allocation.SUMMARY):
        if form is now:
            return None
        if form is Allocation.SUMMARY and not ledger.shortens(slot):
            return None
        growth = ledger.change(slot, form, lean=lean)
        if (slot, form) not in refused and ledger.tokens(*growth) <= budget:
            return form
    return None
