"""Turns of one session and one day, which share the head of one entry."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from areev_context.hits import fields as reading
from areev_context.hits.hit import Grain
from areev_context.selection.item import Item

__all__ = ["with_talks"]


def with_talks(body: Sequence[Item], has_head: Callable[[Grain], bool]) -> tuple[Item, ...]:
    """Return the hits of a body; turns of one session and day have one key in `Item.talk`.

    Args:
        body: The hits.
        has_head: Whether the head of an entry of several turns would show anything.
    """
    groups: dict[Hashable, list[int]] = {}
    for n, item in enumerate(body):
        if item.grain.grain_type == "event":
            key = _talk_of(item)
            if key is not None and (key in groups or has_head(item.grain)):
                groups.setdefault(key, []).append(n)
    of = {n: key for key, places in groups.items() if len(places) > 1 for n in places}
    if not of:
        return tuple(body)
    return tuple(item._replace(talk=of[n]) if n in of else item for n, item in enumerate(body))


def _talk_of(item: Item) -> Hashable:
    """Return what tells a session and day from others; None for what is no turn of one.

    What the head shows belongs to it: one confidence and one status speak for all turns.
    """
    fields, hit = item.grain.fields, item.hit
    session = hit.source_namespace or reading.first(fields, "namespace")
    if item.mark is not None or item.pinned or not session:
        return None
    if not item.happened or not reading.speaker(fields):
        return None
    return (
        session,
        item.grain.day,
        reading.confidence(fields),
        reading.trust(fields),
        fields.get("superseded_by") is not None,
        hit.recall_source,
    )
