"""What each hit got of the budget: an entry's grant, divided among the hits that it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from areev_context.budget.plan import Grant
from areev_context.budget.spans import Stretch, stretches_of
from areev_context.hits import fields as reading
from areev_context.layout.outline import Entry, Node, entries_of
from areev_context.selection.item import Allocation, Item, Joined, Member
from areev_context.selection.screening import Reason

__all__ = ["HitGrant", "hit_grants"]


class HitGrant(NamedTuple):
    """What one hit got.

    Attributes:
        item: The hit.
        grant: What it got.
        entry: The index of the hit under whose number it stands; its own for a single hit.
        within: The index of the hit whose entry it is a part of, or whose text contains its own;
            None if it has an entry of its own.
        stretch: From the first to after the last character of its text that is shown, where it is
            part of a joined entry; None if it is not shown, or alone.
    """

    item: Item
    grant: Grant
    entry: int
    within: int | None = None
    stretch: Stretch | None = None


def hit_grants(
    body: Sequence[Item], grants: Sequence[Grant], nodes: tuple[Node, ...], query: str
) -> list[HitGrant]:
    """Return what each hit of a body got; the hits of a joined entry are in reading order.

    Args:
        body: The hits of the body, joined ones among them.
        grants: What each of these got.
        nodes: The nodes of the page.
        query: The query that chose the sentences of summaries; may be empty.
    """
    is_joined = any(item.joined is not None or item.talk is not None for item in body)
    entries = _entries(nodes) if is_joined else {}
    out: list[HitGrant] = []
    for item, grant in zip(body, grants, strict=True):
        entry = entries.get(item.index)
        if item.joined is None:
            first = item.index if entry is None else entry.index
            out.append(HitGrant(item, grant, first, None if first == item.index else first))
        elif entry is None or entry.item.joined is not None:
            stretches = () if entry is None else stretches_of(entry, query)
            out.extend(_divided(item, item.joined, grant, stretches))
        else:
            out.extend(_of_one(item.joined, entry, grant))
    return out


def _entries(nodes: tuple[Node, ...]) -> Mapping[int, Entry]:
    """Return the entry that shows each hit, by the index of the hit."""
    entries = [node for node in entries_of(nodes) if isinstance(node, Entry)]
    return {each.index: entry for entry in entries for each in entry.turns or (entry,)}


def _of_one(of: Joined, entry: Entry, grant: Grant) -> Iterator[HitGrant]:
    """Yield the grants of a joined entry of which one hit is shown, cut, and no other."""
    nothing = grant._replace(form=Allocation.OMIT, reason=Reason.OMITTED_BUDGET, shown=0)
    for member in of.members:
        is_shown = member.item.index == entry.index
        yield HitGrant(member.item, grant if is_shown else nothing, entry.index)


def _divided(
    item: Item, of: Joined, grant: Grant, stretches: Sequence[Stretch]
) -> Iterator[HitGrant]:
    text = reading.text(item.grain.fields, "content")
    shown = [list(_common(member, stretches)) for member in of.members]
    wholes = _portions(grant.whole, [member.end - member.start for member in of.members])
    parts = _portions(grant.shown, [sum(b - a for a, b in found) for found in shown])
    forms = [_form(text, member, found) for member, found in zip(of.members, shown, strict=True)]
    best = min(
        (m.item.index for m, f in zip(of.members, forms, strict=True) if f is not Allocation.OMIT),
        default=item.index,
    )
    for n, member in enumerate(of.members):
        form = forms[n]
        around = None if form is Allocation.OMIT else _around(member, n, of)
        reason = grant.reason
        if form is Allocation.FULL:
            reason = Reason.FULL
        elif form is Allocation.SUMMARY and grant.form is Allocation.SUMMARY:
            reason = Reason.CUT if grant.reason is Reason.CUT else Reason.SUMMARY
        elif grant.form is not Allocation.OMIT:
            reason = Reason.OMITTED_BUDGET
        if around is not None:
            form, reason = Allocation.SUMMARY, Reason.TRIMMED
        alone = form is Allocation.OMIT or member.item.index == best
        within = around if around is not None else None if alone else best
        yield HitGrant(
            member.item,
            Grant(form, reason, wholes[n], parts[n]),
            item.index,
            within,
            _own(member, shown[n]),
        )


def _common(member: Member, stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    """Yield what is shown of a hit, by the places of the joined text."""
    for start, end in stretches:
        first, last = max(start, member.start), min(end, member.end)
        if first < last:
            yield first, last


def _form(text: str, member: Member, shown: Sequence[Stretch]) -> Allocation:
    at, is_whole = member.start, True
    for start, end in (*shown, (member.end, member.end)):
        is_whole = is_whole and not text[at:start].strip()
        at = end
    if is_whole:
        return Allocation.FULL
    is_shown = any(text[start:end].strip() for start, end in shown)
    return Allocation.SUMMARY if is_shown else Allocation.OMIT


def _around(member: Member, place: int, of: Joined) -> int | None:
    """Return the index of the hit whose text contains a hit's, the longest; None if none does."""
    size = member.end - member.start
    found = [
        other
        for n, other in enumerate(of.members)
        if other.start <= member.start
        and member.end <= other.end
        and (other.end - other.start > size or (other.end - other.start == size and n < place))
    ]
    best = max(found, key=lambda other: other.end - other.start, default=None)
    return None if best is None else best.item.index


def _own(member: Member, shown: Sequence[Stretch]) -> Stretch | None:
    if not shown:
        return None
    whole = reading.text(member.item.grain.fields, "content")
    if shown[0] == (member.start, member.end):
        return 0, len(whole)
    shift = member.offset - member.start
    return shown[0][0] + shift, shown[-1][1] + shift


def _portions(total: int, sizes: Sequence[int]) -> list[int]:
    """Return whole numbers in proportion to sizes, that add up to a total."""
    every, before, ends, out = sum(sizes) or 1, 0, 0, []
    for size in sizes:
        ends += size
        out.append(ends * total // every - before)
        before += out[-1]
    return out
