"""From the hits that may be shown to a selection, the same for every mode and every format.

Each hit that leaves on the way gets its reason, so that the outcomes add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from areev_context.hits.hit import SearchHit, SupersessionStatus
from areev_context.policy import FormatPolicy, MetadataLevel
from areev_context.selection.advice import NO_VERDICT, Verdict
from areev_context.selection.screening import Kept, Reason, Screened

__all__ = ["Candidate", "Measure", "Pair", "Selection", "select"]

_CHAIN = 10  # superseded hits a chain may have, the oldest included


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
        mark: ``CURRENT`` or ``OUTDATED``, or None where the recall knows neither.
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
    marked: bool = False,
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
        marked: Whether a replaced hit may stand beside its successor, as long as marks are shown.
        verdict: What a judge said.
    """
    fates = dict(screened.fates)
    pairs, body = _pair_up(screened.kept, fates) if updates else ((), list(screened.kept))
    body = _at_most(body, policy, fates)
    keeps = {MetadataLevel.FULL, MetadataLevel.MINIMAL} if marked else {MetadataLevel.FULL}
    if policy.metadata not in keeps:
        body = _without_replaced(body, fates)
    if shown and not updates:
        pairs, body = _paired(screened.kept, body, fates)
    elif updates and not shown:
        pairs, body = (), _parted(pairs, body, fates)
    if verdict.omit:
        pairs, body = _judged(pairs, body, fates, verdict.omit)
    whole = verdict.whole
    return Selection(tuple(_candidate(kept, measure, whole) for kept in body), pairs, fates)


def _candidate(kept: Kept, measure: Measure, whole: frozenset[int]) -> Candidate:
    priority, tokens = measure(kept)
    return Candidate(kept, priority, tokens, _mark(kept.hit), kept.place in whole)


def _mark(hit: SearchHit) -> str | None:
    status = hit.supersession_status or hit.conflict_status
    if status is None:
        return None
    return "CURRENT" if status == "current" else "OUTDATED"


def _is_superseded(kept: Kept) -> bool:
    return kept.hit.supersession_status is SupersessionStatus.SUPERSEDED


def _is_current(kept: Kept) -> bool:
    return kept.hit.supersession_status is SupersessionStatus.CURRENT


def _chain(old: Kept, by_hash: dict[str, Kept]) -> list[Kept]:
    """Return the hits from an old value to the current one that replaces it, or nothing."""
    chain = [old]
    for _ in range(_CHAIN):
        newer = by_hash.get(chain[-1].hit.superseded_by_hash or "")
        if newer is None:
            return []
        chain.append(newer)
        if not _is_superseded(newer):
            return chain if _is_current(newer) else []
    return []


def _pair_up(kept: Sequence[Kept], fates: dict[int, Reason]) -> tuple[tuple[Pair, ...], list[Kept]]:
    superseded = [each for each in kept if _is_superseded(each)]
    if not superseded:
        return (), list(kept)
    by_hash = _by_hash(kept)
    pointed_to = {each.hit.superseded_by_hash for each in superseded}
    chains = [
        chain
        for old in superseded
        if old.hit.hash not in pointed_to and (chain := _chain(old, by_hash))
    ]
    for chain in chains:
        fates.update((each.place, Reason.SUPERSEDED) for each in chain[1:-1])
    for chain in chains:
        fates[chain[0].place] = fates[chain[-1].place] = Reason.UPDATE
    pairs = tuple(Pair(chain[0], chain[-1]) for chain in chains)
    return pairs, [each for each in kept if each.place not in fates]


def _by_hash(kept: Iterable[Kept]) -> dict[str, Kept]:
    by_hash: dict[str, Kept] = {}
    for each in kept:
        by_hash.setdefault(each.hit.hash, each)
    return by_hash


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


def _without_replaced(body: list[Kept], fates: dict[int, Reason]) -> list[Kept]:
    current = {each.hit.hash for each in body if _is_current(each)}
    if not current:
        return body
    out = []
    for each in body:
        if _is_superseded(each) and each.hit.superseded_by_hash in current:
            fates[each.place] = Reason.SUPERSEDED
        else:
            out.append(each)
    return out


def _paired(
    kept: Sequence[Kept], body: list[Kept], fates: dict[int, Reason]
) -> tuple[tuple[Pair, ...], list[Kept]]:
    """Return the updates among hits, and a body that was settled without them less their halves."""
    pairs, _ = _pair_up(kept, {})
    ends = _ends(pairs)
    fates.update(dict.fromkeys(ends, Reason.UPDATE))
    return pairs, [each for each in body if each.place not in ends]


def _parted(pairs: Sequence[Pair], body: list[Kept], fates: dict[int, Reason]) -> list[Kept]:
    """Return the body with both halves of every update in it, each in its place."""
    ends = _ends(pairs)
    for place in ends:
        del fates[place]
    return sorted([*body, *ends.values()], key=attrgetter("place"))


def _judged(
    pairs: tuple[Pair, ...], body: list[Kept], fates: dict[int, Reason], omit: frozenset[int]
) -> tuple[tuple[Pair, ...], list[Kept]]:
    """Return what a judge leaves; an update goes when neither of its halves is to be shown."""
    left = tuple(pair for pair in pairs if not {pair.old.place, pair.new.place} <= omit)
    gone = _ends(pairs).keys() - _ends(left).keys()
    gone.update(each.place for each in body if each.place in omit)
    fates.update(dict.fromkeys(gone, Reason.OMITTED_JUDGE))
    return left, [each for each in body if each.place not in gone]


def _ends(pairs: Iterable[Pair]) -> dict[int, Kept]:
    return {kept.place: kept for pair in pairs for kept in (pair.old, pair.new)}
