"""The options that the compressor and the runnable share, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

from langchain_core.documents import Document
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SkipValidation

from areev_context import (
    ContextAssembler,
    CounterError,
    DecisionBackend,
    FormatPolicy,
    PassageMapper,
    Reason,
    RenderingHints,
    SearchHit,
)
from areev_context.tokens import TokenCounter, counter_from, estimate_tokens
from langchain_areev_context.documents import passages_of
from langchain_areev_context.receipt import finished, rest_of

__all__ = ["PackingOptions"]


def _counts(counter: Any) -> Any:
    try:
        if counter is not None:
            counter_from(counter)
    except CounterError as error:
        raise ValueError(f"{error}; areev_context.tokens.counter_from makes counters") from error
    return counter


def _judge(decider: Any) -> Any:
    ContextAssembler(decider=decider)  # says what is wrong with it
    return decider


class PackingOptions(BaseModel):
    """How documents become context; frozen, and an option it does not know is an error.

    Attributes:
        policy: The shape of the text, and its budget.
        token_budget: Replaces the policy's budget, 0 or more tokens; None = the policy's.
        mapper: Which metadata are shown, and under which key a document carries its score.
        counter: What counts tokens, anything that `areev_context.tokens.counter_from` takes, so
            that a budget is a ceiling; None = estimates, a quarter of the bytes.
        hints: What is known of every query; None = nothing.
        decider: A judge of the hits. It stands in no dump, no trace and no pickle.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    policy: FormatPolicy = FormatPolicy()
    token_budget: Annotated[int, Field(strict=True, ge=0)] | None = None
    mapper: PassageMapper = PassageMapper()
    counter: Annotated[Any, BeforeValidator(_counts)] = None
    hints: RenderingHints | None = None
    decider: Annotated[
        SkipValidation[DecisionBackend | None],
        BeforeValidator(_judge),
        Field(exclude=True, repr=False),
    ] = None

    def __getstate__(self) -> dict[Any, Any]:
        """Return what a pickle holds: all but the decider."""
        state = super().__getstate__()
        return {**state, "__dict__": {**state["__dict__"], "decider": None}}

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Return a copy that shares judge and counter: these may hold what cannot be copied."""
        memo = {} if memo is None else memo
        memo.update((id(shared), shared) for shared in (self.decider, self.counter))
        return super().__deepcopy__(memo)

    def _assembler(self) -> ContextAssembler:
        return ContextAssembler(decider=self.decider, counter=self._counter())

    def _arguments(
        self, documents: Sequence[Document], query: object
    ) -> tuple[list[SearchHit], FormatPolicy, RenderingHints]:
        return self.mapper.hits(passages_of(documents)), *self._asked(query)

    def _counter(self) -> TokenCounter:
        return estimate_tokens if self.counter is None else counter_from(self.counter)

    def _budget(self) -> int | None:
        return self.policy.token_budget if self.token_budget is None else self.token_budget

    def _finished(self, documents: list[Document]) -> list[Document] | None:
        """Return what is left of what a compressor returned; None = the documents are to be packed.

        They are all of one result, unchanged, and within the budget. Those that were marked
        retracted since are withheld.
        """
        if finished(documents) is None:
            return None
        withheld = self._withheld(documents)
        if len(withheld) == len(documents):
            return None
        left = rest_of(documents, withheld, self._counter()) if withheld else documents
        context = finished(left)
        return left if context is not None and self._fits(context.text) else None

    def _withheld(self, documents: Sequence[Document]) -> frozenset[int]:
        """Return the places of documents that the policy withholds."""
        policy = FormatPolicy(include_retracted=self.policy.include_retracted)
        found = ContextAssembler().format(self.mapper.hits(passages_of(documents)), policy)
        return frozenset(o.index for o in found.outcomes if o.reason is Reason.WITHHELD)

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
