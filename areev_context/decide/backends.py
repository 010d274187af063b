"""Ready-made backends: a program, the engine, a scoring function."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

from areev_context.decide.program import output_of
from areev_context.decide.prompts import DEADLINE_MS, disclosure_answers, disclosure_of
from areev_context.decide.redaction import Redact, checked_redact, outgoing
from areev_context.errors import (
    DECISION_ERRORS,
    AreevContextError,
    MalformedAnswerError,
    ProviderError,
)

__all__ = ["CommandDecider", "Engine", "EngineDecider", "ScoreDecider"]


class CommandDecider:
    """A program that reads a request as JSON and writes the response as JSON.

    The program is started once per request, without a shell. It is ended, with all processes of its
    group, after its answer, after its timeout, and when this process ends or is killed (see
    docs/guides/deciders.md for the systems on which this holds).

    Args:
        command: The program and its arguments; a string is split as a shell would split it.
        calibrated: Whether its probabilities match how often it is right; only a calibrated decider
            may leave hits out.
        timeout_ms: The timeout of one request, in milliseconds.
        redact: A function that returns the text to send instead of a text; None = texts are sent
            as they are.

    Raises:
        AreevContextError: There is no command, or an argument is of the wrong kind.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        calibrated: bool = False,
        timeout_ms: int = DEADLINE_MS,
        redact: Redact | None = None,
    ) -> None:
        given = shlex.split(command) if isinstance(command, str) else list(command)
        if not given or not all(isinstance(word, str) for word in given):
            raise AreevContextError("the command is empty: give a program and its arguments")
        self._command = given
        self._timeout = timeout_ms / 1000
        self._redact = checked_redact(redact)
        self.calibrated = calibrated

    def describe(self) -> str:
        """Return ``command``."""
        return "command"

    def decide(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the program's answers.

        Raises:
            ProviderError: The program cannot be started, or failed.
            DeadlineError: The program took too long.
            MalformedAnswerError: The program wrote no JSON object, or more than 1,000,000 bytes on
                one of its streams.
        """
        sent = json.dumps(outgoing(request, self._redact).wire())
        answer = output_of(self._command, sent.encode(), self._timeout)
        return _object(answer, "the command")


class Engine(Protocol):
    """An engine: any object with this `decide` method."""

    def decide(self, state: str, questions: str) -> str:
        """Return the response as JSON text; the state and the questions are JSON texts too."""
        ...


class EngineDecider:
    """The decision backend that is installed in an engine.

    The answers are calibrated if the engine's response states it. An installed backend also
    reorders the results of the engine's own search.

    Args:
        db: The engine, for instance an ``areev.Areev`` after ``set_decider``.
        redact: A function that returns the text to send instead of a text; None = texts are sent
            as they are.

    Raises:
        AreevContextError: The engine has no `decide`.
    """

    calibrated = True  # as far as each response says so

    def __init__(self, db: Engine, *, redact: Redact | None = None) -> None:
        if not callable(getattr(db, "decide", None)):
            raise AreevContextError(
                f"{type(db).__name__} is no engine: give an object with decide(state, questions)"
            )
        self._db = db
        self._redact = checked_redact(redact)

    def describe(self) -> str:
        """Return ``engine``; the engine's response names its own backend."""
        return "engine"

    def decide(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the engine's answers.

        Raises:
            DecisionError: The engine reported an error; its code selects the subclass.
            MalformedAnswerError: The engine returned no JSON object.
        """
        asked = outgoing(request, self._redact).wire()
        try:
            answer = self._db.decide(json.dumps(asked["state"]), json.dumps(asked["questions"]))
        except Exception as error:
            code = _CODE.search(str(error))
            kind = DECISION_ERRORS.get(code[0], ProviderError) if code else ProviderError
            raise kind("the engine has no answer") from error
        response = _object(answer, "the engine")
        return {**response, "calibrated": response.get("calibrated") is True}


_CODE = re.compile(r"DEC-E\d{3}")


class ScoreDecider:
    """A function that scores texts for a query, such as a cross-encoder: relevance only.

    It does not answer what a query wants, or which texts must stay verbatim.

    Args:
        score: A function from a query and texts to one number per text, 0..1, in their order.
        calibrated: Whether its numbers match how often a text is relevant, where 0 is off-topic and
            1 answers the query; only a calibrated decider may leave hits out.
        name: Its name in results.
        redact: A function that returns the text to score instead of a text; None = texts are
            scored as they are.

    Raises:
        AreevContextError: The function cannot be called.
    """

    def __init__(
        self,
        score: Callable[[str, list[str]], Iterable[float]],
        *,
        calibrated: bool = False,
        name: str = "score",
        redact: Redact | None = None,
    ) -> None:
        if not callable(score):
            raise AreevContextError(
                f"score is of type {type(score).__name__}: give a function from a query and texts "
                "to numbers"
            )
        if inspect.iscoroutinefunction(score):
            raise AreevContextError("score is a coroutine function: give one that returns numbers")
        self._score = score
        self._name = name
        self._redact = checked_redact(redact)
        self.calibrated = calibrated

    def describe(self) -> str:
        """Return its name."""
        return self._name

    def decide(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the relevance of each candidate.

        Raises:
            NotConfiguredError: The request does not ask for relevance.
            MalformedAnswerError: The function did not return one number from 0 to 1 per text.
        """
        query, texts = disclosure_of(outgoing(request, self._redact))
        given = list(islice(self._score(query, texts), len(texts) + 1))  # it may never end
        if len(given) != len(texts):
            raise MalformedAnswerError(f"there are {len(given)} scores of {len(texts)} texts")
        try:
            scores = [float(score) for score in given]
        except (TypeError, ValueError, OverflowError):
            raise MalformedAnswerError("a score is no number from 0 to 1") from None
        if not all(0.0 <= score <= 1.0 for score in scores):
            raise MalformedAnswerError("a score is outside 0..1")
        return {"model": self._name, "answers": disclosure_answers(scores)}


def _object(text: str | bytes | Mapping[str, Any], whose: str) -> Mapping[str, Any]:
    try:
        answer = text if isinstance(text, Mapping) else json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise MalformedAnswerError(f"what {whose} answered is no JSON") from None
    if not isinstance(answer, Mapping):
        raise MalformedAnswerError(f"what {whose} answered is no JSON object")
    return answer
