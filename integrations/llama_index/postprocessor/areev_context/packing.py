"""Pack what a source finds: LlamaIndex's tokenizer counts, nodes and all else become hits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from inspect import isawaitable, iscoroutinefunction
from typing import Annotated, Any, Unpack

from llama_index.core.async_utils import asyncio_run
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import BaseNode, NodeWithScore
from llama_index.core.utils import get_tokenizer
from pydantic import AfterValidator, SkipValidation

from areev_context import FormattedContext, PassageMapper, SearchHit, hits_of
from areev_context.adapters import PackingOptions
from areev_context.extend import PolicyOptions
from areev_context.tokens import TokenCounter, counter_from
from llama_index.postprocessor.areev_context.node_parts import parts_of

__all__ = [
    "ContextSource",
    "NodePacking",
    "SourceOption",
    "afound",
    "found",
    "hits_from",
    "nodes_in",
]

ContextSource = BaseRetriever | Callable[[str], Any]
"""A retriever, or a function, synchronous or not, from a query to what `hits_of` takes."""


def _checked_source(source: Any) -> Any:
    if not isinstance(source, BaseRetriever) and not callable(source):
        raise ValueError(
            f"source is of type {type(source).__name__}: give a retriever, or a function from a "
            "query to what hits_of takes"
        )
    return source


SourceOption = Annotated[SkipValidation[ContextSource], AfterValidator(_checked_source)]
"""The type of an option that is a source."""


class NodePacking(PackingOptions):
    """The options of packing, with LlamaIndex's own tokenizer where no counter is given."""

    def _counting(self) -> TokenCounter:
        return counter_from(get_tokenizer() if self.counter is None else self.counter)

    def _tokens(self, text: str) -> int:
        return self._counting()(text) if text else 0

    def _text_of(self, context: FormattedContext, instead: str) -> str:
        """Return the text of a context, or another where nothing is shown, if that one fits.

        Models of several providers refuse a tool's output without any text.
        """
        if context.included_count:
            return context.text
        return instead if self._fits(instead) else ""

    def _format(
        self, hits: Sequence[SearchHit], query: str, **changes: Unpack[PolicyOptions]
    ) -> FormattedContext:
        """Return the context of hits; changes replace options of the policy."""
        policy, hints = self._asked(query)
        return self._assembler().format(hits, policy.replace(**changes), hints)

    async def _aformat(
        self, hits: Sequence[SearchHit], query: str, **changes: Unpack[PolicyOptions]
    ) -> FormattedContext:
        """Do the same in threads, so that the loop goes on."""
        policy, hints = self._asked(query)
        return await self._assembler().aformat(hits, policy.replace(**changes), hints)


def found(source: ContextSource, query: str) -> Any:
    """Return what a source finds; an asynchronous function is run to its end."""
    if isinstance(source, BaseRetriever):
        return source.retrieve(query)
    result = source(query)
    return asyncio_run(_awaited(result)) if isawaitable(result) else result


async def afound(source: ContextSource, query: str) -> Any:
    """Return what a source finds; a synchronous function runs in a thread."""
    if isinstance(source, BaseRetriever):
        return await source.aretrieve(query)
    if iscoroutinefunction(source) or iscoroutinefunction(type(source).__call__):
        return await source(query)
    result = await asyncio.to_thread(source, query)  # with the caller's context variables
    return await _awaited(result) if isawaitable(result) else result


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def hits_from(result: Any, mapper: PassageMapper) -> list[SearchHit]:
    """Return the hits of nodes, with or without scores, or of anything else that `hits_of` takes.

    Raises:
        InputError: The result has no shape that is known.
    """
    nodes = nodes_in(result)
    return (
        hits_of(result, mapper=mapper)
        if nodes is None
        else mapper.hits(part.passage for part in parts_of(nodes))
    )


def nodes_in(result: Any) -> list[NodeWithScore] | None:
    """Return the nodes of a list of nodes, or of a response; None where there is something else."""
    given = getattr(result, "source_nodes", result)
    if not isinstance(given, list | tuple) or not given:
        return None
    if not all(isinstance(each, NodeWithScore | BaseNode) for each in given):
        return None
    return [each if isinstance(each, NodeWithScore) else NodeWithScore(node=each) for each in given]
