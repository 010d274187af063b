"""Errors of rows, which name what is wrong and hold no value of it."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from areev_context.text.foreign import type_name

__all__ = ["described", "refused"]


def described(value: object) -> str:
    """Return what is wrong with a value that is of the wrong kind, without the value."""
    return "missing" if value is None else f"of type {type_name(value)}"


def refused(field: str | None, why: str, *, place: int | None = None) -> ValidationError:
    """Return the error of a row; made here, because pydantic's own would hold the row.

    Args:
        field: What is wrong; None = the row.
        why: What is wrong with it, without a value of it.
        place: Place of the row among others, from 0.
    """
    kind = PydanticCustomError(field or "row", why)
    where = tuple(part for part in (place, field) if part is not None)
    error = InitErrorDetails(type=kind, loc=where, input=None)
    return ValidationError.from_exception_data("SearchHit", [error], hide_input=True)
