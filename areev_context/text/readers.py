"""Which reader reads which genre."""

from __future__ import annotations

from areev_context.text.code import rows_of_code
from areev_context.text.data import rows_of_brackets, rows_of_data, rows_of_sections
from areev_context.text.draft import Above, Draft, Lines
from areev_context.text.genre import Genre
from areev_context.text.markup import read_markup
from areev_context.text.outline import read_outline
from areev_context.text.part import PartKind
from areev_context.text.records import delimiter_of, read_log, read_table, read_turns

__all__ = ["read_genre"]


def read_genre(
    draft: Draft, lines: Lines, first: int, end: int, genre: Genre, above: Above
) -> None:
    """Add the parts of lines that are no prose; the first line is not blank."""
    start, stop = lines.starts[first], lines.starts[end]
    if genre is Genre.CODE:
        read_outline(draft, rows_of_code(lines, first, end), PartKind.CODE, above)
    elif genre is Genre.INDENTED:
        _read_documents(draft, lines, first, end, above)
    elif genre is Genre.SECTIONS:
        read_outline(draft, rows_of_sections(lines, first, end), PartKind.DATA, above)
    elif genre is Genre.BRACKETS:
        read_outline(draft, rows_of_brackets(draft.text, start, stop), PartKind.DATA, above)
    elif genre is Genre.LOG:
        read_log(draft, lines, first, end, above)
    elif genre is Genre.VALUES:
        read_table(draft, lines, first, end, above, delimiter_of(lines, first, end))
    elif genre is Genre.TALK:
        read_turns(draft, lines, first, end, above)
    else:
        read_markup(draft, start, stop, above)


def _read_documents(draft: Draft, lines: Lines, first: int, end: int, above: Above) -> None:
    """Add the parts of data nested by indentation, each document between `---` by itself."""
    edges = [n for n in range(first + 1, end) if lines.bodies[n] == "---"]
    for begin, stop in zip([first, *edges], [*edges, end], strict=True):
        read_outline(draft, rows_of_data(lines, begin, stop), PartKind.DATA, above)
