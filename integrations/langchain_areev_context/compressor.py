"""A compressor that packs the documents of a retriever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.runnables import RunnableConfig, RunnableLambda
from pydantic import ConfigDict

from langchain_areev_context.documents import context_document, listed, passages_of
from langchain_areev_context.options import PackingOptions
from langchain_areev_context.receipt import finished

__all__ = ["ContextCompressor"]


class ContextCompressor(PackingOptions, BaseDocumentCompressor):
    """Packs a retriever's documents into context, within the budget where there is one.

    Each call is a run of its own, under the run whose callbacks it is given. Documents that are
    what a compressor returned, all of them and unchanged, are returned as they are where they fit.

    Attributes:
        returns: ``context`` for one document that holds the whole text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    returns: Literal["context"] = "context"

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks = None
    ) -> Sequence[Document]:
        """Return the context of these documents; an empty list where nothing is shown.

        Args:
            documents: Best first; they stay as they are.
            query: What is asked; where it is not blank it wins over the policy's.
            callbacks: What the run reports to.

        Raises:
            InputError: They are no documents.
            CounterError: The counter failed.
        """
        given = {"documents": documents, "query": query}
        return RunnableLambda(self._compressed).invoke(given, self._config(callbacks))

    async def acompress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks = None
    ) -> Sequence[Document]:
        """Do the same in a thread, so that the loop goes on."""
        given = {"documents": documents, "query": query}
        return await RunnableLambda(self._compressed).ainvoke(given, self._config(callbacks))

    def _config(self, callbacks: Callbacks) -> RunnableConfig:
        return {"callbacks": callbacks, "run_name": type(self).__name__}

    def _compressed(self, given: Mapping[str, Any]) -> list[Document]:
        documents = listed(given["documents"])
        done = finished(documents)
        if done is not None and self._fits(done.text):
            return documents
        hits = self.mapper.hits(passages_of(documents))
        context = self._assembler().format(hits, *self._asked(given["query"]))
        return [context_document(context, hits)] if context.included_count else []
