"""The stretch of a hit's text that the page shows, for the receipt."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container

from areev_context.budget.parted import divided_field
from areev_context.formats.lines import summary_line
from areev_context.hits import fields as reading
from areev_context.hits.hit import SearchHit
from areev_context.layout.outline import Entry, Update
from areev_context.selection.item import Allocation, Item
from areev_context.text.clean import clean, fold
from areev_context.text.splitting import opening_or_best

__all__ = ["Stretch", "in_original", "in_twin", "stretch_of", "stretches_of"]

Stretch = tuple[int, int]
"""The index of the first character, from 0, and the index after the last one."""

_MARK = "…"


def stretch_of(
    node: Entry | Update, item: Item, hosted: Container[str], query: str
) -> Stretch | None:
    """Return the stretch of an item's text that an entry or an update shows, from mark to mark.

    Something between its ends may be left out. It is None if the text is not shown as it stands: a
    renderer of the application wrote it, or the grain is shown in other words.

    Args:
        node: The entry or the update.
        item: Its hit, the newest one of an update.
        hosted: The grain types that the application renders.
        query: The query that chose the sentences of a summary; may be empty.
    """
    text = _text_of(item)
    is_own = item.hit.fields.get(_field_of(item)) == text  # else it was made of several blocks
    if not text or not is_own or item.grain.grain_type in hosted:
        return None
    if isinstance(node, Update):
        return (0, len(text)) if node.new == text else None
    if node.form is Allocation.FULL:
        return 0, len(text)
    if not node.stretches:
        return _of_summary(item, text, query)
    start, end = node.stretches[0][0], node.stretches[-1][1]
    shown = text[start:end]
    return start + len(shown) - len(shown.lstrip()), start + len(shown.rstrip())


def stretches_of(entry: Entry, query: str) -> tuple[Stretch, ...]:
    """Return the stretches of the text of a joined entry that it shows, in order.

    Args:
        entry: The entry.
        query: The query that chose the sentences of a summary; may be empty.
    """
    text = _text_of(entry.item)
    if entry.form is Allocation.FULL:
        return ((0, len(text)),)
    if entry.stretches:
        return entry.stretches
    found = _of_summary(entry.item, text, query)
    return () if found is None else (found,)


def in_twin(item: Item, twin: Item, stretch: Stretch | None) -> Stretch | None:
    """Return the same stretch in the text of a duplicate, whose white space may be other."""
    text, other = _text_of(item), _text_of(twin)
    if stretch is None or text == other:
        return stretch
    return (0, len(other)) if stretch == (0, len(text)) else _found(other, text[slice(*stretch)])


def in_original(item: Item, original: SearchHit, stretch: Stretch | None) -> Stretch | None:
    """Return the same stretch in the text that came in, before invalid characters were mended."""
    given = original.fields.get(_field_of(item))
    if stretch is None or not isinstance(given, str):
        return stretch

    def cleaned_length(end: int) -> int:
        return len(clean(given[:end])[0])

    if stretch == (0, len(_text_of(item))):
        return 0, len(given)
    ends = range(len(given) + 1)
    start = bisect_right(ends, stretch[0], key=cleaned_length) - 1
    return start, bisect_left(ends, stretch[1], key=cleaned_length)


def _field_of(item: Item) -> str:
    grain_type, fields = item.grain.grain_type, item.grain.fields
    if grain_type == "tool":
        return next(iter(reading.tool_field(fields)), "")
    return divided_field(item) or reading.text_field(grain_type)


def _text_of(item: Item) -> str:
    return reading.text(item.grain.fields, _field_of(item))


def _of_summary(item: Item, text: str, query: str) -> Stretch | None:
    grain_type, fields, grain_hash = item.grain[:3]
    if grain_type == "document":
        return _found(text, opening_or_best(text, query))
    line = summary_line(grain_type, grain_hash, fields, str)
    if grain_type == "event":
        return _found(text, line)
    return (0, len(text)) if fold(text) in fold(line) else None


def _found(text: str, shown: str) -> Stretch | None:
    """Return the stretch that holds all pieces of a shown text, whatever its white space is."""
    start, end = -1, 0
    for piece in shown.split(_MARK):
        words = piece.split()
        if not words:
            continue
        found = re.compile(r"\s+".join(map(re.escape, words))).search(text, end)
        if found is None:
            return None
        start, end = found.start() if start < 0 else start, found.end()
    return None if start < 0 else (start, end)
