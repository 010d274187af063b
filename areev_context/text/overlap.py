"""What the end of one text and the beginning of another share."""

from __future__ import annotations

__all__ = ["SHORTEST", "overlap"]

SHORTEST = 20
"""Characters from which on texts that agree are taken to be one text."""
_TRIES = 64  # places: in a text that repeats itself many look like the beginning


def overlap(text: str, following: str, start: int = 0) -> int:
    """Return how many characters the end of a text and the beginning of another share.

    Fewer than `SHORTEST` count as none. Only the first places are looked at where the other
    text seems to begin.

    Args:
        text: The text.
        following: The text that may go on from it.
        start: The index in the text from which on the other may begin.
    """
    opening = following[:SHORTEST]
    if len(opening) < SHORTEST:
        return 0
    found = text.find(opening, max(start, len(text) - len(following)))
    for _ in range(_TRIES):
        if found < 0:
            return 0
        if following.startswith(text[found:]):
            return len(text) - found
        found = text.find(opening, found + 1)
    return 0
