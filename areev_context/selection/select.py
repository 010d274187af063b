"""Make the selection from the screened hits: updates, limits, replaced hits, omitted hits.

Each hit that is not selected gets a reason, so that every hit has an outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from areev_context.hits.hit import SearchHit
from areev_context.policy import FormatPolicy, MetadataLevel
from areev_context.selection.advice import NO_ADVICE, Advice
from areev_context.selection.chains import Ends, chain_ends, is_current, next_hits, stale_mark
from areev_context.selection.item import Allocation, Item
from areev_context.selection.screening import Reason, Screened

__all__ = ["Measure", "Pair", "Selection", "select"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A knowledge update: the oldest and the newest hit of a chain."""

    old: Item
    new: Item


@dataclass(frozen=True, slots=True)
class Selection:
    """The hits that may be shown, in input order, and the reasons of the others.

    Attributes:
        body: The hits of the body, which become entries.
        pairs: The knowledge updates, in the order of their old values.
        reasons: Index -> reason, for the hits in neither.
    """

    body: tuple[Item, ...]
    pairs: tuple[Pair, ...]
    reasons: dict[int, Reason]


Measure = Callable[[Item], tuple[float, int]]
"""A function from a hit to its priority and its estimated tokens when shown whole."""


def select(
    screened: Screened,
    policy: FormatPolicy,
    measure: Measure,
    *,
    updates: bool,
    shown: bool,
    beside: bool,
    marks: bool,
    advice: Advice = NO_ADVICE,
) -> Selection:
    """Pair knowledge updates, apply the limits per type, and remove replaced hits.

    Hits that a decider omits are removed last, so that no limit and no replacement depends on them.

    Args:
        screened: The result of screening.
        policy: The limits and the metadata level.
        measure: Returns the priority and the tokens of a hit.
        updates: Whether the mode that decides what is shown has knowledge updates.
        shown: Whether the mode that arranges the page has knowledge updates. If only `updates` is
            true, both hits of an update stand in the body; if only `shown` is true, neither does.
        beside: Whether a replaced hit may stand in the body beside its successor.
        marks: Whether the format has status marks; without them no replaced hit may stand beside
            the last hit of its chain.
        advice: The advice of the decider.
    """
    reasons = dict(screened.reasons)
    ends = chain_ends(screened.items)
    pairs, body = _pair_up(screened.items, ends, reasons) if updates else ((), list(screened.items))
    body = _at_most(body, policy, reasons)
    if not beside:
        body = _without_replaced(body, next_hits(screened.items) if marks else ends, reasons)
    if shown and not updates:
        pairs, body = _paired(screened.items, ends, body, reasons)
    elif updates and not shown:
        pairs, body = (), _parted(pairs, body, reasons)
    if advice.omit:
        stay = {each.index for each in body if _is_pinned(each, policy)}
        pairs, body = _without_omitted(pairs, body, reasons, advice.omit - stay)
    bare = policy.metadata is MetadataLevel.NONE
    items = [
        _weighed(item, measure, stale_mark(item, ends) if bare else _mark(item.hit), advice)
        for item in body
    ]
    if policy.pinned or any(item.hit.pinned for item in items):
        items = [item._replace(pinned=_is_pinned(item, policy)) for item in items]
    return Selection(tuple(items), pairs, reasons)


def _weighed(item: Item, measure: Measure, mark: str | None, advice: Advice) -> Item:
    priority, tokens = measure(item)
    at_least = Allocation.OMIT
    if advice.whole and item.index in advice.whole:
        at_least = Allocation.FULL
    return Item(
        item.index, item.hit, item.grain, item.score, priority, tokens, mark, at_least, item.unread
    )


def _is_pinned(item: Item, policy: FormatPolicy) -> bool:
    return item.hit.pinned or item.grain.grain_type in policy.pinned


def _mark(hit: SearchHit) -> str | None:
    status = hit.supersession_status or hit.conflict_status
    if status is None:
        return None
    return "CURRENT" if status == "current" else "OUTDATED"


def _pair_up(
    items: Sequence[Item], ends: Ends, reasons: dict[int, Reason]
) -> tuple[tuple[Pair, ...], list[Item]]:
    """Return an update for each oldest hit of a chain to a current one, and the hits of none."""
    if not ends:
        return (), list(items)
    pointed_to = {each.index for each in next_hits(items).values() if each is not None}
    pairs = []
    for old in items:
        end = ends.get(old.index)
        if end is None or not is_current(end):
            continue
        if old.index in pointed_to:
            reasons[old.index] = Reason.SUPERSEDED
        else:
            pairs.append(Pair(old, end))
            reasons[old.index] = reasons[end.index] = Reason.UPDATE
    return tuple(pairs), [each for each in items if each.index not in reasons]


def _at_most(body: list[Item], policy: FormatPolicy, reasons: dict[int, Reason]) -> list[Item]:
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
            reasons[each.index] = Reason.OVER_MAX_COUNT
        else:
            out.append(each)
    return out


def _without_replaced(body: list[Item], newer: Ends, reasons: dict[int, Reason]) -> list[Item]:
    """Return the hits but those whose newer one is current and among them."""
    if not newer:
        return body
    current = {each.index for each in body if is_current(each)}
    out = []
    for each in body:
        found = newer.get(each.index)
        if found is not None and found.index in current:
            reasons[each.index] = Reason.SUPERSEDED
        else:
            out.append(each)
    return out


def _paired(
    items: Sequence[Item], ends: Ends, body: list[Item], reasons: dict[int, Reason]
) -> tuple[tuple[Pair, ...], list[Item]]:
    """Return the updates, and a body that was selected without them, less their halves."""
    pairs, _ = _pair_up(items, ends, {})
    halves = _halves(pairs)
    reasons.update(dict.fromkeys(halves, Reason.UPDATE))
    return pairs, [each for each in body if each.index not in halves]


def _parted(pairs: Sequence[Pair], body: list[Item], reasons: dict[int, Reason]) -> list[Item]:
    """Return the body with both halves of every update in it, each in its place."""
    halves = _halves(pairs)
    for index in halves:
        del reasons[index]
    return sorted([*body, *halves.values()], key=attrgetter("index"))


def _without_omitted(
    pairs: tuple[Pair, ...], body: list[Item], reasons: dict[int, Reason], omit: frozenset[int]
) -> tuple[tuple[Pair, ...], list[Item]]:
    """Return what a decider leaves; an update goes when neither of its halves is to be shown."""
    left = tuple(pair for pair in pairs if not {pair.old.index, pair.new.index} <= omit)
    gone = _halves(pairs).keys() - _halves(left).keys()
    gone.update(each.index for each in body if each.index in omit)
    reasons.update(dict.fromkeys(gone, Reason.OMITTED_DECIDER))
    return left, [each for each in body if each.index not in gone]


def _halves(pairs: Iterable[Pair]) -> dict[int, Item]:
    return {item.index: item for pair in pairs for item in (pair.old, pair.new)}
