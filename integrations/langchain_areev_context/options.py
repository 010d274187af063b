"""The options that the compressor and the runnable share, and what follows from them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from areev_context import ContextAssembler, FormatPolicy, PassageMapper, RenderingHints
from areev_context.tokens import TokenCounter, estimate_tokens

__all__ = ["PackingOptions"]


def _callable(counter: Any) -> Any:
    if counter is not None and not callable(counter):
        raise ValueError(
            f"counter is of type {type(counter).__name__}: give a callable from text to a number "
            "of tokens; areev_context.tokens.counter_from makes one of a tokenizer"
        )
    return counter


class PackingOptions(BaseModel):
    """How documents become context; frozen, and an option it does not know is an error.

    Attributes:
        policy: The shape of the text, and its budget.
        token_budget: Replaces the policy's budget, 0 or more tokens; None = the policy's.
        mapper: Which metadata are shown, and under which key a document carries its score.
        counter: What counts tokens, a callable from text to a whole number, so that a budget is
            a ceiling; None = estimates, a quarter of the bytes.
        hints: What is known of every query; None = nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy: FormatPolicy = FormatPolicy()
    token_budget: Annotated[int, Field(strict=True, ge=0)] | None = None
    mapper: PassageMapper = PassageMapper()
    counter: Annotated[TokenCounter | None, BeforeValidator(_callable)] = None
    hints: RenderingHints | None = None

    def _assembler(self) -> ContextAssembler:
        return ContextAssembler(counter=self._counter())

    def _counter(self) -> TokenCounter:
        return estimate_tokens if self.counter is None else self.counter

    def _budget(self) -> int | None:
        return self.policy.token_budget if self.token_budget is None else self.token_budget

    def _fits(self, text: str) -> bool:
        budget = self._budget()
        return budget is None or not text or self._counter()(text) <= budget

    def _asked(self, query: object) -> tuple[FormatPolicy, RenderingHints]:
        """Return the policy and the hints of one query; one that is blank, or no text, is none."""
        policy = self.policy.replace(token_budget=self._budget())
        hints = RenderingHints() if self.hints is None else self.hints
        if not isinstance(query, str) or not query.strip():
            return policy, hints
        said = {"query_text": query}
        return policy.replace(**said), RenderingHints.model_validate({**dict(hints), **said})
