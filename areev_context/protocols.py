"""The protocols a host may implement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from areev_context.hits.hit import Grain, SearchHit
from areev_context.policy import FormatPolicy

__all__ = ["DecisionBackend", "GrainRenderer"]


@runtime_checkable
class GrainRenderer(Protocol):
    """How a host says the grains of one type; every method is pure.

    Texts are finished: they are written as they are, in the policy's format. In JSON a text that
    is no JSON object stands under the key ``text``, in TOON in one column ``content``. Subclass
    `SharedRenderer` when one method is enough.
    """

    @property
    def grain_type(self) -> str:
        """The type whose grains it renders; any string, known or not."""
        ...

    def render(self, grain: Grain, policy: FormatPolicy) -> str:
        """Return the grain whole."""
        ...

    def render_summary(self, grain: Grain, policy: FormatPolicy) -> str:
        """Return the grain in one line; never asked in JSON and TOON."""
        ...

    def token_estimate(self, grain: Grain, policy: FormatPolicy) -> int:
        """Return the estimated tokens of the grain shown whole, 1 or more."""
        ...

    def context_priority(self, grain: Grain, hit: SearchHit) -> float:
        """Return how much the grain matters, 0..1, higher first; the hit's score is known."""
        ...


@runtime_checkable
class DecisionBackend(Protocol):
    """A decider: it answers typed questions about a state.

    Requests and responses are mappings of plain JSON values in the wire form of
    `areev_context.decide`. A backend may also have ``async def adecide(self, request)`` of the same
    arguments and result, which runs in the caller's loop: it must not block it, and ends when it is
    cancelled. Without it `decide` is called in a thread of its own, which nobody waits for once the
    deadline has passed, and may be called in several at once.
    """

    @property
    def calibrated(self) -> bool:
        """Whether its probabilities can be taken at their word; only then may it omit a hit."""
        ...

    def decide(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answers to a request; any exception counts as no answer."""
        ...

    def describe(self) -> str:
        """Return the name of the provider, for the result; never a key or an address."""
        ...
