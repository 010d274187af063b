"""Typed questions about a state, and their wire form."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from areev_context.errors import InvalidQuestionError

__all__ = ["Choice", "DecisionRequest", "Noul", "Question", "Score"]

_OPTIONS = range(2, 256)
_LEVELS = range(2, 11)


@dataclass(frozen=True, slots=True)
class Noul:
    """A yes-or-no question; its answer is the probability of yes, 0..1.

    Attributes:
        instructions: The whole question, not blank.
        criteria: The meaning of ``true`` and of ``false``; None if the question is clear without.

    Raises:
        InvalidQuestionError: An attribute is invalid.
    """

    kind: ClassVar[str] = "noul"

    instructions: str
    criteria: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        _check_instructions(self.instructions)
        if self.criteria is None:
            return
        if not _is_described(self.criteria) or set(self.criteria) != {"true", "false"}:
            raise InvalidQuestionError("the criteria of a noul are a text for true and for false")

    def wire(self) -> dict[str, Any]:
        """Return the question as a JSON object."""
        bare = {"type": self.kind, "instructions": self.instructions}
        return bare if self.criteria is None else {**bare, "criteria": dict(self.criteria)}


@dataclass(frozen=True, slots=True)
class Choice:
    """A question with several options; its answer is one option, with a probability of each.

    Attributes:
        instructions: The whole question, not blank.
        criteria: Name of an option -> its meaning; 2..255 options.

    Raises:
        InvalidQuestionError: An attribute is invalid.
    """

    kind: ClassVar[str] = "choice"

    instructions: str
    criteria: Mapping[str, str]

    def __post_init__(self) -> None:
        _check_instructions(self.instructions)
        if not _is_described(self.criteria):
            raise InvalidQuestionError("the criteria of a choice are a text for each option")
        _check_count("options", len(self.criteria), _OPTIONS)

    def wire(self) -> dict[str, Any]:
        """Return the question as a JSON object."""
        return {
            "type": self.kind,
            "instructions": self.instructions,
            "criteria": dict(self.criteria),
        }


@dataclass(frozen=True, slots=True)
class Score:
    """A question for a level; its answer is the expected level, with a probability of each.

    Attributes:
        instructions: The whole question, not blank.
        criteria: The meaning of each level, the lowest first; 2..10 levels, numbered from 0.

    Raises:
        InvalidQuestionError: An attribute is invalid.
    """

    kind: ClassVar[str] = "score"

    instructions: str
    criteria: Sequence[str]

    def __post_init__(self) -> None:
        _check_instructions(self.instructions)
        levels: object = self.criteria
        if not isinstance(levels, list | tuple) or not all(isinstance(v, str) for v in levels):
            raise InvalidQuestionError("the criteria of a score are a list of texts")
        _check_count("levels", len(levels), _LEVELS)

    def wire(self) -> dict[str, Any]:
        """Return the question as a JSON object."""
        return {
            "type": self.kind,
            "instructions": self.instructions,
            "criteria": list(self.criteria),
        }


Question = Noul | Choice | Score
"""One question of any type."""

_KINDS: dict[str, type[Question]] = {kind.kind: kind for kind in (Noul, Choice, Score)}


def _check_instructions(instructions: object) -> None:
    if not isinstance(instructions, str) or not instructions.strip():
        raise InvalidQuestionError(f"instructions are {instructions!r}: give the whole question")


def _check_count(what: str, count: int, allowed: range) -> None:
    if count not in allowed:
        raise InvalidQuestionError(
            f"there are {count} {what}: give {allowed.start} to {allowed.stop - 1}"
        )


def _is_described(criteria: object) -> bool:
    return isinstance(criteria, Mapping) and all(
        isinstance(name, str) and isinstance(text, str) for name, text in criteria.items()
    )


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """Questions about one state.

    Attributes:
        state: The subject of the questions: a text, a JSON object or a JSON array.
        questions: Id -> question; at least one, no id empty.

    Raises:
        InvalidQuestionError: There is no question, or an id is empty.
    """

    state: Any
    questions: Mapping[str, Question]

    def __post_init__(self) -> None:
        if not self.questions:
            raise InvalidQuestionError("there are no questions: give one or more")
        if "" in self.questions:
            raise InvalidQuestionError("the id of a question is empty")

    def wire(self) -> dict[str, Any]:
        """Return the request as a new JSON object, which the caller may change."""
        questions = {name: question.wire() for name, question in self.questions.items()}
        return {"state": copy.deepcopy(self.state), "questions": questions}

    @classmethod
    def from_wire(cls, request: object) -> DecisionRequest:
        """Return the request that a JSON object holds.

        Raises:
            InvalidQuestionError: The object is no request, or has an invalid question.
        """
        if not isinstance(request, Mapping) or "state" not in request:
            raise InvalidQuestionError("a request is an object with state and questions")
        questions = request.get("questions")
        if not isinstance(questions, Mapping):
            raise InvalidQuestionError("the questions of a request are an object, by their ids")
        return cls(request["state"], {str(name): _question(q) for name, q in questions.items()})


def _question(wire: object) -> Question:
    if not isinstance(wire, Mapping):
        raise InvalidQuestionError(f"a question is of type {type(wire).__name__}: give an object")
    kind = wire.get("type")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InvalidQuestionError(
            f"there is no question of type {kind!r}: give one of {', '.join(_KINDS)}"
        )
    return _KINDS[kind](wire.get("instructions"), wire.get("criteria"))  # type: ignore[arg-type]  # they check
