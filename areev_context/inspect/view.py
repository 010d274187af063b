"""The view of a context: the hits that each stretch of its text shows, and the use of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from areev_context.budget.draft import Draft
from areev_context.errors import RendererError
from areev_context.hits.grain_types import section_of
from areev_context.layout.outline import Entry, Node, Outline, Piece, Section, Update, entries_of
from areev_context.selection.item import Allocation, Item

__all__ = ["LazyView", "Share", "ShareKind", "Span", "View", "shares", "view_of"]


class Span(NamedTuple):
    """A stretch of the text.

    Attributes:
        text: The text of the stretch.
        indexes: The indexes of the hits it shows: one hit, those of a joined entry, or the newest
            and the oldest of an update; empty for headings and separators.
        section: The section it counts to; empty if it shows no hit.
        tokens: The tokens of `text` alone; 0 if it shows no hit.
    """

    text: str
    indexes: tuple[int, ...] = ()
    section: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """The text of a context by hits.

    Attributes:
        spans: The stretches of the text, in order.
        wholes: Index of a hit that is not shown whole -> its whole text; withheld hits have none.
    """

    spans: tuple[Span, ...]
    wholes: Mapping[int, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text of all spans, joined."""
        return "".join(span.text for span in self.spans)


@dataclass(slots=True)
class LazyView:
    """A view that is made when it is first used.

    All objects of this class are equal, so that contexts are compared by their fields only. A
    pickle has the finished view, not the function that makes it.

    Attributes:
        make: The function that makes the view; None if only the text is known.
        made: The view, after it is made.
    """

    make: Callable[[], View] | None = field(default=None, compare=False, repr=False)
    made: View | None = field(default=None, compare=False, repr=False)

    def view(self) -> View | None:
        """Return the view, or None if there is none."""
        if self.made is None and self.make is not None:
            self.made = self.make()
            self.make = None  # and let go of the hits it was made of
        return self.made

    def __reduce__(self) -> tuple[type[LazyView], tuple[None, View | None]]:
        return LazyView, (None, self.view())


class ShareKind(StrEnum):
    """The use of a share of the budget."""

    SECTION = "section"
    ENVELOPE = "envelope"
    FREE = "free"


class Share(NamedTuple):
    """A share of the budget.

    Attributes:
        kind: The use of the share.
        name: The section's name; for other uses the kind.
        tokens: Its tokens, 0 or more.
    """

    kind: ShareKind
    name: str
    tokens: int


def shares(spans: Sequence[Span], tokens: int, budget: int | None) -> tuple[Share, ...]:
    """Return the shares of the budget: sections in reading order, the envelope, the free tokens.

    The shares add up to the budget; without a budget, or if the text exceeds it, to the tokens of
    the text. The envelope is the tokens of the whole text minus the tokens of its entries. Entries
    counted one by one can cost more than the whole text; then there is no envelope, and the
    sections share the tokens of the whole text in proportion.

    Args:
        spans: The stretches of the text.
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


def view_of(
    draft: Draft, outline: Outline, text: str, count_all: Callable[[Iterable[str]], list[int]]
) -> View:
    """Return the view of a page: its text by hits, and the whole text of other hits.

    Args:
        draft: The draft of the page.
        outline: The page.
        text: The text of the page; empty if not even the empty page fits.
        count_all: Counts the tokens of each entry.
    """
    sections = dict(_sections(outline.nodes))
    pieces = list(draft.format.pieces(outline)) if text else []
    counts = iter(count_all([piece for node, piece in pieces if node is not None]))
    return View(
        tuple(_span(piece, sections, 0 if piece[0] is None else next(counts)) for piece in pieces),
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


def _span(piece: Piece, sections: Mapping[int, str], tokens: int) -> Span:
    node, text = piece
    if node is None:
        return Span(text)
    if isinstance(node, Update):
        indexes: tuple[int, ...] = (node.index, node.old_index)
    else:
        indexes = tuple([each.index for each in _hits_of(node)])
    return Span(text, indexes, sections[node.index], tokens)


def _hits_of(entry: Entry) -> Iterable[Item]:
    """Return the hits that an entry shows, in reading order."""
    return [turn.item for turn in entry.turns] or entry.item.hits


def _wholes(draft: Draft, outline: Outline) -> Iterator[tuple[int, str]]:
    shown = {
        hit.index
        for node in entries_of(outline.nodes)
        if isinstance(node, Entry)
        for each in node.turns or (node,)
        if each.form is Allocation.FULL
        for hit in each.item.hits
    }
    for index, item in draft.screened.trusted.items():
        text = "" if index in shown else _whole(draft, item)
        if text:
            yield index, text


def _whole(draft: Draft, item: Item) -> str:
    """Return what a hit says whole; nothing where a host's renderer, asked late, fails."""
    try:
        text = draft.renderers.whole(item)
    except RendererError:
        return ""
    return draft.format.whole(item, draft.policy.metadata) if text is None else text
