"""What an assembler is given, checked at the door."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from areev_context.errors import AreevContextError, InputError
from areev_context.hits.hit import SearchHit, hit_or_refusal
from areev_context.hits.refusal import refused
from areev_context.policy import FormatPolicy, RenderingHints
from areev_context.protocols import GrainRenderer
from areev_context.text.foreign import is_a, is_list, is_mapping, items, type_name

__all__ = ["by_type", "checked_hits"]


def by_type(renderers: Iterable[GrainRenderer]) -> dict[str, GrainRenderer]:
    """Return a host's renderers by their grain types.

    Raises:
        AreevContextError: One is no renderer, or two claim one type.
    """
    if not isinstance(renderers, Iterable):
        raise AreevContextError(
            f"renderers is a {type(renderers).__name__}: give a list of renderers"
        )
    out: dict[str, GrainRenderer] = {}
    for renderer in renderers:
        if not isinstance(renderer, GrainRenderer):
            raise AreevContextError(
                f"{type(renderer).__name__} is no renderer: give an object with grain_type, "
                "render, render_summary, token_estimate and context_priority, "
                "for instance a subclass of SharedRenderer"
            )
        if renderer.grain_type in out:
            raise AreevContextError(f"two renderers for the type {renderer.grain_type!r}: give one")
        out[renderer.grain_type] = renderer
    return out


def checked_hits(
    hits: Iterable[SearchHit | Mapping[str, Any]], policy: object, hints: object, query: object
) -> list[SearchHit]:
    """Return the hits, rows validated.

    Raises:
        pydantic.ValidationError: A row is no hit.
        AreevContextError: An argument is of the wrong kind.
    """
    if not isinstance(policy, FormatPolicy):
        raise AreevContextError(
            f"policy is of type {type(policy).__name__}: give a FormatPolicy, "
            "for instance FormatPolicy.claude(token_budget=2000)"
        )
    if not isinstance(hints, RenderingHints):
        raise AreevContextError(
            f"hints is of type {type(hints).__name__}: give RenderingHints or None"
        )
    if query is not None and not isinstance(query, str):
        raise AreevContextError(f"query is of type {type(query).__name__}: give a string or None")
    if not is_list(hits):
        raise AreevContextError(
            f"hits is of type {type_name(hits)}: give a list of SearchHit or rows; "
            "load_hits reads JSON text and the engine's answers"
        )
    return [
        hit if type(hit) is SearchHit else _hit(place, hit) for place, hit in enumerate(items(hits))
    ]


def _hit(place: int, hit: Any) -> SearchHit:
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
