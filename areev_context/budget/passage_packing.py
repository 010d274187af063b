"""The rule for passages and chat turns: within a counted budget, show what answers the query.

Each document, each event and each long text of another grain type is shown whole, in part, or not
at all, by the values of its parts; other grains are shown whole or not at all. The whole text of
the plan is counted, and the plan is changed until it keeps the budget; `fit` uses the room left.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from areev_context.budget.draft import Draft
from areev_context.budget.extract import Extract, Extracts
from areev_context.budget.parted import TEXT_TYPES, Parted, divided_field, members_of, parted
from areev_context.budget.relevance import part_values
from areev_context.budget.slices import runs, shown_text
from areev_context.layout.outline import Entry
from areev_context.policy import Ordering
from areev_context.selection.item import Allocation, Item
from areev_context.selection.source_order import source_name

__all__ = ["Packed", "PassagePacking"]

_NOTHING = -1e9  # the value of a part that no hit has: of a mark between two
_ROUNDS = 4  # plans that are counted
_TYPE = 2.0  # how much the priority of a grain that is no text weighs against the words it shares
_TEXT_PRIORITY = 0.70  # the priority at which it weighs nothing
_RATED = 6.0  # how much a decider's relevance, 0..1, weighs: all of it more than ten shared words
_RERANKED = 12.0  # how much a reranker's does
_PLACE = 0.8  # how much a place in a reranker's order weighs: ten outweigh all shared words
_SCORED = 2.5  # how much a retriever's score weighs where it is known, 0..1
_SURE = 0.7  # of an estimate of tokens: less it is hardly ever
_NEAR = 0.98  # of the budget: near enough to stop


class Packed(NamedTuple):
    """A plan that keeps the budget.

    Attributes:
        forms: The form of each hit of the body, in its order.
        parts: The entry of each that is shown in part, by its slot.
        trimmed: The slots of hits in part that leave out only text which another entry shows.
        tokens: The count of the whole text.
    """

    forms: tuple[Allocation, ...]
    parts: Mapping[int, Entry]
    trimmed: frozenset[int]
    tokens: int


class PassagePacking:
    """Packs the hits of a draft's body by the values of their parts; the parts are read once.

    Args:
        draft: The draft.
        wholes: For each hit of the body shown whole, its counted tokens and its text.
        whole: The slots of the hits that are always shown whole.
        budget: The ceiling.

    Attributes:
        order: The slots of the body, the most valuable first.
        least: For each slot, about the fewest tokens that any form of it can have.
    """

    def __init__(
        self,
        draft: Draft,
        wholes: Sequence[tuple[int, str]],
        whole: frozenset[int],
        budget: int,
    ) -> None:
        self._draft = draft
        self._budget = budget
        self._all = sum(tokens for tokens, _ in wholes)
        passages = self._passages = parted(draft, wholes, budget)
        hits = _hits(draft, passages)
        values = _values(draft, passages, hits)
        first = (hits[0].slot, hits[0].parts) if hits else None
        self._extracts = Extracts(passages, values, whole, first, _shares(draft, budget))
        best = [-max(of) for of in values]
        self.order = tuple(sorted(range(len(passages)), key=best.__getitem__))
        self.least = tuple([int(p.head + _SURE * min(p.tokens)) for p in passages])

    def summary(self, slot: int) -> Entry:
        """Return the shortest entry of a hit of the body: its best part, with what it needs."""
        return self._in_part(slot, self._extracts.best(slot))

    def plan(
        self, count: Callable[[Sequence[Allocation], Mapping[int, Entry]], int]
    ) -> Packed | None:
        """Return a plan that keeps the budget, or None if none was found.

        Args:
            count: Counts the whole text of a plan, given its forms and its entries in part.
        """
        if self._all <= self._budget:
            forms = (Allocation.FULL,) * len(self._passages)
            tokens = count(forms, {})
            if 0 < tokens <= self._budget:
                return Packed(forms, {}, frozenset(), tokens)
        best, last, room = None, None, float(self._budget)
        for _ in range(_ROUNDS):
            chosen, used = self._extracts.chosen(room, join=1.0)
            if chosen == last:
                break
            last = chosen
            forms, parts, trimmed = self._forms(chosen)
            tokens = count(forms, parts)
            if tokens <= self._budget and (best is None or tokens > best.tokens):
                best = Packed(forms, parts, trimmed, tokens)
            if _NEAR * self._budget <= tokens <= self._budget:
                break
            over = tokens - self._budget
            room = used - over - 1 if over > 0 else room - over
        return best if best is not None and best.tokens else None

    def _forms(
        self, chosen: Mapping[int, Extract]
    ) -> tuple[tuple[Allocation, ...], dict[int, Entry], frozenset[int]]:
        forms = [Allocation.OMIT] * len(self._passages)
        parts: dict[int, Entry] = {}
        trimmed = set()
        for slot, extract in chosen.items():
            if len(extract.shown) == len(self._passages[slot].parts):
                forms[slot] = Allocation.FULL
                continue
            forms[slot] = Allocation.SUMMARY
            parts[slot] = self._in_part(slot, extract.shown)
            if extract.elsewhere:
                trimmed.add(slot)
        return tuple(forms), parts, frozenset(trimmed)

    def _in_part(self, slot: int, shown: Sequence[int]) -> Entry:
        of, item = self._passages[slot], self._draft.selection.body[slot]
        field = of.field or divided_field(item) or "content"
        entry = _in_part(self._draft, item, field, shown_text(of.text, of.parts, shown))
        found = tuple([(of.parts[a].start, of.parts[b].end) for a, b in runs(shown)])
        return entry._replace(stretches=found)


def _in_part(draft: Draft, item: Item, field: str, content: str) -> Entry:
    """Return the entry of a hit with a part of its content; title and metadata stay."""
    grain = item.grain
    shorter = grain._replace(fields={**grain.fields, field: content})
    text = draft.format.render(shorter, draft.policy.metadata)
    if item.talk is None:
        return Entry(item, Allocation.SUMMARY, text)
    turn = draft.format.turn(shorter, draft.policy.metadata)
    return Entry(item, Allocation.SUMMARY, text, turn=turn)


def _shares(draft: Draft, budget: int) -> Sequence[tuple[Hashable, float] | None]:
    """Return for each hit of the body what its share goes by, and the tokens of that share."""
    policy = draft.policy
    if not policy.shares:
        return ()
    names: list[str] = [item.grain.grain_type for item in draft.selection.body]
    if policy.share_by == "source":
        names = [source_name(item) for item in draft.selection.body]
    every = policy.shares.get("*") if policy.share_by == "source" else None
    found = [policy.shares.get(name, every if name else None) for name in names]
    return [
        None if share is None else (name, share * budget)
        for name, share in zip(names, found, strict=True)
    ]


class _Hit(NamedTuple):
    """One hit of the body, as its parts are valued."""

    item: Item
    slot: int
    passage: Parted
    parts: range


def _hits(draft: Draft, passages: Sequence[Parted]) -> list[_Hit]:
    """Return the hits of the body one by one, as they came, or as a decider or reranker has it.

    Of a conversation that came oldest first, and is shown so, the newest turns come first.
    """
    hits = []
    for slot, (item, passage) in enumerate(zip(draft.selection.body, passages, strict=True)):
        if item.joined is None:
            hits.append(_Hit(item, slot, passage, range(len(passage.parts))))
            continue
        for member, (own, parts) in zip(
            item.joined.members, members_of(passage, item.joined), strict=True
        ):
            hits.append(_Hit(member.item, slot, own, parts))
    hits.sort(key=lambda hit: hit.item.index)
    items = [hit.item for hit in hits]
    scores = draft.advice.scores or _relevances(items)
    if not scores and draft.policy.ordering is Ordering.CHRONOLOGICAL and _is_history(items):
        return hits[::-1]
    return sorted(hits, key=lambda hit: -scores.get(hit.item.index, 0.0))


def _is_history(body: Sequence[Item]) -> bool:
    """Return whether hits are turns without scores that came oldest first."""
    moments = [item.grain.created_at for item in body]
    return (
        len(set(moments)) > 1
        and moments == sorted(moments)
        and all(item.grain.grain_type == "event" and item.hit.score is None for item in body)
    )


def _values(draft: Draft, passages: Sequence[Parted], hits: Sequence[_Hit]) -> list[list[float]]:
    """Return the values of each passage's parts; one that several hits have counts as the best."""
    query = draft.renderers.policy.query_text or ""
    found = part_values(query, [hit.passage for hit in hits])
    bonuses = _bonuses(draft, [hit.item for hit in hits])
    values: list[list[float]] = [[_NOTHING] * len(passage.parts) for passage in passages]
    for hit, own, rated in zip(hits, found, bonuses, strict=True):
        is_text = hit.item.grain.grain_type in TEXT_TYPES
        bonus = rated + (0.0 if is_text else _TYPE * (hit.item.priority - _TEXT_PRIORITY))
        of = values[hit.slot]
        for part, value in zip(hit.parts, own, strict=True):
            of[part] = max(of[part], value + bonus)
    return values


def _bonuses(draft: Draft, body: Sequence[Item]) -> list[float]:
    """Return what a score adds to a hit: a decider's, else a reranker's, else a retriever's."""
    scores = draft.advice.scores
    if scores:
        return [_RATED * scores.get(item.index, 0.0) for item in body]
    relevances = _relevances(body)
    if relevances:
        places = _places(relevances)
        return [
            _RERANKED * relevances.get(item.index, 0.0)
            - _PLACE * places.get(item.index, len(places))
            for item in body
        ]
    return [_SCORED * (item.hit.score or 0.0) for item in body]


def _relevances(body: Sequence[Item]) -> dict[int, float]:
    """Return what a reranker wrote, by the index of the hit."""
    return {item.index: item.hit.relevance for item in body if item.hit.relevance is not None}


def _places(scores: Mapping[int, float]) -> dict[int, int]:
    """Return the place of each score among them, from 0; equal scores share one."""
    place_of = {score: n for n, score in enumerate(sorted(set(scores.values()), reverse=True))}
    return {index: place_of[score] for index, score in scores.items()}
