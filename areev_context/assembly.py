"""The assembler joins the rooms: hits, selection, arrangement, text, receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from areev_context.apart import texts_of
from areev_context.ceiling import Page, page_within
from areev_context.core.budget import Allocation
from areev_context.core.counter import Counter, TokenCounter
from areev_context.core.errors import AreevContextError, InputError
from areev_context.core.grains import SearchHit
from areev_context.core.outcome import outcomes_of, sources_of
from areev_context.core.plan import estimated
from areev_context.core.policy import FormatPolicy, RenderingHints
from areev_context.core.seams import GrainRenderer
from areev_context.core.select import allocations
from areev_context.core.tokens import estimate_tokens
from areev_context.draft import Draft, drafted
from areev_context.formats import FORMATS
from areev_context.result import FormattedContext, FormattedEntries, FormattedEntry, sketched
from areev_context.views import view_of

__all__ = ["ContextAssembler"]


class ContextAssembler:
    """Turns hits into one context string; frozen in use, so that threads may share one.

    Args:
        renderers: A host's renderers, one per grain type; the others are the built-in ones.
        counter: What counts tokens, a callable from text to a whole number. With one, a budget is
            a ceiling: ``counter(ctx.text) <= policy.token_budget``. Without, it is spent on
            estimates.

    Raises:
        AreevContextError: Two renderers claim one type, or an argument is of the wrong kind.
    """

    def __init__(
        self, renderers: Iterable[GrainRenderer] = (), *, counter: TokenCounter | None = None
    ) -> None:
        self._renderers = _by_type(renderers)
        if counter is not None and not callable(counter):
            raise AreevContextError(
                f"counter is of type {type(counter).__name__}: give a callable from text to a "
                "number of tokens; areev_context.tokens.counter_from makes one of a tokenizer"
            )
        self._counter = None if counter is None else Counter(counter)

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
            AreevContextError: An argument is of the wrong kind, or a host's renderer or counter
                failed.
        """
        policy, hints = _defaults(policy, hints)
        checked = _checked(hits, policy, hints)
        draft = drafted(checked, policy, hints, self._renderers)
        return _finished(draft, self._page(draft), self._counter)

    def format_each(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None = None,
        hints: RenderingHints | None = None,
    ) -> FormattedEntries:
        """Return the hits that are shown one by one, each with a text of its own.

        There are no sections, no modes and no updates: a replaced hit is shown beside its
        successor, each with its mark. With a counter the budget is a ceiling for the texts joined
        by a blank line.

        Args:
            hits: Best first; flat rows are validated on the way in. May be empty.
            policy: The shape and the budget; None = `FormatPolicy()`. Its `group_by_type` does
                not apply.
            hints: What is known of the query; None = nothing.

        Returns:
            The entries in the policy's order, and their context with one outcome per hit.

        Raises:
            pydantic.ValidationError: A row is no hit.
            InputError: The policy's format is JSON or TOON, which are one document of all hits.
            AreevContextError: An argument is of the wrong kind, or a host's renderer or counter
                failed.
        """
        policy, hints = _defaults(policy, hints)
        checked = _checked(hits, policy, hints)
        draft = drafted(checked, policy, hints, self._renderers, separate=True)
        page = self._page(draft)
        texts = texts_of(page.outline, FORMATS[policy.format])
        entries = tuple(FormattedEntry(node.place, text) for node, text in texts)
        return FormattedEntries(entries, _finished(draft, page, self._counter))

    def _page(self, draft: Draft) -> Page:
        if self._counter is None or draft.policy.token_budget is None:
            return _estimated_page(draft)
        return page_within(draft, self._counter, draft.policy.token_budget)


def _defaults(
    policy: FormatPolicy | None, hints: RenderingHints | None
) -> tuple[FormatPolicy, RenderingHints]:
    return (
        FormatPolicy() if policy is None else policy,
        RenderingHints() if hints is None else hints,
    )


def _by_type(renderers: Iterable[GrainRenderer]) -> dict[str, GrainRenderer]:
    if not isinstance(renderers, Iterable):
        raise AreevContextError(
            f"renderers is a {type(renderers).__name__}: give a list of renderers"
        )
    out: dict[str, GrainRenderer] = {}
    for renderer in renderers:
        if not isinstance(renderer, GrainRenderer):
            raise AreevContextError(
                f"{type(renderer).__name__} is no renderer: give an object with grain_type, "
                "render, render_summary, token_estimate and context_priority, "
                "for instance a subclass of SharedRenderer"
            )
        if renderer.grain_type in out:
            raise AreevContextError(f"two renderers for the type {renderer.grain_type!r}: give one")
        out[renderer.grain_type] = renderer
    return out


def _estimated_page(draft: Draft) -> Page:
    """Return the page of an allocator's plan over estimates; without a budget all is whole."""
    body, summaries = draft.selection.body, draft.written.summary is not None
    forms = allocations(body, draft.policy, draft.mode.pools, summaries=summaries)
    entries = [
        draft.entry(candidate, form)
        for candidate, form in zip(body, forms, strict=True)
        if form is not Allocation.OMIT
    ]
    outline = draft.outline(entries, draft.updates)
    return Page(estimated(draft.selection, forms), outline, draft.written.write(outline), None)


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


def _finished(draft: Draft, page: Page, counter: Counter | None) -> FormattedContext:
    outcomes = outcomes_of(
        page.outline, draft.screened, draft.selection, page.plan, draft.voice.label
    )
    shown = sum(decision.form is not Allocation.OMIT for decision in page.plan.body)
    pairs = zip(draft.selection.pairs, page.plan.updates, strict=True)
    ends = {kept.place for pair, is_shown in pairs if is_shown for kept in (pair.old, pair.new)}
    paired = {kept.place for pair in draft.selection.pairs for kept in (pair.old, pair.new)}
    omitted = len(page.plan.body) - shown + len(paired) - len(ends)
    estimate = estimate_tokens(page.text)
    context = FormattedContext(
        text=page.text,
        format=draft.policy.format,
        mode=draft.mode.name,
        tokens=_tokens(page, estimate, counter),
        counter=None if counter is None else counter.name,
        estimated_tokens=estimate,
        token_budget=draft.policy.token_budget,
        included_count=shown + len(ends),
        omitted_count=omitted,
        withheld_count=len(outcomes) - len(draft.screened.trusted),
        truncated=omitted > 0,
        cleaned_characters=draft.screened.cleaned,
        outcomes=outcomes,
        sources=sources_of(page.outline, draft.screened, outcomes),
    )
    count = counter or estimate_tokens
    return sketched(context, lambda: view_of(draft, page.outline, page.text, count))


def _tokens(page: Page, estimate: int, counter: Counter | None) -> int:
    if counter is None:
        return estimate
    return counter(page.text) if page.tokens is None else page.tokens
