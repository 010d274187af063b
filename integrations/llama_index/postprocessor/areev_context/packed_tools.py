"""Tools whose output is packed to a budget by the arguments of the call."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import ContentBlock, TextBlock
from llama_index.core.schema import MetadataMode, NodeWithScore
from llama_index.core.tools import AsyncBaseTool, BaseTool, FunctionTool, ToolMetadata, ToolOutput

from areev_context import (
    FormatPolicy,
    FormattedContext,
    InputError,
    Passage,
    PassageMapper,
    SearchHit,
    hits_of,
)
from areev_context.adapters import CounterOption, in_thread
from llama_index.postprocessor.areev_context.node_parts import parts_of
from llama_index.postprocessor.areev_context.packing import NodePacking, nodes_in

__all__ = ["pack_tool"]

_TOO_LONG = "The result is too long to show."


def pack_tool(
    tool: BaseTool,
    *,
    policy: FormatPolicy | None = None,
    token_budget: int | None = None,
    mapper: PassageMapper | None = None,
    counter: CounterOption = None,
) -> AsyncBaseTool:
    """Return a tool that does what a tool does, and packs its output to the budget.

    An output whose text fits is the output of the tool, unchanged; so is an error. Of any other the
    text is packed by the arguments of the call: the nodes of a retriever one by one, a list of
    documents or of messages too, any other text by its parts. Images and other blocks are passed
    through, and are not counted. ``raw_output`` of a packed output is a dict of two keys: ``raw``,
    the tool's own, and ``receipt``, a `FormattedContext` as JSON.

    Args:
        tool: Any tool of LlamaIndex.
        policy: The format of the text, and its budget; None = `FormatPolicy()`.
        token_budget: Replaces the policy's budget, 0 or more tokens; None = the policy's.
        mapper: Says which metadata are shown; None = `PassageMapper()`.
        counter: Counts tokens, as `counter_from` accepts it; None = LlamaIndex's own tokenizer.

    Returns:
        A tool for any agent; a `FunctionTool` where the tool is one, so that the agent gives it
        its `Context`.

    Raises:
        InputError: There is no tool, or no budget.
    """
    given: object = tool
    if not isinstance(given, BaseTool):
        raise InputError(f"tool is of type {type(given).__name__}: give a BaseTool")
    packing = _OutputPacking(
        policy=policy or FormatPolicy(),
        token_budget=token_budget,
        mapper=mapper or PassageMapper(),
        counter=counter,
    )
    if packing._budget() is None:
        raise InputError("there is no budget to pack to: give token_budget, or a policy with one")
    if isinstance(tool, FunctionTool):
        return _PackedFunctionTool(tool, packing)
    return _PackedTool(tool, packing)


class _OutputPacking(NodePacking):
    """Packs the output of a tool where its text is over the budget."""

    def pack(self, output: ToolOutput, arguments: Sequence[Any]) -> ToolOutput:
        """Return an output within the budget.

        Args:
            output: What the tool returned.
            arguments: The arguments of the call; their texts and numbers are the query.
        """
        if output.is_error or self._fits(output.content):
            return output
        context = self._format(self._hits(output), " ".join(_words(arguments)))
        return self._with_context(output, context)

    async def apack(self, output: ToolOutput, arguments: Sequence[Any]) -> ToolOutput:
        """Do the same in threads, so that the loop goes on."""
        if output.is_error or await in_thread(lambda: self._fits(output.content)):
            return output
        hits = await in_thread(lambda: self._hits(output))
        context = await self._aformat(hits, " ".join(_words(arguments)))
        return self._with_context(output, context)

    def _hits(self, output: ToolOutput) -> list[SearchHit]:
        nodes, text = nodes_in(output.raw_output), output.content
        own = text == str(output.raw_output)  # else a callback of the tool wrote the text
        if nodes is not None and (own or _is_text_of(nodes, text)):
            return self.mapper.hits([part.passage for part in parts_of(nodes)])
        for given in (output.raw_output, text) if own else (text,):
            try:
                return hits_of(given, mapper=self.mapper)
            except InputError:  # no list of what is known, so it is the text of a page
                continue
        return self.mapper.hits([Passage(text)])

    def _with_context(self, output: ToolOutput, context: FormattedContext) -> ToolOutput:
        """Return a copy of an output with the context in place of its text."""
        text = TextBlock(text=self._text_of(context, _TOO_LONG))
        first = next(n for n, block in enumerate(output.blocks) if isinstance(block, TextBlock))
        blocks: list[ContentBlock] = [b for b in output.blocks if not isinstance(b, TextBlock)]
        blocks.insert(first, text)
        raw = {"raw": output.raw_output, "receipt": context.model_dump(mode="json")}
        return output.model_copy(update={"blocks": blocks, "raw_output": raw})


def _is_text_of(nodes: Sequence[NodeWithScore], text: str) -> bool:
    """Return whether a text is that of nodes, with or without metadata, and nothing else."""
    modes = (MetadataMode.NONE, MetadataMode.LLM)
    texts = ("".join(each.node.get_content(metadata_mode=mode) for each in nodes) for mode in modes)
    return "".join(text.split()) in ("".join(own.split()) for own in texts)


def _words(arguments: Any) -> Iterator[str]:
    """Yield the texts and numbers in the arguments of a call."""
    if isinstance(arguments, str | int | float) and not isinstance(arguments, bool):
        yield str(arguments)
    elif isinstance(arguments, list | tuple):
        for each in arguments:
            yield from _words(each)
    elif isinstance(arguments, Mapping):
        yield from _words(list(arguments.values()))


class _PackedTool(AsyncBaseTool):
    """Any tool, with its output packed."""

    def __init__(self, tool: BaseTool, packing: _OutputPacking) -> None:
        self._tool = tool
        self._packing = packing

    @property
    def metadata(self) -> ToolMetadata:
        return self._tool.metadata

    def call(self, *args: Any, **kwargs: Any) -> ToolOutput:
        output = self._tool(*args, **kwargs)
        return self._packing.pack(output, (*args, *kwargs.values()))

    async def acall(self, *args: Any, **kwargs: Any) -> ToolOutput:
        if isinstance(self._tool, AsyncBaseTool):
            output = await self._tool.acall(*args, **kwargs)
        else:
            output = await asyncio.to_thread(self._tool, *args, **kwargs)
        return await self._packing.apack(output, (*args, *kwargs.values()))


class _PackedFunctionTool(FunctionTool):
    """A function tool, with its output packed; agents give it their context as the tool itself."""

    def __init__(self, tool: FunctionTool, packing: _OutputPacking) -> None:
        self.__dict__.update(tool.__dict__)  # what agents read: the function, what it asks for
        self._tool = tool
        self._packing = packing

    @property
    def metadata(self) -> ToolMetadata:
        return self._tool.metadata

    def call(self, *args: Any, **kwargs: Any) -> ToolOutput:
        output = self._tool.call(*args, **kwargs)
        return self._packing.pack(output, (*args, *kwargs.values()))

    async def acall(self, *args: Any, **kwargs: Any) -> ToolOutput:
        output = await self._tool.acall(*args, **kwargs)
        return await self._packing.apack(output, (*args, *kwargs.values()))
