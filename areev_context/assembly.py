"""The assembler joins the rooms: hits, selection, arrangement, text, receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

from areev_context.apart import apart, texts_of
from areev_context.ceiling import Page, page_within
from areev_context.core.budget import Allocation
from areev_context.core.counter import Counter, TokenCounter
from areev_context.core.errors import AreevContextError
from areev_context.core.grains import SearchHit
from areev_context.core.outcome import outcomes_of, sources_of
from areev_context.core.plan import estimated
from areev_context.core.policy import FormatPolicy, RenderingHints
from areev_context.core.screen import Reason, Screened, screen
from areev_context.core.seams import DecisionBackend, GrainRenderer
from areev_context.core.select import allocations
from areev_context.core.tokens import estimate_tokens
from areev_context.core.verdict import NO_VERDICT, Verdict
from areev_context.decide.chain import checked_backend
from areev_context.decide.hearing import aheard, heard, in_thread
from areev_context.decide.judge import Brief, brief_of, verdict_of
from areev_context.draft import Draft, drafted
from areev_context.formats import FORMATS
from areev_context.intake import by_type, checked_hits
from areev_context.result import FormattedContext, FormattedEntries, FormattedEntry, sketched
from areev_context.views import view_of

__all__ = ["ContextAssembler"]


class ContextAssembler:
    """Turns hits into one context string; frozen in use, so that threads may share one.

    Args:
        renderers: A host's renderers, one per grain type; the others are the built-in ones.
        decider: A judge, asked about the query and the hits that are not withheld. It may change
            what a budget is spent on and how the hits are arranged; only a calibrated one may
            leave a hit out. Where it fails or is late, the text is the one without it. It stays
            with this assembler: a pickle leaves it behind.
        counter: What counts tokens, a callable from text to a whole number. With one, a budget is
            a ceiling: ``counter(ctx.text) <= policy.token_budget``. Without, it is spent on
            estimates.

    Raises:
        AreevContextError: Two renderers claim one type, or an argument is of the wrong kind.
    """

    def __init__(
        self,
        renderers: Iterable[GrainRenderer] = (),
        *,
        decider: DecisionBackend | None = None,
        counter: TokenCounter | None = None,
    ) -> None:
        self._renderers = by_type(renderers)
        self._decider = None if decider is None else checked_backend(decider)
        if counter is not None and not callable(counter):
            raise AreevContextError(
                f"counter is of type {type(counter).__name__}: give a callable from text to a "
                "number of tokens; areev_context.tokens.counter_from makes one of a tokenizer"
            )
        self._counter = None if counter is None else Counter(counter)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_decider": None}

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def format(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None = None,
        hints: RenderingHints | None = None,
    ) -> FormattedContext:
        """Return the context of these hits under a policy; the inputs stay as they are.

        Pure, as far as the decider is. One that never answers holds it up until the deadline of
        the policy's `decide`, 2 000 ms by default.

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
        case = self._case(hits, policy, hints)
        return self._context(case, self._verdict(case.brief))

    async def aformat(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None = None,
        hints: RenderingHints | None = None,
    ) -> FormattedContext:
        """Return what `format` does without blocking the loop: all work is done in threads.

        Arguments, result and errors as there. The decider's requests are made all at once.
        """
        case = await in_thread(lambda: self._case(hits, policy, hints))
        verdict = await self._averdict(case.brief)
        return await in_thread(lambda: self._context(case, verdict))

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
        case = self._case(hits, policy, hints, separate=True)
        return self._entries(case, self._verdict(case.brief))

    async def aformat_each(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None = None,
        hints: RenderingHints | None = None,
    ) -> FormattedEntries:
        """Return what `format_each` does without blocking the loop; as `aformat`."""
        case = await in_thread(lambda: self._case(hits, policy, hints, separate=True))
        verdict = await self._averdict(case.brief)
        return await in_thread(lambda: self._entries(case, verdict))

    def _case(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None,
        hints: RenderingHints | None,
        *,
        separate: bool = False,
    ) -> _Case:
        policy = FormatPolicy() if policy is None else policy
        hints = RenderingHints() if hints is None else hints
        checked = checked_hits(hits, policy, hints)
        if separate:
            apart(FORMATS[policy.format])  # what cannot be done is said before a judge is asked
        screened = screen(checked, policy)
        brief = None
        if self._decider is not None:
            brief = brief_of(screened, policy, hints, self._renderers, modes=not separate)
        return _Case(policy, hints, screened, brief)

    def _verdict(self, brief: Brief | None) -> Verdict:
        if self._decider is None or brief is None or not brief.asks:
            return NO_VERDICT
        return verdict_of(brief, heard(self._decider, brief.requests, brief.deadline_ms))

    async def _averdict(self, brief: Brief | None) -> Verdict:
        if self._decider is None or brief is None or not brief.asks:
            return NO_VERDICT
        return verdict_of(brief, await aheard(self._decider, brief.requests, brief.deadline_ms))

    def _context(self, case: _Case, verdict: Verdict) -> FormattedContext:
        draft = drafted(case.screened, case.policy, case.hints, self._renderers, verdict)
        return _finished(draft, self._page(draft), self._counter)

    def _entries(self, case: _Case, verdict: Verdict) -> FormattedEntries:
        draft = drafted(
            case.screened, case.policy, case.hints, self._renderers, verdict, separate=True
        )
        page = self._page(draft)
        texts = texts_of(page.outline, FORMATS[case.policy.format])
        entries = tuple(FormattedEntry(node.place, text) for node, text in texts)
        return FormattedEntries(entries, _finished(draft, page, self._counter))

    def _page(self, draft: Draft) -> Page:
        if self._counter is None or draft.policy.token_budget is None:
            return _estimated_page(draft)
        return page_within(draft, self._counter, draft.policy.token_budget)


class _Case(NamedTuple):
    """What came in, screened, and what a judge is asked about it; None where there is no judge."""

    policy: FormatPolicy
    hints: RenderingHints
    screened: Screened
    brief: Brief | None


def _estimated_page(draft: Draft) -> Page:
    """Return the page of an allocator's plan over estimates; without a budget all is whole."""
    body = draft.selection.body
    forms = allocations(body, draft.policy, draft.mode.pools, summaries=draft.shortens)
    entries = [
        draft.entry(candidate, form)
        for candidate, form in zip(body, forms, strict=True)
        if form is not Allocation.OMIT
    ]
    outline = draft.outline(entries, draft.updates)
    return Page(estimated(draft.selection, forms), outline, draft.written.write(outline), None)


def _finished(draft: Draft, page: Page, counter: Counter | None) -> FormattedContext:
    outcomes = outcomes_of(
        page.outline, draft.screened, draft.selection, page.plan, draft.voice.label
    )
    shown = sum(decision.form is not Allocation.OMIT for decision in page.plan.body)
    pairs = zip(draft.selection.pairs, page.plan.updates, strict=True)
    ends = {kept.place for pair, is_shown in pairs if is_shown for kept in (pair.old, pair.new)}
    paired = {kept.place for pair in draft.selection.pairs for kept in (pair.old, pair.new)}
    omitted = len(page.plan.body) - shown + len(paired) - len(ends)
    omitted += list(draft.selection.fates.values()).count(Reason.OMITTED_JUDGE)
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
        decision=draft.verdict.provenance,
    )
    count = counter or estimate_tokens
    return sketched(context, lambda: view_of(draft, page.outline, page.text, count))


def _tokens(page: Page, estimate: int, counter: Counter | None) -> int:
    if counter is None:
        return estimate
    return counter(page.text) if page.tokens is None else page.tokens
