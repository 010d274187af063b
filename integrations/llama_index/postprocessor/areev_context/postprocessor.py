"""The postprocessor: LlamaIndex's hooks around one call of the assembler."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Literal, Self

from llama_index.core import instrumentation
from llama_index.core.callbacks import CBEventType, EventPayload
from llama_index.core.instrumentation.events.rerank import ReRankEndEvent, ReRankStartEvent
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.utils import get_tokenizer
from pydantic import ConfigDict, Field, SkipValidation, field_validator, model_validator

from areev_context import (
    ContextAssembler,
    DecisionBackend,
    FormatPolicy,
    PassageMapper,
    Reason,
    RenderingHints,
    SearchHit,
)
from areev_context.tokens import TokenCounter, counter_from
from llama_index.postprocessor.areev_context.nodes import (
    one_each,
    one_for_all,
    packed_each_text,
    packed_text,
    passages_of,
)

__all__ = ["ContextPostprocessor"]

_NAME = "areev-context"  # stands in events where a reranker names its model

dispatcher = instrumentation.get_dispatcher(__name__)  # type: ignore[attr-defined]  # re-exported


class ContextPostprocessor(BaseNodePostprocessor):
    """Packs the nodes a retriever found into the context that the model reads.

    With ``mode="single"`` the result is one node whose text is the context string. Its metadata
    are the receipt, kept from models and from embeddings:
    ``FormattedContext(text=node.text, **node.metadata)`` is the whole result again. With
    ``mode="nodes"`` it is a deep copy of each node that is shown, with its id, its metadata and its
    score and a text of its own, which holds the metadata that are shown; SML, Markdown and plain
    text only, and the budget is a ceiling for the texts joined by a blank line.

    What was packed is not packed twice: where the one node comes in again, alone, unchanged and
    within the budget, it is the result, and with ``mode="nodes"`` so are nodes that one call
    returned. A node that was marked retracted since is withheld. Where nothing is shown the result
    is an empty list. Only text is packed: an image without text says nothing.

    A query that is not blank takes the place of the policy's and of the hints'.

    Attributes:
        policy: The shape and the budget.
        token_budget: Room in tokens, a whole number from 0 up; replaces the policy's unless None.
        mode: One node, or one for each node that is shown.
        mapper: Which metadata are shown, and how nodes become hits.
        counter: What counts tokens, anything that `areev_context.tokens.counter_from` takes; None
            = LlamaIndex's own tokenizer. It always counts, so that a budget is a ceiling. Not
            part of `to_dict`; `from_dict` takes it as a keyword.
        hints: What is known of every query; None = nothing.
        decider: A judge of the nodes. It stands in no dump, no trace and no pickle; `from_dict`
            takes it as a keyword.
    """

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, arbitrary_types_allowed=True
    )

    policy: FormatPolicy = FormatPolicy()
    token_budget: Annotated[int, Field(strict=True, ge=0)] | None = None
    mode: Literal["single", "nodes"] = "single"
    mapper: PassageMapper = PassageMapper()
    counter: Any = Field(default=None, exclude=True)
    hints: RenderingHints | None = None
    decider: SkipValidation[DecisionBackend | None] = Field(default=None, exclude=True, repr=False)

    @field_validator("counter")
    @classmethod
    def _counts(cls, counter: Any) -> Any:
        return None if counter is None else counter_from(counter)

    @field_validator("decider")
    @classmethod
    def _judges(cls, decider: Any) -> Any:
        ContextAssembler(decider=decider)  # says what is wrong with it
        return decider

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.mode == "nodes":
            ContextAssembler().format_each([], self.policy)  # refuses a format of one document
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle holds: all but the decider.

        A counter that cannot be pickled is an error, not left out: the copy would count otherwise.
        """
        spare = self.model_copy(update={"decider": None, "counter": None})
        state = BaseNodePostprocessor.__getstate__(spare)  # takes out what cannot be pickled
        return {**state, "__dict__": {**state["__dict__"], "counter": self.counter}}

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Return a copy that shares judge and counter: these may hold what cannot be copied."""
        memo = {} if memo is None else memo
        memo.update((id(shared), shared) for shared in (self.decider, self.counter))
        return super().__deepcopy__(memo)

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which LlamaIndex knows the class."""
        return "ContextPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        with self._announced(nodes, query_bundle) as packed:
            packed.extend(self._packed(nodes, query_bundle))
        return packed

    @dispatcher.span  # the base class gives one to the synchronous method alone
    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        with self._announced(nodes, query_bundle) as packed:
            packed.extend(await self._apacked(nodes, query_bundle))
        return packed

    def _packed(self, nodes: list[NodeWithScore], query: QueryBundle | None) -> list[NodeWithScore]:
        left = self._finished(nodes)
        if left is not None:
            return left
        arguments = self._arguments(nodes, query)
        if self.mode == "single":
            return one_for_all(self._assembler().format(*arguments), nodes)
        return one_each(self._assembler().format_each(*arguments), nodes)

    async def _apacked(
        self, nodes: list[NodeWithScore], query: QueryBundle | None
    ) -> list[NodeWithScore]:
        left = await asyncio.to_thread(self._finished, nodes)
        if left is not None:
            return left
        arguments = await asyncio.to_thread(self._arguments, nodes, query)
        if self.mode == "single":
            return one_for_all(await self._assembler().aformat(*arguments), nodes)
        return one_each(await self._assembler().aformat_each(*arguments), nodes)

    def _assembler(self) -> ContextAssembler:
        return ContextAssembler(decider=self.decider, counter=self._counter())

    def _counter(self) -> TokenCounter:
        return counter_from(get_tokenizer()) if self.counter is None else self.counter

    def _finished(self, nodes: list[NodeWithScore]) -> list[NodeWithScore] | None:
        """Return what is left of nodes that this class made; None = they are to be packed.

        They are unchanged and within the budget: the one of a whole context, or, where each is to
        be its own, those of one call. Those that were marked retracted since are withheld.
        """
        if self._packed_text(nodes) is None:
            return None
        withheld = self._withheld(nodes)
        left = [node for n, node in enumerate(nodes) if n not in withheld]
        text = self._packed_text(left)
        if text is None:
            return None
        budget = self.policy.token_budget if self.token_budget is None else self.token_budget
        return left if budget is None or self._counter()(text) <= budget else None

    def _packed_text(self, nodes: Sequence[NodeWithScore]) -> str | None:
        text = packed_text(nodes)
        return packed_each_text(nodes) if text is None and self.mode == "nodes" else text

    def _withheld(self, nodes: Sequence[NodeWithScore]) -> frozenset[int]:
        """Return the places of nodes that the policy withholds."""
        policy = FormatPolicy(include_retracted=self.policy.include_retracted)
        found = ContextAssembler().format(self.mapper.hits(passages_of(nodes)), policy)
        return frozenset(o.index for o in found.outcomes if o.reason is Reason.WITHHELD)

    def _arguments(
        self, nodes: Sequence[NodeWithScore], query: QueryBundle | None
    ) -> tuple[list[SearchHit], FormatPolicy, RenderingHints]:
        return self.mapper.hits(passages_of(nodes)), *self._asked(query)

    def _asked(self, query: QueryBundle | None) -> tuple[FormatPolicy, RenderingHints]:
        """Return the policy and the hints of one call."""
        policy, hints = self.policy, self.hints or RenderingHints()
        if self.token_budget is not None:
            policy = policy.replace(token_budget=self.token_budget)
        asked: object = None if query is None else query.query_str
        if isinstance(asked, str) and asked.strip():
            policy = policy.replace(query_text=asked)
            hints = hints.model_copy(update={"query_text": policy.query_text})
        return policy, hints

    @contextmanager
    def _announced(
        self, nodes: list[NodeWithScore], query: QueryBundle | None
    ) -> Iterator[list[NodeWithScore]]:
        """Yield an empty list to put the result into, between the events of a reranker."""
        most = 1 if self.mode == "single" else len(nodes)
        dispatcher.event(ReRankStartEvent(query=query, nodes=nodes, top_n=most, model_name=_NAME))
        payload: dict[str, Any] = {
            EventPayload.NODES: nodes,
            EventPayload.MODEL_NAME: _NAME,
            EventPayload.QUERY_STR: None if query is None else query.query_str,
            EventPayload.TOP_K: most,
        }
        packed: list[NodeWithScore] = []
        with self.callback_manager.event(CBEventType.RERANKING, payload=payload) as event:
            yield packed
            event.on_end(payload={EventPayload.NODES: packed})
        dispatcher.event(ReRankEndEvent(nodes=packed))
