"""Objects that a retriever may return: their methods raise, lie, or never end."""

import datetime as dt
import decimal
import enum
import itertools
import weakref
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any


def fails(*_: object, **__: object) -> Any:
    raise RuntimeError("no")


class Absurd:
    """An answer that is of no use to any question."""


_NEEDED = {
    "__new__", "__init__", "__init_subclass__", "__class__", "__dict__", "__doc__", "__module__",
    "__weakref__", "__slots__", "__getattribute__", "__setattr__", "__delattr__", "__del__",
    "__class_getitem__", "__subclasshook__", "__getnewargs__", "__dir__", "__sizeof__",
    "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__abstractmethods__",
}  # fmt: skip


def subclass(base: type, method: Callable[..., Any], *more: str) -> type:
    """Return a class made from another whose every method is this one."""
    names = {name for name in dir(base) if callable(getattr(base, name)) or name in ("value",)}
    body = dict.fromkeys((names | set(more)) - _NEEDED, method)
    body["__hash__"] = base.__hash__ if base.__hash__ is not None else None
    return type(f"Odd{base.__name__.title()}", (base,), body)


def lies(*_: object, **__: object) -> Any:
    return Absurd()


PARTS: dict[type, tuple[Any, ...]] = {
    str: ("text",),
    int: (7,),
    float: (0.5,),
    bytes: (b"abc",),
    bytearray: (b"abc",),
    list: (["a"],),
    tuple: (("a",),),
    dict: ({"a": 1},),
    set: ({"a"},),
    frozenset: ({"a"},),
    decimal.Decimal: ("1.10",),
    dt.date: (2024, 3, 1),
    dt.datetime: (2024, 3, 1, 9),
    dt.time: (9, 30),
}
"""What an object of each type is made of."""

MADE: dict[str, Any] = {
    f"{base.__name__} that {verb}": subclass(base, method, "encode")(*PARTS[base])
    for base in PARTS
    for verb, method in (("raises", fails), ("lies", lies))
}


class _Nobody(type):
    """A class of classes that do not tell their names."""

    __name__ = property(fails)  # type: ignore[assignment]
    __repr__ = fails
    __instancecheck__ = fails
    __subclasscheck__ = fails


class Nameless(metaclass=_Nobody):
    pass


class Denying:
    """An object that does not say of what class it is."""

    __class__ = property(fails)  # type: ignore[assignment]


class _Nowhere(type):
    """A class of classes that do not tell what they are made from."""

    __mro__ = property(fails)  # type: ignore[assignment]


class Rootless(metaclass=_Nowhere):
    __class__ = property(fails)  # type: ignore[assignment]


class Masked:
    """An object that says that it is a text."""

    __class__ = str  # type: ignore[assignment]
    __str__ = __len__ = __iter__ = fails


class Hopeless(enum.Enum):
    ONE = 1

    value = property(fails)  # type: ignore[assignment]
    name = property(fails)  # type: ignore[assignment]


class Lazy(Mapping[str, Any]):
    """A mapping of which one value cannot be had."""

    def __init__(self, *, keys: Any = ("good", "bad")) -> None:
        self._keys = keys

    def __getitem__(self, name: str) -> Any:
        if name != "good":
            raise OSError("closed")
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys) if self._keys is not None else fails()

    def __len__(self) -> int:
        return fails()  # type: ignore[no-any-return]


class Endless(AbstractSet[int]):
    """A set that never ends."""

    def __contains__(self, x: object) -> bool:
        return True

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[int]:
        return itertools.repeat(1)


class Array:
    """Quacks as a numeric library's array or number does."""

    def __init__(self, found: Any, dtype: Any = None) -> None:
        self._found, self.dtype = found, dtype

    def tolist(self) -> Any:
        return self._found() if callable(self._found) else self._found

    item = tolist

    def astype(self, dtype: str) -> "Array":
        return Array(dt.datetime(2024, 3, 1, 9), dtype)


class Moment:
    """Quacks as a date of some library does."""

    def __init__(self, text: Any) -> None:
        self._text = text

    def isoformat(self) -> Any:
        return self._text


class _Gone:
    pass


_gone = _Gone()
DEAD = weakref.proxy(_gone)
del _gone

OTHERS: dict[str, Any] = {
    "a dead reference": DEAD,
    "a nameless object": Nameless(),
    "a nameless class": Nameless,
    "an object of no class": Denying(),
    "an object of no origin": Rootless(),
    "an object in disguise": Masked(),
    "an enum": Hopeless.ONE,
    "a mapping with a bad value": Lazy(),
    "a mapping without keys": Lazy(keys=None),
    "an endless set": Endless(),
    "an array that cannot be read": Array(fails),
    "an array of arrays of it": Array(lambda: Array(fails)),
    "a date that is none": Moment("NaT"),
    "a date that says no text": Moment(Absurd()),
    "what is no attribute": type("Dim", (), {"__getattr__": fails})(),
}

HOSTILE: dict[str, Any] = {**MADE, **OTHERS}
"""Every one of them by what it is."""
