"""The reference's two allocators: they divide a budget by estimates of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from areev_context.errors import InputError
from areev_context.policy import GrainTypeDiversity
from areev_context.selection.item import Allocation
from areev_context.text.foreign import shown
from areev_context.tokens import estimate_summary

__all__ = ["BudgetItem", "allocate", "allocate_with_diversity"]

_MOST = 10**200  # as much of a budget as a float can hold a share of


@dataclass(frozen=True, slots=True)
class BudgetItem:
    """What an allocator knows about one entry.

    Attributes:
        grain_type: The grain type, for the number of entries reserved per type.
        priority: 0..1, higher first; compared rounded to six decimals.
        tokens: Estimated tokens of the whole entry, at least 1.
        force_omit: Whether the entry is never shown, with or without a budget.
        prefer_full: Whether the entry is Full up to 95 % of the budget instead of 70 %.
    """

    grain_type: str
    priority: float
    tokens: int
    force_omit: bool = False
    prefer_full: bool = False


def _by_priority(items: Sequence[BudgetItem], places: Sequence[int]) -> list[int]:
    return sorted(places, key=lambda place: -round(items[place].priority, 6))


def allocate(items: Sequence[BudgetItem], budget: int | None) -> list[Allocation]:
    """Spend a budget by priority, high first, ties in input order.

    An entry is Full while the sum stays within 70 % of the budget, else Summary while it stays
    within 95 %, else Omit; a later, smaller one may still fit.

    Args:
        items: The entries.
        budget: Estimated tokens, 0 or more; None = no limit.

    Returns:
        One allocation per entry, in input order.

    Raises:
        InputError: The budget is no whole number from 0 up.
    """
    _check(budget)
    if budget is None:
        return [Allocation.OMIT if item.force_omit else Allocation.FULL for item in items]
    out = [Allocation.OMIT] * len(items)
    _spend(items, range(len(items)), budget, out)
    return out


def _check(budget: object) -> None:
    if budget is not None and not (type(budget) is int and budget >= 0):
        raise InputError(
            f"the budget is {shown(budget)}: give a whole number of tokens from 0 up, or None"
        )


def _spend(
    items: Sequence[BudgetItem], places: Sequence[int], budget: int, out: list[Allocation]
) -> None:
    full_line, last_line, used = budget * 70 // 100, budget * 95 // 100, 0
    for place in _by_priority(items, places):
        item = items[place]
        if item.force_omit:
            continue
        short = estimate_summary(item.tokens)
        if used + item.tokens <= (last_line if item.prefer_full else full_line):
            out[place] = Allocation.FULL
            used += item.tokens
        elif used + short <= last_line:
            out[place] = Allocation.SUMMARY
            used += short


def allocate_with_diversity(
    items: Sequence[BudgetItem], budget: int | None, diversity: GrainTypeDiversity
) -> list[Allocation]:
    """Spend a budget on the best entries of each type first, then by priority.

    The reserved entries are Full, even if together they exceed the budget: one entry of each type
    is always shown. The rest of the budget is spent as `allocate` spends it, with the same result
    and the same errors.
    """
    _check(budget)
    if budget is None:
        return allocate(items, None)
    reserved = reserve(items, budget, diversity)
    out = [Allocation.OMIT] * len(items)
    for place in reserved:
        out[place] = Allocation.FULL
    rest = [place for place in range(len(items)) if place not in reserved]
    _spend(items, rest, max(0, budget - sum(items[place].tokens for place in reserved)), out)
    return out


def reserve(items: Sequence[BudgetItem], budget: int, diversity: GrainTypeDiversity) -> set[int]:
    """Return the indexes of the entries that `diversity` reserves room for."""
    by_type: dict[str, list[int]] = {}
    for place in _by_priority(items, range(len(items))):
        if not items[place].force_omit:
            by_type.setdefault(items[place].grain_type, []).append(place)
    best = {name: places[: diversity.min_per_type] for name, places in by_type.items()}
    reserved = {place for places in best.values() for place in places}
    used = sum(items[place].tokens for place in reserved)
    left = {name: len(places) for name, places in best.items()}
    for place in sorted(reserved, key=lambda p: (round(items[p].priority, 6), -p)):
        if used <= min(budget, _MOST) * diversity.max_reservation_pct:
            break
        if left[items[place].grain_type] > 1:
            reserved.discard(place)
            left[items[place].grain_type] -= 1
            used -= items[place].tokens
    return reserved
