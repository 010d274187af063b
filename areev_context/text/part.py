"""A part: the least of a text that may be shown, and what must be shown with it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

__all__ = ["PROSE", "Part", "PartKind"]


class PartKind(StrEnum):
    """What a part of a text is."""

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
        kind: What it is.
        start: Its first character. A part that begins a line has the line's indentation too.
        end: After its last character, and the start of the part that follows.
        needs: Indexes of the parts that must be shown with it: a heading, a header, a fence, a
            parent. They are direct, each has needs of its own, and they have no cycle.
        context: Indexes of further parts whose words count for it: headings further up, a line
            that introduces it, what names the record it is in.
        indent: How many blanks or tabs its first line begins with; a mark that stands on a line
            before it begins with the same ones.
        alone: False for a part that says nothing without another one that needs it.
    """

    kind: PartKind
    start: int
    end: int
    needs: tuple[int, ...] = ()
    context: tuple[int, ...] = ()
    indent: int = 0
    alone: bool = True
