"""Convert Python values, from a row or from metadata, to JSON values."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import math
import pathlib
import uuid
from collections.abc import Set as AbstractSet
from typing import Any

from areev_context.text.clean import unused_name
from areev_context.text.foreign import (
    entries,
    has_digits,
    is_a,
    is_mapping,
    iso,
    some_items,
    type_name,
)
from areev_context.text.json_text import compact

__all__ = ["plain"]

_DEPTH = 64
_CONTEXT = decimal.Context(capitals=1, traps=[])  # what a program sets for its own sums is no
# reason to write a number otherwise
_FINE = ("ns]", "ps]", "fs]", "as]")  # units of numpy's dates that Python's have not
_BYTES = (bytes, bytearray)


def plain(value: Any, *, longest: int | None = None, _path: tuple[int, ...] = ()) -> Any:
    """Convert a value to a JSON value; never raises, and the result shares no container with it.

    JSON values stay as they are. Dates become ISO 8601 text; UUIDs, paths and decimals their own
    text; enum members their value; sets sorted lists; bytes ``<n bytes>``; NaN and the infinities
    null; arrays of numeric libraries are read through ``tolist``. A value becomes ``<TypeName>`` if
    it has no such form, cannot be read, contains itself, is a number of more than 640 digits or
    lies deeper than 64 levels; the values beside it are not affected.

    Args:
        value: Any object.
        longest: Sequences of more items than this become ``<array n>``; None keeps all.
    """
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is float:
        return value if math.isfinite(value) else None
    if kind is int:
        return value if has_digits(value) else "<int>"
    if id(value) in _path or len(_path) >= _DEPTH:
        return _named(value)
    try:
        return _read(value, kind, longest, (*_path, id(value)))
    except Exception:  # an object of somebody else's failed to describe itself
        return _named(value)


def _named(value: object) -> str:
    return f"<{type_name(value)}>"


def _read(value: Any, kind: type, longest: int | None, path: tuple[int, ...]) -> Any:
    if kind is dict:
        return _object(value, longest, path)
    if kind is list:
        return _list(value, longest, path)
    if issubclass(kind, enum.Enum):
        return plain(_member(value), longest=longest, _path=path)
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, int):
        return plain(int.__index__(value))
    if issubclass(kind, float):
        return plain(float.__float__(value))
    if is_mapping(value):
        return _object(value, longest, path)
    if is_a(value, list | tuple):
        return _list(value, longest, path)
    if is_a(value, AbstractSet):
        made = _list(value, longest, path)
        return sorted(made, key=compact) if isinstance(made, list) else made
    return _scalar(value, kind, longest, path)


def _member(member: enum.Enum) -> Any:
    try:
        return member.value
    except Exception:  # overridden
        return object.__getattribute__(member, "_value_")


def _list(value: Any, longest: int | None, path: tuple[int, ...]) -> Any:
    found = some_items(value)
    if longest is not None and len(found) > longest:
        return f"<array {len(found)}>"
    return [plain(item, longest=longest, _path=path) for item in found]


def _object(value: Any, longest: int | None, path: tuple[int, ...]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    tried: dict[str, int] = {}
    for key, item in entries(value):
        name = key if type(key) is str else _key(key)
        if name in out:  # 3 and "3" are two keys
            name = unused_name(name, tried, out)
        out[name] = item if type(item) is str else plain(item, longest=longest, _path=path)
    return out


def _key(name: object) -> str:
    if issubclass(type(name), str):
        return str.__str__(name)
    as_text = plain(name)
    return as_text if isinstance(as_text, str) else compact(as_text)


def _scalar(value: Any, kind: type, longest: int | None, path: tuple[int, ...]) -> Any:
    if issubclass(kind, dt.date | dt.time):  # a datetime is a date
        return _date(value)
    for base in _BYTES:
        if issubclass(kind, base):
            return f"<{base.__len__(value)} bytes>"
    if kind is memoryview:
        return f"<{len(value)} bytes>"
    if issubclass(kind, decimal.Decimal):
        return _CONTEXT.to_sci_string(value)
    for text in (uuid.UUID, pathlib.PurePath):
        if issubclass(kind, text):
            return str.__str__(text.__str__(value))
    if callable(getattr(value, "tolist", None)):
        return _array(value, longest, path)
    return _named(value)


def _date(value: Any) -> str | None:
    try:
        text = str.__str__(value.isoformat())  # may be finer than Python's own
    except Exception:  # overridden
        text = iso(value)
    return None if text == "NaT" else text  # what tables hold where a date is missing


def _array(value: Any, longest: int | None, path: tuple[int, ...]) -> Any:
    size = getattr(value, "size", 1)
    if longest is not None and type(size) is int and size > longest:
        return f"<array {size}>"
    dtype = str(getattr(value, "dtype", ""))
    if dtype.startswith("datetime64") and dtype.endswith(_FINE):  # its list is of nanoseconds
        value = value.astype("datetime64[us]")
    return plain(value.tolist(), longest=longest, _path=path)
