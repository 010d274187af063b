"""Reads a text into the parts that may be shown of it."""

from __future__ import annotations

import re

from areev_context.text.blocks import ITEM
from areev_context.text.document import read_document
from areev_context.text.draft import Above, Draft, lines_of
from areev_context.text.genre import Genre, genre_of, named_genre, reads_as_prose
from areev_context.text.part import Part, PartKind
from areev_context.text.prose import read_prose
from areev_context.text.readers import read_genre

__all__ = ["Part", "PartKind", "parts_of"]

_NOT_PLAIN = ("\n", "\t", "<", "|", "  ")  # a further line, or a sign of columns, a tag or a table
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~)", re.M)


def parts_of(text: str, title: str = "") -> tuple[Part, ...]:
    """Read a text, whole or cut out of a longer one, into its parts, in reading order.

    The parts cover the text: each ends where the next one starts, and none is empty. Any set of
    them that is closed under ``needs`` may be shown, so:

    - Parts side by side are joined as they are, character for character.
    - Between two that are not side by side a mark stands, on a line of its own where the second
      one begins a line.
    - An opening fence line (``FENCE``) is needed by all that it holds, and so is its closing one
      (``FENCE_END``), so a fence some of whose lines are left out is shown as: the opening line,
      a mark, the lines, a mark, the closing line. Where a text ends before its fence is closed
      no closing line is there to be needed: who shows the opening line closes the fence with the
      same characters. Where a text begins inside a fence nothing needs the closing line, which
      would open one; it is shown with the whole text only.

    Args:
        text: Any text.
        title: Where it is from, a file name for instance, whose ending may say what it is.
    """
    if not text.strip():
        return (Part(PartKind.FRAME, 0, len(text), alone=False),) if text else ()
    draft = Draft(text)
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
