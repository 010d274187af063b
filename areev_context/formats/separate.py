"""Write entries as separate texts instead of one page, for callers that need one text per hit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from areev_context.errors import InputError
from areev_context.formats.base import Format
from areev_context.formats.registry import FORMATS
from areev_context.hits.hit import Grain
from areev_context.layout.outline import Entry, Outline, Piece, Update, entries_of, joined
from areev_context.policy import MetadataLevel

__all__ = ["SEPARATOR", "SeparateEntries"]

SEPARATOR = "\n\n"
"""The separator between two entries when their texts are joined."""


class SeparateEntries(Format):
    """A format that writes the entries of another, without sections or modes.

    Args:
        format: The other format.

    Raises:
        InputError: The other format writes one document of all hits, which cannot be separated.
    """

    takes_modes = False

    def __init__(self, format: Format) -> None:
        if not format.shortens:
            able = ", ".join(name for name, row in FORMATS.items() if row.shortens)
            raise InputError(f"{format.name} is one document of all hits: give one of {able}")
        self._format = format
        self.name = format.name  # type: ignore[misc]  # the name of the other format

    def escape(self, value: str, /) -> str:
        """Return one value as the other format writes it."""
        return self._format.escape(value)

    def render(self, grain: Grain, level: MetadataLevel) -> str:
        """Return one grain, whole, as the other format writes it."""
        return self._format.render(grain, level)

    def summary(self, grain: Grain, level: MetadataLevel, query: str) -> str:
        """Return one grain in one line, as the other format writes it."""
        return self._format.summary(grain, level, query)

    def pieces(self, outline: Outline) -> Iterator[Piece]:
        """Yield the entries, with a blank line between two entries."""
        return joined(self.texts(outline), SEPARATOR)

    def texts(self, outline: Outline) -> Iterator[tuple[Entry | Update, str]]:
        """Yield each entry and its text, in reading order."""
        for node in entries_of(outline.nodes):
            yield node, self._format.write(replace(outline, nodes=(node,)))
