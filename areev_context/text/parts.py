"""Reads a text into the parts that may be shown of it."""

from __future__ import annotations

import re

from areev_context.text.part import Part, PartKind

__all__ = ["Part", "PartKind", "parts_of"]

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


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
    starts = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
    spans = zip(starts, starts[1:], strict=False)
    return tuple(Part(PartKind.SENTENCE, a, b) for a, b in spans if a < b)
