"""Models some of whose fields are made when one of them is first read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, PrivateAttr

__all__ = ["LazyFields"]


@dataclass(slots=True)
class _Maker:
    """Makes the missing fields of one model, once; all objects of this class are equal."""

    make: Callable[[], Mapping[str, Any]] | None = field(default=None, compare=False, repr=False)
    lock: Any = field(default_factory=threading.RLock, compare=False, repr=False)

    def __reduce__(self) -> tuple[type[_Maker], tuple[()]]:
        return _Maker, ()  # whoever pickles or copies a model has made its fields before


class LazyFields(BaseModel):
    """A model some of whose fields are made when one of them is first read.

    They are made once, also when several threads read them at the same time, and in any case before
    the model is compared, copied, pickled, iterated, printed or dumped.

    Attributes:
        LAZY: The names of the fields that are made late; none of them has a default.
    """

    LAZY: ClassVar[frozenset[str]] = frozenset()
    _maker: _Maker = PrivateAttr(default_factory=_Maker)

    @classmethod
    def lazily(cls, make: Callable[[], Mapping[str, Any]], **known: Any) -> Self:
        """Return a model with these fields, which are not validated, and the others made later.

        Args:
            make: Returns the fields of `LAZY`; called at most once.
            known: All other fields that have no default.
        """
        found = cls.model_construct(set(cls.model_fields), **known)
        found._maker.make = make
        return found

    def completed(self) -> Self:
        """Return the same model, after all its fields are made."""
        maker = self._maker
        if maker.make is None:
            return self
        with maker.lock:
            if maker.make is not None:
                values = {**self.__dict__, **maker.make()}
                ordered = {name: values[name] for name in type(self).model_fields}
                object.__setattr__(self, "__dict__", ordered)
                maker.make = None  # and let go of what they were made of
        return self

    if not TYPE_CHECKING:  # checkers would find any attribute

        def __getattr__(self, name: str) -> Any:
            """Return a field that is made late, or a private attribute."""
            if name in type(self).LAZY:
                return self.completed().__dict__[name]
            return super().__getattr__(name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazyFields):
            other.completed()
        return BaseModel.__eq__(self.completed(), other)

    def __hash__(self) -> int:
        return hash(tuple(self.completed().__dict__.values()))

    def __iter__(self) -> Generator[tuple[str, Any], None, None]:
        return BaseModel.__iter__(self.completed())

    def __repr_args__(self) -> Any:
        return BaseModel.__repr_args__(self.completed())

    def __copy__(self) -> Self:
        return BaseModel.__copy__(self.completed())

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return BaseModel.__deepcopy__(self.completed(), memo)

    def __getstate__(self) -> dict[Any, Any]:
        return BaseModel.__getstate__(self.completed())
