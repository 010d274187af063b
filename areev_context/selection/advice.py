"""The advice of a decider about a query and its hits; without a decider, no advice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["NO_ADVICE", "Advice", "DecisionProvenance", "Intent"]


class Intent(StrEnum):
    """The kind of answer that a query wants."""

    TIMELINE = "timeline"
    CURRENT_STATE = "current_state"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class DecisionProvenance:
    """The decider whose answers were applied.

    Attributes:
        provider: The name of the provider; several names are joined with ``,``.
        model: The name of the model; several names are joined with ``,``.
        calibrated: Whether every answer that was applied came from a calibrated backend.
        requests: The number of requests whose answers were applied, 1 or more.
        latency_ms: Milliseconds from the first request to the last answer.
        intent: What the query wants; None if that was not asked or not answered.
    """

    provider: str
    model: str
    calibrated: bool
    requests: int
    latency_ms: int
    intent: Intent | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """The changes that a decider's answers make to an assembly.

    Attributes:
        intent: What the query wants; None = the phrases of the query decide.
        scores: Index of a hit -> relevance, 0..1, which replaces the recall's score.
        omit: The indexes of hits to leave out.
        whole: The indexes of hits to show whole rather than as a summary.
        sure: Whether the intent also decides what is shown, not only how it is arranged.
        provenance: The decider whose answers were applied; None without answers.
    """

    intent: Intent | None = None
    scores: Mapping[int, float] = field(default_factory=dict)
    omit: frozenset[int] = frozenset()
    whole: frozenset[int] = frozenset()
    sure: bool = True
    provenance: DecisionProvenance | None = None


NO_ADVICE = Advice()
"""The advice without a decider, or without a usable answer."""
