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
    """Packs a retriever's documents into context, within the budget where there is one.

    Each call is a run of its own, under the run whose callbacks it is given. Documents that are
    what a compressor returned, all of them and unchanged, are returned as they are where they fit,
    but for those that were marked retracted since.

    Attributes:
        returns: ``context`` for one document that holds the whole text; ``documents`` for those
            that are shown, one by one, each with its own text, id and metadata, in SML, Markdown
            or plain text. A ceiling then holds for the texts joined by a blank line.

    Raises:
        InputError: ``documents`` is asked of a format that is one document of all hits.
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
        """Return what is shown of these documents; an empty list where nothing is.

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
        """Do the same in threads, so that the loop goes on."""
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
            return shown_documents(self._entries(passages_of(documents), query), documents)
        return context_documents(*self._context(passages_of(documents), query))

    async def _acompressed(self, given: Mapping[str, Any]) -> list[Document]:
        documents, query = listed(given["documents"]), given["query"]
        packed = await in_thread(lambda: finished_within(self, documents))
        if packed is not None:
            return packed
        if self.returns == "documents":
            return shown_documents(await self._aentries(passages_of(documents), query), documents)
        return context_documents(*await self._acontext(passages_of(documents), query))
