"""A draft: what is decided before the budget is spent, and the pages that can be made of it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from areev_context.formats.base import Format
from areev_context.formats.registry import FORMATS
from areev_context.formats.renderers import Renderers, with_query
from areev_context.formats.separate import SeparateEntries
from areev_context.hits.fields import content_of, subject_of
from areev_context.layout.all_modes import MODES, choose
from areev_context.layout.mode import Mode, Situation
from areev_context.layout.ordering import flat_or_grouped
from areev_context.layout.outline import (
    EntityLine,
    Entry,
    Node,
    Outline,
    Section,
    Update,
    entries_of,
    numbered,
)
from areev_context.policy import (
    Allocator,
    FormatPolicy,
    MetadataLevel,
    Ordering,
    RenderingHints,
)
from areev_context.protocols import GrainRenderer
from areev_context.selection.advice import NO_ADVICE, Advice, Intent
from areev_context.selection.item import Allocation, Item
from areev_context.selection.joining import joined
from areev_context.selection.screening import Screened
from areev_context.selection.select import Pair, Selection, select
from areev_context.selection.source_order import place_in_time
from areev_context.selection.talk import with_talks

__all__ = ["RECENCY_PHRASES", "Draft", "drafted"]

RECENCY_PHRASES: tuple[str, ...] = (
    "currently", "right now", "most recently", "at this point", "latest", "what is", "what's",
)  # fmt: skip
"""Phrases, in lower case, of queries that ask for the current value only."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What is decided before the budget is spent.

    Attributes:
        policy: The policy.
        hints: What the caller knows about the query.
        format: The format.
        mode: The mode that applies.
        renderers: The renderers, which write grains and estimate their tokens.
        screened: The result of screening.
        selection: The hits that may be shown.
        updates: The selection's pairs as updates of the page, in the order of the pairs.
        advice: The answers of the decider.
        talks: Whether some turns of one session and day may share an entry.
    """

    policy: FormatPolicy
    hints: RenderingHints
    format: Format
    mode: Mode
    renderers: Renderers
    screened: Screened
    selection: Selection
    updates: tuple[Update, ...]
    advice: Advice
    talks: bool = False

    @property
    def shortens(self) -> bool:
        """Whether an entry may be shown in part."""
        return self.format.shortens and self.policy.shorten

    def entry(self, item: Item, form: Allocation) -> Entry:
        """Return the entry of a hit of the body, full or summary, with its text."""
        whole = form is Allocation.FULL
        text = self.renderers.whole(item) if whole else self.renderers.summary(item)
        if item.talk is None:
            return Entry(item, form, text)
        turn = self.format.turn(item.grain, self.policy.metadata) if whole else text
        return Entry(item, form, text, turn=turn)

    def text_of(self, entry: Entry) -> str:
        """Return the entry's text without its number, mark or ordinal, or what others share."""
        if entry.turn is not None:
            return entry.turn
        return self.format.own_text(entry, self.policy.metadata, ordered=self.mode.ordered)

    def outline(
        self, entries: Sequence[Entry], updates: Sequence[Update], *, entity_line: bool = True
    ) -> Outline:
        """Return the page of these entries and updates, with or without the line of entities."""
        nodes = self._nodes(self._shared(entries), updates)
        if not entity_line:
            nodes = tuple(node for node in nodes if not isinstance(node, EntityLine))
        return self._page(nodes, self._numbers(nodes) if self.policy.numbered else {})

    def _numbers(self, nodes: tuple[Node, ...]) -> Mapping[int, int]:
        numbers = numbered(self.format.reading_order(nodes), self.policy.first_number)
        for entry in entries_of(nodes):
            if isinstance(entry, Entry):
                numbers.update({each.index: numbers[entry.index] for each in entry.turns})
        return numbers

    def _shared(self, entries: Sequence[Entry]) -> Sequence[Entry]:
        """Return entries in which the turns of one session and day share one, the first's place."""
        if not self.talks:
            return entries
        talks: dict[Hashable, list[Entry]] = {}
        for entry in entries:
            if entry.item.talk is not None:
                talks.setdefault(entry.item.talk, []).append(entry)
        shared = {key: self._talk(turns) for key, turns in talks.items() if len(turns) > 1}
        if not shared:
            return entries
        return [
            shared.get(entry.item.talk, entry)
            for entry in entries
            if entry.item.talk not in shared or shared[entry.item.talk].index == entry.index
        ]

    def _talk(self, entries: Sequence[Entry]) -> Entry:
        best = min(entries, key=lambda entry: entry.index)
        by_rank = self.policy.ordering is not Ordering.STABLE
        turns = sorted(entries, key=lambda entry: place_in_time(entry.item, by_rank=by_rank))
        texts = [turn.turn or "" for turn in turns]
        text = self.format.talk(best.item.grain, texts, self.policy.metadata)
        whole = all(turn.form is Allocation.FULL for turn in turns)
        form = Allocation.FULL if whole else Allocation.SUMMARY
        return Entry(best.item, form, text, turns=tuple(turns))

    def alone(self, node: Entry | Update) -> Outline:
        """Return a page of one node under its headings, without numbers, to count its tokens."""
        if isinstance(node, Update):
            return self._page(self._nodes([], [node]), {})
        nodes = self._nodes([node], [], self._nameless)
        return self._page(tuple(n for n in nodes if not isinstance(n, EntityLine)), {})

    @property
    def _nameless(self) -> RenderingHints:
        """The hints without the names of entities, which no entry alone shows."""
        if not self.hints.entities:
            return self.hints
        return self.hints.model_copy(update={"entities": ()})

    def _nodes(
        self,
        entries: Sequence[Entry],
        updates: Sequence[Update],
        hints: RenderingHints | None = None,
    ) -> tuple[Node, ...]:
        nodes: tuple[Node, ...] = ()
        if updates:
            nodes = (Section("knowledge_updates", "Knowledge Updates", tuple(updates)),)
        first, others = _pinned(entries)
        if not self.format.takes_modes:
            return (*nodes, *first, *flat_or_grouped(others, self.policy))
        if first:
            nodes = (Section("pinned", "Pinned", first), *nodes)
        return nodes + self.mode.arrange(others, self.policy, hints or self.hints)

    def _page(self, nodes: tuple[Node, ...], numbers: Mapping[int, int]) -> Outline:
        return Outline(nodes, self.policy.group_by_type, numbers)


def drafted(
    screened: Screened,
    policy: FormatPolicy,
    hints: RenderingHints,
    renderers: Mapping[str, GrainRenderer],
    advice: Advice = NO_ADVICE,
    *,
    separate: bool = False,
) -> Draft:
    """Return the draft of screened hits: choose the mode, select the hits, estimate their tokens.

    With `separate`, each entry is a text of its own: no mode, no group and no update applies.
    """
    format: Format = FORMATS[policy.format].for_policy(policy)
    if policy.allocation is Allocator.REFERENCE:
        format = format.as_engine()
    if separate:
        format, policy = SeparateEntries(format), policy.replace(group_by_type=False)
    mode, deciding = _modes(format, Situation(screened.items, policy, hints), advice)
    writers = Renderers(format, with_query(policy, hints), renderers, advice.scores)
    selection = select(
        screened,
        policy,
        writers.measure,
        updates=deciding.updates and not separate,
        shown=mode.updates and not separate,
        beside=_beside(format, policy, separate=separate),
        marks=format.marks,
        advice=advice,
    )
    if _joins(format, mode, policy, separate=separate):
        body = joined(selection.body, renderers)
        if "event" not in renderers:
            body = with_talks(body, lambda grain: bool(format.talk(grain, (), policy.metadata)))
        selection = replace(selection, body=body)
    current_only = deciding.updates and _wants_current(policy, advice)
    updates = tuple(_update(pair, current_only) for pair in selection.pairs)
    talks = any(item.talk is not None for item in selection.body)
    return Draft(policy, hints, format, mode, writers, screened, selection, updates, advice, talks)


def _beside(format: Format, policy: FormatPolicy, *, separate: bool) -> bool:
    """Return whether a replaced hit may stand beside its successor: each has to carry its mark."""
    if not format.marks:
        return False
    minimal = separate and policy.metadata is MetadataLevel.MINIMAL
    return minimal or policy.metadata is MetadataLevel.FULL


def _pinned(entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], Sequence[Entry]]:
    """Return the pinned entries, and the others."""
    first = tuple([entry for entry in entries if entry.item.pinned])
    return (
        (first, [entry for entry in entries if not entry.item.pinned]) if first else ((), entries)
    )


def _joins(format: Format, mode: Mode, policy: FormatPolicy, *, separate: bool) -> bool:
    """Return whether hits of one source become one entry."""
    if separate or not policy.join or policy.allocation is Allocator.REFERENCE:
        return False
    return format.joins and not mode.ordered


def _modes(format: Format, situation: Situation, advice: Advice) -> tuple[Mode, Mode]:
    """Return the mode that arranges, and the mode that decides what is shown.

    The two differ where an unsure decider named the intent: its answer only arranges.
    """
    if not format.takes_modes:
        return MODES["default"], MODES["default"]
    mode = choose(replace(situation, intent=advice.intent))
    return mode, mode if advice.sure else choose(situation)


def _wants_current(policy: FormatPolicy, advice: Advice) -> bool:
    if advice.intent is not None and advice.sure:
        return advice.intent is Intent.CURRENT_STATE
    query = (policy.query_text or "").lower()
    return any(phrase in query for phrase in RECENCY_PHRASES)


def _update(pair: Pair, current_only: bool) -> Update:
    old, new = pair.old.grain, pair.new.grain
    return Update(
        index=pair.new.index,
        old_index=pair.old.index,
        subject=subject_of(old.fields),
        old=None if current_only else content_of(old.fields),
        old_date=old.day,
        new=content_of(new.fields),
        new_date=new.day,
    )
