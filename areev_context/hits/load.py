"""Rows of a recall, from Python, from JSON text or from the engine's answers, as hits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from areev_context.errors import InputError
from areev_context.hits.hit import SearchHit, hit_or_refusal
from areev_context.hits.links import linked

__all__ = ["load_hits"]


def load_hits(source: str | bytes | Mapping[str, Any] | Iterable[Any]) -> list[SearchHit]:
    """Return the hits of a recall, in their order.

    A row that names another row of the set as its successor, by ``superseded_by_hash`` or
    ``fields.superseded_by``, is marked superseded, and that row current, where the rows do not say
    so themselves.

    Args:
        source: A list of rows or hits, JSON text of one, or the engine's ``{"grains": [...]}``.

    Raises:
        InputError: The text is no JSON, or a row is no hit; names the row and the field.
    """
    if isinstance(source, str | bytes | bytearray):
        source = _parsed(source)
    if isinstance(source, Mapping):
        if "grains" not in source:
            raise InputError(
                f"the object has {len(source)} keys, none of them 'grains': "
                'give a list of rows, or the engine\'s {"grains": [...]}'
            )
        source = source["grains"]
    if isinstance(source, str | bytes | Mapping) or not isinstance(source, Iterable):
        raise InputError(f"the rows are of type {type(source).__name__}: give a list of rows")
    return linked([_hit(place, row) for place, row in enumerate(source)])


def _parsed(source: str | bytes | bytearray) -> Any:
    try:
        if not isinstance(source, str):
            source = bytes(source).decode("utf-8-sig")
        return json.loads(source.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))
    except json.JSONDecodeError as error:
        why = f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    except UnicodeDecodeError as error:
        why = f"not UTF-8: byte {error.start} cannot be read"
    except RecursionError:
        why = "the JSON is nested too deeply to read"
    except ValueError as error:  # a number of more digits than Python reads
        why = f"the JSON cannot be read: {error}"
    raise InputError(why)  # out here, because the errors of a parser hold the text


def _hit(place: int, row: Any) -> SearchHit:
    if isinstance(row, SearchHit):
        return row
    if not isinstance(row, Mapping):
        raise InputError(
            f"row {place}: of type {type(row).__name__}: give an object with grain_type and fields",
            row=place,
        )
    found = hit_or_refusal(row)
    if isinstance(found, SearchHit):
        return found
    field, why = found
    raise InputError(f"row {place}: {why}", row=place, field=field)
