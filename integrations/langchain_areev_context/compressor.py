"""A compressor that packs the documents of a retriever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.runnables import RunnableConfig, RunnableLambda
from pydantic import ConfigDict, Field, model_validator

from areev_context.adapters import PackingOptions, in_thread
from langchain_areev_context.documents import (
    context_documents,
    finished_within,
    listed,
    passages_of,
    shown_documents,
)

__all__ = ["ContextCompressor"]


class ContextCompressor(PackingOptions, BaseDocumentCompressor):
    """Packs a retriever's documents into a context, within the budget if there is one.

    Each call is a separate run, a child of the run whose callbacks it gets. If the documents are
    the complete, unchanged result of a compressor, they are returned unchanged, without documents
    that were marked retracted in the meantime; of several that are over the budget together, those
    that the retriever ranked last are left out.

    Attributes:
        returns: ``context`` for one document with the whole text; ``documents`` for one document
            per shown document, each with its own text, id and metadata, in SML, Markdown or plain
            text. The budget then is a ceiling for the texts joined by blank lines.

    Raises:
        InputError: ``documents`` does not work with JSON and TOON.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    returns: Literal["context", "documents"] = Field(
        default="context", description="One document of the whole text, or one for each shown"
    )

    @model_validator(mode="after")
    def _format_has_documents(self) -> Self:
        if self.returns == "documents":
            self._check_entries()
        return self

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks = None
    ) -> Sequence[Document]:
        """Return the packed documents; an empty list if nothing is shown.

        Args:
            documents: The documents, best first; they are not changed.
            query: The query; if it is not blank, it replaces the policy's query.
            callbacks: The callbacks of the run.

        Raises:
            InputError: The argument is no list of documents, or packed documents are over the
                budget, or stand beside others.
            CounterError: The counter failed.
        """
        given = {"documents": documents, "query": query}
        return RunnableLambda(self._compressed).invoke(given, self._config(callbacks))

    async def acompress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks = None
    ) -> Sequence[Document]:
        """Do the same in threads, without blocking the event loop."""
        given = {"documents": documents, "query": query}
        pack = RunnableLambda(self._compressed, self._acompressed)
        return await pack.ainvoke(given, self._config(callbacks))

    def _config(self, callbacks: Callbacks) -> RunnableConfig:
        return {"callbacks": callbacks, "run_name": type(self).__name__}

    def _compressed(self, given: Mapping[str, Any]) -> list[Document]:
        documents, query = listed(given["documents"]), given["query"]
        packed = finished_within(self, documents)
        if packed is not None:
            return packed
        if self.returns == "documents":
            return shown_documents(
                self._entries(passages_of(documents), query), documents, self._key()
            )
        return context_documents(*self._context(passages_of(documents), query), self._key())

    async def _acompressed(self, given: Mapping[str, Any]) -> list[Document]:
        documents, query = listed(given["documents"]), given["query"]
        packed = await in_thread(lambda: finished_within(self, documents))
        if packed is not None:
            return packed
        if self.returns == "documents":
            return shown_documents(
                await self._aentries(passages_of(documents), query), documents, self._key()
            )
        packed_hits = await self._acontext(passages_of(documents), query)
        return context_documents(*packed_hits, self._key())
