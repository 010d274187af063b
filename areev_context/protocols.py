"""The protocols that an application may implement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from areev_context.hits.hit import Grain, SearchHit
from areev_context.policy import FormatPolicy

__all__ = ["DecisionBackend", "GrainRenderer"]


@runtime_checkable
class GrainRenderer(Protocol):
    """Writes the grains of one type for an application; every method is pure.

    The texts are finished: a page contains them without changes. They must fit the policy's format.
    In JSON a text that is no JSON object stands under the key ``text``, in TOON in one column
    ``content``. Subclass `SharedRenderer` to implement only one method.
    """

    @property
    def grain_type(self) -> str:
        """The grain type that it renders; any string, known or not."""
        ...

    def render(self, grain: Grain, policy: FormatPolicy) -> str:
        """Return the grain whole."""
        ...

    def render_summary(self, grain: Grain, policy: FormatPolicy) -> str:
        """Return the grain in one line; never called in JSON and TOON."""
        ...

    def token_estimate(self, grain: Grain, policy: FormatPolicy) -> int:
        """Return the estimated tokens of the grain shown whole, 1 or more."""
        ...

    def context_priority(self, grain: Grain, hit: SearchHit) -> float:
        """Return the priority of the grain, 0..1, higher first; the hit always has a score here."""
        ...


@runtime_checkable
class DecisionBackend(Protocol):
    """A decider: it answers typed questions about a state.

    Requests and responses are mappings of plain JSON values in the wire form of
    `areev_context.decide`. A backend may also have ``async def adecide(self, request)`` with the
    same arguments and result. It runs in the caller's event loop, must not block it, and must end
    when it is cancelled. Without `adecide`, `decide` is called in separate threads, in several at
    the same time; a thread that is late is not waited for.
    """

    @property
    def calibrated(self) -> bool:
        """Whether its probabilities match how often it is right; only then may it omit a hit."""
        ...

    def decide(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answers to a request; an exception counts as no answer."""
        ...

    def describe(self) -> str:
        """Return the name of the provider, for the result; never a key or an address."""
        ...
