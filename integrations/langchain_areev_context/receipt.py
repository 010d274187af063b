"""The receipt distinguishes documents made by this package from a retriever's documents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from langchain_core.documents import Document
from pydantic import TypeAdapter, ValidationError

from areev_context import FormattedContext, HitOutcome, Reason, Source
from areev_context.adapters import SIGNATURE, SOURCES, are_packed, signatures
from areev_context.extend import Allocation, OutputFormat
from areev_context.tokens import TokenCounter, estimate_tokens

__all__ = [
    "RECEIPT",
    "SEPARATOR",
    "Receipt",
    "finished",
    "metadata_of",
    "ranked",
    "rest_of",
    "restored_from",
]

SEPARATOR = "\n\n"
"""The separator between the texts of documents that are one result."""

RECEIPT = "areev_context"
"""The metadata key of a receipt."""


class Receipt(str):
    """The result that a document belongs to; as text, and in JSON, it is one line of totals.

    It is a class, because data cannot forge it: a retriever's metadata may have any value under
    the key `RECEIPT`, but no object of this class.

    Attributes:
        context: The result.
        place: Index of the hit that the document shows, from 0; None = all shown hits.
    """

    context: FormattedContext
    place: int | None

    def __new__(cls, context: FormattedContext, place: int | None = None) -> Self:
        """Return the receipt of a result."""
        sums = (
            f"{context.included_count} shown, {context.omitted_count} omitted, "
            f"{context.withheld_count} withheld"
        )
        receipt = super().__new__(cls, sums)
        receipt.context = context
        receipt.place = place
        return receipt

    def __getnewargs__(self) -> tuple[FormattedContext, int | None]:  # type: ignore[override]
        """Return what a copy is made of."""
        return (self.context, self.place)


def finished(documents: Sequence[Document]) -> FormattedContext | None:
    """Return the result if the documents are all its documents, unchanged; else None."""
    found = [None if receipt is None else receipt.context for receipt in _receipts(documents)]
    first = found[0] if found else None
    if first is None or any(context != first for context in found):
        return None
    return first if _text_of(documents) == first.text else None


def rest_of(
    documents: Sequence[Document],
    gone: Collection[int],
    count: TokenCounter,
    key: str | None,
    *,
    budget: int | None = None,
) -> list[Document]:
    """Return the documents of a result without some, with a new receipt.

    Text, id and other metadata of each document stay. The receipt is new, because the old receipt
    has the text of all documents.

    Args:
        documents: The documents of a whole result; at least one is left.
        gone: Indexes of the documents that are not.
        count: Counts tokens.
        key: The application's key, to sign the rest; None = there is none.
        budget: The budget that left documents out; None = they are withheld.
    """
    left = [document for n, document in enumerate(documents) if n not in gone]
    places = [receipt.place for receipt in _receipts(documents) if receipt is not None]
    whole = finished(documents)
    assert whole is not None, "asked of a whole result"
    if whole.outcomes:
        context = _less(whole, {places[n] for n in gone}, _text_of(left), count, budget)
    else:  # it was stored
        context = _restored(left)
        if budget is not None:
            cut = {"omitted_count": len(gone), "truncated": True, "token_budget": budget}
            context = FormattedContext(**{**dict(context), **cut})
    signed = signatures([document.page_content for document in left], key)
    places_left = [place for n, place in enumerate(places) if n not in gone]
    return [
        _with(document, {RECEIPT: Receipt(context, place), SIGNATURE: signature})
        for document, place, signature in zip(left, places_left, signed, strict=True)
    ]


def restored_from(documents: Sequence[Document], key: str | None) -> list[Document] | None:
    """Return the documents of a stored result with receipts again; None if they are no result.

    The receipt has the counts and the sources that the metadata have; what a store changed in them
    is unknown. The outcomes are lost in a store.

    Raises:
        InputError: A document is a packed one that is not alone and unchanged, or was not signed
            with this key.
    """
    texts = [document.page_content for document in documents]
    if not are_packed(texts, [metadata_of(each).get(SIGNATURE) for each in documents], key):
        return None
    context = _restored(documents)
    places = [None] if len(documents) == 1 else range(len(documents))
    return [
        _with(document, {RECEIPT: Receipt(context, place)})
        for document, place in zip(documents, places, strict=True)
    ]


def _with(document: Document, more: Mapping[str, Any]) -> Document:
    return Document(
        page_content=document.page_content,
        id=document.id,
        metadata={**metadata_of(document), **more},
    )


_COUNTS: dict[str, type] = {
    "mode": str, "tokens": int, "token_budget": int, "included_count": int, "omitted_count": int,
    "withheld_count": int, "truncated": bool,
}  # fmt: skip
_FORMATS = frozenset(OutputFormat)
_LIST_OF_SOURCES = TypeAdapter(tuple[Source, ...])


def _restored(documents: Sequence[Document]) -> FormattedContext:
    """Return what is known of a stored result: its text, and what its metadata say."""
    text, stored = _text_of(documents), metadata_of(documents[0])
    estimate = estimate_tokens(text)
    known: dict[str, Any] = {
        "format": OutputFormat.PLAIN_TEXT,
        "mode": "default",
        "tokens": estimate,
        "token_budget": None,
        "included_count": len(documents),
        "omitted_count": 0,
        "withheld_count": 0,
        "truncated": False,
    }
    sources = [source for each in documents for source in _stored_sources(metadata_of(each))]
    if len(documents) == 1 and SOURCES not in stored:  # a whole context
        known |= {n: stored[n] for n, kind in _COUNTS.items() if type(stored.get(n)) is kind}
        form = stored.get("format")
        known |= {"format": form} if isinstance(form, str) and form in _FORMATS else {}
    return FormattedContext(
        **known,
        text=text,
        sources=tuple(sources),
        counter=None,
        estimated_tokens=estimate,
        cleaned_characters=0,
        outcomes=(),
    )


def _stored_sources(metadata: Mapping[Any, Any]) -> tuple[Source, ...]:
    """Return the sources in the metadata of a document; a store may have made text of them."""
    given = metadata.get(SOURCES, metadata.get("sources"))
    try:
        if isinstance(given, str):
            return _LIST_OF_SOURCES.validate_json(given)
        return _LIST_OF_SOURCES.validate_python(given)
    except ValidationError:
        return ()


def _sources_of(context: FormattedContext) -> dict[int, list[Source]]:
    """Return the sources of each entry, by the index of its hit."""
    groups: dict[int, list[Source]] = {}
    index = 0
    for source in context.sources:
        own = context.outcomes[source.index or 0].reason is not Reason.DUPLICATE
        index = (source.index or 0) if own else index
        groups.setdefault(index, []).append(source)
    return groups


def ranked(documents: Sequence[Document]) -> list[int]:
    """Return the places of the documents of a result, in the order of the retriever.

    A document whose metadata do not tell its index in the input is ranked by its place.
    """
    sources = [_stored_sources(metadata_of(document))[:1] for document in documents]
    index = [found[0].index if found else None for found in sources]
    ranks = [(n if rank is None else rank, n) for n, rank in enumerate(index)]
    return [n for _, n in sorted(ranks)]


def _less(
    whole: FormattedContext,
    gone: Collection[int | None],
    text: str,
    count: TokenCounter,
    budget: int | None,
) -> FormattedContext:
    """Return a result without the hits at some places: over the budget, if there is one.

    Without a budget they are withheld, and so is what may be their double.
    """
    found = _over(whole, gone) if budget is not None else _withheld(whole, gone)
    changed = sum(new != was for new, was in zip(found, whole.outcomes, strict=True))
    groups = _sources_of(whole)
    left = whole.included_count - len(gone)
    counts: dict[str, Any] = {"withheld_count": whole.withheld_count + changed}
    if budget is not None:
        omitted = whole.omitted_count + changed
        counts = {"omitted_count": omitted, "truncated": True, "token_budget": budget}
    return FormattedContext(
        **{
            **dict(whole),
            **counts,
            "text": text,
            "tokens": count(text),
            "estimated_tokens": estimate_tokens(text),
            "included_count": left,
            "outcomes": found,
            "sources": tuple(s for n, group in groups.items() if n not in gone for s in group),
        }
    )


def _over(whole: FormattedContext, gone: Collection[int | None]) -> tuple[HitOutcome, ...]:
    omitted, none = Reason.OMITTED_BUDGET, Allocation.OMIT
    return tuple(
        replace(o, reason=omitted, allocation=none, tokens=0, number=None) if o.index in gone else o
        for o in whole.outcomes
    )


def _withheld(whole: FormattedContext, gone: Collection[int | None]) -> tuple[HitOutcome, ...]:
    shown = [o for o in whole.outcomes if o.reason is not Reason.DUPLICATE]
    known = {o.hash for o in shown if o.index not in gone}
    return tuple(
        HitOutcome(o.index, Reason.WITHHELD)
        if o.index in gone or (o.reason is Reason.DUPLICATE and o.hash not in known)
        else o
        for o in whole.outcomes
    )


def _text_of(documents: Iterable[Document]) -> str:
    return SEPARATOR.join(document.page_content for document in documents)


def metadata_of(document: Document) -> Mapping[Any, Any]:
    """Return a document's metadata; a document made without validation may have none."""
    metadata: Any = document.metadata
    if type(metadata) is dict:
        return metadata
    try:  # a class of a retriever's own may fail to say what it holds
        own = issubclass(type(metadata), dict)
        return dict(dict.items(metadata) if own else metadata.items())
    except Exception:
        return {}


def _receipts(documents: Iterable[Document]) -> list[Receipt | None]:
    found = (metadata_of(document).get(RECEIPT) for document in documents)
    return [receipt if issubclass(type(receipt), Receipt) else None for receipt in found]
