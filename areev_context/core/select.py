"""From the hits that may be shown to a selection, the same for every mode and every format.

Each hit that leaves on the way gets its reason, so that the outcomes add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from areev_context.core.budget import (
    Allocation,
    BudgetItem,
    allocate,
    allocate_with_diversity,
    reserve,
)
from areev_context.core.chains import Ends, chain_ends, is_current, next_hits, stale_mark
from areev_context.core.grains import SearchHit
from areev_context.core.policy import FormatPolicy, MetadataLevel
from areev_context.core.screen import Kept, Reason, Screened
from areev_context.core.verdict import NO_VERDICT, Verdict

__all__ = ["Candidate", "Measure", "Pair", "Pools", "Selection", "allocations", "floor", "select"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A knowledge update: the oldest and the newest hit of a chain."""

    old: Kept
    new: Kept


class Candidate(NamedTuple):
    """A hit of the main body with what it is worth and what it costs.

    Attributes:
        kept: The hit.
        priority: 0..1, higher first.
        tokens: Estimated tokens of the whole entry, at least 1.
        mark: ``CURRENT`` or ``OUTDATED``, or None where the entry carries neither.
        prefer_full: Whether a judge says that a summary would lose what the query needs.
    """

    kept: Kept
    priority: float
    tokens: int
    mark: str | None
    prefer_full: bool = False


@dataclass(frozen=True, slots=True)
class Selection:
    """What may be shown, in input order, and why the rest may not.

    Attributes:
        body: The main body.
        pairs: Knowledge updates, by the place of their old value.
        fates: Reasons of the hits that are in neither, by index.
    """

    body: tuple[Candidate, ...]
    pairs: tuple[Pair, ...]
    fates: dict[int, Reason]


Measure = Callable[[Kept], tuple[float, int]]
"""Priority, and estimated tokens when shown whole, of a hit, by its type's renderer."""


def select(
    screened: Screened,
    policy: FormatPolicy,
    measure: Measure,
    *,
    updates: bool,
    shown: bool,
    beside: bool,
    verdict: Verdict = NO_VERDICT,
) -> Selection:
    """Pair up knowledge updates, apply the limits per type, drop what a newer hit replaces.

    What a judge omits goes last, so that no limit and no replacement depends on it.

    Args:
        screened: What the first step left.
        policy: The limits and the metadata level.
        measure: Priority and tokens of a hit.
        updates: Whether the mode that settles what is shown has knowledge updates.
        shown: Whether the mode that arranges it has; where it has not, both halves of an update
            stand in the body, where it alone has, they leave it.
        beside: Whether a replaced hit may stand in the body beside its successor.
        verdict: What a judge said.
    """
    fates = dict(screened.fates)
    ends = chain_ends(screened.kept)
    pairs, body = _pair_up(screened.kept, ends, fates) if updates else ((), list(screened.kept))
    body = _at_most(body, policy, fates)
    if not beside:
        body = _without_replaced(body, ends, fates)
    if shown and not updates:
        pairs, body = _paired(screened.kept, ends, body, fates)
    elif updates and not shown:
        pairs, body = (), _parted(pairs, body, fates)
    if verdict.omit:
        pairs, body = _judged(pairs, body, fates, verdict.omit)
    bare = policy.metadata is MetadataLevel.NONE
    candidates = [
        _candidate(kept, measure, stale_mark(kept, ends) if bare else _mark(kept.hit), verdict)
        for kept in body
    ]
    return Selection(tuple(candidates), pairs, fates)


def _candidate(kept: Kept, measure: Measure, mark: str | None, verdict: Verdict) -> Candidate:
    priority, tokens = measure(kept)
    return Candidate(kept, priority, tokens, mark, kept.place in verdict.whole)


def _mark(hit: SearchHit) -> str | None:
    status = hit.supersession_status or hit.conflict_status
    if status is None:
        return None
    return "CURRENT" if status == "current" else "OUTDATED"


def _pair_up(
    kept: Sequence[Kept], ends: Ends, fates: dict[int, Reason]
) -> tuple[tuple[Pair, ...], list[Kept]]:
    """Return an update for each oldest hit of a chain to a current one, and the hits of none."""
    if not ends:
        return (), list(kept)
    pointed_to = {each.place for each in next_hits(kept).values() if each is not None}
    pairs = []
    for old in kept:
        end = ends.get(old.place)
        if end is None or not is_current(end):
            continue
        if old.place in pointed_to:
            fates[old.place] = Reason.SUPERSEDED
        else:
            pairs.append(Pair(old, end))
            fates[old.place] = fates[end.place] = Reason.UPDATE
    return tuple(pairs), [each for each in kept if each.place not in fates]


def _at_most(body: list[Kept], policy: FormatPolicy, fates: dict[int, Reason]) -> list[Kept]:
    limits = {
        name: rule.max_count
        for name, rule in policy.grain_overrides.items()
        if rule.max_count is not None
    }
    if not limits:
        return body
    seen: Counter[str] = Counter()
    out = []
    for each in body:
        seen[each.grain.grain_type] += 1
        if seen[each.grain.grain_type] > limits.get(each.grain.grain_type, len(body)):
            fates[each.place] = Reason.OVER_MAX_COUNT
        else:
            out.append(each)
    return out


def _without_replaced(body: list[Kept], ends: Ends, fates: dict[int, Reason]) -> list[Kept]:
    """Return the hits but those whose chain ends in a current one that is among them."""
    if not ends:
        return body
    current = {each.place for each in body if is_current(each)}
    out = []
    for each in body:
        end = ends.get(each.place)
        if end is not None and end.place in current:
            fates[each.place] = Reason.SUPERSEDED
        else:
            out.append(each)
    return out


def _paired(
    kept: Sequence[Kept], ends: Ends, body: list[Kept], fates: dict[int, Reason]
) -> tuple[tuple[Pair, ...], list[Kept]]:
    """Return the updates among hits, and a body that was settled without them less their halves."""
    pairs, _ = _pair_up(kept, ends, {})
    halves = _halves(pairs)
    fates.update(dict.fromkeys(halves, Reason.UPDATE))
    return pairs, [each for each in body if each.place not in halves]


def _parted(pairs: Sequence[Pair], body: list[Kept], fates: dict[int, Reason]) -> list[Kept]:
    """Return the body with both halves of every update in it, each in its place."""
    halves = _halves(pairs)
    for place in halves:
        del fates[place]
    return sorted([*body, *halves.values()], key=attrgetter("place"))


def _judged(
    pairs: tuple[Pair, ...], body: list[Kept], fates: dict[int, Reason], omit: frozenset[int]
) -> tuple[tuple[Pair, ...], list[Kept]]:
    """Return what a judge leaves; an update goes when neither of its halves is to be shown."""
    left = tuple(pair for pair in pairs if not {pair.old.place, pair.new.place} <= omit)
    gone = _halves(pairs).keys() - _halves(left).keys()
    gone.update(each.place for each in body if each.place in omit)
    fates.update(dict.fromkeys(gone, Reason.OMITTED_JUDGE))
    return left, [each for each in body if each.place not in gone]


def _halves(pairs: Iterable[Pair]) -> dict[int, Kept]:
    return {kept.place: kept for pair in pairs for kept in (pair.old, pair.new)}


Pools = Callable[[Sequence[Candidate], int], list[tuple[list[int], int]]]
"""How a mode divides the budget: places in the body, and their share in estimated tokens."""


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
