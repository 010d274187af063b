"""The ceiling: a plan is measured on the whole text, and mended until it keeps the budget.

Pieces are counted once and plans are made with sums; only the joined text decides, because joined
text can cost more tokens than its parts. The difference between the two is learned as the cost of
a join, so that few plans have to be counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from areev_context.selection.item import Allocation

__all__ = ["Gauge", "Unit", "fill", "settle"]

_ROUNDS = 24  # whole texts that are counted to use the room a plan leaves
_SINGLES = 200  # longer forms that are then tried one by one, at most
_SINGLES_TOKENS = 100_000  # tokens of whole texts counted for that, about
_UNLIKELY_TOKENS = 4_000  # of them for forms whose headings should not fit


class Unit(NamedTuple):
    """One thing to show, shorten or leave out: a hit of the body, or a knowledge update.

    Attributes:
        section: Units of one section share its heading.
        shortens: Whether it has a summary.
        least: Tokens that no form of it can do without.
    """

    section: Hashable
    shortens: bool
    least: int = 0


class Gauge(Protocol):
    """What counting one page can tell; every answer is remembered by who implements it."""

    def piece(self, unit: int, form: Allocation) -> int:
        """Return the tokens of a unit's own text in a form."""
        ...

    def heading(self, unit: int) -> int:
        """Return the tokens of the heading of a unit's section."""
        ...

    def headings(self, forms: Sequence[Allocation]) -> int:
        """Return the tokens of all headings on the page of a plan."""
        ...

    def whole(self, forms: Sequence[Allocation]) -> int:
        """Return the tokens of the whole text of a plan; 0 for an empty text."""
        ...


_Refused = set[tuple[int, Allocation]]


class _Step(NamedTuple):
    unit: int
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

    units: Sequence[Unit]
    gauge: Gauge
    forms: list[Allocation]
    pieces: int = 0
    entries: int = 0
    join_cost: float = 1.0
    last: _Count = field(default_factory=lambda: _Count(0, 0, 0))
    shown: Counter[Hashable] = field(default_factory=Counter)

    def change(self, unit: int, form: Allocation, *, lean: bool = False) -> tuple[int, int]:
        """Return by how many tokens of pieces and by how many entries the text would grow.

        Lean leaves out the heading of a section that is not shown yet: an outer one may be there.
        """
        before, section = self.forms[unit], self.units[unit].section
        pieces = self._cost(unit, form) - self._cost(unit, before)
        appears = (form is not Allocation.OMIT) - (before is not Allocation.OMIT)
        if not lean and appears and self.shown[section] - (before is not Allocation.OMIT) == 0:
            return pieces + appears * self.gauge.heading(unit), appears
        return pieces, appears

    def _cost(self, unit: int, form: Allocation) -> int:
        return 0 if form is Allocation.OMIT else self.gauge.piece(unit, form)

    def set(self, unit: int, form: Allocation) -> _Step:
        """Change the form of a unit, and the sums with it."""
        before = self.forms[unit]
        pieces, appears = self.change(unit, form)
        self.pieces += pieces
        self.entries += appears
        self.forms[unit] = form
        self.shown[self.units[unit].section] += appears
        return _Step(unit, before, form)

    def tokens(self, pieces: int = 0, entries: int = 0) -> float:
        """Return what the whole text should cost after a change, going by the last count."""
        last = self.last
        joins = _joins(self.entries + entries) - _joins(last.entries)
        return last.tokens + self.pieces - last.pieces + pieces + self.join_cost * joins

    def shortens(self, unit: int) -> bool:
        """Return whether the summary of a unit is really smaller than the whole."""
        piece, summary = self.gauge.piece, Allocation.SUMMARY
        return self.units[unit].shortens and piece(unit, summary) < piece(unit, Allocation.FULL)

    def learn(self, tokens: int) -> None:
        """Take the count of this plan's text for the truth, and what a join costs from it."""
        before, self.last = self.last, _Count(tokens, self.pieces, self.entries)
        joins = _joins(self.entries) - _joins(before.entries)
        if joins:
            beyond = tokens - before.tokens - (self.pieces - before.pieces)
            self.join_cost = max(0.0, beyond / joins)


def _joins(entries: int) -> int:
    return max(0, entries - 1)


def settle(
    units: Sequence[Unit],
    order: Sequence[int],
    plan: Sequence[Allocation],
    budget: int,
    gauge: Gauge,
) -> tuple[Allocation, ...]:
    """Return a plan whose whole text was counted and keeps the budget, with the room used.

    Over the budget the last of the order goes first, Full to Summary to nothing; under it the
    first of the order comes first, and what fits whole is whole. A summary is used only when it
    is smaller than the whole.

    Args:
        units: What may be shown.
        order: Their places, first what is to stay longest.
        plan: The form of each, as the allocator wishes it.
        budget: The ceiling, 0 or more.
        gauge: The counts.
    """
    ledger = _ledger(units, plan, gauge)
    for unit, form in enumerate(plan):
        if form is Allocation.SUMMARY and not ledger.shortens(unit):
            ledger.set(unit, Allocation.FULL)
    _shrink(ledger, order, budget)
    _grow(ledger, order, budget, set(), len(units))
    least = 1
    while (counted := gauge.whole(ledger.forms)) > budget:
        ledger.learn(counted)
        _shrink(ledger, order, budget, least)
        least *= 2  # joins may cost anything: a plan is reached in few counts all the same
    ledger.learn(counted)
    return _fill(ledger, order, budget)


def fill(
    units: Sequence[Unit],
    order: Sequence[int],
    plan: Sequence[Allocation],
    budget: int,
    gauge: Gauge,
) -> tuple[Allocation, ...]:
    """Return a plan that is known to keep the budget with the room used; arguments as above."""
    ledger = _ledger(units, plan, gauge)
    ledger.learn(gauge.whole(ledger.forms))
    return _fill(ledger, order, budget)


def _ledger(units: Sequence[Unit], plan: Sequence[Allocation], gauge: Gauge) -> _Ledger:
    ledger = _Ledger(units, gauge, [Allocation.OMIT] * len(units))
    for unit, form in enumerate(plan):
        if form is not Allocation.OMIT:
            ledger.set(unit, form)
    return ledger


def _fill(ledger: _Ledger, order: Sequence[int], budget: int) -> tuple[Allocation, ...]:
    """Use the room that a plan leaves, as long as counting the whole text shows it is there."""
    refused: _Refused = set()
    most = len(order)
    for _ in range(_ROUNDS):
        steps = _grow(ledger, order, budget, refused, most)
        if not steps:
            break
        kept, tried = ledger.last, ledger.gauge.whole(ledger.forms)
        ledger.learn(tried)
        if tried <= budget:
            most = len(order)
            continue
        for step in reversed(steps):
            ledger.set(step.unit, step.before)
        ledger.last = kept
        if len(steps) == 1:
            refused.add((steps[0].unit, steps[0].after))
        most = max(1, len(steps) // 2)
    _fill_singly(ledger, order, budget)
    return tuple(ledger.forms)


def _fill_singly(ledger: _Ledger, order: Sequence[int], budget: int) -> None:
    """Try one by one what would fit if joins were free."""
    ledger.join_cost = 0.0
    tries = min(_SINGLES, max(_ROUNDS, _SINGLES_TOKENS // (budget + 1)))
    unlikely = _UNLIKELY_TOKENS // (budget + 1)
    tried: _Refused = set()
    for unit in order:
        while tries and (form := _next_form(ledger, unit, budget, tried, lean=True)):
            tried.add((unit, form))
            tries -= 1
            likely = _likely(ledger, unit, form, budget)
            unlikely -= not likely
            if likely or unlikely >= 0:
                _lengthen(ledger, unit, form, budget)


def _likely(ledger: _Ledger, unit: int, form: Allocation, budget: int) -> bool:
    """Return whether a longer form should fit with the headings that it brings along."""
    gauge, forms = ledger.gauge, list(ledger.forms)
    expected = ledger.tokens(*ledger.change(unit, form, lean=True)) - gauge.headings(forms)
    forms[unit] = form
    return expected + gauge.headings(forms) <= budget


def _lengthen(ledger: _Ledger, unit: int, form: Allocation, budget: int) -> None:
    """Give a unit a longer form, or leave it where the text would be too long."""
    step = ledger.set(unit, form)
    counted = ledger.gauge.whole(ledger.forms)
    if counted > budget:
        ledger.set(unit, step.before)
    else:
        ledger.last = _Count(counted, ledger.pieces, ledger.entries)


def _shrink(ledger: _Ledger, order: Sequence[int], budget: int, least: int = 0) -> None:
    """Shorten and leave out, the last of the order first, until the text should fit."""
    done = 0
    for unit in reversed(order):
        if ledger.tokens() <= budget and done >= least:
            return
        if ledger.forms[unit] is Allocation.FULL and ledger.shortens(unit):
            ledger.set(unit, Allocation.SUMMARY)
            done += 1
            if ledger.tokens() <= budget and done >= least:
                return
        if ledger.forms[unit] is not Allocation.OMIT:
            ledger.set(unit, Allocation.OMIT)
            done += 1


def _grow(
    ledger: _Ledger, order: Sequence[int], budget: int, refused: _Refused, most: int
) -> list[_Step]:
    """Lengthen what should still fit, the first of the order first, in at most so many steps."""
    steps: list[_Step] = []
    before = -1
    while before < len(steps) < most:  # a heading paid for makes room for its neighbours
        before = len(steps)
        for unit in order:
            if len(steps) == most or ledger.tokens() >= budget:
                break
            form = _next_form(ledger, unit, budget, refused)
            if form is not None:
                steps.append(ledger.set(unit, form))
    return steps


def _next_form(
    ledger: _Ledger, unit: int, budget: int, refused: _Refused, *, lean: bool = False
) -> Allocation | None:
    """Return the longest form of a unit that should fit and is longer than its present one."""
    now = ledger.forms[unit]
    if now is Allocation.OMIT and ledger.tokens(ledger.units[unit].least) > budget:
        return None
    for form in (Allocation.FULL, Allocation.SUMMARY):
        if form is now:
            return None
        if form is Allocation.SUMMARY and not ledger.shortens(unit):
            return None
        growth = ledger.change(unit, form, lean=lean)
        if (unit, form) not in refused and ledger.tokens(*growth) <= budget:
            return form
    return None
