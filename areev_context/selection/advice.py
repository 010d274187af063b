"""The advice of a decider about a query and its hits, as far as it applies; else nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["NO_ADVICE", "Advice", "DecisionProvenance", "Intent"]


class Intent(StrEnum):
    """What a query wants to know."""

    TIMELINE = "timeline"
    CURRENT_STATE = "current_state"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class DecisionProvenance:
    """Who judged, where an answer was applied.

    Attributes:
        provider: Who was asked; several are joined with ``,``.
        model: What answered; several are joined with ``,``.
        calibrated: Whether every answer that was applied came from a calibrated backend.
        requests: How many requests were answered and applied, 1 or more.
        latency_ms: Milliseconds from the first request to the last answer.
        intent: What the query wants, where that was asked and answered.
    """

    provider: str
    model: str
    calibrated: bool
    requests: int
    latency_ms: int
    intent: Intent | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What an assembly is to do otherwise than without a decider.

    Attributes:
        intent: What the query wants; None = its phrases decide.
        scores: Relevance, 0..1, in the place of the recall's score, by the place of the hit.
        omit: The places of hits that are not to be shown.
        whole: The places of hits that are to be shown whole rather than as a summary.
        sure: Whether the intent decides what is shown too, and not only how it is arranged.
        provenance: Who said so; None where nothing was said.
    """

    intent: Intent | None = None
    scores: Mapping[int, float] = field(default_factory=dict)
    omit: frozenset[int] = frozenset()
    whole: frozenset[int] = frozenset()
    sure: bool = True
    provenance: DecisionProvenance | None = None


NO_ADVICE = Advice()
"""What holds without a decider, and where none was heard."""
