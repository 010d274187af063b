"""A grain in a few words, for receipts and reports."""

from __future__ import annotations

from areev_context.formats.lines import summary_line
from areev_context.hits import fields as reading
from areev_context.hits.hit import Grain
from areev_context.text.clean import clip, fold

__all__ = ["label_of", "shortened"]

_LABEL_BYTES = 60


def label_of(grain: Grain) -> str:
    """Return a grain in a few words: a title, or its summary within 60 bytes, on one line."""
    kind, fields, grain_hash = grain[:3]
    if kind == "document":
        title = reading.detail(fields, "title")
        return shortened(title or reading.text(fields, "content"))
    return shortened(summary_line(kind, grain_hash, fields, _beginning))


def shortened(text: str) -> str:
    """Return the beginning of a text within 60 bytes, on one line."""
    head = text[: _LABEL_BYTES + 1]
    if head.isascii() and head.isprintable() and "  " not in head and head[:1] != " ":
        if head[_LABEL_BYTES:].strip():  # nothing to fold, and too long: most texts
            return f"{head[: _LABEL_BYTES - 3]}…"
        if len(text) < _LABEL_BYTES:
            return head.rstrip()
    return clip(fold(_beginning(text)), _LABEL_BYTES)


def _beginning(text: str) -> str:
    return text[: 4 * _LABEL_BYTES]
