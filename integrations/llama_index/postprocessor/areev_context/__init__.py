"""Pack the nodes of a LlamaIndex retriever into the context of a model.

::

    from areev_context import FormatPolicy
    from llama_index.postprocessor.areev_context import ContextPostprocessor

    packed = ContextPostprocessor(policy=FormatPolicy.claude(token_budget=2000))
    engine = index.as_query_engine(node_postprocessors=[packed])
"""

from __future__ import annotations

try:
    import llama_index.core  # noqa: F401  # asked for by name, to say what is missing
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "llama-index-core is not installed: pip install 'areev-context[llamaindex]'",
        name=error.name,
    ) from error

from llama_index.postprocessor.areev_context.citable import citable_blocks
from llama_index.postprocessor.areev_context.context_tool import context_tool, conversation_sources
from llama_index.postprocessor.areev_context.llm_decider import LLMDecider
from llama_index.postprocessor.areev_context.memory_block import ContextMemoryBlock
from llama_index.postprocessor.areev_context.packed_tools import pack_tool
from llama_index.postprocessor.areev_context.postprocessor import ContextPostprocessor

__all__ = [
    "ContextMemoryBlock",
    "ContextPostprocessor",
    "LLMDecider",
    "citable_blocks",
    "context_tool",
    "conversation_sources",
    "pack_tool",
]
