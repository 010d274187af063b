"""The assembler calls the steps in order: hits, selection, layout, text, receipt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Self

from areev_context.budget.draft import Draft, drafted
from areev_context.budget.finished_page import Page
from areev_context.budget.hit_grants import HitGrant, hit_grants
from areev_context.budget.plan import Grant
from areev_context.budget.spending import page_of
from areev_context.decide.asking import aask_backend, ask_backend, in_thread
from areev_context.decide.chain import checked_backend
from areev_context.decide.prompts import Prompt, advice_of, prompt_of
from areev_context.errors import AreevContextError
from areev_context.formats.registry import FORMATS
from areev_context.formats.renderers import hosted_renderers
from areev_context.formats.separate import SeparateEntries
from areev_context.hits.hit import SearchHit
from areev_context.hits.links import unused_scores
from areev_context.hits.load import checked_hits
from areev_context.inspect.view import view_of
from areev_context.outcome import outcomes_of
from areev_context.policy import FormatPolicy, RenderingHints
from areev_context.protocols import DecisionBackend, GrainRenderer
from areev_context.result import FormattedContext, FormattedEntries, FormattedEntry, with_view
from areev_context.selection.advice import NO_ADVICE, Advice
from areev_context.selection.item import Allocation
from areev_context.selection.screening import Reason, Screened, in_zone, screen
from areev_context.sources import sources_of
from areev_context.tokens import BatchCounter, Counter, TokenCounter, estimate_tokens

__all__ = ["ContextAssembler", "contexts_at"]


class ContextAssembler:
    """Turns hits into one context string. It does not change, so threads may share one assembler.

    Args:
        renderers: The application's own renderers, one per grain type; the other grain types use
            the built-in renderers.
        decider: Answers questions about the query and the hits that are not withheld. Its answers
            may change what a budget is spent on and how the hits are arranged; only a calibrated
            decider may leave a hit out. If it fails or is late, the text is the text without it.
            A pickle of the assembler does not contain it.
        counter: A callable from a text to its number of tokens, or a `BatchCounter`, which is asked
            for many texts at once; None = the estimator, `estimate_tokens`. A budget is a ceiling:
            ``counter(ctx.text) <= policy.token_budget``. The one exception is
            ``allocation="reference"`` without a counter: it adds up estimates of single hits.

    Raises:
        AreevContextError: Two renderers claim one type, or an argument is of the wrong kind.
    """

    def __init__(
        self,
        renderers: Iterable[GrainRenderer] = (),
        *,
        decider: DecisionBackend | None = None,
        counter: TokenCounter | BatchCounter | None = None,
    ) -> None:
        self._renderers = hosted_renderers(renderers)
        self._decider = None if decider is None else checked_backend(decider)
        if counter is not None and not callable(counter) and not isinstance(counter, BatchCounter):
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
        *,
        query: str | None = None,
    ) -> FormattedContext:
        """Return the context of these hits under a policy; the inputs stay as they are.

        The same arguments give the same result, if the decider gives the same answers. A decider
        that never answers delays the result until the deadline of the policy's `decide`, which is
        2 000 ms by default.

        Args:
            hits: Hits or flat rows, the best first; rows are validated. May be empty.
            policy: The shape and the budget; None = `FormatPolicy()`.
            hints: What the caller knows about the query; None = nothing.
            query: The user's question. If it is not blank, it replaces the ``query_text`` of the
                policy and of the hints.

        Returns:
            The text, and one outcome per hit in input order.

        Raises:
            pydantic.ValidationError: A row is no hit.
            AreevContextError: An argument is of the wrong kind, or a host's renderer or counter
                failed.
        """
        case = self._case(hits, policy, hints, query)
        return self._context(case, self._advice(case.prompt))

    async def aformat(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None = None,
        hints: RenderingHints | None = None,
        *,
        query: str | None = None,
    ) -> FormattedContext:
        """Return what `format` returns, without blocking the event loop: threads do the work.

        Arguments, result and errors are those of `format`. All requests to the decider are sent at
        the same time.
        """
        case = await in_thread(lambda: self._case(hits, policy, hints, query))
        advice = await self._aadvice(case.prompt)
        return await in_thread(lambda: self._context(case, advice))

    def format_each(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None = None,
        hints: RenderingHints | None = None,
        *,
        query: str | None = None,
    ) -> FormattedEntries:
        """Return the shown hits one by one, each with its own text.

        There are no sections, no modes and no updates: a replaced hit and its successor are two
        entries, each with its status mark. The budget is a ceiling for the texts joined by blank
        lines.

        Args:
            hits: Hits or flat rows, the best first; rows are validated. May be empty.
            policy: The shape and the budget; None = `FormatPolicy()`. Its `group_by_type` does
                not apply.
            hints: What the caller knows about the query; None = nothing.
            query: As in `format`.

        Returns:
            The entries in the policy's order, and the context with one outcome per hit.

        Raises:
            pydantic.ValidationError: A row is no hit.
            InputError: The policy's format is JSON or TOON: these write all hits as one document.
            AreevContextError: An argument is of the wrong kind, or a host's renderer or counter
                failed.
        """
        case = self._case(hits, policy, hints, query, separate=True)
        return self._entries(case, self._advice(case.prompt))

    async def aformat_each(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None = None,
        hints: RenderingHints | None = None,
        *,
        query: str | None = None,
    ) -> FormattedEntries:
        """Return what `format_each` returns, without blocking the event loop; see `aformat`."""
        case = await in_thread(lambda: self._case(hits, policy, hints, query, separate=True))
        advice = await self._aadvice(case.prompt)
        return await in_thread(lambda: self._entries(case, advice))

    def _case(
        self,
        hits: Iterable[SearchHit | Mapping[str, Any]],
        policy: FormatPolicy | None,
        hints: RenderingHints | None,
        query: str | None,
        *,
        separate: bool = False,
    ) -> _Case:
        policy = FormatPolicy() if policy is None else policy
        hints = RenderingHints() if hints is None else hints
        _check_arguments(policy, hints, query)
        checked = checked_hits(hits)
        policy, hints = policy.asked(query), hints.asked(query)
        if separate:
            SeparateEntries(
                FORMATS[policy.format]
            )  # what cannot be done is said before a decider is asked
        screened = in_zone(screen(checked, policy), hints.zone)
        prompt = None
        if self._decider is not None:
            prompt = prompt_of(screened, policy, hints, self._renderers, modes=not separate)
        return _Case(policy, hints, screened, prompt)

    def _advice(self, prompt: Prompt | None) -> Advice:
        if self._decider is None or prompt is None or not prompt.asks:
            return NO_ADVICE
        return advice_of(prompt, ask_backend(self._decider, prompt.requests, prompt.deadline_ms))

    async def _aadvice(self, prompt: Prompt | None) -> Advice:
        if self._decider is None or prompt is None or not prompt.asks:
            return NO_ADVICE
        return advice_of(
            prompt, await aask_backend(self._decider, prompt.requests, prompt.deadline_ms)
        )

    def _context(self, case: _Case, advice: Advice) -> FormattedContext:
        draft = drafted(case.screened, case.policy, case.hints, self._renderers, advice)
        return _finished(draft, page_of(draft, self._counter), self._counter)

    def _entries(self, case: _Case, advice: Advice) -> FormattedEntries:
        draft = drafted(
            case.screened, case.policy, case.hints, self._renderers, advice, separate=True
        )
        page = page_of(draft, self._counter)
        texts = SeparateEntries(FORMATS[case.policy.format]).texts(page.outline)
        entries = tuple(FormattedEntry(node.index, text) for node, text in texts)
        return FormattedEntries(entries, _finished(draft, page, self._counter))


def contexts_at(
    assembler: ContextAssembler,
    budgets: Iterable[int],
    hits: Iterable[SearchHit | Mapping[str, Any]],
    policy: FormatPolicy,
    query: str | None,
) -> Iterator[FormattedContext]:
    """Yield the context of the same hits at each budget.

    The hits are screened once and a decider is asked once: neither depends on the budget. Other
    arguments and errors are those of `ContextAssembler.format`.
    """
    case = assembler._case(hits, policy, None, query)
    advice = assembler._advice(case.prompt)
    for budget in budgets:
        yield assembler._context(
            case._replace(policy=case.policy.replace(token_budget=budget)), advice
        )


class _Case(NamedTuple):
    """The screened input, and the prompt for a decider; None where there is no decider."""

    policy: FormatPolicy
    hints: RenderingHints
    screened: Screened
    prompt: Prompt | None


def _check_arguments(policy: object, hints: object, query: object) -> None:
    if not isinstance(policy, FormatPolicy):
        raise AreevContextError(
            f"policy is of type {type(policy).__name__}: give a FormatPolicy, "
            "for instance FormatPolicy.claude(token_budget=2000)"
        )
    if not isinstance(hints, RenderingHints):
        raise AreevContextError(
            f"hints is of type {type(hints).__name__}: give RenderingHints or None"
        )
    if query is not None and not isinstance(query, str):
        raise AreevContextError(f"query is of type {type(query).__name__}: give a string or None")


def _finished(draft: Draft, page: Page, counter: Counter | None) -> FormattedContext:
    body = page.body
    if any(item.joined is not None for item in draft.selection.body):
        body = tuple([each.grant for each in _hit_grants(draft, page, body)])
    shown = sum(grant.form is not Allocation.OMIT for grant in body)
    pairs = zip(draft.selection.pairs, page.updates, strict=True)
    ends = {item.index for pair, is_shown in pairs if is_shown for item in (pair.old, pair.new)}
    paired = {item.index for pair in draft.selection.pairs for item in (pair.old, pair.new)}
    omitted = len(body) - shown + len(paired) - len(ends)
    omitted += list(draft.selection.reasons.values()).count(Reason.OMITTED_DECIDER)
    estimate = estimate_tokens(page.text)
    context = FormattedContext.lazily(
        lambda: _receipt(draft, page, counter),
        text=page.text,
        format=draft.policy.format,
        mode=draft.mode.name,
        tokens=_tokens(page, estimate, counter),
        counter=None if counter is None else counter.name,
        estimated_tokens=estimate,
        token_budget=draft.policy.token_budget,
        included_count=shown + len(ends),
        omitted_count=omitted,
        withheld_count=draft.screened.withheld,
        truncated=omitted > 0,
        cleaned_characters=draft.screened.cleaned,
        decision=draft.advice.provenance,
        unused_scores=unused_scores(item.hit for item in draft.screened.trusted.values()),
    )
    count = counter or Counter(estimate_tokens)
    return with_view(context, lambda: view_of(draft, page.outline, page.text, count.count_all))


def _receipt(draft: Draft, page: Page, counter: Counter | None) -> dict[str, Any]:
    """Return the outcomes and the sources, which most callers never read."""
    outline, screened = page.outline, draft.screened
    body = page.body if page.tokens is not None else _counted(draft, page, counter)
    grants = _hit_grants(draft, page, body)
    outcomes = outcomes_of(outline, screened, draft.selection, grants, draft.renderers.label)
    hosted, query = draft.renderers.hosted, draft.renderers.policy.query_text or ""
    sources = sources_of(outline, screened, outcomes, grants, hosted=hosted, query=query)
    return {"outcomes": outcomes, "sources": sources}


def _hit_grants(draft: Draft, page: Page, body: tuple[Grant, ...]) -> list[HitGrant]:
    query = draft.renderers.policy.query_text or ""
    return hit_grants(draft.selection.body, body, page.outline.nodes, query)


def _counted(draft: Draft, page: Page, counter: Counter | None) -> tuple[Grant, ...]:
    """Return the grants of a page without a budget, in the unit in which its text is counted."""
    if counter is None or counter.batch_size is not None:  # else a request for each hit
        return page.body
    entries = [draft.entry(item, Allocation.FULL) for item in draft.selection.body]
    counts = counter.count_all(map(draft.text_of, entries))
    pairs = zip(page.body, counts, strict=True)
    return tuple([grant._replace(whole=tokens, shown=tokens) for grant, tokens in pairs])


def _tokens(page: Page, estimate: int, counter: Counter | None) -> int:
    if counter is None:
        return estimate
    return counter(page.text) if page.tokens is None else page.tokens
