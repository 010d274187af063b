"""The LlamaIndex integration as a user types it. Checked by mypy and never run."""

from typing import assert_type

from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import Memory
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.tools import AsyncBaseTool, BaseTool, FunctionTool
from llama_index.core.workflow import Context

from areev_context import (
    Citations,
    FormatPolicy,
    FormattedContext,
    PassageMapper,
    RenderingHints,
    cited_sources,
)
from areev_context.tokens import tiktoken_counter
from llama_index.postprocessor.areev_context import (
    ContextMemoryBlock,
    ContextPostprocessor,
    context_tool,
    conversation_sources,
    pack_tool,
)


def engine(index: VectorStoreIndex) -> BaseQueryEngine:
    pack = ContextPostprocessor(
        policy=FormatPolicy.claude(token_budget=2000),
        token_budget=1000,
        returns="nodes",
        mapper=PassageMapper(shown=("title", "file_name")),
        counter=tiktoken_counter(),
        hints=RenderingHints(has_time_range=True),
    )
    pack.token_budget = None
    # What LlamaIndex takes as a model is partly unknown to pyright.
    return index.as_query_engine(  # pyright: ignore[reportUnknownMemberType]
        node_postprocessors=[pack]
    )


async def receipts(nodes: list[NodeWithScore]) -> list[FormattedContext]:
    pack = ContextPostprocessor.from_dict(ContextPostprocessor().to_dict(), counter=str.split)
    assert_type(pack, ContextPostprocessor)
    assert_type(pack.postprocess_nodes(nodes, query_str="query"), list[NodeWithScore])
    found = await pack.apostprocess_nodes(nodes, QueryBundle("query"))
    return [FormattedContext(text=n.node.get_content(), **n.node.metadata) for n in found]


async def search(query: str) -> list[str]:
    return [query]


def memory(retriever: BaseRetriever) -> list[ChatMessage]:
    first = ContextMemoryBlock(source=retriever, policy=FormatPolicy.claude(), priority=1)
    second = ContextMemoryBlock(source=search, name="Second", token_budget=200)
    memory = Memory.from_defaults(  # pyright: ignore[reportUnknownMemberType]
        memory_blocks=[first, second]
    )
    return memory.get(input="query")


def tools(retriever: BaseRetriever, tool: BaseTool) -> list[BaseTool]:
    packed = pack_tool(tool, policy=FormatPolicy(token_budget=200), counter=str.split)
    assert_type(packed, AsyncBaseTool)
    found = context_tool(retriever, "search", "Searches.", token_budget=200, citations="native")
    assert_type(found, FunctionTool)
    return [packed, found, context_tool(search, "other", "Searches elsewhere.")]


async def cited(answer: str, ctx: Context) -> Citations:
    return cited_sources(answer, await conversation_sources(ctx))
