"""Load hits from the rows of a recall: Python objects, JSON text or the engine's answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from areev_context.errors import AreevContextError, InputError
from areev_context.hits.hit import SearchHit, hit_or_refusal
from areev_context.hits.links import linked
from areev_context.hits.refusal import refused
from areev_context.hits.source import rows_in
from areev_context.text.foreign import is_a, is_list, is_mapping, items, named, type_name

__all__ = ["checked_hits", "load_hits", "row_hit"]


def load_hits(source: str | bytes | Mapping[str, Any] | Iterable[Any]) -> list[SearchHit]:
    """Return the hits of a recall, in their order.

    A row that names its successor, by ``superseded_by_hash`` or ``fields.superseded_by``, is marked
    superseded, and the successor current if it is in the set. A status in a row itself does not
    change.

    Args:
        source: A list of rows or hits, JSON or JSON Lines text of one, or the engine's
            ``{"grains": [...]}``.

    Raises:
        InputError: The text is neither, or a row is invalid; the error names the row and the field.
    """
    found: Any = source
    if issubclass(type(source), str | bytes | bytearray):
        found = rows_in(source)
    if is_mapping(found):
        rows = named(found)
        if "grains" not in rows and "grain_type" not in rows:
            raise InputError(
                f"the object has {len(rows)} keys, none of them 'grains' or 'grain_type': "
                'give a list of rows, or the engine\'s {"grains": [...]}'
            )
        found = rows.get("grains", [found])  # JSON Lines of one line are a row
    if not is_list(found):
        raise InputError(f"the rows are of type {type_name(found)}: give a list of rows")
    return linked([row_hit(place, row) for place, row in enumerate(items(found))])


def checked_hits(hits: Iterable[SearchHit | Mapping[str, Any]]) -> list[SearchHit]:
    """Return hits given to an assembler, with rows validated, and without relations between them.

    Raises:
        pydantic.ValidationError: A row is no hit.
        AreevContextError: The argument is no list of hits and rows.
    """
    if not is_list(hits):
        raise AreevContextError(
            f"hits is of type {type_name(hits)}: give a list of SearchHit or rows; "
            "load_hits reads JSON text and the engine's answers"
        )
    return [_checked(place, hit) for place, hit in enumerate(items(hits))]


def _checked(place: int, hit: Any) -> SearchHit:
    if is_a(hit, SearchHit):
        return hit  # type: ignore[no-any-return]  # it was just asked
    if not is_mapping(hit):
        raise InputError(
            f"hit {place} is of type {type_name(hit)}: give a SearchHit or a row; "
            "PassageMapper makes hits of passages",
            row=place,
        )
    found = hit_or_refusal(hit)
    if isinstance(found, SearchHit):
        return found
    raise refused(*found, place=place)


def row_hit(place: int, row: Any) -> SearchHit:
    """Return the hit that a row of a recall is.

    Raises:
        InputError: It is none; the error names its place and the field.
    """
    if is_a(row, SearchHit):
        return row  # type: ignore[no-any-return]  # it was just asked
    if not is_mapping(row):
        raise InputError(
            f"row {place}: of type {type_name(row)}: give an object with grain_type and fields",
            row=place,
        )
    found = hit_or_refusal(row)
    if isinstance(found, SearchHit):
        return found
    field, why = found
    raise InputError(f"row {place}: {why}", row=place, field=field)
