"""Prose: the sentences of a paragraph as parts."""

from __future__ import annotations

import re

from areev_context.text.draft import Above, Draft, pauses
from areev_context.text.part import PartKind
from areev_context.text.sentences import sentence_spans

__all__ = ["read_prose"]

_ENDED = re.compile(r"[.!?…؟।۔。！？:;]['\"”’」』)\]*_`>}]*\s*\Z")
_BARE = re.compile(r"(?:\s|</?\w[^<>]*>|[^\w<])*")
_BARE_MOST = 80  # characters of what may be nothing but marks
_MOST_OF_A_SENTENCE = 400  # characters; a longer one is cut at its pauses
_WITHOUT_ENDS = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
)  # Thai, Lao, Burmese, Khmer


def read_prose(
    draft: Draft,
    start: int,
    end: int,
    above: Above,
    *,
    kind: PartKind = PartKind.SENTENCE,
    rest: PartKind = PartKind.SENTENCE,
    leads: bool = False,
    indent: int = 0,
) -> int:
    """Add the sentences of a span of prose and return the index of the last one.

    Args:
        draft: What the parts are added to.
        start: Where the prose starts.
        end: Where it ends.
        above: What all of them need.
        kind: What the first one is.
        rest: What the further ones are; one that goes on within a sentence is a ``PIECE``.
        leads: Whether the further ones need the first one.
        indent: The blanks before the first one.
    """
    text = draft.text[start:end]
    index = draft.add(kind, start, above, indent=indent)
    later = Above((index,), above.context) if leads else above
    for first, last in sentence_spans(text):
        if first:
            if last - first < _BARE_MOST and _BARE.fullmatch(text, first, last):
                continue  # closing marks and tags belong to the sentence before them
            goes_on = not _ENDED.search(text, max(0, first - 8), first)
            if goes_on and not _WITHOUT_ENDS.search(text, max(0, first - 20), first):
                index = draft.add(PartKind.PIECE, start + first, later, indent=indent)
            else:
                index = draft.add(rest, start + first, later, indent=indent)
        if last - first > _MOST_OF_A_SENTENCE:
            for place in pauses(draft.text, start + first, start + last):
                index = draft.add(PartKind.PIECE, place, later, indent=indent)
    return index
