"""From the hits that may be shown to a selection, the same for every mode and every format.

Each hit that leaves on the way gets its reason, so that the outcomes add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from areev_context.hits.hit import SearchHit, SupersessionStatus
from areev_context.policy import FormatPolicy, MetadataLevel
from areev_context.selection.advice import NO_ADVICE, Advice
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
    """What may be shown, in input order, and why the rest may not.

    Attributes:
        body: The main body.
        pairs: Knowledge updates, by the place of their old value.
        reasons: Reasons of the hits that are in neither, by index.
    """

    body: tuple[Item, ...]
    pairs: tuple[Pair, ...]
    reasons: dict[int, Reason]


Measure = Callable[[Item], tuple[float, int]]
"""Priority, and estimated tokens when shown whole, of a hit, by its type's renderer."""


def select(
    screened: Screened,
    policy: FormatPolicy,
    measure: Measure,
    *,
    updates: bool,
    shown: bool,
    beside: bool,
    advice: Advice = NO_ADVICE,
) -> Selection:
    """Pair up knowledge updates, apply the limits per type, drop what a newer hit replaces.

    What a decider omits goes last, so that no limit and no replacement depends on it.

    Args:
        screened: What the first step left.
        policy: The limits and the metadata level.
        measure: Priority and tokens of a hit.
        updates: Whether the mode that decides what is shown has knowledge updates.
        shown: Whether the mode that arranges it has; where it has not, both halves of an update
            stand in the body, where it alone has, they leave it.
        beside: Whether a replaced hit may stand in the body beside its successor.
        advice: What a decider advises.
    """
    reasons = dict(screened.reasons)
    ends = _chain_ends(screened.items)
    pairs, body = _pair_up(screened.items, ends, reasons) if updates else ((), list(screened.items))
    body = _at_most(body, policy, reasons)
    if not beside:
        body = _without_replaced(body, ends, reasons)
    if shown and not updates:
        pairs, body = _paired(screened.items, ends, body, reasons)
    elif updates and not shown:
        pairs, body = (), _parted(pairs, body, reasons)
    if advice.omit:
        pairs, body = _without_omitted(pairs, body, reasons, advice.omit)
    bare = policy.metadata is MetadataLevel.NONE
    items = [
        _weighed(item, measure, _stale_mark(item, ends) if bare else _mark(item.hit), advice)
        for item in body
    ]
    return Selection(tuple(items), pairs, reasons)


def _weighed(item: Item, measure: Measure, mark: str | None, advice: Advice) -> Item:
    priority, tokens = measure(item)
    at_least = Allocation.OMIT
    if advice.whole and item.index in advice.whole:
        at_least = Allocation.FULL
    return Item(item.index, item.hit, item.grain, item.score, priority, tokens, mark, at_least)


def _mark(hit: SearchHit) -> str | None:
    status = hit.supersession_status or hit.conflict_status
    if status is None:
        return None
    return "CURRENT" if status == "current" else "OUTDATED"


def _stale_mark(item: Item, ends: _Ends) -> str | None:
    """Return the only mark that an entry without metadata carries: a stale value has it always.

    Where the chain ends in a hit that the recall does not call current, the recall does not say
    which of the two counts, and neither has a mark.
    """
    if item.index not in ends:
        return None
    end = ends[item.index]
    return "OUTDATED" if end is None or _is_current(end) else None


def _is_superseded(item: Item) -> bool:
    return item.hit.supersession_status is SupersessionStatus.SUPERSEDED


def _is_current(item: Item) -> bool:
    return item.hit.supersession_status is SupersessionStatus.CURRENT


_Ends = dict[int, Item | None]
"""The place of a superseded hit -> the hit that its chain ends in, which is not superseded; None
where the chain leads out of the set or into a cycle."""


def _chain_ends(items: Sequence[Item]) -> _Ends:
    newer = _newer(items)
    ends: _Ends = {}
    for start in newer:
        path: list[int] = []
        at: int | None = start
        end: Item | None = None
        while at is not None and at in newer and at not in ends:
            ends[at] = None  # what a cycle comes back to
            path.append(at)
            end = newer[at]
            at = None if end is None else end.index
        if at is not None and at in ends:
            end = ends[at]
        ends.update(dict.fromkeys(path, end))
    return ends


def _newer(items: Sequence[Item]) -> _Ends:
    """Return the next hit of each superseded one; None where it is not in the set."""
    superseded = [each for each in items if _is_superseded(each)]
    if not superseded:
        return {}
    by_hash: dict[str, Item] = {}
    for each in items:
        by_hash.setdefault(each.hit.hash, each)
    return {each.index: by_hash.get(each.hit.superseded_by_hash or "") for each in superseded}


def _pair_up(
    items: Sequence[Item], ends: _Ends, reasons: dict[int, Reason]
) -> tuple[tuple[Pair, ...], list[Item]]:
    """Return an update for each oldest hit of a chain to a current one, and the hits of none."""
    if not ends:
        return (), list(items)
    pointed_to = {each.index for each in _newer(items).values() if each is not None}
    pairs = []
    for old in items:
        end = ends.get(old.index)
        if end is None or not _is_current(end):
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


def _without_replaced(body: list[Item], ends: _Ends, reasons: dict[int, Reason]) -> list[Item]:
    """Return the hits but those whose chain ends in a current one that is among them."""
    if not ends:
        return body
    current = {each.index for each in body if _is_current(each)}
    out = []
    for each in body:
        end = ends.get(each.index)
        if end is not None and end.index in current:
            reasons[each.index] = Reason.SUPERSEDED
        else:
            out.append(each)
    return out


def _paired(
    items: Sequence[Item], ends: _Ends, body: list[Item], reasons: dict[int, Reason]
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
