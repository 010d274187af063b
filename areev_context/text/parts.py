"""Divide a text into parts that may be shown."""

from __future__ import annotations

import re

from areev_context.text.blocks import ITEM
from areev_context.text.document import read_document
from areev_context.text.genre import Genre, genre_of, named_genre, reads_as_prose
from areev_context.text.part import Part, PartKind
from areev_context.text.part_draft import Above, PartDraft, lines_of
from areev_context.text.prose import read_prose
from areev_context.text.readers import read_genre

__all__ = ["Part", "PartKind", "parts_of"]

_NOT_PLAIN = ("\n", "\t", "<", "|", "  ")  # a further line, or a sign of columns, a tag or a table
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.M)


def parts_of(text: str, title: str = "") -> tuple[Part, ...]:
    """Divide a text, whole or cut out of a longer text, into its parts, in reading order.

    The parts cover the text: each ends where the next one starts, and none is empty. Any set of
    them that is closed under ``needs`` may be shown, so:

    - Adjacent parts are joined as they are, character for character.
    - Between two parts that are not adjacent stands a mark; it has its own line if the second part
      begins a line.
    - All parts of a fence need its opening line (``FENCE``) and its closing line (``FENCE_END``).
      So a fence with some lines left out is shown as: the opening line, a mark, the lines, a mark,
      the closing line. If a text ends before its fence is closed, there is no closing line: a
      writer that shows the opening line has to close the fence with the same characters. If a text
      begins inside a fence, no part needs the closing line, which would open a new fence; only the
      whole text shows it.

    Args:
        text: Any text.
        title: The title, for instance a file name, whose ending may show the genre.
    """
    if not text.strip():
        return (Part(PartKind.FRAME, 0, len(text), alone=False),) if text else ()
    draft = PartDraft(text)
    if _is_one_line_of_prose(text, title):  # most passages, and all that is below finds the same
        read_prose(draft, 0, len(text), Above())
        return draft.done()
    lines = lines_of(text)
    first = next(place for place, body in enumerate(lines.bodies) if body)
    genre = Genre.PROSE
    if _FENCE.search(text) is None:
        genre = genre_of(lines, first, len(lines.bodies), title)
    if genre is Genre.PROSE:
        read_document(draft, lines, Above())
    else:
        read_genre(draft, lines.part(first, len(lines.bodies)), genre, Above())
    if not len(draft):  # nothing but the marks of a quotation
        draft.add(PartKind.FRAME, 0, alone=False)
    return draft.done()


def _is_one_line_of_prose(text: str, title: str) -> bool:
    """Tell, at a look, whether a text is one line, and prose; False where a closer look decides."""
    if not text[0].isalpha() or any(sign in text for sign in _NOT_PLAIN) or ITEM.match(text):
        return False
    named = named_genre(title.rsplit(".", 1)[-1]) if "." in title else None
    return named is None and reads_as_prose(text)
