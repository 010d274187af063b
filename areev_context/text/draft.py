"""What the readers of a text share: its lines, and the parts found so far."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from areev_context.text.part import Part, PartKind

__all__ = ["LONGEST", "MOST", "Above", "Draft", "Lines", "lines_of", "pauses"]

MOST = 480  # characters, about 120 tokens, of code, data or an item that is never opened
LONGEST = 240  # characters, about 60 tokens, of a piece of a line without an end
_TAB = 4
_PAUSES = ("},", "],", "><", "; ", ";", ", ", ",", " ")  # the best first


class Lines(NamedTuple):
    """The lines of a span of a text, as parallel lists.

    Attributes:
        text: The whole text, which all places count from.
        starts: Where each line starts, and after the last one where the span ends.
        bodies: Each line without the blanks around it; empty for a blank one.
        indents: How many characters of blanks each line begins with.
        widths: The same in columns.
    """

    text: str
    starts: list[int]
    bodies: list[str]
    indents: list[int]
    widths: list[int]

    def part(self, first: int, end: int) -> Lines:
        """Return the lines from ``first`` up to ``end``, which is not one of them."""
        return Lines(
            self.text,
            self.starts[first : end + 1],
            self.bodies[first:end],
            self.indents[first:end],
            self.widths[first:end],
        )

    def size(self, first: int, end: int) -> int:
        """Return the characters from one line up to another, which is not one of them."""
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
    """What the parts of a block all need, and what counts for them as context."""

    needs: tuple[int, ...] = ()
    context: tuple[int, ...] = ()


class Draft:
    """The parts found so far; each ends where the next one starts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._parts: list[Part] = []

    def __len__(self) -> int:
        return len(self._parts)

    def add(
        self,
        kind: PartKind,
        start: int,
        above: Above = Above(),  # noqa: B008  (a frozen value)
        *,
        indent: int = 0,
        alone: bool = True,
    ) -> int:
        """Add the part that starts here, after all others, and return its index."""
        self._parts.append(Part(kind, start, start, above.needs, above.context, indent, alone))
        return len(self._parts) - 1

    def need(self, index: int, other: int) -> None:
        """Let one part need another."""
        part = self._parts[index]
        self._parts[index] = part._replace(needs=(*part.needs, other))

    def kind(self, index: int) -> PartKind:
        """Return what the part with this index is."""
        return self._parts[index].kind

    def start(self, index: int) -> int:
        """Return where the part with this index starts."""
        return self._parts[index].start

    def done(self) -> tuple[Part, ...]:
        """Return the parts, each with its end; the first one takes the blanks before it too."""
        starts = [0, *(part.start for part in self._parts[1:]), len(self.text)]
        return tuple(
            part._replace(start=starts[index], end=starts[index + 1])
            for index, part in enumerate(self._parts)
        )


def pauses(text: str, start: int, end: int) -> list[int]:
    """Return where a run without ends is cut, in order: at the best pause within reach of each."""
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
