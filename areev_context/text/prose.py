"""Prose: the sentences of a paragraph as parts."""

from __future__ import annotations

import re

from areev_context.text.part import PartKind
from areev_context.text.part_draft import Above, PartDraft
from areev_context.text.sentences import sentence_spans

__all__ = ["read_prose"]

_ENDED = re.compile(r"[.!?…؟।۔。！？:;]['\"”’」』)\]*_`>}]*\s*\Z")
_BARE = re.compile(r"(?:\s|</?\w[^<>]*>|[^\w<])*")
_BARE_MOST = 80  # characters of what may be nothing but marks
_WITHOUT_ENDS = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
)  # Thai, Lao, Burmese, Khmer


def read_prose(
    draft: PartDraft,
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
        draft: The draft to add parts to.
        start: The start of the prose.
        end: The end of the prose.
        above: The parts that all sentences need.
        kind: The kind of the first sentence.
        rest: The kind of the other sentences; a part that continues a sentence is a ``PIECE``.
        leads: Whether the other sentences need the first one.
        indent: The number of blanks before the first sentence.
    """
    index = draft.add(kind, start, above, indent=indent)
    text = draft.text[start:end].lstrip()
    start = end - len(text)
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
    return index
