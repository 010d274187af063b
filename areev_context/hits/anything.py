"""Hits of memories, messages, documents, nodes, pairs and text, recognized by their shape."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from areev_context.errors import InputError
from areev_context.hits.contents import content_text
from areev_context.hits.hit import SearchHit
from areev_context.hits.links import linked
from areev_context.hits.load import row_hit
from areev_context.hits.messages import is_message, message_of, tools_called
from areev_context.hits.passages import Passage, PassageMapper
from areev_context.hits.source import rows_in
from areev_context.hits.trust import statements, strictest
from areev_context.signatures import SIGNATURE, is_packed
from areev_context.text.foreign import (
    field,
    first_of,
    is_a,
    is_list,
    is_mapping,
    is_text,
    items,
    listed,
    named,
    number,
    some_items,
    type_name,
)
from areev_context.text.json_values import plain

__all__ = ["hits_of", "knows"]

_LISTS = (
    "grains", "results", "relations", "memories", "messages", "edges", "nodes", "episodes",
    "communities", "documents", "passages", "source_nodes", "items",
)  # fmt: skip
_KNOWN = (
    "a row or SearchHit, a Passage, text, a document (page_content, or text with metadata), a node "
    "with score, a (document, score) pair, a message (role or type, and content), or an item of "
    "LangGraph's store, mem0, langmem, letta, Zep or Graphiti"
)
_INNER = (
    "metadata", "metadata_", "meta", "node", "value", "content", "context", "fields",
    "additional_kwargs", "response_metadata",
)  # fmt: skip
_DATES = ("created_at", "timestamp", "updated_at")
_BEGINS_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")


def hits_of(source: Any, *, mapper: PassageMapper | None = None) -> list[SearchHit]:
    """Return hits for the results of a memory, a retriever, a tool or a chat, in their order.

    Each item is recognized by its shape; no framework is imported. Known are rows and `SearchHit`,
    `Passage`, text, documents of LangChain, nodes of LlamaIndex with and without score, pairs of
    a document and its score, messages of LangChain and OpenAI with their tool calls, items of
    LangGraph's store, and the memories of mem0, langmem, letta, Zep and Graphiti. A memory that
    was replaced (``invalid_at``, ``expired_at``) is superseded.

    Args:
        source: A list of such items, a single item, an object with lists of them
            (``{"results": [...]}``, ``{"grains": [...]}``), or JSON or JSON Lines text of these.
        mapper: Turns all items but rows into hits; None = `PassageMapper()`.

    Returns:
        One hit for each item. Scores that do not show relevance are ignored.

    Raises:
        InputError: An item has no known shape, or is a context that is already packed, or a row is
            invalid; the error names its index.
    """
    given = _items(source)
    tools = tools_called(given)
    found = [_read(place, item, tools) for place, item in enumerate(given)]
    passages = [item for item in found if isinstance(item, Passage)]
    mapped = iter((PassageMapper() if mapper is None else mapper).hits(passages))
    rows = iter(linked([item for item in found if isinstance(item, SearchHit)]))
    return [next(mapped if isinstance(item, Passage) else rows) for item in found]


def _items(source: Any) -> list[Any]:
    """Return the items of a list, of the lists of an answer, or of a text that is JSON."""
    if issubclass(type(source), bytes | bytearray):
        return _items(rows_in(source))
    if issubclass(type(source), str):
        text = str.__str__(source)
        return _items(rows_in(text)) if _BEGINS_JSON.match(text) else [text]
    if issubclass(type(source), list):  # of two, it is no pair: that is a tuple
        return items(source)
    if _is_known(source):
        return [source]
    lists = [each for name in _LISTS if is_list(each := field(source, name))]
    if lists:
        return [item for each in lists for item in listed(each)]
    if is_list(source):
        return _every(source)
    raise InputError(f"hits_of got an object of type {type_name(source)}: give a list of {_KNOWN}")


def knows(source: Any) -> bool:
    """Return whether a value of JSON is an object, or a list of objects, that `hits_of` reads."""
    if type(source) is list:
        return all(type(item) is dict and _is_known(item) for item in source)
    lists = type(source) is dict and any(is_list(source.get(name)) for name in _LISTS)
    return lists or (type(source) is dict and _is_known(source))


def _is_known(item: Any) -> bool:
    return is_message(item) or _shape_of(item) is not None


def _every(source: Any) -> list[Any]:
    try:
        return some_items(source)
    except Exception as error:
        why = type_name(error)
    raise InputError(f"hits_of got a {type_name(source)} that cannot be read to its end: {why}")


def _read(place: int, item: Any, tools: Mapping[str, str]) -> SearchHit | Passage:
    shape = partial(_message, tools=tools) if is_message(item) else _shape_of(item)
    if shape is None:
        raise InputError(f"item {place} is of type {type_name(item)}: give {_KNOWN}", row=place)
    found = shape(item)
    if isinstance(found, SearchHit):
        return found
    _refuse_packed(place, item, found)
    stated = strictest(_statements(item))
    trust = {} if stated is None else {"verification_status": stated}
    if isinstance(found, Passage):
        return replace(found, metadata={**named(found.metadata), **trust})
    return row_hit(place, {**found, **trust})


def _refuse_packed(place: int, item: Any, found: Passage | Mapping[str, Any]) -> None:
    """Raise an InputError for a context or a part of one, which would be packed a second time."""
    known = named(found.metadata if isinstance(found, Passage) else found)
    packed = type_name(item) in ("FormattedContext", "FormattedEntry") or (
        "included_count" in known and "outcomes" in known  # a dump of a context
    )
    if isinstance(found, Passage) and SIGNATURE in known:
        packed = packed or is_packed(known[SIGNATURE], str(found.text))
    if packed:
        raise InputError(
            f"item {place} is a packed context: use its text as it is, or give the hits that it "
            "was made of",
            row=place,
        )


def _statements(item: Any, depth: int = 4) -> list[Any]:
    """Return all statements of trust in an item, and in the objects that it is made of."""
    if issubclass(type(item), tuple | list):  # a pair
        return [stated for inner in items(item) for stated in _statements(inner, depth)]
    if is_mapping(item):
        found = statements(item)
    else:
        found = [field(item, "verification_status"), field(item, "vstatus")]
    inner_items = [field(item, name) for name in _INNER] if depth else []
    for inner in inner_items:
        if inner is not None and not is_text(inner) and not is_list(inner):
            found += _statements(inner, depth - 1)
    return found


_Read = SearchHit | Passage | Mapping[str, Any]
_Shape = Callable[[Any], _Read]


def _shape_of(item: Any) -> _Shape | None:
    """Return what reads an item of this shape; None where the shape is not known."""
    return next((read for is_so, read in _SHAPES if is_so(item)), None)


def _identifier(item: Any) -> str | None:
    found = first_of(item, "id", "id_", "node_id", "uuid", "uuid_", "key")
    return None if found is None else str(plain(found))


def _known(item: Any) -> dict[str, Any]:
    """Return all else that is known of an item, its metadata first."""
    own = named(item) if is_mapping(item) else {}
    metadata = named(first_of(item, "metadata", "metadata_", "meta"))
    date = next((found for name in _DATES if (found := field(item, name)) is not None), None)
    stated = {} if date is None else {"created_at": date}
    newer = field(item, "superseded_by")
    if newer is not None:
        stated["superseded_by"] = newer
    return {**own, **stated, **metadata}


# --- documents and nodes ----------------------------------------------------------------------


def _pair(item: Any) -> _Read:
    inner, score = items(item)
    return _scored(inner, number(score))


def _is_pair(item: Any) -> bool:
    if not issubclass(type(item), tuple | list):
        return False
    found = items(item)
    return len(found) == 2 and number(found[1]) is not None and _shape_of(found[0]) is not None


def _scored_node(item: Any) -> _Read:
    return _scored(field(item, "node"), field(item, "score"))


def _scored(item: Any, score: Any) -> _Read:
    """Read an item of a known shape that another object has a score for."""
    shape = _shape_of(item)
    assert shape is not None
    found = shape(item)
    return replace(found, score=score) if isinstance(found, Passage) else found


def _text(item: Any) -> _Read:
    return Passage(str.__str__(item))


def _document(item: Any) -> _Read:
    text = first_of(item, "page_content", "text", "memory", "summary")
    excluded = first_of(item, "excluded_llm_metadata_keys") or ()
    metadata = _known(item)
    if is_text(field(item, "summary")) and is_text(field(item, "name")):
        metadata.setdefault("title", field(item, "name"))
    return Passage(text, metadata, field(item, "score"), _identifier(item), excluded)


def _content(item: Any) -> _Read:
    """Read an item with a content: a text, or as langmem's an object with a content of its own."""
    return Passage(_text_of(item), _known(item), field(item, "score"), _identifier(item))


def _text_of(item: Any) -> str:
    """Return the text of a value of a store; a value without a text is written as JSON."""
    found = item
    for _ in range(3):
        inner = first_of(found, "page_content", "content", "text", "memory", "data", "value")
        if inner is None:
            break
        found = inner
    return content_text(found if is_text(found) else plain(_dumped(found)))


def _dumped(value: Any) -> Any:
    """Return what a model of pydantic's holds; anything else as it is."""
    try:
        return value.model_dump()
    except Exception:
        return value


def _stored(item: Any) -> _Read:
    """Read an item of a store: a key, and a value that may be a row."""
    value = field(item, "value")
    if "grain_type" in named(value):
        return {"id": _identifier(item), "score": field(item, "score"), **named(value)}
    metadata = {**_known(item), **_known(value)}
    return Passage(_text_of(value), metadata, field(item, "score"), _identifier(item))


# --- facts, rows and messages -------------------------------------------------------------------


def _row(item: Any) -> _Read:
    return named(item)


def _message(item: Any, *, tools: Mapping[str, str]) -> _Read:
    text, known = message_of(item, tools)
    return Passage(text, {**_known(item), **known}, None, _identifier(item))


def _edge(item: Any) -> _Read:
    """Read an edge of a graph of memories: a fact, and the period in which it was valid."""
    metadata = _known(item)
    metadata["created_at"] = field(item, "created_at")
    metadata["event_at"] = field(item, "valid_at")
    if first_of(item, "invalid_at", "expired_at") is not None:
        metadata["supersession_status"] = "superseded"
    return Passage(field(item, "fact"), metadata, field(item, "score"), _identifier(item))


def _relation(item: Any) -> _Read:
    fact = {
        "grain_type": "fact",
        "subject": field(item, "source"),
        "relation": first_of(item, "relationship", "relation"),
        "object": first_of(item, "destination", "target"),
    }
    return Passage("", {**_known(item), **fact}, field(item, "score"), _identifier(item))


def _has_text(*names: str) -> Callable[[Any], bool]:
    return lambda item: any(is_text(field(item, name)) for name in names)


def _is_a(kind: type) -> Callable[[Any], bool]:
    return lambda item: is_a(item, kind)


def _is_row(item: Any) -> bool:
    return is_mapping(item) and not named(item).keys().isdisjoint(("grain_type", "fields"))


def _is_relation(item: Any) -> bool:
    return first_of(item, "relationship") is not None and field(item, "source") is not None


def _is_scored_node(item: Any) -> bool:
    node = field(item, "node")
    return node is not None and _shape_of(node) is not None


def _is_summary(item: Any) -> bool:
    return is_text(field(item, "name")) and is_text(field(item, "summary"))


def _has_content(item: Any) -> bool:
    return field(item, "content") is not None


def _is_stored(item: Any) -> bool:
    return field(item, "key") is not None and field(item, "value") is not None


_SHAPES: tuple[tuple[Callable[[Any], bool], _Shape], ...] = (
    (_is_a(SearchHit), lambda item: item),
    (_is_a(Passage), lambda item: item),
    (is_text, _text),
    (_is_pair, _pair),
    (_is_scored_node, _scored_node),
    (_is_row, _row),
    (_has_text("page_content"), _document),
    (_is_stored, _stored),
    (_has_text("fact"), _edge),
    (_is_relation, _relation),
    (_has_text("memory", "text"), _document),
    (_is_summary, _document),
    (_has_content, _content),
)  # fmt: skip
"""How each shape is known, and what reads it: the first that fits."""
