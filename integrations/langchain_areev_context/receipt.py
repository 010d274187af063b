"""How documents of our own making are told from a retriever's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from langchain_core.documents import Document

from areev_context import FormattedContext

__all__ = ["RECEIPT", "Receipt", "finished", "metadata_of"]

RECEIPT = "areev_context"
"""The metadata key of a receipt."""


class Receipt(str):
    """The result that a document is of; printed, and in JSON, it is one line of sums.

    A type, because no data can forge it: whatever a retriever's metadata hold under our key, they
    hold no object of this class.

    Attributes:
        context: The result.
    """

    context: FormattedContext

    def __new__(cls, context: FormattedContext) -> Self:
        """Return the receipt of a result."""
        said = (
            f"{context.included_count} shown, {context.omitted_count} omitted, "
            f"{context.withheld_count} withheld"
        )
        receipt = super().__new__(cls, said)
        receipt.context = context
        return receipt

    def __getnewargs__(self) -> tuple[FormattedContext]:  # type: ignore[override]  # of ours
        """Return what a copy is made of."""
        return (self.context,)


def finished(documents: Sequence[Document]) -> FormattedContext | None:
    """Return the result that these documents are, all of it and unchanged; None = they are not."""
    found = [_context_of(document) for document in documents]
    first = found[0] if found else None
    if first is None or any(context != first for context in found):
        return None
    text = "\n\n".join(document.page_content for document in documents)
    return first if text == first.text else None


def metadata_of(document: Document) -> Mapping[Any, Any]:
    """Return a document's metadata; one that was made without validation may have none."""
    metadata: Any = document.metadata
    if type(metadata) is dict:
        return metadata
    try:  # a class of a retriever's own may fail to say what it holds
        own = issubclass(type(metadata), dict)
        return dict(dict.items(metadata) if own else metadata.items())
    except Exception:
        return {}


def _context_of(document: Document) -> FormattedContext | None:
    receipt: Any = metadata_of(document).get(RECEIPT)
    return receipt.context if issubclass(type(receipt), Receipt) else None
