"""The walk over an outline that Markdown and plain text share: lines, and blank lines between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from areev_context.core.outline import (
    Entry,
    Gap,
    Node,
    Outline,
    Piece,
    Roster,
    Section,
    SectionKind,
    Update,
    joined,
)

__all__ = ["TITLES", "Words", "pieces_of_page"]


@dataclass(frozen=True, slots=True)
class Words:
    """How a format of lines says each kind of node; the number is None when none is asked for.

    Attributes:
        heading: A section's heading.
        entry: An entry: the section kind it stands in (None outside), its place there from 1,
            its number.
        update: An update, and its number.
        gap: A gap of a timeline, and the lines before it.
        roster: The entity line.
    """

    heading: Callable[[Section], str]
    entry: Callable[[Entry, SectionKind | None, int, int | None], str]
    update: Callable[[Update, int | None], str]
    gap: Callable[[Gap, str], str]
    roster: Callable[[Roster], str]


TITLES = {
    SectionKind.MOST_RELEVANT: "Most Relevant",
    SectionKind.ADDITIONAL: "Additional Context",
    SectionKind.EXPANSION: "Additional Context (expansion)",
    SectionKind.CENSUS: "Additional Sessions (census)",
    SectionKind.TIMELINE: "Timeline (earliest to latest)",
    SectionKind.UPDATES: "Knowledge Updates",
}
"""The titles of sections that hold neither one type nor one entity."""


def pieces_of_page(outline: Outline, words: Words) -> Iterator[Piece]:
    """Yield the page: one line a node, a blank line between sections, none after a heading.

    The expansion's heading is the one that a blank line follows.
    """
    return _parts(outline.nodes, outline, words, None)


def _is_section(node: Node) -> bool:
    return isinstance(node, Section)


def _parts(
    nodes: Iterable[Node], outline: Outline, words: Words, kind: SectionKind | None
) -> Iterator[Piece]:
    """Yield sections and runs of other nodes, a blank line between each two of them."""
    between = ""
    for sections, run in groupby(nodes, key=_is_section):
        if not sections:
            if between:
                yield None, between
            yield from joined(_lines(run, outline, words, kind), "\n")
            between = "\n\n"
            continue
        for section in run:
            assert isinstance(section, Section)
            gap = "\n\n" if section.kind is SectionKind.EXPANSION else "\n"
            yield None, f"{between}{words.heading(section)}{gap}"
            yield from _parts(section.nodes, outline, words, section.kind)
            between = "\n\n"


def _lines(
    nodes: Iterable[Node], outline: Outline, words: Words, kind: SectionKind | None
) -> Iterator[Piece]:
    place, said = 0, ""
    for node in nodes:
        match node:
            case Entry():
                place += 1
                number = outline.numbers.get(node.place)
                said = words.entry(node, kind, place, number)
                yield node, said
            case Update():
                yield node, words.update(node, outline.numbers.get(node.place))
            case Gap():
                yield None, words.gap(node, said)
            case _:
                assert isinstance(node, Roster)
                yield None, words.roster(node)
