"""A part: the smallest piece of a text that may be shown, and the parts it needs."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

__all__ = ["PROSE", "Part", "PartKind"]


class PartKind(StrEnum):
    """The kind of a part of a text."""

    SENTENCE = "sentence"  # of prose
    PIECE = "piece"  # goes on in a long sentence or line, which the part before it begins
    HEADING = "heading"
    ITEM = "item"  # of a list: its marker and its first paragraph
    ROW = "row"  # of a table
    HEADER = "header"  # the header lines of a table or of CSV, its caption
    CODE = "code"  # statements of source
    DATA = "data"  # elements of JSON, YAML, TOML, XML, INI
    FRAME = "frame"  # a line that encloses statements or elements, or closes what it encloses
    FENCE = "fence"  # the line that opens a fence
    FENCE_END = "fence end"  # the line that closes a fence
    RECORD = "record"  # an entry of a log, a line of CSV
    TURN = "turn"  # what somebody says, or a sentence of it
    LABEL = "label"  # who says it


PROSE = frozenset({PartKind.SENTENCE, PartKind.PIECE, PartKind.TURN})
"""The kinds whose parts stand in one line with others: a mark between them does, too."""


class Part(NamedTuple):
    """A span of the characters of a text, with the line breaks and blanks that follow it.

    Attributes:
        kind: Its kind.
        start: The index of its first character. A part that begins a line includes the indentation.
        end: The index after its last character, where the next part starts.
        needs: The indexes of the parts that must be shown with it: a heading, a header, a fence, a
            parent. These are direct needs; each of these parts may have its own. There is no cycle.
        context: The indexes of further parts whose words count for it: headings further up, a line
            that introduces it, the name of its record.
        indent: The number of blanks or tabs at the start of its first line; a mark on a line before
            it begins with the same characters.
        alone: False for a part that is useless without another part that needs it.
    """

    kind: PartKind
    start: int
    end: int
    needs: tuple[int, ...] = ()
    context: tuple[int, ...] = ()
    indent: int = 0
    alone: bool = True
