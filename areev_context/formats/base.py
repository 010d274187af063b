"""What a format is: how it says one grain, and how it writes a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from areev_context.hits.hit import Grain
from areev_context.layout.outline import Node, Outline, Piece
from areev_context.policy import MetadataLevel, OutputFormat

__all__ = ["Format"]


@dataclass(frozen=True, slots=True)
class Format:
    """One row of the registry of formats; every function is pure.

    Attributes:
        name: Its name.
        escape: How one value is written so that it cannot pass for anything of ours.
        render: One grain, whole.
        summary: One grain in one line, given the query; None for a format without summaries.
        pieces: The text of a page, piece by piece, in order.
        modes: Whether the modes apply; without, the page is flat or grouped by type.
        tables: Whether the page groups by type on its own.
        reads: The places of hits in the order in which the page shows them; None where that is
            the order of its nodes.
        lazy: Whether `pieces` reads grains itself, so that only hosts' texts are rendered before.
    """

    name: OutputFormat
    escape: Callable[[str], str]
    render: Callable[[Grain, MetadataLevel], str]
    summary: Callable[[Grain, MetadataLevel, str], str] | None
    pieces: Callable[[Outline], Iterable[Piece]]
    modes: bool = True
    tables: bool = False
    reads: Callable[[tuple[Node, ...]], Iterable[int]] | None = None
    lazy: bool = False

    def write(self, outline: Outline) -> str:
        """Return the text of a page."""
        return "".join([text for _, text in self.pieces(outline)])
