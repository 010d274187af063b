"""The position of a passage in its source, as splitters and node parsers write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from areev_context.text.clean import clean
from areev_context.text.foreign import named
from areev_context.text.json_values import plain

__all__ = ["POSITIONS", "position_in", "read_position"]

POSITIONS: dict[str, tuple[str, ...]] = {
    "start": ("start_index", "start_char_idx", "split_idx_start", "start_char"),
    "end": ("end_index", "end_char_idx", "end_char"),
    "number": ("chunk_index", "chunk_number", "chunk_id", "chunk", "split_id", "seq_num"),
    "parent": ("parent_id", "parent_doc_id", "doc_id", "ref_doc_id", "document_id", "source_id"),
    "previous": ("previous_id",),
    "next": ("next_id",),
}
"""What is known of a position, and the keys of metadata that have it.

``start`` and ``end`` are the index of the first character in the source and the one after the last;
``number`` counts the passages of a source; ``parent`` is the id of the document, or of the larger
passage, that it was split from; ``previous`` and ``next`` are the ids of the passages beside it.
"""
_COUNTED = frozenset({"start", "end", "number"})
_MEANING = {key: name for name, keys in POSITIONS.items() for key in keys}
_LARGEST = 10**12


def position_in(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a passage's metadata say of its position, by the names of `POSITIONS`."""
    found: dict[str, Any] = {}
    for key in [key for key in metadata if key in _MEANING]:
        name = _MEANING[key]
        value = _known(name, metadata[key])
        if value is not None and (name not in found or _first(name, key, metadata)):
            found[name] = value
    return found


def _first(name: str, key: str, metadata: Mapping[str, Any]) -> bool:
    """Return whether a key is the first of those of a name that has a usable value."""
    usable = (k for k in POSITIONS[name] if _known(name, metadata.get(k)) is not None)
    return next(usable, None) == key


def read_position(value: Any) -> dict[str, int | str] | None:
    """Return a position as a row states it, without what cannot be read; None for nothing."""
    given = named(value)
    found = {name: _known(name, given.get(name)) for name in POSITIONS if name in given}
    return {name: value for name, value in found.items() if value is not None} or None


def _known(name: str, value: Any) -> int | str | None:
    """Return a count as a whole number from 0 up, an id as text; None where it is neither."""
    if value is None:
        return None
    made = plain(value)
    if isinstance(made, str) and name in _COUNTED and made.isdecimal() and made.isascii():
        made = int(made[:20])
    if isinstance(made, bool):
        return None
    if name in _COUNTED:
        return made if isinstance(made, int) and 0 <= made < _LARGEST else None
    if isinstance(made, int):
        made = str(made) if abs(made) < _LARGEST else ""
    return (clean(made)[0] or None) if isinstance(made, str) else None
