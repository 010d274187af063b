"""The result of an assembly: the text, the counts, and the receipt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import (
    ConfigDict,
    GetJsonSchemaHandler,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    model_serializer,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from areev_context.inspect import html
from areev_context.inspect.report import outcome_table
from areev_context.inspect.view import LazyView, Share, Span, View, shares
from areev_context.lazy_fields import LazyFields
from areev_context.outcome import HitOutcome
from areev_context.policy import OutputFormat
from areev_context.selection.advice import DecisionProvenance
from areev_context.selection.screening import Reason
from areev_context.sources import Citations, Source, cited_sources
from areev_context.text.clean import fold

__all__ = [
    "FormattedContext",
    "FormattedEntries",
    "FormattedEntry",
    "room_of",
    "view_of_context",
    "with_view",
]


class FormattedContext(LazyFields):
    """One context string and what became of every hit that came in; frozen.

    The outcomes and the sources are made when they are first read.

    Attributes:
        text: The context, in the policy's format; empty if nothing is shown (in JSON ``[]`` or
            ``{}``).
        format: The format of the text.
        mode: The mode that arranged it; ``default`` in JSON, where modes do not apply.
        tokens: The tokens of the text, counted by the counter if there is one, else estimated.
        counter: The name of the counter; None = the tokens are an estimate.
        estimated_tokens: The estimated tokens of the text; the true number may be higher or lower.
        token_budget: The budget; None = no limit.
        included_count: The number of distinct hits in the text, with both hits of each update.
        omitted_count: The number of hits that the budget or a decider left out.
        withheld_count: The number of hits that are retracted or of an excluded type.
        truncated: Whether any hit was omitted.
        cleaned_characters: The number of invalid characters that were replaced in the input.
        outcomes: One per hit of the input, in order.
        sources: One per shown hit, in reading order, a duplicate after the hit that it repeats.
        decision: The decider whose answers were applied; None, and absent from a dump, without.
        unused_scores: Why a retriever's scores were not used: ``outside of 0..1`` or ``not
            falling``; None, and absent from a dump, where they were used or there were none.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    LAZY: ClassVar[frozenset[str]] = frozenset({"outcomes", "sources"})

    text: str
    format: OutputFormat
    mode: str
    tokens: int
    counter: str | None
    estimated_tokens: int
    token_budget: int | None
    included_count: int
    omitted_count: int
    withheld_count: int
    truncated: bool
    cleaned_characters: int
    outcomes: tuple[HitOutcome, ...]
    sources: tuple[Source, ...]
    decision: DecisionProvenance | None = None
    unused_scores: str | None = None
    _lazy_view: LazyView = PrivateAttr(default_factory=LazyView)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the fields, also for what a dump holds."""
        return handler({k: v for k, v in core_schema.items() if k != "serialization"})

    @model_serializer(mode="wrap")
    def _without_what_is_none(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        dumped: dict[str, Any] = dump(self.completed())
        for name in ("decision", "unused_scores"):
            if getattr(self, name) is None:
                dumped.pop(name, None)
        return dumped

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def cited(self, answer: str, *, parentheses: bool = False) -> Citations:
        """Return the sources that an answer cites, and the numbers that no source has.

        Args:
            answer: The answer of a model, which has read `citation_instructions`.
            parentheses: Whether ``(1)`` is read too.

        Raises:
            InputError: The answer is no string.
        """
        return cited_sources(answer, self.sources, parentheses=parentheses)

    def report(self) -> str:
        """Return the outcomes as a plain-text table, one line per hit, and a line of totals."""
        budget = "no limit" if self.token_budget is None else f"budget {self.token_budget}"
        return (
            f"{outcome_table(self.outcomes)}\n\n"
            f"{self.included_count} shown, {self.omitted_count} omitted, "
            f"{self.withheld_count} withheld of {len(self.outcomes)} hits; "
            f"{self._tokens_in_words()}, {budget}; {self.format}, mode {self.mode}{self._decided()}"
            f"{self._scores_in_words()}"
        )

    def _scores_in_words(self) -> str:
        return "" if self.unused_scores is None else f"; scores not used: {self.unused_scores}"

    def _decided(self) -> str:
        if self.decision is None:
            return ""
        return f"; decided by {fold(self.decision.provider) or 'an unnamed decider'}"

    def to_html(self) -> str:
        """Return one self-contained HTML page that explains the context.

        It shows the text with a link from each entry to its hit; all hits, with the whole text of
        hits that are not shown whole; and the use of the budget: each section, the envelope
        (headings, marks, separators) and the free tokens. Withheld hits show no text. A context
        read back from JSON shows its text in one piece, because JSON does not store the links.

        Raises:
            CounterError: The counter failed on an entry.
        """
        return html.page(f"Context of {len(self.outcomes)} hits", self._picture())

    def _repr_html_(self) -> str:
        """Return the same for a cell of a notebook."""
        return html.fragment(self._picture())

    def _picture(self) -> str:
        about = f"{self.format}, mode {self.mode}; {self._tokens_in_words()}{self._decided()}"
        counts = self._counts()
        return html.picture(about, counts, room_of(self), view_of_context(self), self.outcomes)

    def _counts(self) -> list[tuple[str, str]]:
        updates = sum(outcome.reason is Reason.UPDATE for outcome in self.outcomes)
        left = self.included_count + self.omitted_count + self.withheld_count
        of = "" if self.token_budget is None else f" of {self.token_budget:,}"
        counts = [
            ("tokens", f"{self.tokens:,}{of}"),
            ("hits", f"{len(self.outcomes):,}"),
            ("shown", f"{self.included_count:,}"),
            ("of them in updates", f"{updates:,}"),
            ("omitted", f"{self.omitted_count:,}"),
            ("set aside", f"{len(self.outcomes) - left:,}"),
            ("withheld", f"{self.withheld_count:,}"),
        ]
        mended = [("characters mended", f"{self.cleaned_characters:,}")]
        return counts + mended if self.cleaned_characters else counts

    def _tokens_in_words(self) -> str:
        if self.counter is None:
            return f"about {self.tokens} tokens"
        return f"{self.tokens} tokens by {self.counter}"


@dataclass(frozen=True, slots=True)
class FormattedEntry:
    """The text of one hit that is shown.

    Attributes:
        index: Index of the hit in the input, from 0.
        text: Its text, as on a page without sections.
    """

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class FormattedEntries:
    """The shown hits, one by one.

    Attributes:
        entries: The entries in reading order; joined by blank lines they are the context's text.
        context: The texts as one, the counts, and the receipt.
    """

    entries: tuple[FormattedEntry, ...]
    context: FormattedContext


def with_view(context: FormattedContext, make: Callable[[], View]) -> FormattedContext:
    """Return a new context with the function that makes its view, called at most once."""
    context._lazy_view = LazyView(make)
    return context


def view_of_context(context: FormattedContext) -> View:
    """Return the view of a context; if it has none, a view of the text in one piece."""
    view = context._lazy_view.view()
    if view is None or view.text != context.text:  # a copy may hold another text
        return View((Span(context.text, section="text", tokens=context.tokens),))
    return view


def room_of(context: FormattedContext) -> tuple[Share, ...]:
    """Return the shares of the budget; without a budget, the shares of the text's tokens."""
    return shares(view_of_context(context).spans, context.tokens, context.token_budget)
