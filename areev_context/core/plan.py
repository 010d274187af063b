"""What a budget decided: at what length each hit of a selection is shown, and for how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from areev_context.core.budget import Allocation
from areev_context.core.screen import Reason
from areev_context.core.select import Selection
from areev_context.core.tokens import estimate_summary

__all__ = ["REASONS", "Decision", "Plan", "estimated"]

REASONS = {
    Allocation.FULL: Reason.FULL,
    Allocation.SUMMARY: Reason.SUMMARY,
    Allocation.OMIT: Reason.OMITTED_BUDGET,
}
"""The reason of each form where nothing but the budget decided."""


class Decision(NamedTuple):
    """What one hit of the main body got.

    Attributes:
        form: At what length it is shown.
        reason: Why.
        whole: Its tokens shown whole.
        shown: Its tokens as shown, 0 where it is not.
    """

    form: Allocation
    reason: Reason
    whole: int
    shown: int


class Plan(NamedTuple):
    """One decision per hit of the main body, and whether each update is shown, in their order."""

    body: tuple[Decision, ...]
    updates: tuple[bool, ...]


def estimated(selection: Selection, forms: Sequence[Allocation]) -> Plan:
    """Return the plan an allocator made over estimates; it never leaves an update out."""
    body = tuple(
        Decision(form, REASONS[form], whole, _estimate(form, whole))
        for (_, _, whole, *_), form in zip(selection.body, forms, strict=True)
    )
    return Plan(body, (True,) * len(selection.pairs))


def _estimate(form: Allocation, whole: int) -> int:
    if form is Allocation.FULL:
        return whole
    return estimate_summary(whole) if form is Allocation.SUMMARY else 0
