"""What integrations share: the options of packing, and one call of the assembler.

An integration converts the framework's objects to passages, and the result back to objects of the
framework. Everything between these two steps is here.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    SkipValidation,
    TypeAdapter,
)

from areev_context.assembler import ContextAssembler
from areev_context.decide.asking import in_thread
from areev_context.errors import CounterError, InputError
from areev_context.hits.hit import SearchHit
from areev_context.hits.passages import Passage, PassageMapper
from areev_context.policy import FormatPolicy, RenderingHints
from areev_context.protocols import DecisionBackend
from areev_context.result import FormattedContext, FormattedEntries
from areev_context.selection.screening import Reason
from areev_context.signatures import JOIN, SIGNATURE, are_packed, signatures
from areev_context.sources import Source
from areev_context.tokens import TokenCounter, counter_from, estimate_tokens

__all__ = [
    "SIGNATURE",
    "SOURCES",
    "CounterOption",
    "PackedHits",
    "PackingOptions",
    "are_packed",
    "copied",
    "in_thread",
    "signatures",
    "sources_by_entry",
]


SOURCES = "areev_context_sources"
"""The metadata key of the sources of one entry of several, as JSON text."""

_LIST_OF_SOURCES = TypeAdapter(tuple[Source, ...])


def sources_by_entry(context: FormattedContext) -> Iterator[tuple[int, str]]:
    """Yield the index of the hit of each entry, and the sources of the entry as JSON text."""
    groups: dict[int, list[Source]] = {}
    index = 0
    for source in context.sources:
        own = context.outcomes[source.index or 0].reason is not Reason.DUPLICATE
        index = (source.index or 0) if own else index
        groups.setdefault(index, []).append(source)
    for index, group in groups.items():
        yield index, _LIST_OF_SOURCES.dump_json(tuple(group)).decode()


class PackedHits(NamedTuple):
    """The result of packing.

    Attributes:
        hits: The hits that the passages were turned into, in the order of the passages.
        context: The context of these hits, with its receipt.
    """

    hits: list[SearchHit]
    context: FormattedContext


def _checked_counter(counter: Any) -> Any:
    try:
        if counter is not None:
            counter_from(counter)
    except CounterError as error:
        raise ValueError(f"{error}; areev_context.tokens.counter_from makes counters") from error
    return counter


CounterOption = Annotated[Any, BeforeValidator(_checked_counter)]
"""The type of an option that counts tokens: anything that `counter_from` accepts, or None."""


def _checked_decider(decider: Any) -> Any:
    ContextAssembler(decider=decider)  # says what is wrong with it
    return decider


class PackingOptions(BaseModel):
    """The options by which the passages of a framework become a context.

    An unknown option is an error.

    Attributes:
        policy: The format of the text, and its budget.
        token_budget: Replaces the policy's budget, 0 or more tokens; None = the policy's.
        mapper: Says which metadata are shown, and which metadata key has a passage's score.
        counter: Counts tokens, so that a budget is a ceiling; anything that
            `areev_context.tokens.counter_from` accepts. None = the framework's own tokenizer where
            it has one, else estimates.
        hints: What the caller knows about every query; None = nothing.
        signing_key: Signs what is packed, so that it is recognized when a store gives it back.
            Without one, a packed text that comes back from a store is an error. It is in no dump.
        decider: Answers questions about the query and the hits. It is in no dump, no trace and no
            pickle.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    policy: FormatPolicy = Field(
        default=FormatPolicy(), description="The format of the text, and its budget"
    )
    token_budget: Annotated[int, Field(strict=True, ge=0)] | None = Field(
        default=None, description="Replaces the policy's budget, in tokens"
    )
    mapper: PassageMapper = Field(
        default=PassageMapper(), description="The metadata to show, and the key of the score"
    )
    counter: CounterOption = Field(default=None, description="Counts tokens")
    hints: RenderingHints | None = Field(
        default=None, description="What the caller knows about every query"
    )
    signing_key: SecretStr | None = Field(
        default=None, exclude=True, description="Signs what is packed, to recognize it later"
    )
    decider: Annotated[
        SkipValidation[DecisionBackend | None], BeforeValidator(_checked_decider)
    ] = Field(
        default=None,
        exclude=True,
        repr=False,
        description="Answers questions about the query and the hits",
    )

    def __getstate__(self) -> dict[Any, Any]:
        """Return what a pickle holds: all but the decider."""
        state = super().__getstate__()
        return {**state, "__dict__": {**state["__dict__"], "decider": None}}

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Return a copy that shares decider and counter: these may hold what cannot be copied."""
        memo = {} if memo is None else memo
        memo.update((id(shared), shared) for shared in (self.decider, self.counter))
        return super().__deepcopy__(memo)

    def _counting(self) -> TokenCounter:
        """Return what counts tokens in this integration."""
        return estimate_tokens if self.counter is None else counter_from(self.counter)

    def _key(self) -> str | None:
        return None if self.signing_key is None else self.signing_key.get_secret_value()

    def _budget(self) -> int | None:
        return self.policy.token_budget if self.token_budget is None else self.token_budget

    def _fits(self, text: str) -> bool:
        """Return whether a text keeps the budget, where there is one."""
        budget = self._budget()
        return budget is None or not text or self._counting()(text) <= budget

    def _fitting(self, texts: Sequence[str], order: Iterable[int]) -> list[int]:
        """Return the places of the texts of one result that keep the budget together.

        Args:
            texts: All texts of the result, which are shown as they are or not at all.
            order: Their places, the most important first.

        Raises:
            InputError: None of them fits.
        """
        if self._fits(JOIN.join(texts)):
            return list(range(len(texts)))
        found: list[int] = []
        for place in order if len(texts) > 1 else ():
            more = sorted([*found, place])
            found = more if self._fits(JOIN.join(texts[n] for n in more)) else found
        if not found:
            least = min(map(self._counting(), texts))
            raise InputError(
                f"a packed context of {least} tokens is over the budget of {self._budget()}, and "
                "is not packed twice: hand over the retriever's passages, or pack them to the "
                "smaller budget at once"
            )
        return found

    def _withheld(self, passages: Iterable[Passage]) -> frozenset[int]:
        """Return the places of passages that the policy withholds."""
        policy = FormatPolicy(include_retracted=self.policy.include_retracted)
        found = ContextAssembler().format(self.mapper.hits(passages), policy)
        return frozenset(o.index for o in found.outcomes if o.reason is Reason.WITHHELD)

    def _assembler(self) -> ContextAssembler:
        return ContextAssembler(decider=self.decider, counter=self._counting())

    def _check_entries(self) -> None:
        """Raise an InputError where the policy's format cannot show hits one by one."""
        ContextAssembler().format_each([], self.policy)

    def _context(self, passages: Iterable[Passage], query: object) -> PackedHits:
        """Return the context of passages, read once; a query that is no text, or blank, is none."""
        hits, policy, hints = self._arguments(passages, query)
        return PackedHits(hits, self._assembler().format(hits, policy, hints))

    async def _acontext(self, passages: Iterable[Passage], query: object) -> PackedHits:
        """Do the same in threads, so that the loop goes on."""
        hits, policy, hints = await in_thread(lambda: self._arguments(passages, query))
        return PackedHits(hits, await self._assembler().aformat(hits, policy, hints))

    def _entries(self, passages: Iterable[Passage], query: object) -> FormattedEntries:
        """Return the passages that are shown, one by one; the query as in `_context`."""
        return self._assembler().format_each(*self._arguments(passages, query))

    async def _aentries(self, passages: Iterable[Passage], query: object) -> FormattedEntries:
        """Do the same in threads, so that the loop goes on."""
        arguments = await in_thread(lambda: self._arguments(passages, query))
        return await self._assembler().aformat_each(*arguments)

    def _arguments(
        self, passages: Iterable[Passage], query: object
    ) -> tuple[list[SearchHit], FormatPolicy, RenderingHints]:
        return self.mapper.hits(passages), *self._asked(query)

    def _asked(self, query: object) -> tuple[FormatPolicy, RenderingHints]:
        """Return the policy, with the budget of these options, and the hints of a query."""
        asked = query if isinstance(query, str) else None
        policy = self.policy.replace(token_budget=self._budget()).asked(asked)
        return policy, (self.hints or RenderingHints()).asked(asked)


def copied(value: Any) -> Any:
    """Return a deep copy of a metadata value, or the value itself if it cannot be copied."""
    try:
        return copy.deepcopy(value)
    except Exception:  # a lock, a connection: whatever stands there
        return value
