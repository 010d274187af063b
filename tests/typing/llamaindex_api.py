"""The LlamaIndex integration as a user types it. Checked by mypy and never run."""

from typing import assert_type

from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.schema import NodeWithScore, QueryBundle

from areev_context import FormatPolicy, FormattedContext, PassageMapper, RenderingHints
from areev_context.tokens import tiktoken_counter
from llama_index.postprocessor.areev_context import ContextPostprocessor


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
