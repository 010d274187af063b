"""A retrieval tool whose output is a context, with numbers that go on from call to call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal
from weakref import WeakKeyDictionary

from llama_index.core.async_utils import asyncio_run
from llama_index.core.base.llms.types import CitableBlock, TextBlock
from llama_index.core.tools import FunctionTool, ToolMetadata, ToolOutput
from llama_index.core.workflow import Context
from pydantic import BaseModel, Field

from areev_context import (
    FormatPolicy,
    FormattedContext,
    FormattedEntries,
    PassageMapper,
    SearchHit,
)
from areev_context.adapters import CounterOption, in_thread
from llama_index.postprocessor.areev_context.citable import citable_entries
from llama_index.postprocessor.areev_context.packing import (
    ContextSource,
    NodePacking,
    SourceOption,
    afound,
    found,
    hits_from,
)

__all__ = ["context_tool", "conversation_sources"]

_NOTHING = "Nothing was found."
_SOURCES = "areev_context_sources"


def context_tool(
    retriever: ContextSource,
    name: str,
    description: str,
    *,
    policy: FormatPolicy | None = None,
    token_budget: int | None = None,
    mapper: PassageMapper | None = None,
    counter: CounterOption = None,
    citations: Literal["numbers", "native"] = "numbers",
) -> FunctionTool:
    """Return a tool that retrieves, and whose output is the packed context.

    The entries are numbered, whether the policy says so or not. An agent's calls of all such tools
    go on counting in its `Context`, so that a number means one entry in a whole conversation:
    `conversation_sources` has the sources of all numbers for `areev_context.cited_sources`. With
    native citations the output is a `CitableBlock` for each entry instead, in plain text and
    without numbers; titles and sources count for the budget too.

    ``raw_output`` is a dict: ``raw`` is what the source found, and ``receipt`` a
    `FormattedContext` as JSON.

    Args:
        retriever: A retriever, or a function, synchronous or not, from the query to what
            `areev_context.hits_of` takes.
        name: The name of the tool.
        description: What the model reads about the tool.
        policy: The format of the text, and its budget; None = `FormatPolicy()`.
        token_budget: Replaces the policy's budget, 0 or more tokens; None = the policy's.
        mapper: Says which metadata are shown; None = `PassageMapper()`, and with native citations
            none, because the blocks have title and source.
        counter: Counts tokens, as `counter_from` accepts it; None = LlamaIndex's own tokenizer.
        citations: ``numbers`` in a text, or ``native`` for models with citations of their own.

    Raises:
        pydantic.ValidationError: The retriever is neither a retriever nor a function.
    """
    native = citations == "native"
    packing = _SourcePacking(
        source=retriever,
        policy=(policy or FormatPolicy()).replace(numbered=not native),
        token_budget=token_budget,
        mapper=mapper or PassageMapper(shown=() if native else None),
        counter=counter,
    )
    return _ContextTool(packing, name, description, native=native)


async def conversation_sources(ctx: Context) -> list[dict[str, Any]]:
    """Return the sources of all entries that context tools have shown in a conversation, in order.

    Args:
        ctx: The `Context` that the agent ran with.

    Returns:
        Each `Source` as JSON, for `areev_context.cited_sources`.
    """
    sources: list[dict[str, Any]] = await ctx.store.get(_SOURCES, default=[])
    return list(sources)


class _SourcePacking(NodePacking):
    source: SourceOption


class _ContextTool(FunctionTool):
    """A function tool, because these are what agents give their `Context` to."""

    def __init__(
        self, packing: _SourcePacking, name: str, description: str, *, native: bool
    ) -> None:
        self._packing = packing
        self._native = native
        metadata = ToolMetadata(description, name, fn_schema=_Query)
        super().__init__(fn=self._text, async_fn=self._atext, metadata=metadata)
        if not native:  # what needs no numbers needs no conversation either
            self.requires_context, self.ctx_param_name = True, "ctx"

    def call(self, *args: Any, **kwargs: Any) -> ToolOutput:
        """Return the context for the query; with a ``ctx`` its numbers go on."""
        query, ctx = _arguments(*args, **kwargs)
        if ctx is not None:
            output: ToolOutput = asyncio_run(self.acall(query, ctx))
            return output
        raw = found(self._packing.source, query)
        hits = hits_from(raw, self._packing.mapper)
        if self._native:
            return self._blocks(query, raw, *citable_entries(self._packing, hits, query))
        return self._context(query, raw, self._packing._format(hits, query))

    async def acall(self, *args: Any, **kwargs: Any) -> ToolOutput:
        """Do the same without blocking the event loop."""
        query, ctx = _arguments(*args, **kwargs)
        raw = await afound(self._packing.source, query)
        hits = await in_thread(lambda: hits_from(raw, self._packing.mapper))
        if self._native:
            cited = await in_thread(lambda: citable_entries(self._packing, hits, query))
            return self._blocks(query, raw, *cited)
        if ctx is None:
            return self._context(query, raw, await self._packing._aformat(hits, query))
        return self._context(query, raw, await self._numbered(ctx, hits, query))

    async def _numbered(
        self, ctx: Context, hits: Sequence[SearchHit], query: str
    ) -> FormattedContext:
        """Return the context whose numbers go on where the last call of a conversation ended."""
        async with _lock_of(ctx.store):  # one call at a time, or two take the same numbers
            shown = await conversation_sources(ctx)
            numbers = [source["number"] for source in shown]
            first = max(numbers) + 1 if numbers else self._packing.policy.first_number
            context = await self._packing._aformat(hits, query, first_number=first)
            await ctx.store.set(_SOURCES, shown + _receipt(context)["sources"])
        return context

    def _context(self, query: str, raw: Any, context: FormattedContext) -> ToolOutput:
        text = self._packing._text_of(context, _NOTHING)
        return self._output(query, raw, context, [TextBlock(text=text)])

    def _blocks(
        self, query: str, raw: Any, entries: FormattedEntries, blocks: Sequence[CitableBlock]
    ) -> ToolOutput:
        if not blocks:
            return self._context(query, raw, entries.context)
        return self._output(query, raw, entries.context, blocks)

    def _output(
        self, query: str, raw: Any, context: FormattedContext, blocks: Sequence[Any]
    ) -> ToolOutput:
        return ToolOutput(
            blocks=list(blocks),
            tool_name=self.metadata.get_name(),
            raw_input={"query": query},
            raw_output={"raw": raw, "receipt": _receipt(context)},
        )

    def _text(self, query: str) -> str:
        return self.call(query).content

    async def _atext(self, query: str) -> str:
        return (await self.acall(query)).content


def _receipt(context: FormattedContext) -> dict[str, Any]:
    return context.model_dump(mode="json")


_Locks = WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]
_LOCKS: WeakKeyDictionary[Any, _Locks] = WeakKeyDictionary()


def _lock_of(store: Any) -> asyncio.Lock:
    """Return the lock of a conversation's store, which all steps of a run share."""
    locks = _LOCKS.setdefault(store, WeakKeyDictionary())
    return locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())


class _Query(BaseModel):
    query: str = Field(description="What to look for, as a question or in a few words")


def _arguments(query: str, ctx: Context | None = None) -> tuple[str, Context | None]:
    return query, ctx
