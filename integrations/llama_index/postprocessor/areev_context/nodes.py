"""Nodes to passages, and texts back to nodes that a prompt shows as that text and nothing else."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from llama_index.core.schema import BaseNode, IndexNode, MetadataMode, NodeWithScore, TextNode

from areev_context import Allocation, FormattedContext, FormattedEntries, Passage

__all__ = ["one_each", "one_for_all", "packed_text", "passages_of"]

_SHOWN = (Allocation.FULL, Allocation.SUMMARY)


class _ContextNode(TextNode):
    """The node of a whole context; a type, because no data that a retriever finds can forge it."""


def packed_text(nodes: Sequence[NodeWithScore]) -> str | None:
    """Return the text of the one node that holds a whole context unchanged; None = it is not."""
    node = nodes[0].node if len(nodes) == 1 else None
    if not isinstance(node, _ContextNode) or node.node_id != _identity(node.text):
        return None
    return node.text


def _identity(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def passages_of(nodes: Iterable[NodeWithScore]) -> list[Passage]:
    """Return each node's own text, without its metadata, and what the retriever knows of it."""
    return [
        Passage(
            text=found.node.get_content(metadata_mode=MetadataMode.NONE),
            metadata=found.node.metadata,
            score=found.score,
            id=found.node.node_id,
            excluded=found.node.excluded_llm_metadata_keys,
        )
        for found in nodes
    ]


def one_for_all(context: FormattedContext, nodes: Sequence[NodeWithScore]) -> list[NodeWithScore]:
    """Return the context as one node, its receipt hidden in its metadata; none shows nothing.

    Its score is that of the first node shown, its id the SHA-256 of the text.
    """
    shown = [nodes[o.index] for o in context.outcomes if o.allocation in _SHOWN]
    if not shown:
        return []
    node = _ContextNode(
        id_=_identity(context.text),
        text=context.text,
        metadata=context.model_dump(mode="json", exclude={"text"}),
    )
    # A score is passed on as it came: what a retriever wrote is not ours to check.
    return [NodeWithScore(node=_hidden(node)).model_copy(update={"score": shown[0].score})]


def one_each(found: FormattedEntries, nodes: Sequence[NodeWithScore]) -> list[NodeWithScore]:
    """Return a deep copy of each node that is shown, in reading order, with its new text."""
    return [_rewritten(nodes[entry.index], entry.text) for entry in found.entries]


def _rewritten(found: NodeWithScore, text: str) -> NodeWithScore:
    node = _copied(found.node)
    node.set_content(text)
    return found.model_copy(update={"node": _hidden(node)})


def _hidden(node: BaseNode) -> BaseNode:
    """Return the node with every key of its metadata kept from models and from embeddings."""
    metadata = (
        node.metadata if type(node.metadata) is dict else {}
    )  # else there are no keys to hide
    return node.model_copy(
        update={
            "metadata": metadata,
            "excluded_llm_metadata_keys": list(metadata),
            "excluded_embed_metadata_keys": list(metadata),
        }
    )


def _copied(node: BaseNode) -> BaseNode:
    """Return a deep copy; the object that an index node stands for is referred to, not copied."""
    kept = {"obj"} if isinstance(node, IndexNode) else set()
    return node.model_copy(update={name: _deep(value) for name, value in node if name not in kept})


def _deep(value: Any) -> Any:
    if issubclass(type(value), dict):  # one value that cannot be copied does not keep the others
        return {key: _own(part) for key, part in dict.items(value)}
    return _own(value)


def _own(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # a lock, a connection: whatever stands in somebody's metadata
        return value
