"""Entries apart: one text a hit instead of one page, for callers that want a document each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from areev_context.errors import InputError
from areev_context.formats.base import Format
from areev_context.formats.registry import FORMATS
from areev_context.layout.outline import Entry, Outline, Piece, Update, entries_of, joined

__all__ = ["SEPARATOR", "apart", "texts_of"]

SEPARATOR = "\n\n"
"""What stands between two entries where their texts are joined."""


def apart(written: Format) -> Format:
    """Return the format as it writes entries apart: no section, no mode, a blank line between.

    Raises:
        InputError: The format writes one document of all hits, which does not come apart.
    """
    if written.summary is None:
        able = ", ".join(name for name, row in FORMATS.items() if row.summary is not None)
        raise InputError(f"{written.name} is one document of all hits: give one of {able}")

    def pieces(outline: Outline) -> Iterator[Piece]:
        return joined(texts_of(outline, written), SEPARATOR)

    return replace(written, pieces=pieces, modes=False)


def texts_of(outline: Outline, written: Format) -> Iterator[tuple[Entry | Update, str]]:
    """Yield each entry and its text, in reading order."""
    for node in entries_of(outline.nodes):
        yield node, written.write(replace(outline, nodes=(node,)))
