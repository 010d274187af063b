"""Rows of a recall, from Python, from JSON text or from the engine's answers, as hits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from areev_context.core.errors import InputError
from areev_context.core.foreign import is_a, is_list, is_mapping, items, named, type_name
from areev_context.core.grains import SearchHit, SupersessionStatus
from areev_context.core.jsontext import read_json
from areev_context.core.reading import text
from areev_context.core.screen import is_retracted

__all__ = ["linked", "load_hits"]


def load_hits(source: str | bytes | Mapping[str, Any] | Iterable[Any]) -> list[SearchHit]:
    """Return the hits of a recall, in their order.

    A row that names its successor, by ``superseded_by_hash`` or ``fields.superseded_by``, is marked
    superseded, and the successor, where the set has it, current, where the rows do not say so
    themselves.

    Args:
        source: A list of rows or hits, JSON text of one, or the engine's ``{"grains": [...]}``.

    Raises:
        InputError: The text is no JSON, or a row is no hit; names the row and the field.
    """
    found: Any = source
    if issubclass(type(source), str | bytes | bytearray):
        found = _parsed(source)
    if is_mapping(found):
        rows = named(found)
        if "grains" not in rows:
            raise InputError(
                f"the object has no key 'grains' (its keys: {', '.join([*rows][:5]) or 'none'}): "
                'give a list of rows, or the engine\'s {"grains": [...]}'
            )
        found = rows["grains"]
    if not is_list(found):
        raise InputError(f"the rows are of type {type_name(found)}: give a list of rows")
    return linked([_hit(place, row) for place, row in enumerate(items(found))])


def _parsed(source: Any) -> Any:
    try:
        if issubclass(type(source), str):
            text = str.__str__(source)
        else:
            text = bytes(memoryview(source)).decode("utf-8-sig")  # past what a class overrides
        return read_json(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: byte {error.start} cannot be read") from error
    except RecursionError as error:
        raise InputError("the JSON is nested too deeply to read") from error
    except ValueError as error:  # a number that is too long
        raise InputError(f"the JSON cannot be read: {error}") from error


def _hit(place: int, row: Any) -> SearchHit:
    if is_a(row, SearchHit):
        return row  # type: ignore[no-any-return]  # it was just asked
    if not is_mapping(row):
        raise InputError(
            f"row {place}: of type {type_name(row)}: give an object with grain_type and fields",
            row=place,
        )
    try:
        return SearchHit.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        message, field = first["msg"], first["type"]  # the model names its errors by their field
        raise InputError(f"row {place}: {message}", row=place, field=field) from error


def linked(hits: list[SearchHit]) -> list[SearchHit]:
    """Return the hits, those that name their successor marked, and those that replace them.

    What a row says of itself stays as it is. A successor that is not in the set, or is retracted,
    marks its old value all the same. Retracted hits are not marked.
    """
    trusted = {place: hit for place, hit in enumerate(hits) if not is_retracted(hit)}
    place_of: dict[str, int] = {}
    for place, hit in trusted.items():
        place_of.setdefault(hit.hash, place)
    newer: dict[int, str] = {}
    for place, hit in trusted.items():
        name = hit.superseded_by_hash or text(hit.fields, "superseded_by")
        if name and name != hit.hash:
            newer[place] = name
    replacing = {place_of[name] for name in newer.values() if name in place_of} - set(newer)
    return [_marked(hit, newer.get(n), n in replacing) for n, hit in enumerate(hits)]


def _marked(hit: SearchHit, newer: str | None, replaces: bool) -> SearchHit:
    update: dict[str, object] = {}
    if newer is not None:
        update["superseded_by_hash"] = newer
    if hit.supersession_status is None and (newer is not None or replaces):
        superseded = newer is not None
        update["supersession_status"] = (
            SupersessionStatus.SUPERSEDED if superseded else SupersessionStatus.CURRENT
        )
    return hit.model_copy(update=update) if update else hit
