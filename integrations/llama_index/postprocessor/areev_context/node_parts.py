"""Convert nodes to passages; a node may tell several things, such as the facts of a graph."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship, NodeWithScore

from areev_context import Passage

__all__ = ["NodePart", "parts_of", "passages_of"]


class NodePart(NamedTuple):
    """One of the things that a node tells.

    Attributes:
        place: Index of the node in the input, from 0.
        passage: What it tells.
    """

    place: int
    passage: Passage


def passages_of(nodes: Iterable[NodeWithScore]) -> Iterator[Passage]:
    """Yield a passage per node: its own text, without metadata, and its metadata and score.

    A node that is one fact of a graph, or one message of a memory, is a fact or an event.
    """
    for found in nodes:
        passage = _passage(found)
        typed = _typed(passage)
        yield typed[0] if typed is not None and len(typed) == 1 else passage


def parts_of(nodes: Iterable[NodeWithScore]) -> Iterator[NodePart]:
    """Yield all that nodes tell, in order.

    The lines ``A -> REL -> B`` that retrievers of a property graph write are facts, alone or before
    the text that they were extracted from. The messages that a `VectorMemoryBlock` stores in one
    node are events, with their speaker, and with their date where they have one.
    """
    for place, found in enumerate(nodes):
        passage = _passage(found)
        for each in _typed(passage) or (passage,):
            yield NodePart(place, each)


def _passage(found: NodeWithScore) -> Passage:
    node = found.node
    return Passage(
        text=str(node.get_content(metadata_mode=MetadataMode.NONE)),
        metadata=node.metadata,
        score=found.score,
        id=node.node_id,
        excluded=node.excluded_llm_metadata_keys,
        position=_position(node),
    )


_BESIDE = {
    "parent": (NodeRelationship.PARENT, NodeRelationship.SOURCE),
    "previous": (NodeRelationship.PREVIOUS,),
    "next": (NodeRelationship.NEXT,),
}


def _position(node: BaseNode) -> dict[str, Any]:
    """Return where in its document a node stands, as node parsers write it."""
    found: dict[str, Any] = {}
    related = getattr(node, "relationships", None)
    if type(related) is dict:
        for name, kinds in _BESIDE.items():
            ids = [getattr(related.get(kind), "node_id", None) for kind in kinds]
            found[name] = next(filter(None, ids), None)
    found["start"] = getattr(node, "start_char_idx", None)
    found["end"] = getattr(node, "end_char_idx", None)
    return {name: value for name, value in found.items() if value is not None}


def _typed(passage: Passage) -> list[Passage] | None:
    """Return the facts or the messages in a passage; None where it is a text as any other."""
    text, metadata = passage.text or "", passage.metadata
    if type(metadata) is not dict or "grain_type" in metadata:
        return None
    if text.startswith(_MESSAGE):
        found = _messages(text)
    elif " -> " in text:
        found = _facts(text, alone=not metadata)
    else:
        return None
    return [_replaced(passage, text, fields) for text, fields in found or ()] or None


def _replaced(passage: Passage, text: str, fields: dict[str, Any]) -> Passage:
    metadata = {**passage.metadata, **fields}
    return Passage(text, metadata, passage.score, passage.id, passage.excluded)


_Typed = list[tuple[str, dict[str, Any]]]

# --- facts of a property graph -------------------------------------------------------------------

_PREAMBLE = "Here are some facts extracted from the provided text:\n\n"


def _facts(text: str, *, alone: bool) -> _Typed | None:
    """Return the facts of a graph's node, then its text if it has one.

    Args:
        text: The text of the node.
        alone: Whether a text of facts alone, without the preamble, is read: only the node of a
            graph has no metadata, and the path of a page looks alike.
    """
    before, preamble, after = text.partition(_PREAMBLE)
    if preamble and not before:
        lines, _, rest = after.partition("\n\n")
    elif alone:
        lines, rest = text, ""
    else:
        return None
    facts = [_fact(line) for line in lines.split("\n")]
    if None in facts:
        return None
    found: _Typed = [("", fact) for fact in facts if fact is not None]
    return [*found, (rest, {})] if rest.strip() else found


def _fact(line: str) -> dict[str, Any] | None:
    parts = [part.strip() for part in line.split(" -> ")]
    if len(parts) != 3 or not all(parts):
        return None
    names = ("subject", "relation", "object")
    return dict(zip(names, map(_named, parts), strict=True), grain_type="fact")


_PROPERTIES = re.compile(r"(.+) \((\{.*\})\)", re.S)
_OWN = {"triplet_source_id"}  # what the index writes for itself


def _named(text: str) -> str:
    """Return the name of an entity or a relation, with its properties in words."""
    found = _PROPERTIES.fullmatch(text)
    properties = None if found is None else _literal(found[2])
    if found is None or properties is None:
        return text
    written = ", ".join(
        f"{name}: {value}" for name, value in properties.items() if name not in _OWN
    )
    return f"{found[1]} ({written})" if written else found[1]


def _literal(text: str) -> dict[str, Any] | None:
    """Return the value of a dict that was written as Python does; None if it has other classes."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return {str(name): each for name, each in value.items()} if isinstance(value, dict) else None


# --- messages of a memory ------------------------------------------------------------------------

_MESSAGE = "<message role='"
_MESSAGES = re.compile(r"<message role='(\w+)'>(.*?)</message>(?:\n(?=<message role=')|\Z)", re.S)
_INFO = re.compile(r"\nAdditional Info: \((\{.*\})\)\Z", re.S)


def _messages(text: str) -> _Typed | None:
    """Return the messages of a memory's node; None if it has anything else."""
    found: _Typed = []
    end = 0
    for match in _MESSAGES.finditer(text):
        if match.start() != end:
            return None
        end = match.end()
        content, info = _with_info(match[2])
        found.append((content, {**info, "grain_type": "event", "role": match[1]}))
    return found if end == len(text) else None


def _with_info(content: str) -> tuple[str, dict[str, Any]]:
    """Return the text of a message, and the data that the memory wrote below it."""
    found = _INFO.search(content)
    info = None if found is None else _literal(found[1])
    return (content, {}) if found is None or info is None else (content[: found.start()], info)
