"""The errors of this library, as a tree.

::

    AreevContextError
    ├── InputError       a row, a file or an argument that cannot be read
    ├── RendererError    a renderer of the application failed or returned no text
    ├── CounterError     a token counter failed, or is not available
    └── DecisionError    a decider gave no answer; the assembler continues without it
        ├── NotConfiguredError      DEC-E001  there is no decider for this request
        ├── ProviderError           DEC-E002  the decider failed, or cannot be reached
        ├── MalformedAnswerError    DEC-E003  the response does not answer the request
        ├── DeadlineError           DEC-E004  the decider did not answer in time
        ├── ChainExhaustedError     DEC-E005  none of several deciders answered
        ├── InvalidQuestionError    DEC-E006  the question is invalid
        └── RateLimitedError        DEC-E007  the decider limits the rate of requests

pydantic's ``ValidationError`` is not in the tree: an invalid option of a policy raises it, and so
does an invalid row given to ``SearchHit.model_validate``.
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
    """Base class of the errors that this library defines."""


class InputError(AreevContextError):
    """A row, a file or an argument cannot be read; nothing was formatted.

    Attributes:
        row: Index of the invalid row, from 0; None if the error is about the whole source.
        field: Name of the invalid field; None if the error is about the whole row.
    """

    def __init__(self, message: str, *, row: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.row = row
        self.field = field


class RendererError(AreevContextError):
    """A renderer of the application raised, or returned a value of the wrong type.

    Attributes:
        grain_type: The type whose renderer failed.
        method: The method of the renderer that was called.
    """

    def __init__(self, message: str, *, grain_type: str, method: str) -> None:
        super().__init__(message)
        self.grain_type = grain_type
        self.method = method


class CounterError(AreevContextError):
    """A token counter raised or returned no count, or its vocabulary is not available.

    Attributes:
        counter: The counter's name.
    """

    def __init__(self, message: str, *, counter: str) -> None:
        super().__init__(message)
        self.counter = counter


class DecisionError(AreevContextError):
    """A decider gave no usable answer. `ContextAssembler` never raises it: it continues without.

    Attributes:
        code: A stable code, ``DEC-E001`` to ``DEC-E007``; the message begins with it.
    """

    code: ClassVar[str]

    def __init__(self, message: str) -> None:
        super().__init__(f"{self.code}: {message}")


class NotConfiguredError(DecisionError):
    """There is no decider for this request."""

    code = "DEC-E001"


class ProviderError(DecisionError):
    """The decider failed, or cannot be reached."""

    code = "DEC-E002"


class MalformedAnswerError(DecisionError):
    """The response of the decider does not answer the request."""

    code = "DEC-E003"


class DeadlineError(DecisionError):
    """The decider did not answer in time."""

    code = "DEC-E004"


class ChainExhaustedError(DecisionError):
    """None of several deciders answered."""

    code = "DEC-E005"


class InvalidQuestionError(DecisionError):
    """The question is invalid: no decider could answer it."""

    code = "DEC-E006"


class RateLimitedError(DecisionError):
    """The decider limits the rate of requests."""

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
"""Code -> the class of error of a decider."""
