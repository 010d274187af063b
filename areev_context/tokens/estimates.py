"""Estimate tokens, by the reference's rules, and the room that a model's window leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from areev_context.errors import InputError
from areev_context.policy import MetadataLevel
from areev_context.text.foreign import shown

__all__ = ["budget_for", "estimate_grain", "estimate_summary", "estimate_tokens"]

_OVERHEAD = {MetadataLevel.NONE: 0, MetadataLevel.MINIMAL: 30, MetadataLevel.FULL: 80}


def estimate_tokens(text: str) -> int:
    """Return the estimated tokens of a text: its UTF-8 length in bytes, divided by four."""
    return len(text) // 4 if text.isascii() else len(text.encode()) // 4


def estimate_grain(fields: Mapping[str, Any], level: MetadataLevel) -> int:
    """Return the estimated tokens of a grain shown whole, at least 1 (the reference's rule)."""
    total = _OVERHEAD[level]
    for name, value in fields.items():
        size = len(value) if value.__class__ is str and value.isascii() else _size(value)
        total += (len(name) if name.isascii() else len(name.encode())) + size + 4
    return max(1, total // 4)


def estimate_summary(whole: int) -> int:
    """Return the estimated tokens of a grain's summary: a third of the whole, at least 1."""
    return max(1, whole // 3)


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _size(value: Any) -> int:
    if isinstance(value, str):
        return _bytes(value)
    if value is None or value is True:
        return 4
    if value is False:
        return 5
    if isinstance(value, list):
        return sum(_size(item) + 2 for item in value)
    if isinstance(value, dict):
        return sum(_bytes(name) + _size(item) + 4 for name, item in value.items())
    return len(repr(value))


def budget_for(window: int, reserve_output: int = 0, reserve_prompt: int = 0) -> int:
    """Return the tokens that a model's window leaves for the context, 0 or more.

    Args:
        window: The model's window, in tokens.
        reserve_output: Tokens to reserve for the model's answer.
        reserve_prompt: Tokens to reserve for the rest of the prompt.

    Raises:
        InputError: One is no whole number from 0 up, or the reserved tokens exceed the window.
    """
    named = {
        "window": window,
        "reserve_output": reserve_output,
        "reserve_prompt": reserve_prompt,
    }
    listed = ", ".join(f"{name}={shown(value)}" for name, value in named.items())
    if not all(map(_is_count, named.values())):
        raise InputError(f"{listed}: give whole numbers of tokens, 0 or more")
    left = window - reserve_output - reserve_prompt
    if left < 0:
        raise InputError(f"{listed}: the reserves pass the window by {shown(-left)} tokens")
    return left


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0
