"""The view of a context: whose each stretch of its text is, and where the room went."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from areev_context.budget.draft import Draft
from areev_context.errors import RendererError
from areev_context.hits.grain_types import section_of
from areev_context.hits.hit import Grain
from areev_context.layout.outline import Entry, Node, Outline, Piece, Section, Update, entries_of
from areev_context.selection.item import Allocation

__all__ = ["LazyView", "Share", "ShareKind", "Span", "View", "shares", "view_of"]


class Span(NamedTuple):
    """A stretch of the text.

    Attributes:
        text: What stands there.
        places: Places of the hits it says: one, or of an update the newest and the oldest; none
            for what stands about entries.
        section: The section it counts to; empty where it says no hit.
        tokens: Its tokens, counted apart from the rest; 0 where it says no hit.
    """

    text: str
    indexes: tuple[int, ...] = ()
    section: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """A context from inside.

    Attributes:
        spans: The text, stretch by stretch, in order.
        wholes: Place of a hit that is not shown whole -> what it would say; none of what is
            withheld.
    """

    spans: tuple[Span, ...]
    wholes: Mapping[int, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text that the spans make."""
        return "".join(span.text for span in self.spans)


@dataclass(slots=True)
class LazyView:
    """A view that is made when it is first asked for.

    Any two are equal: a context is what its fields say, not how it is looked at. Pickled, it is
    the finished view, without what would make it.

    Attributes:
        make: Makes the view; None where nothing is known beside the text.
        made: The view, once it is made.
    """

    make: Callable[[], View] | None = field(default=None, compare=False, repr=False)
    made: View | None = field(default=None, compare=False, repr=False)

    def view(self) -> View | None:
        """Return the view, None where there is none."""
        if self.made is None and self.make is not None:
            self.made = self.make()
            self.make = None  # and let go of the hits it was made of
        return self.made

    def __reduce__(self) -> tuple[type[LazyView], tuple[None, View | None]]:
        return LazyView, (None, self.view())


class ShareKind(StrEnum):
    """What a share of the room is spent on."""

    SECTION = "section"
    ENVELOPE = "envelope"
    FREE = "free"


class Share(NamedTuple):
    """A part of the room.

    Attributes:
        kind: What it is spent on.
        name: The section's name; else the kind.
        tokens: Its tokens, 0 or more.
    """

    kind: ShareKind
    name: str
    tokens: int


def shares(spans: Sequence[Span], tokens: int, budget: int | None) -> tuple[Share, ...]:
    """Return where the room went: sections in reading order, the envelope, what is free.

    They add up to the budget; without one, or where the text passes it, to the text's tokens.
    The envelope is what the whole text costs beside its entries. Counted apart, entries can cost
    more than together; then there is no envelope, and the sections share the whole text's tokens
    in proportion.

    Args:
        spans: The text.
        tokens: The tokens of the whole text.
        budget: The budget; None = no limit.
    """
    named: dict[str, int] = {}
    for span in spans:
        if span.section:
            named[span.section] = named.get(span.section, 0) + span.tokens
    spent = _within(tokens, list(named.values()))
    free = [] if budget is None else [Share(ShareKind.FREE, "free", max(0, budget - tokens))]
    return (
        *(Share(ShareKind.SECTION, *each) for each in zip(named, spent, strict=True)),
        Share(ShareKind.ENVELOPE, "envelope", tokens - sum(spent)),
        *free,
    )


def _within(total: int, parts: list[int]) -> list[int]:
    """Return whole numbers in proportion to the parts whose sum is at most the total."""
    whole = sum(parts)
    if whole <= total:
        return parts
    ends, before, out = 0, 0, []
    for part in parts:
        ends += part
        out.append(ends * total // whole - before)
        before += out[-1]
    return out


def view_of(draft: Draft, outline: Outline, text: str, count: Callable[[str], int]) -> View:
    """Return the view of a page: its text by hits, and what other hits would say.

    Args:
        draft: What the page was made from.
        outline: The page.
        text: Its text; empty where not even the empty page fits.
        count: What counts the tokens of an entry.
    """
    sections = dict(_sections(outline.nodes))
    pieces = draft.format.pieces(outline) if text else ()
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
            yield node.index, name or section_of(node.item.grain.grain_type)
        elif isinstance(node, Update):
            yield node.index, name


def _name(section: Section) -> str:
    if section.of_type or section.name is None:
        return section.key.replace("_", " ") if not section.of_type else section.key
    return section.name


def _span(piece: Piece, sections: Mapping[int, str], count: Callable[[str], int]) -> Span:
    node, text = piece
    if node is None:
        return Span(text)
    indexes = (node.index, node.old_index) if isinstance(node, Update) else (node.index,)
    return Span(text, indexes, sections[node.index], count(text))


def _wholes(draft: Draft, outline: Outline) -> Iterator[tuple[int, str]]:
    shown = {
        node.index
        for node in entries_of(outline.nodes)
        if isinstance(node, Entry) and node.form is Allocation.FULL
    }
    for index, item in draft.screened.trusted.items():
        text = "" if index in shown else _whole(draft, item.grain)
        if text:
            yield index, text


def _whole(draft: Draft, grain: Grain) -> str:
    """Return what a grain says whole; nothing where a host's renderer, asked late, fails."""
    try:
        text = draft.renderers.whole(grain)
    except RendererError:
        return ""
    return draft.format.render(grain, draft.policy.metadata) if text is None else text
