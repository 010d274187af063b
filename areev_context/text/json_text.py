"""The one way this library writes JSON: compact, keys sorted, characters as themselves."""

from __future__ import annotations

import json

__all__ = ["as_text", "compact"]

compact = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode
"""JSON text of a JSON value: no white space, keys sorted at every level, UTF-8 not escaped."""


def as_text(value: object) -> str:
    """Return a string as it is, anything else as compact JSON."""
    return value if isinstance(value, str) else compact(value)
