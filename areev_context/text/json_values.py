"""Python values as JSON values: what a row or a passage's metadata holds, made plain."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import math
import pathlib
import uuid
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from areev_context.text.clean import unused_name
from areev_context.text.json_text import compact

__all__ = ["plain"]

_DEPTH = 64
_LONGEST_INT = 14_000  # bits; Python refuses to print integers of more than 4 300 digits
_AS_TEXT = (uuid.UUID, pathlib.PurePath, decimal.Decimal)


def plain(value: Any, *, longest: int | None = None, _path: tuple[int, ...] = ()) -> Any:
    """Return a JSON value that says what `value` says; never raises and never shares a container.

    JSON values stay as they are. Dates become ISO 8601 text, UUIDs, paths and decimals their own
    text, enum members their value, sets sorted lists, bytes ``<n bytes>``, NaN and the infinities
    null; arrays of numeric libraries are read through their ``tolist``. What has no such form,
    holds itself or lies deeper than 64 levels becomes ``<TypeName>``.

    Args:
        value: Any object.
        longest: Sequences of more items than this become ``<array n>``; None keeps all.
    """
    kind = value.__class__
    if kind is str or kind is bool or value is None:
        return value
    if isinstance(value, enum.Enum):
        return plain(value.value, longest=longest, _path=(*_path, id(value)))
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int | float):
        return _number(value)
    if id(value) in _path or len(_path) >= _DEPTH:
        return _named(value)
    try:
        return _structure(value, longest, (*_path, id(value)))
    except Exception:  # an object of somebody else's failed to describe itself
        return _named(value)


def _named(value: object) -> str:
    return f"<{type(value).__name__}>"


def _number(value: float) -> float | str | None:
    if isinstance(value, int):
        return int(value) if value.bit_length() < _LONGEST_INT else "<int>"
    return float(value) if math.isfinite(value) else None


def _structure(value: Any, longest: int | None, path: tuple[int, ...]) -> Any:
    if value.__class__ is dict or isinstance(value, Mapping):
        return _object(value, longest, path)
    if isinstance(value, list | tuple | AbstractSet):
        if longest is not None and len(value) > longest:
            return f"<array {len(value)}>"
        items = [plain(item, longest=longest, _path=path) for item in value]
        return sorted(items, key=compact) if isinstance(value, AbstractSet) else items
    return _scalar(value, longest, path)


def _object(value: Mapping[Any, Any], longest: int | None, path: tuple[int, ...]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    tried: dict[str, int] = {}
    for key, item in value.items():
        name = _key(key)
        if name in out:  # 3 and "3" are two keys
            name = unused_name(name, tried, out)
        out[name] = plain(item, longest=longest, _path=path)
    return out


def _key(name: object) -> str:
    if isinstance(name, str):
        return str.__str__(name)
    spoken = plain(name)
    return spoken if isinstance(spoken, str) else compact(spoken)


def _scalar(value: Any, longest: int | None, path: tuple[int, ...]) -> Any:
    if isinstance(value, dt.date | dt.time):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)} bytes>"
    if isinstance(value, _AS_TEXT):
        return str(value)
    if callable(getattr(value, "tolist", None)):
        size = getattr(value, "size", 1)
        if longest is not None and isinstance(size, int) and size > longest:
            return f"<array {size}>"
        return plain(value.tolist(), longest=longest, _path=path)
    return _named(value)
