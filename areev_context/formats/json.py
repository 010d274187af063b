"""JSON: one value, for programs. Modes do not apply; what they know stands in keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from areev_context.core.format import Format
from areev_context.core.grains import Grain, RecallSource, section_of
from areev_context.core.jsontext import compact, read_json
from areev_context.core.outline import (
    Entry,
    Node,
    Outline,
    Piece,
    Section,
    SectionKind,
    Update,
    joined,
)
from areev_context.core.plain import plain
from areev_context.core.policy import MetadataLevel, OutputFormat
from areev_context.core.text import clean_json

__all__ = ["FORMAT"]


def escape(value: str) -> str:
    """Return a value as it stands between the quotes of a JSON string."""
    return compact(value)[1:-1]


def render(grain: Grain, level: MetadataLevel) -> str:
    """Return one grain, whole, as one JSON object on one line, the same at every level."""
    return compact({"fields": grain.fields, "grain_type": grain.grain_type, "hash": grain.hash})


def _known(entry: Entry, outline: Outline) -> dict[str, Any]:
    """Return what recall knows of a hit, and its number, as keys; nothing unknown."""
    hit = entry.candidate.kept.hit
    known: dict[str, Any] = {
        "conflict_status": hit.conflict_status,
        "id": outline.numbers.get(entry.place),
        "supersession_status": hit.supersession_status,
    }
    if hit.recall_source in (RecallSource.EXPANSION, RecallSource.CENSUS):
        known["recall_source"] = hit.recall_source
    if hit.recall_source is RecallSource.CENSUS:
        known["source_session"] = hit.source_namespace or "unknown"
    return {name: value for name, value in known.items() if value is not None}


def _hosted(text: str) -> dict[str, Any]:
    """Return a host's text as an object: as it is when it is one, else under the key text."""
    try:
        found = read_json(text)
    except (ValueError, RecursionError):
        return {"text": text}
    return clean_json(plain(found))[0] if isinstance(found, dict) else {"text": text}


def _object(entry: Entry, outline: Outline) -> str:
    grain, known = entry.candidate.kept.grain, _known(entry, outline)
    if entry.text is not None:
        return compact({**_hosted(entry.text), **known})
    if not known:
        return render(grain, MetadataLevel.FULL)
    own = {"fields": grain.fields, "grain_type": grain.grain_type, "hash": grain.hash}
    return compact({**own, **known})


def _array(nodes: Iterable[Node], outline: Outline) -> Iterator[Piece]:
    entries = (node for node in nodes if isinstance(node, Entry))
    yield None, "["
    yield from joined(((entry, _object(entry, outline)) for entry in entries), ",\n")
    yield None, "]"


def _update(update: Update, outline: Outline) -> str:
    out: dict[str, Any] = {
        "subject": update.subject,
        "new_value": update.new,
        "new_date": update.new_date or None,
    }
    if update.old is not None:
        out |= {"old_value": update.old, "old_date": update.old_date or None}
    number = outline.numbers.get(update.place)
    return compact(out if number is None else {**out, "id": number})


def _body(nodes: Iterable[Node], outline: Outline) -> Iterator[Piece]:
    if not outline.grouped:
        yield from _array(nodes, outline)
        return
    opening = "{"
    for node in nodes:
        assert isinstance(node, Section)
        yield None, f"{opening}{compact(section_of(node.name))}:"
        yield from _array(node.nodes, outline)
        opening = ",\n"
    yield None, "{}" if opening == "{" else "}"


def pieces(outline: Outline) -> Iterator[Piece]:
    """Yield the page, one JSON value; an array, or grouped an object by section name."""
    nodes = outline.nodes
    if not (nodes and isinstance(nodes[0], Section) and nodes[0].kind is SectionKind.UPDATES):
        yield from _body(nodes, outline)
        return
    updates = (update for update in nodes[0].nodes if isinstance(update, Update))
    yield None, '{"knowledge_updates":['
    yield from joined(((update, _update(update, outline)) for update in updates), ",")
    yield None, '],"context":'
    yield from _body(nodes[1:], outline)
    yield None, "}"


FORMAT = Format(OutputFormat.JSON, escape, render, None, pieces, modes=False, lazy=True)
