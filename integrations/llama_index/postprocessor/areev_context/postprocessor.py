"""The postprocessor: LlamaIndex's hooks around one call of the assembler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, Self

from llama_index.core import instrumentation
from llama_index.core.callbacks import CBEventType, EventPayload
from llama_index.core.instrumentation.events.rerank import ReRankEndEvent, ReRankStartEvent
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.utils import get_tokenizer
from pydantic import ConfigDict, Field, model_validator

from areev_context import FormattedContext
from areev_context.adapters import CounterOption, PackingOptions, in_thread
from areev_context.tokens import TokenCounter, counter_from
from llama_index.postprocessor.areev_context.node_parts import NodePart, parts_of, passages_of
from llama_index.postprocessor.areev_context.nodes import (
    is_stored,
    one_each,
    one_for_all,
    packed_each_text,
    packed_text,
    ranked,
    shown_nodes,
    signed_again,
    text_of,
)

__all__ = ["ContextPostprocessor"]

_NAME = "areev-context"  # stands in events where a reranker names its model

dispatcher = instrumentation.get_dispatcher(__name__)  # type: ignore[attr-defined]  # re-exported


class ContextPostprocessor(PackingOptions, BaseNodePostprocessor):
    """Packs the nodes of a retriever into the context that the model reads.

    With ``returns="context"`` the result is one node whose text is the context string. Its metadata
    are the receipt, hidden from models and from embeddings:
    ``FormattedContext(text=node.text, **node.metadata)`` is the whole result again. With
    ``returns="nodes"`` the result is a deep copy of each shown node, with its id, metadata and
    score, and with its own text, which includes the shown metadata. This works in SML, Markdown and
    plain text, and the budget is a ceiling for the texts joined by blank lines.

    A result is not packed again: the unchanged node of a context, or the unchanged nodes of one
    result, are returned, without those that were marked retracted in the meantime. Of several that
    are over the budget together, those with the lowest scores are left out; where nothing fits,
    and where other nodes stand beside them, the call raises an `InputError`. If nothing is shown,
    the result is an empty list. Only text is packed: an image without text is left out.

    A query that is not blank replaces the query of the policy and of the hints. Without a counter
    LlamaIndex's own tokenizer counts, so that a budget is a ceiling. `to_dict` contains neither
    the counter nor the decider; `from_dict` takes them as keywords.

    Attributes:
        returns: ``context`` for one node with the whole text; ``nodes`` for one per shown node.
    """

    model_config = ConfigDict(validate_assignment=True)

    returns: Literal["context", "nodes"] = Field(
        default="context", description="One node of the whole text, or one for each shown node"
    )
    counter: CounterOption = Field(default=None, exclude=True, description="Counts tokens")

    @model_validator(mode="after")
    def _format_has_nodes(self) -> Self:
        if self.returns == "nodes":
            self._check_entries()
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle holds: all but the decider.

        A counter that cannot be pickled is an error, not left out: the copy would count otherwise.
        """
        spare = self.model_copy(update={"decider": None, "counter": None})
        state = BaseNodePostprocessor.__getstate__(spare)  # takes out what cannot be pickled
        return {**state, "__dict__": {**state["__dict__"], "counter": self.counter}}

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which LlamaIndex knows the class."""
        return "ContextPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        with self._announced(nodes, query_bundle) as packed:
            packed.extend(self._packed(nodes, _text_of(query_bundle)))
        return packed

    @dispatcher.span  # the base class gives one to the synchronous method alone
    async def _apostprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        with self._announced(nodes, query_bundle) as packed:
            packed.extend(await self._apacked(nodes, _text_of(query_bundle)))
        return packed

    def _packed(self, nodes: list[NodeWithScore], query: str | None) -> list[NodeWithScore]:
        left = self._finished(nodes)
        if left is not None:
            return left
        if self.returns == "context":
            parts = list(parts_of(nodes))
            context = self._context((part.passage for part in parts), query).context
            return self._one_for_all(context, nodes, parts)
        return one_each(self._entries(passages_of(nodes), query), nodes, self._key())

    async def _apacked(self, nodes: list[NodeWithScore], query: str | None) -> list[NodeWithScore]:
        left = await in_thread(lambda: self._finished(nodes))
        if left is not None:
            return left
        if self.returns == "context":
            parts = await in_thread(lambda: list(parts_of(nodes)))
            packed = await self._acontext((part.passage for part in parts), query)
            return self._one_for_all(packed.context, nodes, parts)
        return one_each(await self._aentries(passages_of(nodes), query), nodes, self._key())

    def _one_for_all(
        self, context: FormattedContext, nodes: list[NodeWithScore], parts: Sequence[NodePart]
    ) -> list[NodeWithScore]:
        shown = shown_nodes(context, nodes, [part.place for part in parts])
        return one_for_all(context, shown, self._key())

    def _counting(self) -> TokenCounter:
        return counter_from(get_tokenizer() if self.counter is None else self.counter)

    def _finished(self, nodes: list[NodeWithScore]) -> list[NodeWithScore] | None:
        """Return what is left of nodes that this class made; None = they are to be packed.

        Those that were marked retracted since are withheld, and those over the budget left out.
        """
        stored = packed_text(nodes) is None and packed_each_text(nodes) is None
        if stored and not is_stored(nodes, self._key()):
            return None
        withheld = self._withheld(passages_of(nodes))
        left = [node for n, node in enumerate(nodes) if n not in withheld]
        if not left:
            return None
        fitting = self._fitting([text_of(each.node) for each in left], ranked(left))
        over = len(fitting) < len(left)
        left = [left[n] for n in fitting]
        return signed_again(left, self._key()) if over or (stored and withheld) else left

    @contextmanager
    def _announced(
        self, nodes: list[NodeWithScore], query: QueryBundle | None
    ) -> Iterator[list[NodeWithScore]]:
        """Yield an empty list to put the result into, between the events of a reranker."""
        most = 1 if self.returns == "context" else len(nodes)
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


def _text_of(query: QueryBundle | None) -> str | None:
    return None if query is None else query.query_str
