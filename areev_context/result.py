"""The result of an assembly: the text, the counts, and the receipt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import (
    BaseModel,
    ConfigDict,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from areev_context.inspect import html
from areev_context.inspect.report import outcome_table
from areev_context.inspect.view import LazyView, Share, Span, View, shares
from areev_context.outcome import HitOutcome, Source
from areev_context.policy import OutputFormat
from areev_context.selection.advice import DecisionProvenance
from areev_context.selection.screening import Reason
from areev_context.text.clean import fold

__all__ = [
    "FormattedContext",
    "FormattedEntries",
    "FormattedEntry",
    "room_of",
    "view_of_context",
    "with_view",
]


class FormattedContext(BaseModel):
    """One context string and what became of every hit that came in; frozen.

    Attributes:
        text: The context, in the policy's format; empty where nothing is shown (in JSON ``[]`` or
            ``{}``).
        format: The format of the text.
        mode: The mode that arranged it; ``default`` in JSON, where modes do not apply.
        tokens: Tokens of the text: counted where there is a counter, else the estimate.
        counter: The name of the counter that counted them; None = they are an estimate.
        estimated_tokens: Estimated tokens of the text; an estimate can be off either way.
        token_budget: The budget that was asked for; None = no limit.
        included_count: Distinct hits the text shows, both halves of an update included.
        omitted_count: Hits the budget or a decider left out.
        withheld_count: Hits that were never to be seen: retracted, or of an excluded type.
        truncated: Whether anything was omitted.
        cleaned_characters: Characters no output may hold that were mended in what came in.
        outcomes: One per hit that came in, in input order.
        sources: One per hit shown, in reading order, duplicates after the hit they double.
        decision: Who judged; None, and absent from a dump, where no decider's answer was applied.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    _lazy_view: LazyView = PrivateAttr(default_factory=LazyView)

    @model_serializer(mode="wrap")
    def _without_no_decision(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        dumped: dict[str, Any] = dump(self)
        if self.decision is None:
            dumped.pop("decision", None)
        return dumped

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def report(self) -> str:
        """Return the outcomes as a table in plain text, one line per hit, and a line of sums."""
        budget = "no limit" if self.token_budget is None else f"budget {self.token_budget}"
        return (
            f"{outcome_table(self.outcomes)}\n\n"
            f"{self.included_count} shown, {self.omitted_count} omitted, "
            f"{self.withheld_count} withheld of {len(self.outcomes)} hits; "
            f"{self._tokens_in_words()}, {budget}; {self.format}, mode {self.mode}{self._decided()}"
        )

    def _decided(self) -> str:
        if self.decision is None:
            return ""
        return f"; decided by {fold(self.decision.provider) or 'an unnamed decider'}"

    def to_html(self) -> str:
        """Return the context from inside as one page that needs nothing from elsewhere.

        It shows the text, each entry tied to its hit; every hit, unfolding to what it would say
        where it is not shown whole; and where the tokens of the budget went: to each section, to
        the envelope (headings, marks, separators), or free. What is withheld shows no text. A
        context read back from JSON shows its text in one piece: JSON holds no ties.

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
        index: Place of the hit among those that came in, from 0.
        text: Its text, as it would stand on a page without sections.
    """

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class FormattedEntries:
    """The hits that are shown, one by one.

    Attributes:
        entries: In reading order; joined by a blank line they are the context's text.
        context: The texts as one, the counts, and the receipt.
    """

    entries: tuple[FormattedEntry, ...]
    context: FormattedContext


def with_view(context: FormattedContext, make: Callable[[], View]) -> FormattedContext:
    """Give a new context what makes its view, asked for once at most, and return it."""
    context._lazy_view = LazyView(make)
    return context


def view_of_context(context: FormattedContext) -> View:
    """Return the view of a context; the text in one piece where no view of it is known."""
    view = context._lazy_view.view()
    if view is None or view.text != context.text:  # a copy may hold another text
        return View((Span(context.text, section="text", tokens=context.tokens),))
    return view


def room_of(context: FormattedContext) -> tuple[Share, ...]:
    """Return where the tokens of the budget went; without a budget, those of the text."""
    return shares(view_of_context(context).spans, context.tokens, context.token_budget)
