"""JSON: one value, for programs. Modes do not apply; sessions and dates stand in keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from areev_context.formats.base import Format
from areev_context.hits import fields as reading
from areev_context.hits.hit import Grain, RecallSource
from areev_context.layout.outline import (
    Entry,
    Node,
    Outline,
    Piece,
    Section,
    Update,
    entries_of,
    joined,
)
from areev_context.policy import MetadataLevel, OutputFormat
from areev_context.selection.item import Item
from areev_context.text.clean import clean_json
from areev_context.text.json_text import compact, read_json
from areev_context.text.json_values import plain

__all__ = ["FORMAT"]


def escape(value: str) -> str:
    """Return a value as it stands between the quotes of a JSON string."""
    return compact(value)[1:-1]


def _shown(grain: Grain) -> dict[str, Any]:
    """Return a grain as an object; its confidence is on the scale 0..1, if it is known."""
    fields = grain.fields
    sure = reading.confidence(fields) if "confidence" in fields else None
    if sure is not None and sure != fields["confidence"]:
        fields = {**fields, "confidence": sure}
    return {"fields": fields, "grain_type": grain.grain_type, "hash": grain.hash}


_UNKNOWN = (None,) * 4


def _known(entry: Entry, outline: Outline) -> dict[str, Any]:
    """Return what recall knows of a hit, and its number, as keys; nothing unknown."""
    hit, number = entry.item.hit, outline.numbers.get(entry.index)
    stated = (hit.conflict_status, hit.supersession_status, hit.recall_source, number)
    if stated == _UNKNOWN:
        return {}  # most hits
    known: dict[str, Any] = {
        "conflict_status": hit.conflict_status,
        "id": number,
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


Write = Callable[[Grain], dict[str, Any]]
"""A function from a grain to its object."""


def _object(entry: Entry, outline: Outline, write: Write) -> str:
    known = _known(entry, outline)
    if entry.text is not None:
        return compact({**_hosted(entry.text), **known})
    shown = write(entry.item.hit.grain._replace(utc_offset=entry.item.grain.utc_offset))
    return compact({**shown, **known} if known else shown)


def _array(nodes: Iterable[Node], outline: Outline, write: Write) -> Iterator[Piece]:
    entries = (node for node in nodes if isinstance(node, Entry))
    yield None, "["
    yield from joined(((entry, _object(entry, outline, write)) for entry in entries), ",\n")
    yield None, "]"


def _update(update: Update, outline: Outline) -> str:
    out: dict[str, Any] = {
        "subject": update.subject,
        "new_value": update.new,
        "new_date": update.new_date or None,
    }
    if update.old is not None:
        out |= {"old_value": update.old, "old_date": update.old_date or None}
    number = outline.numbers.get(update.index)
    return compact(out if number is None else {**out, "id": number})


def _body(nodes: Iterable[Node], outline: Outline, write: Write) -> Iterator[Piece]:
    if not outline.grouped:
        yield from _array(nodes, outline, write)
        return
    opening = "{"
    for node in nodes:
        assert isinstance(node, Section)
        yield None, f"{opening}{compact(node.key)}:"
        yield from _array(node.nodes, outline, write)
        opening = ",\n"
    yield None, "{}" if opening == "{" else "}"


class Json(Format):
    """One value: an array, or an object by section if the policy groups by type."""

    name = OutputFormat.JSON
    shortens = False
    joins = False
    takes_modes = False
    escape = staticmethod(escape)

    def render(self, grain: Grain, level: MetadataLevel) -> str:
        """Return one grain, whole, as one JSON object on one line."""
        return compact(self._object(grain, level))

    def _object(self, grain: Grain, level: MetadataLevel) -> dict[str, Any]:
        shown = _shown(grain)
        return {**shown, "date": grain.day} if self.shows_date(grain, level) else shown

    def line(self, grain: Grain, level: MetadataLevel) -> None:
        """Return None: the page writes objects."""

    def whole(self, item: Item, level: MetadataLevel) -> str:
        """Return the grain of a hit with the values that it came in with."""
        return self.render(item.hit.grain, level)

    def pieces(self, outline: Outline) -> Iterator[Piece]:
        """Yield the page; with updates it is an object that has the other hits in ``context``."""
        updates = [node for node in entries_of(outline.nodes) if isinstance(node, Update)]
        write = partial(self._object, level=self.metadata)
        if not updates:
            yield from _body(outline.nodes, outline, write)
            return
        yield None, '{"knowledge_updates":['
        yield from joined(((update, _update(update, outline)) for update in updates), ",")
        yield None, '],"context":'
        yield from _body(outline.nodes[1:], outline, write)
        yield None, "}"


FORMAT = Json()
