"""Pack the documents of a LangChain retriever into the context of a model.

::

    from areev_context import FormatPolicy
    from langchain_areev_context import ContextRunnable

    pack = ContextRunnable(policy=FormatPolicy.claude(token_budget=2000))
    chain = {"context": retriever | pack, "question": RunnablePassthrough()} | prompt | llm
"""

from __future__ import annotations

try:
    import langchain_core as langchain_core
except ImportError as error:
    raise ImportError(
        "langchain-core is not installed: pip install 'areev-context[langchain]'"
    ) from error

from langchain_areev_context.compressor import ContextCompressor
from langchain_areev_context.model_deciders import ChatModelDecider, DecisionModelDecider
from langchain_areev_context.models import policy_for
from langchain_areev_context.runnable import ContextRunnable

__all__ = [
    "ChatModelDecider",
    "ContextCompressor",
    "ContextRunnable",
    "DecisionModelDecider",
    "policy_for",
]
