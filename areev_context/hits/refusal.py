"""Errors about rows: they name the invalid field, and contain no value of the row."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from areev_context.text.foreign import type_name

__all__ = ["described", "refused"]


def described(value: object) -> str:
    """Return an error text for a value of the wrong type, without the value."""
    return "missing" if value is None else f"of type {type_name(value)}"


def refused(field: str | None, why: str, *, place: int | None = None) -> ValidationError:
    """Return the error of an invalid row; pydantic's own error would contain the row.

    Args:
        field: The invalid field; None = the row.
        why: The reason, without a value of the row.
        place: Index of the row among others, from 0.
    """
    kind = PydanticCustomError(field or "row", why)
    where = tuple(part for part in (place, field) if part is not None)
    error = InitErrorDetails(type=kind, loc=where, input=None)
    return ValidationError.from_exception_data("SearchHit", [error], hide_input=True)
