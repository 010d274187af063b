"""A format: one bracket for each grain, one around each section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from areev_context.formats.base import Format
from areev_context.formats.lines import plain_line, summary_line
from areev_context.hits.hit import Grain
from areev_context.layout.outline import Entry, Gap, Node, Outline, Piece, Section, Update, joined
from areev_context.policy import MetadataLevel, OutputFormat

__all__ = ["FORMAT"]


def escape(value: str) -> str:
    """Return a value on one line, without a bracket that stands alone."""
    return value.replace("[", "[[").replace("]", "]]").replace("\n", " ")


def _lines(nodes: Iterable[Node], outline: Outline) -> Iterator[Piece]:
    for node in nodes:
        match node:
            case Entry():
                number = outline.numbers.get(node.index, "")
                yield node, f"[entry {number}: {node.text}]"
            case Update():
                old = "" if node.old is None else f"{escape(node.old)} to "
                yield node, f"[update {escape(node.subject)}: {old}{escape(node.new)}]"
            case Section():
                name = "" if node.name is None else f" {escape(node.name)}"
                yield None, f"[section {escape(node.title)}{name}:"
                yield from _lines(node.nodes, outline)
                yield None, "]"
            case Gap():
                yield None, f"[gap {node.label}]"
            case _:
                yield None, f"[entities {', '.join(map(escape, node.names))}]"


class Brackets(Format):
    """One bracket for each grain."""

    name = OutputFormat.BRACKETS  # type: ignore[attr-defined]  # the row of the recipe
    escape = staticmethod(escape)

    def render(self, grain: Grain, level: MetadataLevel) -> str:
        """Return one grain, whole."""
        return plain_line(grain.grain_type, grain.hash, grain.fields, escape)

    def summary(self, grain: Grain, level: MetadataLevel, query: str) -> str:
        """Return one grain in one line."""
        return summary_line(grain.grain_type, grain.hash, grain.fields, escape)

    def pieces(self, outline: Outline) -> Iterator[Piece]:
        """Yield the page, one line a bracket."""
        return joined(_lines(outline.nodes, outline), "\n")


FORMAT = Brackets()
