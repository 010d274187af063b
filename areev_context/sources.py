"""The source of each entry, and the way from the numbers of an answer back to the sources."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from areev_context.budget.hit_grants import HitGrant
from areev_context.budget.spans import Stretch, in_original, in_twin, stretch_of
from areev_context.citations import cited_numbers
from areev_context.errors import InputError
from areev_context.hits import fields as reading
from areev_context.layout.outline import Entry, Outline, Update, entries_of
from areev_context.outcome import HitOutcome
from areev_context.selection.item import Item
from areev_context.selection.screening import Screened

__all__ = ["Citations", "Source", "cited_sources", "sources_of"]


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a shown entry; a duplicate is listed after the hit that it repeats.

    Attributes:
        number: The entry's number; None without numbering.
        id: The retriever's own id, else the hash.
        title: A document's title, else the hit in a few words.
        source: The source, else the session or namespace; None if unknown. A path is whole here.
        page: The page as it is printed; None if unknown.
        url: The URL; None if unknown.
        index: Index of the hit in the input, from 0; None in a source of an older dump.
        span: The first character of the hit's text that is shown, from 0, and the one after the
            last; something between them may be left out. None if the text is not a stretch of it,
            or if the application's own renderer wrote it.
    """

    number: int | None
    id: str
    title: str
    source: str | None
    page: str | None = None
    url: str | None = None
    index: int | None = None
    span: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.span is not None and self.span.__class__ is not tuple:  # a store has lists
            object.__setattr__(self, "span", tuple(self.span))


_SOURCE = TypeAdapter(Source)


class Citations(NamedTuple):
    """What an answer cites.

    Attributes:
        sources: The sources that are cited, in the order of the first citation.
        unknown: The numbers that are cited and that no source has, in order.
    """

    sources: tuple[Source, ...]
    unknown: tuple[int, ...]


def cited_sources(
    answer: str, sources: Iterable[Source | Mapping[str, Any]], *, parentheses: bool = False
) -> Citations:
    """Return the sources that an answer cites, and the numbers that do not exist.

    Args:
        answer: The answer of a model, which has read `citation_instructions`.
        sources: The sources of the context, as objects or as a dump has them; of several contexts
            whose numbers go on, of all.
        parentheses: Whether ``(1)`` is read too.

    Raises:
        InputError: The answer is no string, or a source is none.
    """
    of: dict[int, list[Source]] = {}
    for source in map(_as_source, sources, count()):
        if source.number is not None:
            of.setdefault(source.number, []).append(source)
    every = [source for group in of.values() for source in group]
    cited = cited_numbers(answer, every, parentheses=parentheses)
    unknown = [n for n in cited_numbers(answer, parentheses=parentheses) if n not in of]
    return Citations(tuple(source for n in cited for source in of[n]), tuple(unknown))


def _as_source(source: Source | Mapping[str, Any], place: int) -> Source:
    if isinstance(source, Source):
        return source
    try:
        return _SOURCE.validate_python(source)
    except ValidationError:
        kind = type(source).__name__
        message = f"source {place} is of type {kind} and has no fields of a Source: give a Source"
    raise InputError(message, row=place)


def sources_of(
    outline: Outline,
    screened: Screened,
    outcomes: Sequence[HitOutcome],
    grants: Sequence[HitGrant],
    *,
    hosted: Container[str],
    query: str,
) -> tuple[Source, ...]:
    """Return one source per shown hit, in reading order, a duplicate after the hit it repeats.

    The source of an update is its newest hit, which the text shows as current.

    Args:
        outline: The page.
        screened: The hits.
        outcomes: One per hit of the input, in order.
        grants: What each hit of the body got.
        hosted: The grain types that the application renders.
        query: The query that chose the sentences of summaries; may be empty.
    """
    twins: dict[int, list[int]] = {}
    for place, first in screened.twins.items():
        twins.setdefault(first, []).append(place)
    numbers = outline.numbers
    nodes: dict[int, Entry | Update] = {}
    for node in entries_of(outline.nodes):
        turns = node.turns if isinstance(node, Entry) else ()
        nodes.update({each.index: each for each in turns or (node,)})
    shown = list(nodes)
    if numbers:  # a page of tables reads otherwise than its nodes follow
        shown.sort(key=numbers.__getitem__)
    members = _members(grants)
    out = []
    for entry in shown:
        stretches = members.get(entry) or {
            entry: stretch_of(nodes[entry], screened.trusted[entry], hosted, query)
        }
        for index, stretch in stretches.items():
            item = screened.trusted[index]
            for each in (index, *twins.get(index, ())):
                twin, label = screened.trusted[each], outcomes[each].label or ""
                span = stretch if each == index else in_twin(item, twin, stretch)
                original = screened.originals.get(each)
                span = span if original is None else in_original(twin, original, span)
                out.append(_source(twin, label, outcomes[index].number, span))
    return tuple(out)


def _members(grants: Iterable[HitGrant]) -> dict[int, dict[int, Stretch | None]]:
    """Return the shown hits of each joined entry, in reading order, and what is shown of each."""
    found: dict[int, dict[int, Stretch | None]] = {}
    for each in grants:
        if each.stretch is not None:
            found.setdefault(each.entry, {})[each.item.index] = each.stretch
    return found


def _source(item: Item, label: str, number: int | None, span: tuple[int, int] | None) -> Source:
    fields, hit = item.grain.fields, item.hit
    origin = hit.origin or {}

    def detail(name: str) -> str | None:
        return origin.get(name) or reading.detail(fields, name) or None

    source = detail("source") or hit.source_namespace or reading.first(fields, "namespace") or None
    is_document = item.grain.grain_type == "document"
    return Source(
        number,
        hit.id or item.grain.hash,
        detail("title") or label,
        source,
        detail("page") if is_document else None,
        detail("url") if is_document else None,
        item.index,
        span,
    )
