"""The data that all readers of a text use: its lines, and the parts found so far."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import NamedTuple

from areev_context.text.part import Part, PartKind

__all__ = ["LONGEST", "MOST", "Above", "Lines", "PartDraft", "lines_of", "pauses"]

MOST = 480  # characters, about 120 tokens, of code, data or an item that is never opened
LONGEST = 240  # characters, about 60 tokens, of a piece of a line without an end
_TAB = 4
_PAUSES = ("},", "],", "><", "; ", ";", ", ", ",", " ")  # the best first


class Lines(NamedTuple):
    """The lines of a span of a text, as parallel lists.

    Attributes:
        text: The whole text; all indexes are indexes in it.
        starts: The start of each line, and the end of the span.
        bodies: Each line without the blanks around it; empty for a blank one.
        indents: The number of blank characters at the start of each line.
        widths: The width of these blanks in columns.
    """

    text: str
    starts: list[int]
    bodies: list[str]
    indents: list[int]
    widths: list[int]

    def part(self, first: int, end: int) -> Lines:
        """Return the lines from ``first`` up to, without, ``end``."""
        return Lines(
            self.text,
            self.starts[first : end + 1],
            self.bodies[first:end],
            self.indents[first:end],
            self.widths[first:end],
        )

    def size(self, first: int, end: int) -> int:
        """Return the number of characters from the line ``first`` up to, without, ``end``."""
        return self.starts[end] - self.starts[first]


def lines_of(text: str, start: int = 0, end: int | None = None) -> Lines:
    """Return the lines of a span, by default of the whole text."""
    end = len(text) if end is None else end
    raw = text[start:end].split("\n")
    starts = [start, *accumulate((len(line) + 1 for line in raw), initial=start)][1:]
    starts[-1] = end
    bodies = [line.strip() for line in raw]
    indents = [len(line) - len(line.lstrip()) if line[:1].isspace() else 0 for line in raw]
    widths = indents
    if "\t" in text:
        widths = [
            len(line[:indent].expandtabs(_TAB)) if indent else 0
            for line, indent in zip(raw, indents, strict=True)
        ]
    return Lines(text, starts, bodies, indents, widths)


class Above(NamedTuple):
    """The parts that all parts of a block need, and the parts that are their context."""

    needs: tuple[int, ...] = ()
    context: tuple[int, ...] = ()


_NOTHING = Above()


class PartDraft:
    """The parts found so far; each ends where the next one starts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts: list[int] = []
        self._fields: list[tuple[PartKind, Above, int, bool]] = []
        self._later: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._starts)

    def add(
        self,
        kind: PartKind,
        start: int,
        above: Above = _NOTHING,
        *,
        indent: int = 0,
        alone: bool = True,
    ) -> int:
        """Add a part that starts after all other parts, and return its index."""
        self._starts.append(start)
        self._fields.append((kind, above, indent, alone))
        return len(self._starts) - 1

    def need(self, index: int, other: int) -> None:
        """Add another part to the needs of a part."""
        self._later[index] = (*self._later.get(index, ()), other)

    def start(self, index: int) -> int:
        """Return the start of the part with this index."""
        return self._starts[index]

    def done(self) -> tuple[Part, ...]:
        """Return the parts, each with its end; the first one takes the blanks before it too.

        A part of more than 960 characters, such as a long row, is divided into pieces.
        """
        edges = [0, *self._starts[1:], len(self.text)]
        parts = [
            Part(kind, start, end, above.needs, above.context, indent, alone)
            for (kind, above, indent, alone), (start, end) in zip(
                self._fields, pairwise(edges), strict=True
            )
        ]
        for index, others in self._later.items():
            parts[index] = parts[index]._replace(needs=parts[index].needs + others)
        if any(part.end - part.start - part.indent > 2 * MOST for part in parts):
            parts = _in_pieces(self.text, parts)
        return tuple(parts)


def _in_pieces(text: str, parts: list[Part]) -> list[Part]:
    """Return the parts with the long ones in pieces, which need what the whole of them needs."""
    places: list[int] = []
    pieces: list[tuple[Part, list[int]]] = []
    count = 0
    for part in parts:
        places.append(count)
        start = part.start + part.indent
        end = start
        if part.end - start > 2 * MOST:
            end += len(text[start : part.end].rstrip())
        cuts = pauses(text, start, end) if end - start > 2 * MOST else []
        pieces.append((part, [part.start, *cuts, part.end]))
        count += 1 + len(cuts)
    return [
        part._replace(
            kind=PartKind.PIECE if place else part.kind,
            start=edges[place],
            end=edges[place + 1],
            needs=tuple(places[need] for need in part.needs),
            context=tuple(places[index] for index in part.context),
        )
        for part, edges in pieces
        for place in range(len(edges) - 1)
    ]


def pauses(text: str, start: int, end: int) -> list[int]:
    """Return the indexes at which a text without sentence ends is cut: at the best pauses."""
    found = []
    while end - start > LONGEST:
        near, far = start + LONGEST // 2, start + LONGEST
        start = next(
            (
                place + len(pause) - (pause == "><")
                for pause in _PAUSES
                if (place := text.rfind(pause, near, far)) >= 0
            ),
            far,
        )
        found.append(start)
    return found
