"""The priority of a grain, 0..1: from its type, score, confidence and trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from areev_context.hits import fields as reading
from areev_context.hits.grain_types import GRAIN_TYPES

__all__ = ["priority_of"]

_UNKNOWN_TYPE = 0.50
_FAILED_CALL = 0.65
_TRUST = {"retracted": -0.30, "rejected": -0.30, "contested": -0.15}
_GOAL_STATE = {"active": 0.15, "suspended": 0.05, "satisfied": -0.20, "failed": -0.20}
_GOAL_PRIORITY = {"critical": 0.10, "high": 0.05, "low": -0.10}


def priority_of(grain_type: str, fields: Mapping[str, Any], score: float) -> float:
    """Return the priority of a grain, 0..1, higher first (the reference's rule).

    Args:
        grain_type: A known type, or any other, which counts as 0.50.
        fields: The grain's fields.
        score: The recall's score, 0..1.
    """
    confidence = reading.confidence(fields)
    sure = 1.0 if confidence is None else confidence
    value = _base(grain_type, fields) + 0.15 * score + 0.1 * max(0.0, sure - 0.5)
    if "verification_status" in fields or "context" in fields:
        value += _TRUST.get(reading.trust(fields).strip().lower(), 0.0)
    return min(1.0, max(0.0, value))


def _base(grain_type: str, fields: Mapping[str, Any]) -> float:
    if grain_type == "goal":
        state = _GOAL_STATE.get(reading.text(fields, "goal_state"), 0.0)
        return 0.80 + state + _GOAL_PRIORITY.get(reading.text(fields, "priority"), 0.0)
    if grain_type == "tool" and reading.flag(fields, "is_error"):
        return _FAILED_CALL
    row = GRAIN_TYPES.get(grain_type)
    return row.base if row is not None else _UNKNOWN_TYPE
