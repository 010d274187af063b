"""The orders and groups that several modes use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from areev_context.hits.grain_types import GRAIN_TYPES, SECTION_ORDER, section_of
from areev_context.layout.outline import Entry, Node, Section
from areev_context.policy import FormatPolicy, Ordering
from areev_context.selection.source_order import in_reading_order

_Some = TypeVar("_Some", bound=Node)

__all__ = ["by_type", "expansion_section", "flat_or_grouped", "in_order"]


def in_order(entries: Sequence[Entry], ordering: Ordering) -> list[Entry]:
    """Return the entries in the policy's order; ties stay in input order.

    Undated entries count as older than all dated entries; entries without a subject come first.
    """
    if ordering is Ordering.CHRONOLOGICAL:
        return sorted(entries, key=lambda e: e.item.grain.created_at)
    if ordering is Ordering.REVERSE_CHRONOLOGICAL:
        return sorted(entries, key=lambda e: -e.item.grain.created_at)
    if ordering is Ordering.BY_ENTITY:
        return sorted(entries, key=_entity_key)
    if ordering is Ordering.EDGES:
        return list(_edges(entries))
    if ordering in (Ordering.READING, Ordering.STABLE):
        of = {entry.index: entry for entry in entries}
        items = [entry.item for entry in entries]
        by_rank = ordering is Ordering.READING
        return [of[item.index] for item in in_reading_order(items, by_rank=by_rank)]
    return list(entries)


def _edges(nodes: Sequence[_Some]) -> tuple[_Some, ...]:
    """Return 1, 3, 5, … 6, 4, 2: models read what stands at either end best."""
    return (*nodes[::2], *reversed(nodes[1::2]))


def _entity_key(entry: Entry) -> tuple[str, float]:
    subject = entry.item.grain.fields.get("subject")
    return (subject if isinstance(subject, str) else "", -entry.item.score)


def by_type(entries: Iterable[Entry], type_order: Sequence[str]) -> tuple[Section, ...]:
    """Return one section per grain type, with entries in the order given.

    Types of `type_order` come first, then the other types of the standard order, then further types
    as they first appear.
    """
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.item.grain.grain_type, []).append(entry)
    if len(groups) == 1:  # as for each entry that is measured alone, however long the order is
        return tuple(_of_type(name, of) for name, of in groups.items())
    order = dict.fromkeys((*type_order, *SECTION_ORDER, *groups))
    return tuple(_of_type(name, groups[name]) for name in order if name in groups)


def _of_type(grain_type: str, entries: Iterable[Entry]) -> Section:
    """Return the section of a type; an unknown one is named by its plural."""
    key, row = section_of(grain_type), GRAIN_TYPES.get(grain_type)
    if row is None:
        return Section(key, "Other", tuple(entries), name=f"{grain_type}s", of_type=True)
    return Section(key, key.capitalize(), tuple(entries), of_type=True)


def flat_or_grouped(entries: Sequence[Entry], policy: FormatPolicy) -> tuple[Node, ...]:
    """Return the entries in the policy's order, flat or in one section per type."""
    if not policy.group_by_type:
        return tuple(in_order(entries, policy.ordering))
    if policy.ordering is not Ordering.EDGES:
        return by_type(in_order(entries, policy.ordering), policy.type_order)
    sections = by_type(entries, policy.type_order)  # each of them has edges of its own
    return tuple(replace(of, nodes=_edges(of.nodes)) for of in sections)


def expansion_section(entries: Sequence[Entry]) -> Section:
    """Return the section of hits that the recall's expansion found, in the order given."""
    return Section("expansion", "Additional Context (expansion)", tuple(entries))
