"""Plans: whether each hit of a selection is shown whole, as a summary or not at all, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from areev_context.budget.allocate import BudgetItem, allocate, allocate_with_diversity, reserve
from areev_context.budget.draft import Draft
from areev_context.budget.fit import Slot, fill, fit
from areev_context.budget.meter import UPDATES, TokenMeter
from areev_context.budget.parted import divided_field
from areev_context.budget.passage_packing import PassagePacking
from areev_context.layout.mode import Pools
from areev_context.layout.outline import Entry
from areev_context.policy import Allocator, FormatPolicy
from areev_context.selection.item import Allocation, Item
from areev_context.selection.screening import Reason
from areev_context.tokens import estimate_summary

__all__ = ["Grant", "Plan", "Wish", "estimated_plan", "grants_of", "plan_within"]

_REASONS = {
    Allocation.FULL: Reason.FULL,
    Allocation.SUMMARY: Reason.SUMMARY,
    Allocation.OMIT: Reason.OMITTED_BUDGET,
}


class Grant(NamedTuple):
    """The part of the budget that one hit of the body got.

    Attributes:
        form: Whether the hit is shown whole, as a summary or not at all.
        reason: The reason for that.
        whole: The tokens of the hit shown whole.
        shown: The tokens of the hit as it is shown, 0 if it is not shown.
    """

    form: Allocation
    reason: Reason
    whole: int
    shown: int


class Wish(NamedTuple):
    """What an allocation rule would show, before the whole text is counted.

    A slot is a hit of the body or an update. Slots are numbered: the hits of the body in their
    order, then the updates.

    Attributes:
        forms: The form of each slot.
        order: The slots; the first one is reduced last.
        floor: The slots that `GrainTypeDiversity` reserves room for.
        in_part: Slot -> the entry of a hit that is shown in part.
        trimmed: The slots of hits in part that leave out only text which another entry shows.
        least: Slot of a hit that may be shown in part -> the fewest tokens any part of it can have.
    """

    forms: tuple[Allocation, ...]
    order: tuple[int, ...]
    floor: frozenset[int]
    in_part: Mapping[int, Entry] = {}
    trimmed: frozenset[int] = frozenset()
    least: Mapping[int, int] = {}


class Plan(NamedTuple):
    """The form in which each slot is shown.

    Attributes:
        forms: The form of each slot.
        wish: The wish that the plan was made of.
        meter: Counts the page, and makes the entries that are shown in part.
    """

    forms: tuple[Allocation, ...]
    wish: Wish
    meter: TokenMeter


def estimated_plan(draft: Draft) -> tuple[Grant, ...]:
    """Return the grants of an allocator that spends estimates; without a budget all are whole."""
    body = draft.selection.body
    forms = allocations(body, draft.policy, draft.mode.pools, summaries=draft.shortens)
    return tuple(
        Grant(form, _REASONS[form], each.tokens, _estimate(form, each.tokens))
        for each, form in zip(body, forms, strict=True)
    )


def _estimate(form: Allocation, whole: int) -> int:
    if form is Allocation.FULL:
        return whole
    return estimate_summary(whole) if form is Allocation.SUMMARY else 0


def plan_within(meter: TokenMeter, budget: int) -> Plan:
    """Return a plan that keeps a counted budget, by the policy's allocation rule."""
    draft = meter.draft
    weighed = [
        item._replace(tokens=max(1, meter.piece(slot, Allocation.FULL)))
        for slot, item in enumerate(draft.selection.body)
    ]
    reserved = floor(weighed, draft.policy, draft.mode.pools)
    pinned = [n for n, item in enumerate(weighed) if item.pinned]
    first = _affordable(meter, pinned, budget)
    divided = _divided(draft)
    if divided:
        wholes = [
            (meter.piece(n, Allocation.FULL), meter.text(n, Allocation.FULL))
            for n in range(len(weighed))
        ]
        required = (reserved - divided).union(first)
        packing = PassagePacking(draft, wholes, required, budget)
        meter = meter.showing(dict.fromkeys(divided, packing.summary))
        wish = _by_passages(meter, packing, (reserved - divided).union(pinned), divided)
        if wish is not None:
            order = (*first, *[slot for slot in wish.order if slot not in first])
            wish = wish._replace(order=order)
            meter = meter.showing(dict.fromkeys(wish.in_part, wish.in_part.__getitem__))
            return Plan(_filled(meter, wish, budget), wish, meter)
    wish = _by_priority(draft, weighed, reserved.union(pinned), first)
    return Plan(fit(_slots(meter, wish), wish.order, wish.forms, budget, meter), wish, meter)


def _divided(draft: Draft) -> frozenset[int]:
    """Return the hits of the body whose text the rule for passages divides."""
    if draft.policy.allocation is not Allocator.AUTO or not draft.format.shortens:
        return frozenset()
    hosted = draft.renderers.hosted
    body = draft.selection.body
    return frozenset([n for n, each in enumerate(body) if divided_field(each, hosted)])


def _slots(meter: TokenMeter, wish: Wish) -> list[Slot]:
    draft = meter.draft
    size, shortens = len(draft.selection.body), draft.shortens
    body = [Slot(meter.section(n), shortens, wish.least.get(n, 0)) for n in range(size)]
    return [*body, *[Slot(UPDATES, False)] * len(draft.updates)]


def _affordable(meter: TokenMeter, pinned: Sequence[int], budget: int) -> tuple[int, ...]:
    """Return the pinned slots that a page of these alone has room for, the best first."""
    forms = [Allocation.OMIT] * (len(meter.draft.selection.body) + len(meter.draft.updates))
    found = []
    for slot in pinned:
        forms[slot] = Allocation.FULL
        if meter.whole(forms) <= budget:
            found.append(slot)
        else:
            forms[slot] = Allocation.OMIT
    return tuple(found)


def _by_priority(
    draft: Draft, weighed: Sequence[Item], reserved: frozenset[int], first: Sequence[int]
) -> Wish:
    shortens = draft.shortens
    forms = allocations(weighed, draft.policy, draft.mode.pools, summaries=shortens)
    for slot in first:
        forms[slot] = Allocation.FULL
    whole = [Allocation.FULL] * len(draft.updates)
    order = [slot for slot in _order(draft, reserved) if slot not in first]
    return Wish((*forms, *whole), (*first, *order), reserved)


def _order(draft: Draft, reserved: frozenset[int]) -> tuple[int, ...]:
    """Return the slots, first what is to stay longest: the floor per type, then priority."""
    ranks = [
        (slot not in reserved, -round(item.priority, 6))
        for slot, item in enumerate(draft.selection.body)
    ]
    for pair in draft.selection.pairs:
        best = max(draft.renderers.measure(item)[0] for item in (pair.old, pair.new))
        ranks.append((True, -round(best, 6)))
    return tuple(sorted(range(len(ranks)), key=ranks.__getitem__))


def _by_passages(
    meter: TokenMeter, packing: PassagePacking, reserved: frozenset[int], divided: frozenset[int]
) -> Wish | None:
    """Return what the rule for passages and turns would show, where it finds a plan."""
    size, updates = len(packing.order), [Allocation.FULL] * len(meter.draft.updates)

    def count(forms: Sequence[Allocation], in_part: Mapping[int, Entry]) -> int:
        shown = meter.showing(dict.fromkeys(in_part, in_part.__getitem__))
        return shown.whole([*forms, *updates])

    packed = packing.plan(count)
    if packed is None:
        return None
    return Wish(
        (*packed.forms, *updates),
        (*range(size, size + len(updates)), *packing.order),
        reserved,
        packed.parts,
        packed.trimmed,
        {n: packing.least[n] for n in divided},
    )


def _filled(meter: TokenMeter, wish: Wish, budget: int) -> tuple[Allocation, ...]:
    """Return the wish with the room it leaves used, for whole entries before summaries."""
    slots, forms = _slots(meter, wish), wish.forms
    wholes = [
        slot if form is Allocation.SUMMARY else slot._replace(shortens=False)
        for slot, form in zip(slots, forms, strict=True)
    ]
    room = budget - meter.whole(forms)
    longer = [n for n in wish.order if _grows_within(meter, n, forms[n], room)]
    if longer:  # no other can grow, whatever it costs to join
        forms = fill(wholes, longer, forms, budget, meter)
        room = budget - meter.whole(forms)
    shorter = [
        n
        for n in wish.order
        if forms[n] is Allocation.OMIT and slots[n].shortens and slots[n].least <= room
    ]
    return fill(slots, shorter, forms, budget, meter) if shorter else forms


def _grows_within(meter: TokenMeter, slot: int, form: Allocation, room: int) -> bool:
    """Return whether a slot that is not shown whole adds no more than so many tokens so."""
    if form is Allocation.FULL:
        return False
    now = 0 if form is Allocation.OMIT else meter.piece(slot, form)
    return meter.piece(slot, Allocation.FULL) - now <= room


def grants_of(plan: Plan) -> tuple[Grant, ...]:
    """Return the grant of each hit of the body under a plan, with counted tokens."""
    body = plan.meter.draft.selection.body
    talks = Counter(
        item.talk
        for item, form in zip(body, plan.forms, strict=False)  # updates come last
        if form is not Allocation.OMIT
    )
    return tuple(_grant(plan, n, shares=talks[item.talk] > 1) for n, item in enumerate(body))


def _grant(plan: Plan, slot: int, *, shares: bool) -> Grant:
    form, meter = plan.forms[slot], plan.meter

    def tokens(form: Allocation) -> int:
        """Count the text of a slot, with the head of its session if no other turn shares it."""
        if shares or plan.meter.draft.selection.body[slot].talk is None:
            return meter.piece(slot, form)
        return meter.tokens(meter.entry(slot, form).text or "")

    whole = tokens(Allocation.FULL)
    if form is Allocation.OMIT:
        reserved = slot in plan.wish.floor
        return Grant(form, Reason.FLOOR_UNAFFORDABLE if reserved else _REASONS[form], whole, 0)
    trimmed = form is Allocation.SUMMARY and slot in plan.wish.trimmed
    reason = Reason.TRIMMED if trimmed else _REASONS[form]
    return Grant(form, reason, whole, tokens(form))


def allocations(
    body: Sequence[Item], policy: FormatPolicy, pools: Pools, *, summaries: bool
) -> list[Allocation]:
    """Return the form of each hit of the body, in its order, by estimates.

    Args:
        body: The hits of the body.
        policy: The budget, and the entries to reserve per type.
        pools: The mode's division of the budget.
        summaries: Whether the format has summaries; if not, such hits are left out.
    """
    out = [Allocation.FULL] * len(body)
    if policy.token_budget is None:
        return out
    spent = sum(item.tokens for item in body if item.pinned)
    for every, budget in pools(body, max(0, policy.token_budget - spent)):
        indexes = [index for index in every if not body[index].pinned]
        items = [_item(body[index]) for index in indexes]
        diversity = policy.grain_type_diversity
        made = (
            allocate_with_diversity(items, budget, diversity)
            if diversity is not None
            else allocate(items, budget)
        )
        for index, allocation in zip(indexes, made, strict=True):
            out[index] = allocation
    if summaries:
        return out
    return [Allocation.OMIT if a is Allocation.SUMMARY else a for a in out]


def floor(body: Sequence[Item], policy: FormatPolicy, pools: Pools) -> frozenset[int]:
    """Return the slots of the body that `GrainTypeDiversity` reserves room for."""
    budget, diversity = policy.token_budget, policy.grain_type_diversity
    if budget is None or diversity is None:
        return frozenset()
    return frozenset(
        indexes[at]
        for indexes, share in pools(body, budget)
        for at in reserve([_item(body[index]) for index in indexes], share, diversity)
    )


def _item(item: Item) -> BudgetItem:
    return BudgetItem(
        item.grain.grain_type,
        item.priority,
        item.tokens,
        prefer_full=item.at_least is Allocation.FULL,
    )
