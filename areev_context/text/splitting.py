"""Split a passage into sentences, and choose the sentences that share most words with a query."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from areev_context.text.clean import fold
from areev_context.text.words import asked_by, shared_with

__all__ = ["opening_or_best", "sentence_parts", "sentences"]

_SHARE = 3  # a summary takes about a third of the whole
_SHORTEST = 80  # characters a summary may always take
_LONGEST = 400  # characters of a sentence that is shown whole or not at all
_PAUSE = re.compile(r"[,;:–—][\"'”’)\]]* |[，、；：]")
_BREAK = re.compile(
    r"[.!?…؟۔।॥։።。！？\n]"  # one set of characters first: it is searched for three times as fast
    r"(?:(?<=\n)\n*"
    r"|(?<=[。！？])[」』”’）]*"
    r"|(?<=[.!?…؟۔।॥։።])[\"'”’)\]]*\s+)"  # also of Arabic, Urdu, Hindi, Armenian, Amharic
)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text in reading order, folded to single spaces, none empty."""
    pieces = []
    start = 0
    for match in _BREAK.finditer(text):
        pieces.append(text[start : match.end()])
        start = match.end()
    pieces.append(text[start:])
    return [folded for piece in pieces if (folded := _on_one_line(piece))]


def sentence_parts(text: str) -> list[str]:
    """Return the sentences of a text; a sentence of over 400 characters is divided at pauses.

    A part ends after a comma, a colon or a dash. The parts of a sentence, joined by blanks, are the
    sentence.
    """
    return [part for sentence in sentences(text) for part in _parts(sentence)]


def _parts(sentence: str) -> Iterator[str]:
    start = 0
    while len(sentence) - start > _LONGEST:
        end = _pause(sentence, start)
        if not end:
            break
        yield sentence[start:end].rstrip()
        start = end
    yield sentence[start:]


def _pause(sentence: str, start: int) -> int:
    """Return where the next part starts: after the last pause within reach, else the next; or 0."""
    reach = start + _LONGEST
    ends = [match.end() for match in _PAUSE.finditer(sentence, start + _LONGEST // 3, reach)]
    later = None if ends else _PAUSE.search(sentence, reach)
    return ends[-1] if ends else later.end() if later else 0


def _on_one_line(piece: str) -> str:
    if "  " not in piece and piece[:-1].isprintable():  # nothing to fold but at the ends
        return piece.strip()
    return fold(piece)


def _scores(parts: Sequence[str], query: str) -> list[float]:
    """Score each sentence by the query's words in it; a rare word of the passage weighs more."""
    asked = asked_by(query)
    shared = [shared_with(part, asked) for part in parts]
    seen = Counter(term for found in shared for term in found)
    return [sum(math.log(1 + len(parts) / seen[t]) for t in sorted(f)) for f in shared]


def opening_or_best(text: str, query: str) -> str:
    """Return the sentences that answer the query best, in reading order, in one line.

    They take about a third of the text; `` … `` stands where text between them was left out.
    Without a query, or if no sentence shares a word with it, it is the opening sentence.
    """
    parts = sentences(text)
    if not parts:
        return ""
    room = max(_SHORTEST, len(text) // _SHARE)
    chosen = _chosen(parts, _scores(parts, query) if query.strip() else [], room)
    out = parts[chosen[0]]
    for before, place in pairwise(chosen):
        out += (" " if place == before + 1 else " … ") + parts[place]
    return _cut(out, room) if len(out) > 1.5 * room else out


def _chosen(parts: Sequence[str], scores: Sequence[float], room: int) -> list[int]:
    ranked = sorted((n for n, s in enumerate(scores) if s > 0), key=lambda n: -scores[n])
    if not ranked:
        return [0]
    chosen, used = [ranked[0]], len(parts[ranked[0]])
    for place in ranked[1:]:
        if used + len(parts[place]) + 3 <= room:
            chosen.append(place)
            used += len(parts[place]) + 3
    return sorted(chosen)


def _cut(text: str, room: int) -> str:
    """Cut a sentence that is far too long, at a word where there is one."""
    head = text[:room]
    at_word = head.rfind(" ")
    return f"{head[: at_word if at_word > room // 2 else room].rstrip()} …"
