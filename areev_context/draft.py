"""A draft: what is settled before the budget is spent, and the page that a plan makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from areev_context.apart import apart
from areev_context.core.budget import Allocation
from areev_context.core.dates import day
from areev_context.core.format import Format
from areev_context.core.lines import plain_line
from areev_context.core.mode import Mode, Situation
from areev_context.core.ordering import flat_or_grouped
from areev_context.core.outline import (
    Entry,
    Node,
    Outline,
    Roster,
    Section,
    SectionKind,
    Update,
    entries_of,
    numbered,
)
from areev_context.core.policy import FormatPolicy, MetadataLevel, RenderingHints
from areev_context.core.reading import content_of, subject_of
from areev_context.core.screen import Screened
from areev_context.core.seams import GrainRenderer
from areev_context.core.select import Candidate, Pair, Selection, select
from areev_context.core.verdict import NO_VERDICT, Intent, Verdict
from areev_context.formats import FORMATS
from areev_context.modes import MODES, choose
from areev_context.renderers import Voice, with_query

__all__ = ["RECENCY_PHRASES", "Draft", "drafted"]

RECENCY_PHRASES: tuple[str, ...] = (
    "currently", "right now", "most recently", "at this point", "latest", "what is", "what's",
)  # fmt: skip
"""What a query that asks for the current value only has in it, in lower case."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What is settled before the budget is spent.

    Attributes:
        policy: The policy.
        hints: What the caller knows of the query.
        written: The format.
        mode: The mode that applies.
        voice: How grains are said and weighed.
        screened: What the first step left.
        selection: What may be shown.
        updates: The selection's pairs as the page shows them, in their order.
        verdict: What a judge said.
    """

    policy: FormatPolicy
    hints: RenderingHints
    written: Format
    mode: Mode
    voice: Voice
    screened: Screened
    selection: Selection
    updates: tuple[Update, ...]
    verdict: Verdict

    @property
    def shortens(self) -> bool:
        """Whether an entry may be shown in part."""
        return self.written.summary is not None and self.policy.shorten

    def entry(self, candidate: Candidate, form: Allocation) -> Entry:
        """Return a hit of the body in a form, full or summary, its text said."""
        grain = candidate.kept.grain
        whole = form is Allocation.FULL
        text = self.voice.whole(grain) if whole else self.voice.summary(grain)
        return Entry(candidate, form, text)

    def text_of(self, entry: Entry) -> str:
        """Return what a page says of an entry, without what its place on the page adds."""
        if entry.text is not None:
            return entry.text
        grain = entry.candidate.kept.grain
        if self.written.tables and self.mode.name == "timeline":
            return plain_line(grain.grain_type, grain.hash, grain.fields, str)
        return self.written.render(grain, self.policy.metadata)

    def outline(
        self, entries: Sequence[Entry], updates: Sequence[Update], *, roster: bool = True
    ) -> Outline:
        """Return the page that shows these; `roster` False leaves the line of entities out."""
        nodes = self._nodes(entries, updates)
        if not roster:
            nodes = tuple(node for node in nodes if not isinstance(node, Roster))
        return self._page(nodes, self._numbers(nodes) if self.policy.numbered else {})

    def _numbers(self, nodes: tuple[Node, ...]) -> Mapping[int, int]:
        reads = self.written.reads
        return numbered(reads(nodes) if reads else (node.place for node in entries_of(nodes)))

    def alone(self, node: Entry | Update) -> Outline:
        """Return the page that shows one node under its titles, unnumbered, to measure it by."""
        if isinstance(node, Update):
            return self._page(self._nodes([], [node]), {})
        nodes = self._nodes([node], [])
        return self._page(tuple(n for n in nodes if not isinstance(n, Roster)), {})

    def _nodes(self, entries: Sequence[Entry], updates: Sequence[Update]) -> tuple[Node, ...]:
        nodes: tuple[Node, ...] = ()
        if updates:
            nodes = (Section(SectionKind.UPDATES, tuple(updates)),)
        if not self.written.modes:
            return nodes + flat_or_grouped(entries, self.policy)
        return nodes + self.mode.arrange(entries, self.policy, self.hints)

    def _page(self, nodes: tuple[Node, ...], numbers: Mapping[int, int]) -> Outline:
        marks = self.policy.metadata is not MetadataLevel.NONE
        return Outline(nodes, self.policy.group_by_type, marks, numbers)


def drafted(
    screened: Screened,
    policy: FormatPolicy,
    hints: RenderingHints,
    renderers: Mapping[str, GrainRenderer],
    verdict: Verdict = NO_VERDICT,
    *,
    separate: bool = False,
) -> Draft:
    """Return the draft of screened hits: their mode chosen, selected and weighed.

    Where they are to stand apart from one another, there is no mode, no group and no update.
    """
    written = FORMATS[policy.format]
    if separate:
        written, policy = apart(written), policy.replace(group_by_type=False)
    mode, settling = _modes(written, Situation(screened.kept, policy, hints), verdict)
    voice = Voice(written, with_query(policy, hints), renderers, verdict.scores)
    selection = select(
        screened,
        policy,
        voice.measure,
        updates=settling.updates and not separate,
        shown=mode.updates and not separate,
        marked=separate,
        verdict=verdict,
    )
    current_only = settling.updates and _wants_current(policy, verdict)
    updates = tuple(_update(pair, current_only) for pair in selection.pairs)
    return Draft(policy, hints, written, mode, voice, screened, selection, updates, verdict)


def _modes(written: Format, situation: Situation, verdict: Verdict) -> tuple[Mode, Mode]:
    """Return the mode, and the one that settles what is shown: an unsure judge only arranges."""
    if not written.modes:
        return MODES["default"], MODES["default"]
    mode = choose(replace(situation, intent=verdict.intent))
    return mode, mode if verdict.sure else choose(situation)


def _wants_current(policy: FormatPolicy, verdict: Verdict) -> bool:
    if verdict.intent is not None and verdict.sure:
        return verdict.intent is Intent.CURRENT_STATE
    query = (policy.query_text or "").lower()
    return any(phrase in query for phrase in RECENCY_PHRASES)


def _update(pair: Pair, current_only: bool) -> Update:
    old, new = pair.old.grain, pair.new.grain
    return Update(
        place=pair.new.place,
        old_place=pair.old.place,
        subject=subject_of(old.fields),
        old=None if current_only else content_of(old.fields),
        old_date=day(old.created_at),
        new=content_of(new.fields),
        new_date=day(new.created_at),
    )
