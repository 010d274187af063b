"""Counting tokens."""

from __future__ import annotations

from areev_context.core.tokens import estimate_tokens

__all__ = ["estimate_tokens"]
