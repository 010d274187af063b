"""Copies of one grain: where one of them is retracted, all of them are."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from areev_context.core import reading
from areev_context.core.grains import SearchHit, grain_hash
from areev_context.core.text import clean, fold
from areev_context.core.trust import is_withheld, trust_free

__all__ = ["withheld_places"]


def withheld_places(hits: Sequence[SearchHit]) -> frozenset[int]:
    """Return the places of retracted hits, and of copies of them, and of copies of those.

    Copies are hits of equal type and hash, of equal id and hash, documents of equal text (white
    space folded), and hits of equal type and fields of which one at least was given its hash here,
    from its fields.
    """
    todo = [place for place, hit in enumerate(hits) if is_withheld(hit.fields)]
    if not todo:
        return frozenset()
    by_key: dict[Hashable, list[int]] = {}
    keys_of: dict[int, list[Hashable]] = {}
    for place, key in _keys(hits, {clean(hits[place].grain_type)[0] for place in todo}):
        by_key.setdefault(key, []).append(place)
        keys_of.setdefault(place, []).append(key)
    found = set(todo)
    while todo:
        for key in keys_of[todo.pop()]:
            fresh = set(by_key.pop(key, ())) - found
            found |= fresh
            todo += fresh
    return frozenset(found)


def _keys(hits: Sequence[SearchHit], types: set[str]) -> Iterator[tuple[int, Hashable]]:
    """Yield what copies have in common, by place; `types` are those that a retracted hit has."""
    begun: dict[tuple[str, ...], list[int]] = {}
    alike: dict[Hashable, list[int]] = {}
    for place, hit in enumerate(hits):
        kind, identity = clean(hit.grain_type)[0], clean(hit.hash)[0]
        yield place, (kind, identity)
        if hit.id:
            yield place, ("", hit.id, identity)
        if kind == "document":
            first = tuple(reading.text(hit.fields, "content").split(None, 3)[:3])
            begun.setdefault(first, []).append(place)
        elif kind in types:
            alike.setdefault((kind, _strings(hit)), []).append(place)
    for words, places in begun.items():
        if words and len(places) > 1:  # only these need be folded
            yield from ((n, ("", fold(reading.text(hits[n].fields, "content")))) for n in places)
    for places in alike.values():
        if len(places) > 1:
            yield from _keys_of_fields(hits, places)


def _strings(hit: SearchHit) -> Hashable:
    """Return what hits of equal fields have in common, and is found fast."""
    fields = hit.fields.items()
    return frozenset(
        (name, value) for name, value in fields if type(value) is str and "status" not in name
    )


def _keys_of_fields(
    hits: Sequence[SearchHit], places: Sequence[int]
) -> Iterator[tuple[int, Hashable]]:
    """Yield the fields of hits whose hash is of their fields; others of equal fields are copies."""
    hash_of: dict[int, str] = {}
    made = set()
    for place in places:
        hit = hits[place]
        bare = grain_hash(hit.grain_type, trust_free(hit.fields))
        hash_of[place] = bare
        if hit.hash in (bare, grain_hash(hit.grain_type, hit.fields)):
            made.add(bare)
    yield from ((n, ("", "", "", bare)) for n, bare in hash_of.items() if bare in made)
