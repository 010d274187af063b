"""Join hits of one source into one hit, whose text is theirs in reading order."""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Sequence
from operator import attrgetter

from areev_context.hits import fields as reading
from areev_context.selection.item import Allocation, Item, Joined, Member
from areev_context.selection.source_order import (
    Placed,
    follows,
    in_source_order,
    shared_by_place,
    source_of,
)
from areev_context.text.overlap import SHORTEST, overlap

__all__ = ["joined"]

_MARK = "…"
_ENDED = re.compile(r"[.!?…:;。！？؟।۔|}>\])\"'”’»」`*_]\Z")


def joined(body: Sequence[Item], hosted: Container[str]) -> tuple[Item, ...]:
    """Return the hits of a body with those of one source joined, each where its best hit stands.

    Args:
        body: The hits, in input order.
        hosted: The grain types that the application renders, which are never joined.
    """
    groups: dict[Hashable, list[Item]] = {}
    if "document" not in hosted:
        for item in body:
            if item.grain.grain_type == "document" and item.mark is None and not item.pinned:
                source = source_of(item)
                if source is not None:
                    groups.setdefault(source, []).append(item)
    of: dict[int, Item] = {}
    for group in groups.values():
        if len(group) > 1:
            for ordered in in_source_order(group):
                entry = _passage(ordered)
                of.update(dict.fromkeys([each.item.index for each in ordered], entry))
    if not of:
        return tuple(body)
    return tuple(
        of.get(item.index, item)
        for item in body
        if item.index not in of or of[item.index].index == item.index
    )


def _passage(ordered: Sequence[Placed]) -> Item:
    """Return the passages of one source as one, what they share once, marks where some is missing.

    Args:
        ordered: The passages in the order of the source, at least two.
    """
    first, *others = ordered
    text = first.text
    members, gaps = [_member(first, 0)], []
    reach, last = 0, first  # where the passage begins that the text ends with, and that passage
    for each in others:
        shared = shared_by_place(last, each)
        if 0 < shared <= len(each.text):
            start: int | None = len(text) - shared
        else:
            start = _start_in(text, reach, each.text)
        if start is None:
            near = follows(last, each)
            between = _between(text, each, near, paragraphs=shared < -1)
            if not near:
                place = len(text) + between.index(_MARK)
                gaps.append((place, len(text) + len(between)))
            start = len(text) + len(between)
            text += between + each.text
        elif start + len(each.text) > len(text):
            text += each.text[len(text) - start :]
        members.append(_member(each, start))
        if start + len(each.text) == len(text):
            reach, last = start, each
    return _standing_for(Joined(tuple(members), tuple(gaps)), text)


def _member(passage: Placed, start: int) -> Member:
    whole = reading.text(passage.item.grain.fields, "content")
    offset = len(whole) - len(whole.lstrip())
    return Member(passage.item, start, start + len(passage.text), offset)


def _start_in(text: str, reach: int, following: str) -> int | None:
    """Return where a passage begins in the text so far, whose end it contains or goes on from."""
    if len(following) >= SHORTEST:
        found = text.find(following, reach)
        if found >= 0:
            return found
    shared = overlap(text, following, reach)
    return len(text) - shared if shared else None


def _between(text: str, following: Placed, near: bool | None, *, paragraphs: bool) -> str:
    """Return what stands between two passages: a break of a line, or a blank in a sentence."""
    torn = _ENDED.search(text) is None and following.text[:1].islower()
    if near:
        if torn:
            return " "
        return "\n\n" if paragraphs and "\n\n" in text else "\n"
    return f" {_MARK} " if torn else f"\n{_MARK}\n"


def _standing_for(of: Joined, text: str) -> Item:
    items = [member.item for member in of.members]
    best, grain = min(items, key=attrgetter("index")), items[0].grain
    fields = {**grain.fields, "content": text}
    for name in ("page", "section"):
        values = [reading.detail(item.grain.fields, name) for item in items]
        if any(values) and len(set(values)) > 1:
            fields[name] = ", ".join(filter(None, dict.fromkeys(values)))
    at_least = Allocation.OMIT
    if any(item.at_least is Allocation.FULL for item in items):
        at_least = Allocation.FULL
    return best._replace(
        grain=grain._replace(fields=fields),
        priority=max(item.priority for item in items),
        tokens=sum(item.tokens for item in items),
        at_least=at_least,
        joined=of,
    )
