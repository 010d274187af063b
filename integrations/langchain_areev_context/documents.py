"""LangChain's documents as passages, and what is shown of them as documents again."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document

from areev_context import (
    Allocation,
    FormattedContext,
    FormattedEntries,
    InputError,
    OutputFormat,
    Passage,
    SearchHit,
    escape,
)
from langchain_areev_context.receipt import RECEIPT, Receipt, metadata_of

__all__ = ["context_documents", "listed", "passages_of", "shown_documents"]

_OF_PROMPTS = ("source", "title", "page")  # what the prompts of document chains ask for
_COUNTS = {
    "format",
    "mode",
    "tokens",
    "token_budget",
    "included_count",
    "omitted_count",
    "withheld_count",
    "truncated",
}


def listed(documents: object) -> list[Document]:
    """Return documents as a list of their own.

    Raises:
        InputError: They are no list of documents.
    """
    single = isinstance(documents, str | bytes | Mapping | Document)
    if single or not isinstance(documents, Iterable):
        kind = type(documents).__name__
        raise InputError(f"documents is of type {kind}: give a list of Document")
    found = list(documents)
    for place, document in enumerate(found):
        if not issubclass(type(document), Document):  # a dead reference is none, and says nothing
            kind = type(document).__name__
            raise InputError(f"document {place} is of type {kind}: give a Document", row=place)
    return found


def passages_of(documents: Iterable[Document]) -> list[Passage]:
    """Return one passage per document; a score stands in its metadata, if anywhere."""
    return [
        Passage(text=document.page_content, metadata=document.metadata, id=document.id)
        for document in documents
    ]


def context_documents(context: FormattedContext, hits: Sequence[SearchHit]) -> list[Document]:
    """Return a context as one document, for whatever takes documents; none shows nothing.

    Its metadata hold the counts and the sources of the result, the receipt that tells the document
    from a retriever's, and ``source``, ``title`` and ``page`` of what is shown, as a document
    prompt may ask for them: distinct values in input order, joined by ``, ``, written as the
    format writes a value, empty where nothing has one.

    Args:
        context: The result of these hits.
        hits: All that came in.
    """
    if not context.included_count:
        return []
    shown = [
        hits[outcome.index]
        for outcome in context.outcomes
        if outcome.allocation not in (None, Allocation.OMIT)
    ]
    metadata: dict[str, Any] = {name: _joined(shown, name, context.format) for name in _OF_PROMPTS}
    metadata |= context.model_dump(mode="json", include={*_COUNTS, "sources"})
    return [Document(page_content=context.text, metadata={**metadata, RECEIPT: Receipt(context)})]


def shown_documents(shown: FormattedEntries, documents: Sequence[Document]) -> list[Document]:
    """Return the documents that are shown, in reading order, each with its own text.

    They keep their ids and a deep copy of their metadata, beside which stands the receipt.

    Args:
        shown: The entries of the hits that these documents are.
        documents: All that came in; they stay as they are.
    """
    receipt = Receipt(shown.context)
    return [_rewritten(documents[entry.index], entry.text, receipt) for entry in shown.entries]


def _rewritten(document: Document, text: str, receipt: Receipt) -> Document:
    own = {key: _own(value) for key, value in metadata_of(document).items()}
    return Document(page_content=text, id=document.id, metadata={**own, RECEIPT: receipt})


def _own(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # a lock, a connection: whatever stands in somebody's metadata
        return value


def _joined(hits: Iterable[SearchHit], name: str, form: OutputFormat) -> str:
    found = (hit.fields.get(name) for hit in hits if hit.grain_type == "document")
    distinct = dict.fromkeys(str(value) for value in found if value is not None)
    return ", ".join(escape(value, form) for value in distinct)
