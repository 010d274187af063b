"""What a budget decided: at what length each hit of a selection is shown, and for how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from areev_context.budget.allocate import BudgetItem, allocate, allocate_with_diversity, reserve
from areev_context.layout.mode import Pools
from areev_context.policy import FormatPolicy
from areev_context.selection.item import Allocation
from areev_context.selection.screening import Reason
from areev_context.selection.select import Candidate, Selection
from areev_context.tokens import estimate_summary

__all__ = ["REASONS", "Decision", "Plan", "allocations", "estimated", "floor"]

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


def allocations(
    body: Sequence[Candidate], policy: FormatPolicy, pools: Pools, *, summaries: bool
) -> list[Allocation]:
    """Return at what length each entry of the body is shown, in its order.

    Args:
        body: The main body.
        policy: The budget and the wish for diversity.
        pools: The mode's division of the budget.
        summaries: Whether the format has summaries; without, a summary is left out.
    """
    out = [Allocation.FULL] * len(body)
    if policy.token_budget is None:
        return out
    for places, budget in pools(body, policy.token_budget):
        items = [_item(body[place]) for place in places]
        diversity = policy.grain_type_diversity
        made = (
            allocate_with_diversity(items, budget, diversity)
            if diversity is not None
            else allocate(items, budget)
        )
        for place, allocation in zip(places, made, strict=True):
            out[place] = allocation
    if summaries:
        return out
    return [Allocation.OMIT if a is Allocation.SUMMARY else a for a in out]


def floor(body: Sequence[Candidate], policy: FormatPolicy, pools: Pools) -> frozenset[int]:
    """Return the places in the body that the wish for diversity keeps room for."""
    budget, diversity = policy.token_budget, policy.grain_type_diversity
    if budget is None or diversity is None:
        return frozenset()
    return frozenset(
        places[at]
        for places, share in pools(body, budget)
        for at in reserve([_item(body[place]) for place in places], share, diversity)
    )


def _item(candidate: Candidate) -> BudgetItem:
    return BudgetItem(
        candidate.kept.grain.grain_type,
        candidate.priority,
        candidate.tokens,
        prefer_full=candidate.prefer_full,
    )
