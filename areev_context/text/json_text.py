"""Read and write JSON text; it is written compact, with sorted keys and unescaped characters."""

from __future__ import annotations

import json
import math

from areev_context.text.foreign import DIGITS

__all__ = ["as_text", "compact", "read_json"]


def _whole(digits: str) -> int:
    found = len(digits.lstrip("-"))
    if found > DIGITS:
        raise ValueError(
            f"Exceeds the limit ({DIGITS} digits) for whole numbers, one has {found:,}"
        )
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number is too large, give less than 1.8e308")
    return number


read_json = json.JSONDecoder(parse_int=_whole, parse_float=_fraction).decode
"""The value of a JSON text, whatever a program sets with `sys.set_int_max_str_digits`.

Raises ValueError where it is none, or a number is too long or too large, and RecursionError where
it is too deep.
"""

compact = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode
"""JSON text of a JSON value: no white space, keys sorted at every level, UTF-8 not escaped."""


def as_text(value: object) -> str:
    """Return a string as it is, anything else as compact JSON."""
    return value if isinstance(value, str) else compact(value)
