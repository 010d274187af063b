"""A compressor that packs the documents of a retriever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langchain_core.runnables.config import run_in_executor
from pydantic import ConfigDict, model_validator

from langchain_areev_context.documents import (
    context_documents,
    listed,
    shown_documents,
)
from langchain_areev_context.options import PackingOptions

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

    returns: Literal["context", "documents"] = "context"

    @model_validator(mode="after")
    def _format_has_documents(self) -> Self:
        if self.returns == "documents":
            self._assembler().format_each((), self.policy)
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
        documents = listed(given["documents"])
        packed = self._finished(documents)
        if packed is not None:
            return packed
        arguments = self._arguments(documents, given["query"])
        if self.returns == "documents":
            return shown_documents(self._assembler().format_each(*arguments), documents)
        return context_documents(self._assembler().format(*arguments), arguments[0])

    async def _acompressed(self, given: Mapping[str, Any]) -> list[Document]:
        documents = listed(given["documents"])
        packed = await run_in_executor(None, self._finished, documents)
        if packed is not None:
            return packed
        arguments = await run_in_executor(None, self._arguments, documents, given["query"])
        if self.returns == "documents":
            return shown_documents(await self._assembler().aformat_each(*arguments), documents)
        return context_documents(await self._assembler().aformat(*arguments), arguments[0])
