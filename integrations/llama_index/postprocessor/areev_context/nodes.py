"""Convert texts to nodes whose metadata a prompt does not show, and recognize these."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from llama_index.core.base.llms.types import ImageBlock, TextBlock
from llama_index.core.schema import (
    BaseNode,
    ImageNode,
    IndexNode,
    MetadataMode,
    NodeWithScore,
    TextNode,
)
from pydantic import Field

from areev_context import FormattedContext, FormattedEntries
from areev_context.adapters import (
    SIGNATURE,
    SOURCES,
    are_packed,
    copied,
    signatures,
    sources_by_entry,
)
from areev_context.extend import Allocation

__all__ = [
    "image_of",
    "is_stored",
    "one_each",
    "one_for_all",
    "packed_each_text",
    "packed_text",
    "ranked",
    "shown_nodes",
    "signed_again",
    "text_of",
]

_SHOWN = (Allocation.FULL, Allocation.SUMMARY)


class _ContextNode(TextNode):
    """The node of a whole context; a type, because no data that a retriever finds can forge it.

    Its content blocks are the text, and the images of the nodes that the text shows.
    """

    images: tuple[ImageBlock, ...] = Field(default=(), exclude=True)

    def get_content_blocks(self, metadata_mode: MetadataMode = MetadataMode.NONE) -> list[Any]:
        return [TextBlock(text=self.get_content(metadata_mode=metadata_mode)), *self.images]


class _Mark(NamedTuple):
    """The mark of a packed node, which a retriever's nodes do not have; stored with its fields.

    Attributes:
        text: Identity of its text.
        context: Identity of the whole text that it is a part of.
    """

    text: str
    context: str


_MARK = "_packed"


def packed_each_text(nodes: Sequence[NodeWithScore]) -> str | None:
    """Return the text of nodes if all are unchanged nodes of one context; else None."""
    marks = [found.node.__dict__.get(_MARK) for found in nodes]
    if not all(marks):  # nearly always
        return None
    texts = [text_of(found.node) for found in nodes]
    contexts = {
        mark.context if isinstance(mark, _Mark) and mark.text == _identity(text) else None
        for mark, text in zip(marks, texts, strict=True)
    }
    return "\n\n".join(texts) if len(contexts) == 1 and None not in contexts else None


def text_of(node: BaseNode) -> str:
    """Return the text of a node, without its metadata."""
    return str(node.get_content(metadata_mode=MetadataMode.NONE))


def packed_text(nodes: Sequence[NodeWithScore]) -> str | None:
    """Return the text of a single node if it is an unchanged, whole context; else None."""
    node = nodes[0].node if len(nodes) == 1 else None
    if not isinstance(node, _ContextNode) or node.node_id != _identity(node.text):
        return None
    return node.text


def _identity(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()  # of any node's text


def is_stored(nodes: Sequence[NodeWithScore], key: str | None) -> bool:
    """Return whether nodes are the whole of a stored result that was signed with the key.

    Raises:
        InputError: A node is a packed one that is not alone and unchanged, or that was not signed
            with this key.
    """
    texts = [text_of(found.node) for found in nodes]
    return are_packed(texts, [_metadata(each.node).get(SIGNATURE) for each in nodes], key)


def ranked(nodes: Sequence[NodeWithScore]) -> list[int]:
    """Return the places of nodes, the best score first; as they stand if one has no score."""
    scores: list[Any] = [each.score for each in nodes]
    if not all(type(score) in (int, float) and not math.isnan(score) for score in scores):
        return list(range(len(nodes)))
    return sorted(range(len(nodes)), key=lambda n: -scores[n])


def signed_again(nodes: Sequence[NodeWithScore], key: str | None) -> list[NodeWithScore]:
    """Return nodes of a result, from which others were taken, with new signatures."""
    signed = signatures([text_of(found.node) for found in nodes], key)
    return [_signed(found, signature) for found, signature in zip(nodes, signed, strict=True)]


def _signed(found: NodeWithScore, signature: str) -> NodeWithScore:
    metadata = {**_metadata(found.node), SIGNATURE: signature}
    node = found.node.model_copy(update={"metadata": metadata})
    return found.model_copy(update={"node": node})


def _metadata(node: BaseNode) -> dict[str, Any]:
    return node.metadata if type(node.metadata) is dict else {}


def one_for_all(
    context: FormattedContext, shown: Sequence[NodeWithScore], key: str | None
) -> list[NodeWithScore]:
    """Return a list of one node, with the receipt in hidden metadata; empty if nothing is shown.

    The score is the score of the first shown node, and the id is the SHA-256 of the text.

    Args:
        context: The context.
        shown: The nodes that it shows, in input order.
        key: The application's key, to sign the result; None = there is none.
    """
    if not shown:
        return []
    node = _ContextNode(
        id_=_identity(context.text),
        text=context.text,
        images=tuple(filter(None, (image_of(found.node) for found in shown))),
        extra_info={
            **context.model_dump(mode="json", exclude={"text"}),
            SIGNATURE: signatures([context.text], key)[0],
        },
    )
    # A score is passed on as it came: what a retriever wrote is not ours to check.
    return [NodeWithScore(node=_hidden(node)).model_copy(update={"score": shown[0].score})]


def shown_nodes(
    context: FormattedContext, nodes: Sequence[NodeWithScore], places: Sequence[int]
) -> list[NodeWithScore]:
    """Return the nodes that a context shows, each once, in input order.

    Args:
        context: The context.
        nodes: All nodes of the input.
        places: The index of the node of each hit.
    """
    shown = {places[o.index] for o in context.outcomes if o.allocation in _SHOWN}
    return [nodes[place] for place in sorted(shown)]


def image_of(node: BaseNode) -> ImageBlock | None:
    """Return the image of a node; None if it has none, or none that can be read."""
    given: tuple[Any, ...]
    if isinstance(node, ImageNode):
        given = (node.image, node.image_path, node.image_url, node.image_mimetype)
    else:
        found = getattr(node, "image_resource", None)
        given = tuple(getattr(found, name, None) for name in ("data", "path", "url", "mimetype"))
    data, path, url, mimetype = given
    if not (data or path or url):
        return None
    image = data.encode() if isinstance(data, str) else data
    try:
        return ImageBlock(image=image, path=path, url=url, image_mimetype=mimetype)
    except Exception:  # a file that is not there: what a retriever wrote is not ours to check
        return None


def one_each(
    found: FormattedEntries, nodes: Sequence[NodeWithScore], key: str | None
) -> list[NodeWithScore]:
    """Return a deep copy of each shown node, in reading order, with its new text."""
    context = _identity(found.context.text)
    signed = signatures([entry.text for entry in found.entries], key)
    sources = dict(sources_by_entry(found.context))
    return [
        _rewritten(
            nodes[entry.index],
            entry.text,
            context,
            {SIGNATURE: signature, SOURCES: sources[entry.index]},
        )
        for entry, signature in zip(found.entries, signed, strict=True)
    ]


def _rewritten(
    found: NodeWithScore, text: str, context: str, more: Mapping[str, str]
) -> NodeWithScore:
    node = _copied(found.node)
    node.set_content(text)
    node = node.model_copy(update={"metadata": {**_metadata(node), **more}})
    mark = _Mark(_identity(text_of(node)), context)
    return found.model_copy(update={"node": _hidden(node).model_copy(update={_MARK: mark})})


def _hidden(node: BaseNode) -> BaseNode:
    """Return the node with every key of its metadata hidden from models and from embeddings."""
    metadata = _metadata(node)  # else there are no keys to hide
    return node.model_copy(
        update={
            "metadata": metadata,
            "excluded_llm_metadata_keys": list(metadata),
            "excluded_embed_metadata_keys": list(metadata),
        }
    )


def _copied(node: BaseNode) -> BaseNode:
    """Return a deep copy; the object that an index node stands for is referred to, not copied."""
    item = {"obj"} if isinstance(node, IndexNode) else set()
    return node.model_copy(update={name: _deep(value) for name, value in node if name not in item})


def _deep(value: Any) -> Any:
    if issubclass(type(value), dict):  # one value that cannot be copied does not keep the others
        return {key: copied(part) for key, part in dict.items(value)}
    return copied(value)
