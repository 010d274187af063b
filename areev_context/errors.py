"""The errors of this library, drawn as a tree.

::

    AreevContextError
    ├── InputError       a row, a file or an argument that cannot be read
    ├── RendererError    a host's renderer failed or returned no text
    ├── CounterError     a host's token counter failed, or cannot be had
    └── DecisionError    a decider gave no answer; an assembly goes on without it
        ├── NotConfiguredError      DEC-E001  there is no decider to ask
        ├── ProviderError           DEC-E002  it failed, or cannot be reached
        ├── MalformedAnswerError    DEC-E003  what it returned is no answer to what was asked
        ├── DeadlineError           DEC-E004  it did not answer in time
        ├── ChainExhaustedError     DEC-E005  none of several answered
        ├── InvalidQuestionError    DEC-E006  the question itself is wrong
        └── RateLimitedError        DEC-E007  it asks to be asked less often

pydantic's ``ValidationError`` stands beside the tree: it is what a wrong option of a policy, or a
row given straight to ``SearchHit.model_validate``, raises.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "DECISION_ERRORS",
    "AreevContextError",
    "ChainExhaustedError",
    "CounterError",
    "DeadlineError",
    "DecisionError",
    "InputError",
    "InvalidQuestionError",
    "MalformedAnswerError",
    "NotConfiguredError",
    "ProviderError",
    "RateLimitedError",
    "RendererError",
]


class AreevContextError(Exception):
    """Base of every error this library raises on its own account."""


class InputError(AreevContextError):
    """Something that came in cannot be read; nothing was formatted.

    Attributes:
        row: Place of the offending row, from 0, or None when the whole source is meant.
        field: Name of the offending field, or None when the whole row is meant.
    """

    def __init__(self, message: str, *, row: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.row = row
        self.field = field


class RendererError(AreevContextError):
    """A host's renderer raised, or returned something that is not what the seam asks for.

    Attributes:
        grain_type: The type whose renderer failed.
        method: The method of the renderer that was called.
    """

    def __init__(self, message: str, *, grain_type: str, method: str) -> None:
        super().__init__(message)
        self.grain_type = grain_type
        self.method = method


class CounterError(AreevContextError):
    """A host's token counter raised or returned no count, or its vocabulary cannot be had.

    Attributes:
        counter: The counter's name.
    """

    def __init__(self, message: str, *, counter: str) -> None:
        super().__init__(message)
        self.counter = counter


class DecisionError(AreevContextError):
    """A decider gave no usable answer. `ContextAssembler` never raises it: it goes on without one.

    Attributes:
        code: Stable, ``DEC-E001`` to ``DEC-E007``; the message begins with it.
    """

    code: ClassVar[str]

    def __init__(self, message: str) -> None:
        super().__init__(f"{self.code}: {message}")


class NotConfiguredError(DecisionError):
    """There is no decider to ask."""

    code = "DEC-E001"


class ProviderError(DecisionError):
    """The decider failed, or cannot be reached."""

    code = "DEC-E002"


class MalformedAnswerError(DecisionError):
    """What the decider returned is no answer to what was asked."""

    code = "DEC-E003"


class DeadlineError(DecisionError):
    """The decider did not answer in time."""

    code = "DEC-E004"


class ChainExhaustedError(DecisionError):
    """None of several deciders answered."""

    code = "DEC-E005"


class InvalidQuestionError(DecisionError):
    """The question itself is wrong: no decider could answer it."""

    code = "DEC-E006"


class RateLimitedError(DecisionError):
    """The decider asks to be asked less often."""

    code = "DEC-E007"


DECISION_ERRORS: dict[str, type[DecisionError]] = {
    kind.code: kind
    for kind in (
        NotConfiguredError,
        ProviderError,
        MalformedAnswerError,
        DeadlineError,
        ChainExhaustedError,
        InvalidQuestionError,
        RateLimitedError,
    )
}
"""The errors of deciders, by their code."""
