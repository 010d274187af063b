"""Convert LangChain's documents to passages, and the result back to documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document

from areev_context import FormattedContext, FormattedEntries, InputError, Passage, SearchHit, escape
from areev_context.adapters import (
    SIGNATURE,
    SOURCES,
    PackingOptions,
    copied,
    signatures,
    sources_by_entry,
)
from areev_context.extend import Allocation, OutputFormat
from langchain_areev_context.receipt import (
    RECEIPT,
    Receipt,
    finished,
    metadata_of,
    ranked,
    rest_of,
    restored_from,
)

__all__ = ["context_documents", "finished_within", "listed", "passages_of", "shown_documents"]

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
    """Return a new list of the documents.

    Raises:
        InputError: The argument is no list of documents.
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


def passages_of(documents: Iterable[Document]) -> Iterator[Passage]:
    """Yield one passage per document; a score can only be in its metadata."""
    for document in documents:
        yield Passage(text=document.page_content, metadata=document.metadata, id=document.id)


def finished_within(options: PackingOptions, documents: list[Document]) -> list[Document] | None:
    """Return what fits the budget of documents that are a finished result; None = pack them.

    A finished result is the complete, unchanged result of a compressor, also after it was stored if
    it was signed. Documents that were marked retracted in the meantime are withheld; of several
    that are over the budget together, those that the retriever ranked last are left out.

    Raises:
        InputError: A document is a packed one that is not alone and unchanged, or was stored and
            not signed with the key of these options; or nothing fits the budget.
    """
    if finished(documents) is None:
        restored = restored_from(documents, options._key())
        if restored is None:
            return None
        documents = restored
    withheld = options._withheld(passages_of(documents))
    if len(withheld) == len(documents):
        return None
    left = documents
    count, key = options._counting(), options._key()
    if withheld:
        left = rest_of(documents, withheld, count, key)
    fitting = options._fitting([each.page_content for each in left], ranked(left))
    over = set(range(len(left))) - set(fitting)
    return rest_of(left, over, count, key, budget=options._budget()) if over else left


def context_documents(
    hits: Sequence[SearchHit], context: FormattedContext, key: str | None
) -> list[Document]:
    """Return a context as a list of one document; the list is empty if nothing is shown.

    The metadata of the document have the counts and the sources of the result, and the receipt,
    which marks a finished result. For document prompts they also have ``source``, ``title`` and
    ``page`` of the shown hits: distinct values in input order, joined by ``, ``, escaped as the
    format escapes a value, and empty if no hit has one.

    Args:
        hits: All hits of the input.
        context: The result of these hits.
        key: The application's key, to sign the result; None = there is none.
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
    [signature] = signatures([context.text], key)
    metadata |= {RECEIPT: Receipt(context), SIGNATURE: signature}
    return [Document(page_content=context.text, metadata=metadata)]


def shown_documents(
    shown: FormattedEntries, documents: Sequence[Document], key: str | None
) -> list[Document]:
    """Return the shown documents in reading order, each with its own text.

    They keep their ids and a deep copy of their metadata, to which the receipt is added.

    Args:
        shown: The entries of the hits of these documents.
        documents: All documents of the input; they are not changed.
        key: The application's key, to sign the result; None = there is none.
    """
    signed = signatures([entry.text for entry in shown.entries], key)
    sources = dict(sources_by_entry(shown.context))
    return [
        _rewritten(
            documents[entry.index],
            entry.text,
            {
                RECEIPT: Receipt(shown.context, entry.index),
                SOURCES: sources[entry.index],
                SIGNATURE: signature,
            },
        )
        for entry, signature in zip(shown.entries, signed, strict=True)
    ]


def _rewritten(document: Document, text: str, more: Mapping[str, Any]) -> Document:
    own = {name: copied(value) for name, value in metadata_of(document).items()}
    return Document(page_content=text, id=document.id, metadata={**own, **more})


def _joined(hits: Iterable[SearchHit], name: str, form: OutputFormat) -> str:
    found = (hit.fields.get(name) for hit in hits if hit.grain_type == "document")
    distinct = dict.fromkeys(str(value) for value in found if value is not None)
    return ", ".join(escape(value, form) for value in distinct)
