"""A decider that asks several backends, one after the other."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from areev_context.decide.answers import Decision
from areev_context.decide.asking import aasked, decision, failure_of, in_thread
from areev_context.decide.redaction import Redact, checked_redact, outgoing
from areev_context.errors import (
    AreevContextError,
    ChainExhaustedError,
    DecisionError,
    InvalidQuestionError,
    NotConfiguredError,
)
from areev_context.protocols import DecisionBackend

__all__ = ["ChainDecider", "checked_backend"]


def checked_backend(decider: Any) -> DecisionBackend:
    """Return the backend itself, after a check.

    Raises:
        AreevContextError: It has no method `decide`.
    """
    if isinstance(decider, type) or not callable(getattr(decider, "decide", None)):
        name = decider.__name__ if isinstance(decider, type) else type(decider).__name__
        raise AreevContextError(
            f"the decider {name} is no backend: give an object with decide, calibrated and "
            "describe, for instance a CommandDecider"
        )
    if inspect.iscoroutinefunction(decider.decide):
        raise AreevContextError(
            f"decide of {type(decider).__name__} is a coroutine function: call it adecide, and "
            "give a decide that returns the response"
        )
    backend: DecisionBackend = decider
    return backend


class ChainDecider:
    """Asks several backends, one after the other, and returns the first answer.

    A backend that hangs uses up the time of the backends after it: give it a timeout shorter than
    the deadline. A question that no backend could answer stops the chain. An answer is calibrated
    if the backend that gave it is.

    Args:
        deciders: The backends in the order in which they are asked; one or more.
        redact: A function that returns the text to send instead of a text, called before the
            backends' own; None = texts are sent as they are.

    Raises:
        NotConfiguredError: There is no backend.
        AreevContextError: One of the deciders is no backend.
    """

    def __init__(
        self, deciders: Iterable[DecisionBackend], *, redact: Redact | None = None
    ) -> None:
        self._deciders = tuple(map(checked_backend, deciders))
        if not self._deciders:
            raise NotConfiguredError("a chain of no deciders: give one or more")
        self._redact = checked_redact(redact)

    @property
    def calibrated(self) -> bool:
        """Whether any backend is calibrated; each response states it for its own answers."""
        return any(getattr(each, "calibrated", False) is True for each in self._deciders)

    def describe(self) -> str:
        """Return ``chain``; each response names the backend that gave it."""
        return "chain"

    def decide(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the first answer.

        Raises:
            InvalidQuestionError: A question is invalid.
            ChainExhaustedError: No backend answered.
        """
        asked = outgoing(request, self._redact)
        codes = []
        for decider in self._deciders:
            try:
                return decision(decider, asked).wire()
            except KeyboardInterrupt:  # whoever asks a chain directly may interrupt it
                raise
            except BaseException as error:
                codes.append(_passed_over(failure_of(error)))
        raise ChainExhaustedError(f"none of {len(codes)} deciders answered: {', '.join(codes)}")

    async def adecide(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the first answer without blocking the loop; errors as those of `decide`."""
        asked = await in_thread(lambda: outgoing(request, self._redact))
        codes = []
        for decider in self._deciders:
            answer = await aasked(decider, asked)
            if isinstance(answer, Decision):
                return answer.wire()
            codes.append(_passed_over(answer))
        raise ChainExhaustedError(f"none of {len(codes)} deciders answered: {', '.join(codes)}")


def _passed_over(failure: DecisionError) -> str:
    """Return the code of a failure after which the next of a chain is asked."""
    if isinstance(failure, InvalidQuestionError):
        raise failure
    return failure.code
