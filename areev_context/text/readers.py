"""Choose the reader for a genre."""

from __future__ import annotations

from areev_context.text.code import rows_of_code
from areev_context.text.data import rows_of_brackets, rows_of_data, rows_of_sections
from areev_context.text.genre import Genre
from areev_context.text.markup import read_markup
from areev_context.text.nesting import read_outline
from areev_context.text.part import PartKind
from areev_context.text.part_draft import Above, Lines, PartDraft
from areev_context.text.records import read_log, read_turns, read_values

__all__ = ["read_genre"]


def read_genre(draft: PartDraft, lines: Lines, genre: Genre, above: Above) -> None:
    """Add the parts of lines that are no prose; the first line is not blank."""
    end = len(lines.bodies)
    start, stop = lines.starts[0], lines.starts[end]
    if genre is Genre.CODE:
        read_outline(draft, rows_of_code(lines, 0, end), PartKind.CODE, above)
    elif genre is Genre.INDENTED:
        _read_documents(draft, lines, above)
    elif genre is Genre.SECTIONS:
        read_outline(draft, rows_of_sections(lines, 0, end), PartKind.DATA, above)
    elif genre is Genre.BRACKETS:
        read_outline(draft, rows_of_brackets(draft.text, start, stop), PartKind.DATA, above)
    elif genre is Genre.LOG:
        read_log(draft, lines, above)
    elif genre is Genre.VALUES:
        read_values(draft, lines, above)
    elif genre is Genre.TALK:
        read_turns(draft, lines, above)
    else:
        read_markup(draft, start, stop, above)


def _read_documents(draft: PartDraft, lines: Lines, above: Above) -> None:
    """Add the parts of data nested by indentation, each document between `---` by itself."""
    end = len(lines.bodies)
    edges = [place for place in range(1, end - 1) if lines.bodies[place] == "---"]
    for begin, stop in zip([0, *edges], [*edges, end], strict=True):
        read_outline(draft, rows_of_data(lines, begin, stop), PartKind.DATA, above)
