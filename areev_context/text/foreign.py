"""Read objects of other libraries, which may raise, return wrong values or never end.

An object of a built-in type, or of a subclass of one, is read through the methods of the built-in
type: no override is called. All other objects are read through their protocols, and may fail.
"""

from __future__ import annotations

import collections
import datetime as dt
import decimal
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

__all__ = [
    "DIGITS",
    "entries",
    "field",
    "first_of",
    "has_digits",
    "is_a",
    "is_list",
    "is_mapping",
    "is_text",
    "iso",
    "items",
    "listed",
    "named",
    "number",
    "shown",
    "some_items",
    "type_name",
]

DIGITS = 640
"""Digits that a whole number may have to be read or shown as one: as many as Python reads and
prints in any case, whatever a program sets with `sys.set_int_max_str_digits`."""

_END: int = 10**DIGITS

_LONGEST_TEXT = 100
_MOST = 1_000_000  # items of a container that is no type of Python's own: it may have no end
_OWN: tuple[type[Any], ...] = (list, tuple, set, frozenset)
_TEXT = {str}
_NO_NUMBERS = frozenset("MmOSUV")  # numpy's kinds of dates, spans, objects, texts and records
_name_of = type.__dict__["__name__"].__get__  # past the overrides of a class of classes


def type_name(value: object) -> str:
    """Return the name of a value's type; never raises."""
    return str.__str__(_name_of(type(value)))


def has_digits(number: int) -> bool:
    """Return whether a whole number has at most `DIGITS` digits."""
    return -_END < number < _END


def shown(value: object) -> str:
    """Return a short form of a value for an error message; never raises."""
    if type(value) is int and not has_digits(value):
        return "<int>"
    try:
        text = repr(value)
    except Exception:
        return f"<{type_name(value)}>"
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"


def is_a(value: object, kinds: Any) -> bool:
    """Return the result of `isinstance`, for a proxy that of its target; never raises."""
    try:
        return isinstance(value, kinds)
    except Exception:  # a dead reference, or a class that does not say what it is
        pass
    try:
        return issubclass(type(value), kinds)
    except Exception:  # nor does the class of that class
        return False


def is_mapping(value: object) -> bool:
    """Return whether a value is a mapping; never raises."""
    return issubclass(type(value), dict) or is_a(value, Mapping)


def is_text(value: object) -> bool:
    """Return whether a value is a text; never raises."""
    return issubclass(type(value), str)


def field(item: Any, name: str) -> Any:
    """Return what an object has under a key or as an attribute, else None; never raises."""
    if is_mapping(item):
        return named(item).get(name)
    try:
        found = getattr(item, name, None)
        return None if callable(found) else found
    except Exception:  # a property that fails, or a dead reference
        return None


def first_of(item: Any, *names: str) -> Any:
    """Return the first of these fields that is there; never raises."""
    return next((found for name in names if (found := field(item, name)) is not None), None)


def entries(mapping: Any) -> list[tuple[Any, Any]]:
    """Return the keys and values of a mapping; a value that cannot be read is ``<TypeName>``.

    Raises:
        Exception: The keys of the mapping cannot be read, or do not end.
    """
    kind = type(mapping)
    if kind is dict:  # nearly always
        return list(mapping.items())
    if issubclass(kind, collections.OrderedDict):  # has an order of its own
        return list(collections.OrderedDict.items(mapping))
    if issubclass(kind, dict):
        return list(dict.items(mapping))
    return [(key, _value(mapping, key)) for key in _ending(mapping)]


def _value(mapping: Any, key: object) -> Any:
    try:
        return mapping[key]
    except Exception:
        return f"<{type_name(mapping)}>"


def _ending(values: Iterable[Any]) -> list[Any]:
    found = list(islice(values, _MOST + 1))
    if len(found) > _MOST:
        raise ValueError("there is no end of it")
    return found


def is_list(value: object) -> bool:
    """Return whether a value is iterable, and neither a text nor a mapping."""
    if issubclass(type(value), str | bytes) or is_mapping(value) or not is_a(value, Iterable):
        return False
    if issubclass(type(value), _OWN):
        return True
    try:
        iter(value)  # type: ignore[call-overload]  # an iterable: it was just asked
    except Exception:  # a dead reference to one
        return False
    return True


def items(values: Any) -> list[Any]:
    """Return the items of a list, a tuple, a set or any other iterable.

    Raises:
        Exception: The items of an iterable that is no built-in type cannot be read.
    """
    for base in _OWN:
        if issubclass(type(values), base):
            return list(base.__iter__(values))
    return list(values)


def some_items(values: Any) -> list[Any]:
    """Return what `items` does, for an iterable that may have no end.

    Raises:
        Exception: The items cannot be read, or are more than a million.
    """
    return items(values) if issubclass(type(values), _OWN) else _ending(values)


def listed(value: object) -> list[Any]:
    """Return the items of a list; of anything else, and of what has no end, none. Never raises."""
    try:
        return some_items(value) if is_list(value) else []
    except Exception:
        return []


def named(value: object) -> dict[str, Any]:
    """Return the entries of a mapping that have text keys; none for other values; never raises.

    Treat the result as read-only: it may be the mapping itself.
    """
    try:
        if type(value) is dict and set(map(type, value)) <= _TEXT:
            return value
        if value is None or not is_mapping(value):
            return {}
        found = entries(value)
    except Exception:
        return {}
    return {str.__str__(key): item for key, item in found if issubclass(type(key), str)}


def number(value: Any) -> int | float | None:
    """Return a number of any library as an `int` or a `float`, else None; never raises.

    Numbers of numeric libraries, and their arrays of one number, are read through ``item``, other
    objects through ``__float__``. A boolean, a text and a date are no numbers; NaN and the
    infinities come back as they are.
    """
    kind = type(value)
    if kind is float or kind is int:
        return value  # type: ignore[no-any-return]  # its type was just asked
    try:
        return _number(value, kind)
    except Exception:
        return None


def iso(value: Any) -> str:
    """Return a date, a datetime or a time in ISO 8601; no override of a subclass is called.

    Raises:
        Exception: The value is none of these, or its time zone raises.
    """
    base = next(base for base in (dt.datetime, dt.date, dt.time) if issubclass(type(value), base))
    return base.isoformat(value)


def _number(value: Any, kind: type) -> int | float | None:
    if value is None or issubclass(kind, bool | str | bytes | bytearray):
        return None
    if issubclass(kind, int):
        return int.__index__(value)
    if issubclass(kind, float):
        return float.__float__(value)
    if issubclass(kind, decimal.Decimal):  # not through int: 1E+999999999 has a billion digits
        return decimal.Decimal.__float__(value)
    if getattr(getattr(value, "dtype", None), "kind", "f") in _NO_NUMBERS:
        return None
    item = getattr(value, "item", None)
    if callable(item):
        found = item()
        return found if type(found) is int or type(found) is float else None
    return float(value) if hasattr(kind, "__float__") else None
