"""The view of a context, made of the page its text was written from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from areev_context.core.budget import Allocation
from areev_context.core.errors import RendererError
from areev_context.core.grains import Grain, section_of
from areev_context.core.outline import (
    Entry,
    Node,
    Outline,
    Piece,
    Section,
    SectionKind,
    Update,
    entries_of,
)
from areev_context.core.view import Span, View
from areev_context.draft import Draft

__all__ = ["view_of"]


def view_of(draft: Draft, outline: Outline, text: str, count: Callable[[str], int]) -> View:
    """Return the view of a page: its text by hits, and what other hits would say.

    Args:
        draft: What the page was made from.
        outline: The page.
        text: Its text; empty where not even the empty page fits.
        count: What counts the tokens of an entry.
    """
    sections = dict(_sections(outline.nodes))
    pieces = draft.written.pieces(outline) if text else ()
    return View(
        tuple(_span(piece, sections, count) for piece in pieces),
        dict(_wholes(draft, outline)),
    )


def _sections(nodes: tuple[Node, ...], name: str = "") -> Iterator[tuple[int, str]]:
    """Yield the place of each entry and the section it stands in; where in none, its type's."""
    for node in nodes:
        if isinstance(node, Section):
            yield from _sections(node.nodes, _name(node))
        elif isinstance(node, Entry):
            yield node.place, name or section_of(node.candidate.kept.grain.grain_type)
        elif isinstance(node, Update):
            yield node.place, name


def _name(section: Section) -> str:
    if section.kind is SectionKind.TYPE:
        return section_of(section.name)
    return section.name or section.kind.replace("_", " ")


def _span(piece: Piece, sections: Mapping[int, str], count: Callable[[str], int]) -> Span:
    node, text = piece
    if node is None:
        return Span(text)
    places = (node.place, node.old_place) if isinstance(node, Update) else (node.place,)
    return Span(text, places, sections[node.place], count(text))


def _wholes(draft: Draft, outline: Outline) -> Iterator[tuple[int, str]]:
    shown = {
        node.place
        for node in entries_of(outline.nodes)
        if isinstance(node, Entry) and node.form is Allocation.FULL
    }
    for place, kept in draft.screened.trusted.items():
        text = "" if place in shown else _whole(draft, kept.grain)
        if text:
            yield place, text


def _whole(draft: Draft, grain: Grain) -> str:
    """Return what a grain says whole; nothing where a host's renderer, asked late, fails."""
    try:
        text = draft.voice.whole(grain)
    except RendererError:
        return ""
    return draft.written.render(grain, draft.policy.metadata) if text is None else text
