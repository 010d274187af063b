"""Redact the texts of a request before they leave the process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from areev_context.decide.questions import DecisionRequest
from areev_context.errors import AreevContextError, ProviderError

__all__ = ["Redact", "checked_redact", "outgoing"]

Redact = Callable[[str], str]
"""A function from a text to the text that is sent instead of it."""


def checked_redact(redact: Redact | None) -> Redact | None:
    """Return the function itself, after a check.

    Raises:
        AreevContextError: It cannot be called.
    """
    if redact is not None and not callable(redact):
        raise AreevContextError(
            f"redact is of type {type(redact).__name__}: give a function from text to text"
        )
    return redact


def outgoing(request: Mapping[str, Any], redact: Redact | None) -> DecisionRequest:
    """Return a request in the wire form, checked, with every text in it redacted.

    Redacted are the strings of the state, the instructions and the meanings of options and levels;
    keys, ids and the names of options stay.

    Raises:
        InvalidQuestionError: The object is no request.
        ProviderError: The function raised, or returned no text.
    """
    asked = DecisionRequest.from_wire(request)
    if redact is None:
        return asked
    questions = {
        name: {**_through(question.wire(), redact), "type": question.kind}
        for name, question in asked.questions.items()
    }
    return DecisionRequest.from_wire(
        {"state": _through(asked.state, redact), "questions": questions}
    )


def _through(value: Any, redact: Redact) -> Any:
    if isinstance(value, str):
        return _let_out(value, redact)
    if isinstance(value, Mapping):
        return {key: _through(item, redact) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_through(item, redact) for item in value]
    return value


def _let_out(text: str, redact: Redact) -> str:
    try:
        left: object = redact(text)
    except Exception as error:
        failure = f"redact raised {type(error).__name__}: nothing was sent"
        raise ProviderError(failure) from error
    if not isinstance(left, str):
        raise ProviderError(f"redact returned {type(left).__name__}, no text: nothing was sent")
    return left
