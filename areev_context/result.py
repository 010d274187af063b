"""The result of an assembly: the text, the counts, and the receipt."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from areev_context.core.outcome import HitOutcome, Source
from areev_context.core.policy import OutputFormat
from areev_context.report import outcome_table

__all__ = ["FormattedContext", "FormattedEntries", "FormattedEntry"]


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
        omitted_count: Hits the budget left out.
        withheld_count: Hits that were never to be seen: retracted, or of an excluded type.
        truncated: Whether anything was omitted.
        cleaned_characters: Characters no output may hold that were mended in what came in.
        outcomes: One per hit that came in, in input order.
        sources: One per hit shown, in reading order, duplicates after the hit they double.
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
            f"{self._spoken_tokens()}, {budget}; {self.format}, mode {self.mode}"
        )

    def _spoken_tokens(self) -> str:
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
