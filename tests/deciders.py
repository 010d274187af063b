"""Deciders of the tests, and hits for them to rate."""

import asyncio
import copy
import time
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

Answers = dict[str, Any]
Rating = Callable[[str], tuple[float, float]]
"""Relevance as a level, 0..3, and the probability that the text must stay verbatim."""

INTENTS = ("timeline", "current_state", "general")
LEVELS = ["off-topic", "tangential", "relevant", "directly answers"]


def noul(probability: float) -> Answers:
    return {"type": "noul", "noul": probability}


def choice(name: str, *others: str) -> Answers:
    shares = {name: 1.0, **dict.fromkeys(others, 0.0)}
    return {"type": "choice", "choice": name, "probabilities": shares, "confidence": 1.0}


def score(level: float, levels: int = 4) -> Answers:
    shares = {str(n): max(0.0, 1.0 - abs(n - level)) for n in range(levels)}
    return {"type": "score", "score": level, "probabilities": shares, "confidence": 1.0}


class Decider:
    """Answers by a rule, and remembers what it was asked."""

    def __init__(
        self,
        rule: Rating = lambda text: (2.0, 0.0),
        *,
        intent: str = "general",
        calibrated: bool = False,
        name: str = "judge",
    ) -> None:
        self.rule = rule
        self.intent = intent
        self.calibrated = calibrated
        self.name = name
        self.requests: list[Any] = []

    def describe(self) -> str:
        return self.name

    def answers(self, request: Mapping[str, Any]) -> Answers:
        self.requests.append(copy.deepcopy(request))
        if "intent" in request["questions"]:
            return {"intent": choice(self.intent)}
        out = {}
        for n, candidate in enumerate(request["state"]["candidates"]):
            level, verbatim = self.rule(candidate["text"])
            out[f"rel_{n}"] = score(level)
            out[f"verbatim_{n}"] = noul(verbatim)
        return out

    def decide(self, request: Mapping[str, Any]) -> Any:
        return {"model": f"{self.name}-1", "answers": self.answers(request)}


class AsyncDecider(Decider):
    """Answers in the loop; its `decide` is never to be called there."""

    async def adecide(self, request: Mapping[str, Any]) -> Any:
        await asyncio.sleep(0)
        return super().decide(request)

    def decide(self, request: Mapping[str, Any]) -> Any:
        raise AssertionError("asked in a thread")


class Sleeper(Decider):
    """Answers, but too late."""

    def __init__(self, seconds: float) -> None:
        super().__init__(lambda text: (0.0, 1.0), calibrated=True)
        self.seconds = seconds

    def decide(self, request: Mapping[str, Any]) -> Any:
        time.sleep(self.seconds)
        return super().decide(request)


class Broken(Decider):
    """Returns what is made of a right answer, or raises what it is given."""

    def __init__(self, spoil: Any) -> None:
        super().__init__(lambda text: (0.0, 1.0), intent="timeline", calibrated=True)
        self.spoil = spoil

    def decide(self, request: Mapping[str, Any]) -> Any:
        response = super().decide(request)
        if isinstance(self.spoil, BaseException):
            raise self.spoil
        return self.spoil(response) if callable(self.spoil) else self.spoil


class Opinion(Decider):
    """Has an opinion of every text, the same each time."""

    def __init__(self, salt: int, calibrated: bool) -> None:
        super().__init__(self.of, intent=INTENTS[salt % 3], calibrated=calibrated)
        self.salt = salt

    def of(self, text: str) -> tuple[float, float]:
        drawn = zlib.crc32(f"{self.salt} {text}".encode())
        return (0.0, 0.25, 1.0, 1.5, 3.0)[drawn % 5], drawn % 7 / 6


_IN_TIME, _IN_ANY_CASE = 0.4, 2.0  # seconds
_TRIES = 8


def on_time(timed: Callable[[], list[float]], within: float = _IN_TIME) -> None:
    """See that calls under a deadline of 200 ms take less than 400 ms each, or than is asked for.

    Others may keep the processor busy, so that a try may be repeated; that the decider, who sleeps
    for a minute, holds up a single one of them is seen in every try.
    """
    tries = []
    for _ in range(_TRIES):
        tries.append(max(timed()))
        assert tries[-1] < _IN_ANY_CASE
        if tries[-1] < within:
            return
    raise AssertionError(f"the slowest of each try took {tries} s")


opinions = st.builds(Opinion, st.integers(0, 2**16), st.booleans())


def fact(subject: str, value: str, at: int = 0, **row: Any) -> dict[str, Any]:
    fields = {"subject": subject, "relation": "is", "object": value}
    return {"grain_type": "fact", "fields": fields, "created_at_sec": at, **row}
