"""Headings: of Markdown, of reStructuredText, and short lines that are titles."""

from __future__ import annotations

import re

from areev_context.text.part_draft import Lines

__all__ = ["is_hash_heading", "is_underline", "title_level"]

_HASHES = re.compile(r"#{1,6}(?:\s|$)")
_UNDERLINE = frozenset("=-~^\"'`*+#:._")
_NUMBERED = re.compile(
    r"(?:(?:\d{1,3}|[IVXLC]+|[A-Z])(?P<more>(?:\.\d{1,3})*)[.)]?|§+ ?\d+\w*"
    r"|(?:Art(?:icle|ikel|\.)|Chapter|Section|Kapitel|Appendix|Part|Teil) [\dIVXLCA-Z]+)[\s:.–-]+"
    r"[^\W\d_]"
)
_MARK = re.compile(r"[.!?,;:…。！？،؛]['\"”’)\]*_]*$")
_LONGEST = 80  # characters of a line that may be a title
_LOWEST = 9  # the level of a title without a number


def is_hash_heading(body: str) -> bool:
    """Return whether a line is a heading of Markdown."""
    return body[0] == "#" and _HASHES.match(body) is not None


def is_underline(body: str, above: str) -> bool:
    """Return whether a line underlines the line above it."""
    mark = body[0]
    if mark not in _UNDERLINE or len(body) < 2 or body != mark * len(body):
        return False
    return mark in "=-" if len(body) < 3 or len(body) < len(above) - 3 else True


def title_level(lines: Lines, first: int, end: int, next_block: int) -> int:
    """Return the level of a paragraph of one line that is a title, or 0.

    A title is short, has no mark at its end, and text follows it; it is numbered or in capitals,
    or a longer line follows it.
    """
    body = lines.bodies[first]
    if end - first > 1 or next_block >= len(lines.bodies) or next_block == end:
        return 0
    if len(body) > _LONGEST or _MARK.search(body) or not (body[0].isupper() or body[0].isdigit()):
        return 0
    numbered = _NUMBERED.match(body)
    if numbered and body.count(" ") <= 10:
        return 1 + (numbered["more"] or "").count(".")
    if not any(map(str.isalpha, body)) or "  " in body or "|" in body or "\t" in body:
        return 0
    if body.isupper() and len(body) > 3:
        return _LOWEST - 1
    after = lines.bodies[next_block]
    plain = len(body) <= 60 and body.count(" ") <= 7
    return _LOWEST if plain and len(after) > len(body) and not _is_short(after) else 0


def _is_short(body: str) -> bool:
    return len(body) <= 60 and not _MARK.search(body)
