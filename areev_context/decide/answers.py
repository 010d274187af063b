"""Typed answers and their wire form, read strictly, or leniently for language models."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from areev_context.decide.questions import Choice, DecisionRequest, Noul, Question, Score
from areev_context.errors import MalformedAnswerError

__all__ = ["Answer", "ChoiceAnswer", "Decision", "NoulAnswer", "ScoreAnswer", "read_decision"]

_MOST_KEYS = 256  # more than a choice has options
_OFF_BY = 0.01 + 1e-9  # a strict reading's tolerance of what was rounded, and a float's own error


@dataclass(frozen=True, slots=True)
class NoulAnswer:
    """The answer to a `Noul`: the probability of yes, 0..1."""

    noul: float

    def wire(self) -> dict[str, Any]:
        """Return the answer as a JSON object."""
        return {"type": "noul", "noul": self.noul}


@dataclass(frozen=True, slots=True)
class ChoiceAnswer:
    """The answer to a `Choice`: one of its options.

    Attributes:
        choice: The name of the chosen option.
        probabilities: The probability of each option; they sum to 1.
        confidence: 0..1; 0 where all options are equally likely.
    """

    choice: str
    probabilities: Mapping[str, float]
    confidence: float

    def wire(self) -> dict[str, Any]:
        """Return the answer as a JSON object."""
        return {
            "type": "choice",
            "choice": self.choice,
            "probabilities": dict(self.probabilities),
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """The answer to a `Score`: a level.

    Attributes:
        score: The expected level, from 0 to the highest; it may lie between two levels.
        probabilities: The probability of each level, the lowest first; they sum to 1.
        legend: The meaning of each level, the lowest first.
        confidence: 0..1; 0 where all levels are equally likely.
    """

    score: float
    probabilities: tuple[float, ...]
    legend: tuple[str, ...]
    confidence: float

    def wire(self) -> dict[str, Any]:
        """Return the answer as a JSON object; levels are keys, as digits."""
        return {
            "type": "score",
            "score": self.score,
            "probabilities": {str(n): each for n, each in enumerate(self.probabilities)},
            "legend": {str(n): text for n, text in enumerate(self.legend)},
            "confidence": self.confidence,
        }


Answer = NoulAnswer | ChoiceAnswer | ScoreAnswer
"""One answer of any type."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The answers to one request, with the model and the provider that gave them.

    Attributes:
        model: The name of the model; empty if the response has none.
        answers: Id of a question -> its answer, for every question of the request.
        provider: The name of the provider; None if the response has none.
        calibrated: Whether the response calls its probabilities calibrated; None if it does not
            state it.
    """

    model: str
    answers: Mapping[str, Answer]
    provider: str | None = None
    calibrated: bool | None = None

    def wire(self) -> dict[str, Any]:
        """Return the response as a JSON object; what is unknown is absent."""
        answers = {name: answer.wire() for name, answer in self.answers.items()}
        known = {"provider": self.provider, "calibrated": self.calibrated}
        return {
            "model": self.model,
            "answers": answers,
            **{name: value for name, value in known.items() if value is not None},
        }


def read_decision(response: object, request: DecisionRequest, *, lenient: bool = False) -> Decision:
    """Read a response in the wire form, and check it against its request.

    The strict reading wants one answer of the right type to each question and no other answer.
    Probabilities sum to 1 within 0.01, and a missing option or level has the probability 0. The
    choice is the likeliest option within 0.01, and a score is the expected level within 0.01 per
    level.

    The lenient reading is for language models, which write answers as text. The answers may stand
    without the object around them; a bare number is a noul or a level; probabilities with any
    positive sum are divided by it; a level's name may be the key; an option or a level named
    without probabilities is certain; probabilities decide the choice and the score; and answers to
    questions that were not asked are ignored.

    Args:
        response: Any object; only a mapping can be a response.
        request: The request that was sent.
        lenient: Whether to read leniently.

    Raises:
        MalformedAnswerError: The response does not answer the request.
    """
    if not isinstance(response, Mapping):
        raise MalformedAnswerError(f"the response is of type {type(response).__name__}")
    answers = response.get("answers", response if lenient else None)
    if not isinstance(answers, Mapping):
        raise MalformedAnswerError("the response has no object of answers")
    beside = [name for name in answers if name not in request.questions]
    if beside and not lenient:
        raise MalformedAnswerError(f"{len(beside)} answers to what was not asked")
    found = {
        name: _answer(name, question, answers.get(name), lenient)
        for name, question in request.questions.items()
    }
    calibrated = response.get("calibrated")
    return Decision(
        _text(response.get("model")) or "",
        found,
        _text(response.get("provider")),
        calibrated if isinstance(calibrated, bool) else None,
    )


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _answer(name: str, question: Question, given: Any, lenient: bool) -> Answer:
    if given is None:
        raise MalformedAnswerError(f"{name}: there is no answer")
    if lenient and not isinstance(given, Mapping):
        given = {question.kind: given}  # the key of the answer itself is that of its type
    if not isinstance(given, Mapping):
        raise MalformedAnswerError(f"{name}: the answer is of type {type(given).__name__}")
    if given.get("type", question.kind) != question.kind:
        raise MalformedAnswerError(f"{name}: the answer is no {question.kind}")
    if isinstance(question, Noul):
        return NoulAnswer(_within(name, given.get("noul"), 1.0))
    if isinstance(question, Choice):
        return _choice(name, question, given, lenient)
    return _score(name, question, given, lenient)


def _within(name: str, value: object, most: float) -> float:
    """Return a number from 0 to a highest one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MalformedAnswerError(f"{name}: a value of type {type(value).__name__} is no number")
    try:
        number = float(value)
    except OverflowError:  # a whole number of 400 digits
        number = math.inf if value > 0 else -math.inf
    if not 0.0 <= number <= most:  # NaN neither
        raise MalformedAnswerError(f"{name}: {number:g} is outside 0..{most:g}")
    return number


def _choice(name: str, question: Choice, given: Mapping[Any, Any], lenient: bool) -> ChoiceAnswer:
    options, chosen = list(question.criteria), given.get("choice")
    if chosen is not None and (not isinstance(chosen, str) or chosen not in question.criteria):
        raise MalformedAnswerError(f"{name}: what it chose is no option")
    shares = _shares(name, given.get("probabilities"), {each: each for each in options}, lenient)
    if shares is None and lenient and chosen is not None:
        shares = [float(each == chosen) for each in options]
    if shares is None:
        raise MalformedAnswerError(f"{name}: there are no probabilities")
    found = dict(zip(options, shares, strict=True))
    best = max(found, key=found.__getitem__)
    if chosen is not None and found[best] - found[chosen] > _OFF_BY:
        if not lenient:
            raise MalformedAnswerError(f"{name}: what it chose is not the likeliest")
        chosen = best
    return ChoiceAnswer(
        best if chosen is None else chosen,
        found,
        _confidence(name, given.get("confidence"), shares),
    )


def _score(name: str, question: Score, given: Mapping[Any, Any], lenient: bool) -> ScoreAnswer:
    levels, score = tuple(question.criteria), given.get("score")
    names = {str(n): str(n) for n in range(len(levels))}
    if lenient:
        names = {text: str(n) for n, text in enumerate(levels)} | names
    if lenient and isinstance(score, str) and score in names:
        score = int(names[score])
    expected = None if score is None else _within(name, score, len(levels) - 1.0)
    shares = _shares(name, given.get("probabilities"), names, lenient)
    if shares is None and lenient and expected is not None:
        shares = [max(0.0, 1.0 - abs(n - expected)) for n in range(len(levels))]
    if shares is None:
        raise MalformedAnswerError(f"{name}: there are no probabilities")
    if not lenient:
        _check_legend(name, given.get("legend"), levels)
    weighted = math.fsum(n * share for n, share in enumerate(shares))
    if expected is not None and abs(expected - weighted) > _OFF_BY * len(levels):
        if not lenient:
            raise MalformedAnswerError(
                f"{name}: the score is {expected:g}, its probabilities say {weighted:g}"
            )
        expected = weighted
    return ScoreAnswer(
        weighted if expected is None else expected,
        tuple(shares),
        levels,
        _confidence(name, given.get("confidence"), shares),
    )


def _shares(
    name: str, given: object, names: Mapping[str, str], lenient: bool
) -> list[float] | None:
    """Return the probability of each option or level, summing to 1; None where none are given.

    Args:
        name: The id of the question.
        given: What the answer says.
        names: The option or level that each key stands for.
        lenient: Whether any positive sum will do.
    """
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise MalformedAnswerError(f"{name}: the probabilities are of type {type(given).__name__}")
    found = dict.fromkeys(names.values(), 0.0)
    for key, value in given.items():
        named = _key(key)
        if named is None or named not in names:
            raise MalformedAnswerError(f"{name}: a probability of what was not asked about")
        found[names[named]] = _within(name, value, math.inf if lenient else 1.0)
    total = _sum(found.values())
    if not 0.0 < total < math.inf or (not lenient and abs(total - 1.0) > _OFF_BY):
        raise MalformedAnswerError(f"{name}: the probabilities sum to {total:g}, not to 1")
    return [value / total for value in found.values()]


def _key(key: object) -> str | None:
    """Return a key as JSON has it, a small number as its digits; None where it has no such key."""
    if isinstance(key, str):
        return key
    return str(key) if isinstance(key, int) and 0 <= key < _MOST_KEYS else None


def _sum(shares: Iterable[float]) -> float:
    try:
        return math.fsum(shares)
    except OverflowError:
        return math.inf


def _check_legend(name: str, legend: object, levels: tuple[str, ...]) -> None:
    """Refuse a legend that has the levels in another order: the numbers would mean something else.

    Other texts pass: a redacted question comes back redacted.
    """
    if not isinstance(legend, Mapping):
        return
    given_for = [legend.get(str(n), legend.get(n)) for n in range(len(levels))]
    if given_for != list(levels) and all(level in given_for for level in levels):
        raise MalformedAnswerError(f"{name}: the legend has the levels in another order")


def _confidence(name: str, given: object, shares: list[float]) -> float:
    """Return how sure an answer is, 0..1: as it says, else by how far the likeliest stands out."""
    if given is not None:
        return min(1.0, _within(name, given, 1.0 + _OFF_BY))
    size = len(shares)
    return min(1.0, max(0.0, (size * max(shares) - 1) / (size - 1)))
