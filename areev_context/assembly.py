"""The assembler joins the rooms: hits, selection, arrangement, text, receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from areev_context.core.budget import Allocation
from areev_context.core.dates import day
from areev_context.core.errors import AreevContextError, InputError
from areev_context.core.format import Format
from areev_context.core.grains import SearchHit
from areev_context.core.mode import Mode, Situation
from areev_context.core.ordering import flat_or_grouped
from areev_context.core.outcome import outcomes_of, sources_of
from areev_context.core.outline import (
    Entry,
    Node,
    Outline,
    Section,
    SectionKind,
    Update,
    numbered,
)
from areev_context.core.policy import FormatPolicy, MetadataLevel, RenderingHints
from areev_context.core.reading import content_of, subject_of
from areev_context.core.screen import Screened, screen
from areev_context.core.seams import GrainRenderer
from areev_context.core.select import Candidate, Pair, Selection, allocations, select
from areev_context.core.tokens import estimate_tokens
from areev_context.formats import FORMATS
from areev_context.modes import MODES, choose
from areev_context.renderers import Voice
from areev_context.result import FormattedContext

__all__ = ["RECENCY_PHRASES", "ContextAssembler"]

RECENCY_PHRASES: tuple[str, ...] = (
    "currently", "right now", "most recently", "at this point", "latest", "what is", "what's",
)  # fmt: skip
"""What a query that asks for the current value only has in it, in lower case."""


class ContextAssembler:
    """Turns hits into one context string; frozen in use, so that threads may share one.

    Args:
        renderers: A host's renderers, one per grain type; the others are the built-in ones.

    Raises:
        AreevContextError: Two renderers claim one type, or one is no renderer.
    """

    def __init__(self, renderers: Iterable[GrainRenderer] = ()) -> None:
        self._renderers: dict[str, GrainRenderer] = {}
        if not isinstance(renderers, Iterable):
            raise AreevContextError(
                f"renderers is a {type(renderers).__name__}: give a list of renderers"
            )
        for renderer in renderers:
            if not isinstance(renderer, GrainRenderer):
                raise AreevContextError(
                    f"{type(renderer).__name__} is no renderer: give an object with grain_type, "
                    "render, render_summary, token_estimate and context_priority, "
                    "for instance a subclass of SharedRenderer"
                )
            if renderer.grain_type in self._renderers:
                raise AreevContextError(
                    f"two renderers for the type {renderer.grain_type!r}: give one"
                )
            self._renderers[renderer.grain_type] = renderer

    def format(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None = None,
        hints: RenderingHints | None = None,
    ) -> FormattedContext:
        """Return the context of these hits under a policy; pure, the inputs stay as they are.

        Args:
            hits: Best first; flat rows are validated on the way in. May be empty.
            policy: The shape and the budget; None = `FormatPolicy()`.
            hints: What is known of the query; None = nothing.

        Returns:
            The text, and one outcome per hit in input order.

        Raises:
            pydantic.ValidationError: A row is no hit.
            AreevContextError: An argument is of the wrong kind, or a host's renderer failed.
        """
        policy = FormatPolicy() if policy is None else policy
        hints = RenderingHints() if hints is None else hints
        job = self._prepared(_checked(hits, policy, hints), policy, hints)
        return _written(job, _forms(job))

    def _prepared(
        self, hits: Sequence[SearchHit], policy: FormatPolicy, hints: RenderingHints
    ) -> _Job:
        written = FORMATS[policy.format]
        screened = screen(hits, policy)
        situation = Situation(screened.kept, policy, hints)
        mode = choose(situation) if written.modes else MODES["default"]
        voice = Voice(written, _with_query(policy, hints), self._renderers)
        selection = select(screened, policy, voice.measure, updates=mode.updates)
        return _Job(policy, hints, written, mode, voice, screened, selection)


@dataclass(frozen=True, slots=True)
class _Job:
    """What is settled before the budget is spent."""

    policy: FormatPolicy
    hints: RenderingHints
    written: Format
    mode: Mode
    voice: Voice
    screened: Screened
    selection: Selection


def _checked(
    hits: Iterable[SearchHit | Mapping[str, Any]], policy: object, hints: object
) -> list[SearchHit]:
    if not isinstance(policy, FormatPolicy):
        raise AreevContextError(
            f"policy is of type {type(policy).__name__}: give a FormatPolicy, "
            "for instance FormatPolicy.claude(token_budget=2000)"
        )
    if not isinstance(hints, RenderingHints):
        raise AreevContextError(
            f"hints is of type {type(hints).__name__}: give RenderingHints or None"
        )
    if isinstance(hits, str | bytes | Mapping) or not isinstance(hits, Iterable):
        raise AreevContextError(
            f"hits is of type {type(hits).__name__}: give a list of SearchHit or rows; "
            "load_hits reads JSON text and the engine's answers"
        )
    return [_hit(place, hit) for place, hit in enumerate(hits)]


def _hit(place: int, hit: object) -> SearchHit:
    if isinstance(hit, SearchHit):
        return hit
    if not isinstance(hit, Mapping):
        raise InputError(
            f"hit {place} is of type {type(hit).__name__}: give a SearchHit or a row; "
            "PassageMapper makes hits of passages",
            row=place,
        )
    return SearchHit.model_validate(hit)


def _said(query: str | None) -> bool:
    return bool(query and query.strip())


def _with_query(policy: FormatPolicy, hints: RenderingHints) -> FormatPolicy:
    """Return the policy as renderers see it: with the hints' query where it has none."""
    if _said(policy.query_text) or not _said(hints.query_text):
        return policy
    return policy.model_copy(update={"query_text": hints.query_text})


def _asks_for_current(policy: FormatPolicy) -> bool:
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


def _forms(job: _Job) -> list[Allocation]:
    summaries = job.written.summary is not None
    return allocations(job.selection.body, job.policy, job.mode.pools, summaries=summaries)


def _entry(candidate: Candidate, form: Allocation, voice: Voice) -> Entry:
    grain = candidate.kept.grain
    text = voice.whole(grain) if form is Allocation.FULL else voice.summary(grain)
    return Entry(candidate, form, text)


def _outline(job: _Job, forms: Sequence[Allocation]) -> Outline:
    entries = [
        _entry(candidate, form, job.voice)
        for candidate, form in zip(job.selection.body, forms, strict=True)
        if form is not Allocation.OMIT
    ]
    nodes: tuple[Node, ...] = ()
    if job.selection.pairs:
        current_only = _asks_for_current(job.policy)
        updates = tuple(_update(pair, current_only) for pair in job.selection.pairs)
        nodes = (Section(SectionKind.UPDATES, updates),)
    if job.written.modes:
        nodes += job.mode.arrange(entries, job.policy, job.hints)
    else:
        nodes += flat_or_grouped(entries, job.policy)
    return Outline(
        nodes,
        grouped=job.policy.group_by_type,
        marks=job.policy.metadata is not MetadataLevel.NONE,
        numbers=numbered(nodes) if job.policy.numbered else {},
    )


def _written(job: _Job, forms: Sequence[Allocation]) -> FormattedContext:
    outline = _outline(job, forms)
    text = job.written.write(outline)
    omitted = sum(form is Allocation.OMIT for form in forms)
    ends = {each.place for pair in job.selection.pairs for each in (pair.old, pair.new)}
    outcomes = outcomes_of(outline, job.screened, job.selection, forms, job.voice.label)
    return FormattedContext(
        text=text,
        format=job.policy.format,
        mode=job.mode.name,
        estimated_tokens=estimate_tokens(text),
        token_budget=job.policy.token_budget,
        included_count=len(forms) - omitted + len(ends),
        omitted_count=omitted,
        withheld_count=len(outcomes) - len(job.screened.trusted),
        truncated=omitted > 0,
        cleaned_characters=job.screened.cleaned,
        outcomes=outcomes,
        sources=sources_of(outline, job.screened, outcomes),
    )
