"""Copies of one grain: if one copy is retracted, all copies are withheld."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from areev_context.hits.contents import content_text
from areev_context.hits.hit import SearchHit, grain_hash
from areev_context.hits.trust import is_withheld, trust_free
from areev_context.text.clean import clean, clean_json, fold

__all__ = ["withheld_places"]

_MOSTLY = ("subject", "object", "content", "description")


def withheld_places(
    hits: Sequence[SearchHit], cleaned: Sequence[SearchHit] | None = None
) -> frozenset[int]:
    """Return the indexes of retracted hits, of their copies, and of the copies of these copies.

    Copies are hits of equal type and hash, of equal id and hash, documents of equal text (white
    space folded), and hits of equal type and fields if at least one of them has no hash from its
    recall.

    Args:
        hits: The hits as they came in; their hashes are those of fields before cleaning.
        cleaned: The same hits with cleaned strings; None = `hits` are used for both.
    """
    stating = hits if cleaned is None else cleaned
    todo = [place for place, hit in enumerate(stating) if is_withheld(hit.fields)]
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
            yield place, ("", clean(hit.id)[0], identity)
        if kind == "document":
            first = tuple(_text(hit, "content").split(None, 3)[:3])
            begun.setdefault(first, []).append(place)
        elif kind in types:  # what hits of equal fields have in common, and is found fast
            texts = tuple(_text(hit, name) for name in _MOSTLY)
            alike.setdefault((kind, texts), []).append(place)
    for words, places in begun.items():
        if words and len(places) > 1:  # only these need be folded
            yield from ((n, ("", fold(_text(hits[n], "content")))) for n in places)
    for places in alike.values():
        if len(places) > 1:
            yield from _keys_of_fields(hits, places)


def _text(hit: SearchHit, name: str) -> str:
    value = hit.fields.get(name)
    return clean(value)[0] if value.__class__ is str else content_text(clean_json(value)[0])


def _keys_of_fields(
    hits: Sequence[SearchHit], places: Sequence[int]
) -> Iterator[tuple[int, Hashable]]:
    """Yield the fields of hits whose hash is of their fields; others of equal fields are copies."""
    key_of: dict[int, str] = {}
    made = set()
    for place in places:
        kind, fields, identity = hits[place].grain_type, hits[place].fields, hits[place].hash
        bare = trust_free(fields)
        key = grain_hash(clean(kind)[0], clean_json(bare)[0])
        key_of[place] = key
        if identity in (grain_hash(kind, bare), grain_hash(kind, fields)):
            made.add(key)
    yield from ((n, ("", "", "", key)) for n, key in key_of.items() if key in made)
