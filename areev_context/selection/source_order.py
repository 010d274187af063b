"""The passages of one source, in the order of the source."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from areev_context.hits import fields as reading
from areev_context.selection.item import Item
from areev_context.text.overlap import SHORTEST, overlap

__all__ = [
    "Placed",
    "follows",
    "in_reading_order",
    "in_source_order",
    "number_of",
    "place_in_time",
    "shared_by_place",
    "source_name",
    "source_of",
]

_BETWEEN = 3  # characters, blanks mostly, that a splitter leaves out between two passages
_MOST = 48  # passages without a position that are looked for in the text of others
_WITHIN = frozenset({"content", "page", "section", "created_at", "type"})  # of one source
_OF_SOURCE = ("source", "url", "title")
_STEPS = re.compile(r"\d{1,6}(?:\.\d{1,6}){0,8}\.?")


class Placed(NamedTuple):
    """A passage and what is known of its place.

    Attributes:
        item: The passage.
        text: Its text, without blanks at the ends.
        size: The characters of its text, with them.
        lead: The blanks before that text.
        start: The index of its first character in the source; None if unknown.
        end: The index after its last character; None if unknown.
        number: What numbers it, and its number; None if unknown.
        page: The page, else the section, as numbers; empty if unknown.
        previous: The id of the passage before it; None if unknown.
        next: The id of the passage after it.
    """

    item: Item
    text: str
    size: int
    lead: int = 0
    start: int | None = None
    end: int | None = None
    number: tuple[str, int] | None = None
    page: tuple[int, ...] = ()
    previous: str | None = None
    next: str | None = None


def number_of(identifier: str | None) -> tuple[str, int] | None:
    """Return the text before the number at the end of an id, and the number; None without one."""
    whole = identifier or ""
    head = whole.rstrip("0123456789")
    digits = whole[len(head) :]
    return (head, int(digits)) if 0 < len(digits) <= 9 and digits.isascii() else None


def source_of(item: Item) -> Hashable:
    """Return what tells the source of a document from others; None if the source is unknown.

    It is the source, with the title; without a source the title and the parent. All else that the
    entry's head shows belongs to it, but the page and the section: one head speaks for all.
    """
    fields, hit = item.grain.fields, item.hit
    if not (hit.origin or hit.position or fields.get("source") or fields.get("url")):
        return None  # most rows
    own = hit.origin or {}
    where = [own.get(name) or reading.detail(fields, name) for name in ("source", "url")]
    title = own.get("title") or reading.detail(fields, "title")
    parent = (hit.position or {}).get("parent")
    if not any(where) and not parent:
        return None
    head = [
        (name, value if value.__class__ is str else repr(value))
        for name, value in fields.items()
        if name not in _WITHIN and not name.startswith("meta-")
    ]
    return (*where, title, None if any(where) else parent, item.grain.day, item.mark, *head)


def in_reading_order(items: Sequence[Item], *, by_rank: bool) -> list[Item]:
    """Return hits one source after the other, each in its own order.

    Args:
        items: The hits.
        by_rank: Whether sources stand by their first hit; if not, by their names, so that the order
            of the hits does not matter.
    """
    groups: dict[tuple[str, ...], list[Item]] = {}
    for n, item in enumerate(items):
        name = _name_of(item)
        alone = ("", str(n)) if by_rank else ("", item.grain.grain_type, item.grain.hash)
        groups.setdefault(name or alone, []).append(item)
    names = groups if by_rank else sorted(groups)
    return [item for name in names for item in _ordered(groups[name], by_rank=by_rank)]


def _ordered(group: Sequence[Item], *, by_rank: bool) -> list[Item]:
    if len(group) == 1:
        return list(group)
    if group[0].grain.grain_type != "document":
        return sorted(group, key=lambda item: place_in_time(item, by_rank=by_rank))
    placed = [each.item for ordered in in_source_order(group) for each in ordered]
    indexes = {item.index for item in placed}
    rest = [item for item in group if item.index not in indexes]
    return placed + sorted(rest, key=lambda item: item.grain.hash)


def source_name(item: Item) -> str:
    """Return the source of a hit as a `Source` names it; empty if it is unknown."""
    own = item.hit.origin or {}
    named = own.get("source") or reading.detail(item.grain.fields, "source")
    namespace = reading.first(item.grain.fields, "namespace")
    return named or item.hit.source_namespace or namespace


def _name_of(item: Item) -> tuple[str, ...]:
    """Return the name of a source or a session, with the type; empty if there is none."""
    fields, hit, grain_type = item.grain.fields, item.hit, item.grain.grain_type
    own = hit.origin or {}
    if grain_type == "document":
        details = [own.get(name) or reading.detail(fields, name) for name in _OF_SOURCE]
        parent = (hit.position or {}).get("parent")
        name = (*details, str(parent) if parent and not any(details[:2]) else "")
        return ("document", *name) if any(name) else ()
    session = hit.source_namespace or reading.first(fields, "namespace")
    return ("event", session) if grain_type == "event" and session else ()


def place_in_time(item: Item, *, by_rank: bool) -> tuple[int, str, int, int, str]:
    """Return by what turns are sorted: time, the numbers of their ids, then as they came.

    Args:
        item: The turn.
        by_rank: Whether it matters how they came; if not, the last is any fixed order.
    """
    position = item.hit.position or {}
    head, number = number_of(item.hit.id) or ("", 0)
    counted = position.get("number")
    counted = counted if isinstance(counted, int) else number
    return item.happened, head, counted, item.index if by_rank else 0, item.grain.hash


def in_source_order(items: Sequence[Item]) -> Iterator[list[Placed]]:
    """Yield the passages of one source that stand in one order, at least two, each order by itself.

    An order is known from the places of the characters, from numbers, from the ids of neighbors,
    from pages, or from the texts, where one goes on from another or contains it.

    Args:
        items: The passages, in any order.
    """
    found = sorted(items, key=lambda item: (item.grain.hash, item.index))  # not by their rank
    left = _with_chains([_placed(item) for item in found])
    while len(left) > 1:
        ordered = _largest_order(left)
        if len(ordered) < 2:
            break
        inside = {each.item.index for each in ordered}
        rest = [each for each in left if each.item.index not in inside]
        left = [each for each in rest if not _attach(each, ordered)]
        yield ordered
    orders: list[list[Placed]] = []
    for each in left:
        if not any(_attach(each, ordered) for ordered in orders[:_MOST]):
            orders.append([each])
    yield from (ordered for ordered in _chained(orders) if len(ordered) > 1)


def shared_by_place(before: Placed, after: Placed) -> int:
    """Return how many characters two passages share by their places in the source, checked.

    Below zero it is how many characters of the source stand between them; 0 where either place is
    unknown, or is not that of the text, as where a sentence was replaced by its window.
    """
    if before.start is None or after.start is None or before.page != after.page:
        return 0
    shared = before.start + before.lead + len(before.text) - after.start - after.lead
    if shared > 0 and not before.text.endswith(after.text[:shared]):
        return 0
    return shared


def follows(before: Placed, after: Placed) -> bool | None:
    """Return whether nothing of the source is missing between two passages; None if unknown."""
    if before.start is not None and after.start is not None and before.page == after.page:
        end = before.end if before.end is not None else before.start + before.size
        return after.start - end <= _BETWEEN
    one, other = before.number, after.number
    if one is not None and other is not None and one[0] == other[0]:
        return other[1] - one[1] <= 1
    if before.next is not None and before.next == after.item.hit.id:
        return True
    return None


def _placed(item: Item) -> Placed:
    hit, fields = item.hit, item.grain.fields
    position = hit.position or {}
    number = number_of(hit.id)
    if "number" in position:
        number = (str(position.get("parent", "")), int(position["number"]))
    text = reading.text(fields, "content")
    start, end = position.get("start"), position.get("end")
    return Placed(
        item,
        text.strip(),
        len(text),
        len(text) - len(text.lstrip()),
        start if isinstance(start, int) else None,
        end if isinstance(end, int) else None,
        number,
        _page(reading.detail(fields, "page") or reading.detail(fields, "section")),
        _id(position.get("previous")),
        _id(position.get("next")),
    )


def _id(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _page(text: str) -> tuple[int, ...]:
    """Return a page, or the number of a section, as numbers; empty where it is no number."""
    found = _STEPS.fullmatch(text)
    return tuple(map(int, found[0].rstrip(".").split("."))) if found else ()


def _with_chains(passages: list[Placed]) -> list[Placed]:
    """Return passages with a number in a chain of neighbors where they have no other position."""
    after = {p.item.hit.id: p.next for p in passages if p.item.hit.id and p.next}
    after |= {p.previous: p.item.hit.id for p in passages if p.item.hit.id and p.previous}
    if not after:
        return passages
    targets = set(after.values())
    at: dict[str, tuple[str, int]] = {}
    for first in [name for name in after if name not in targets]:
        at[first], name = (f"after {first}", 0), first
        while (found := after.get(name)) is not None and found not in at:
            at[found], name = (f"after {first}", at[name][1] + 1), found
    return [
        p._replace(number=at.get(p.item.hit.id or "", p.number)) if p.start is None else p
        for p in passages
    ]


def _largest_order(passages: Sequence[Placed]) -> list[Placed]:
    """Return the passages that most are placed among, by one kind of position, in its order."""
    starts: list[Placed] = []
    pages: list[Placed] = []
    numbers: dict[str, list[Placed]] = {}
    for each in passages:
        if each.start is not None:
            starts.append(each)
        if each.number is not None:
            numbers.setdefault(each.number[0], []).append(each)
        if each.page:
            pages.append(each)
    found = max(starts, *numbers.values(), pages, key=len)
    if found is starts:
        return sorted(found, key=lambda p: (p.page, p.start or 0, -p.size))
    if found is pages:
        return sorted(found, key=lambda p: (p.page, p.item.grain.hash))
    return sorted(found, key=lambda p: (p.number or ("", 0), p.item.grain.hash))


def _chained(orders: Sequence[list[Placed]]) -> list[list[Placed]]:
    """Return orders with each that goes on from another's end behind it."""
    found = list(orders[:_MOST])
    if all(len(ordered) == 1 for ordered in found):
        return found  # what goes on from another would be with it
    at = 0
    while at < len(found):
        end = found[at][-1].text
        after = [n for n, each in enumerate(found) if n != at and overlap(end, each[0].text)]
        if not after:
            at += 1
            continue
        found[at].extend(found.pop(after[0]))
        at -= after[0] < at
    return found


def _attach(passage: Placed, ordered: list[Placed]) -> bool:
    """Insert a passage where its text goes on from another's, or contains it; return whether."""
    text = passage.text
    if len(text) < SHORTEST:
        return False
    for place, other in enumerate(ordered[:_MOST]):
        inside = len(text) <= len(other.text) and text in other.text
        if inside or overlap(other.text, text):
            ordered.insert(place + 1, passage)
            return True
        around = SHORTEST <= len(other.text) < len(text) and other.text in text
        if around or overlap(text, other.text):
            ordered.insert(place, passage)
            return True
    return False
