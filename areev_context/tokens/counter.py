"""A counter of the application: what it may be, and the checks of what it returns."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

from areev_context.errors import CounterError
from areev_context.policy import LARGEST
from areev_context.text.foreign import shown

__all__ = ["BatchCounter", "Counter", "TokenCounter", "name_of"]

TokenCounter = Callable[[str], int]
"""A callable that returns the number of tokens of a text: a whole number, 0 or more."""


@runtime_checkable
class BatchCounter(Protocol):
    """A counter that takes many texts in one call, such as a service behind a network.

    An assembly with a budget calls it at most four times, whatever the number of hits. Between the
    calls, sizes are estimated from its earlier answers; the last answer makes the budget a ceiling.

    It may have an attribute ``batch_size``: the number of texts that one call may have, 1 or more.
    Without it, a call may have any number of texts.
    """

    def count_all(self, texts: Sequence[str], /) -> Sequence[int]:
        """Return the number of tokens of each text, in order."""
        ...


class Counter:
    """A counter of the application, with its name; the empty text has 0 tokens.

    Attributes:
        name: Its name in reports and errors.
        in_batches: Whether it takes many texts in one call.
        batch_size: The number of texts that one call may have; None = any.
    """

    def __init__(self, count: TokenCounter | BatchCounter, *, most: int = LARGEST) -> None:
        self._source = count
        self._most = most
        self.name = name_of(count)
        self.in_batches = isinstance(count, BatchCounter)
        self.batch_size: int | None = getattr(count, "batch_size", None)

    def up_to(self, most: int) -> Counter:
        """Return the same counter with a limit: a larger count becomes `most`."""
        return Counter(self._source, most=most)

    def __call__(self, text: str) -> int:
        """Return the tokens of a text.

        Raises:
            CounterError: The counter raised, or returned no whole number from 0 up, or one of
                over 600 digits.
        """
        if not text:
            return 0
        if isinstance(self._source, BatchCounter):
            return self.count_all([text])[0]
        try:
            tokens = self._source(text)
        except Exception as error:
            raise self._refusal(f"raised {type(error).__name__}: {error}") from error
        return self._checked(tokens)

    def count_all(self, texts: Iterable[str]) -> list[int]:
        """Return the tokens of each text, in order: in one call, if the counter takes batches.

        Raises:
            CounterError: As for one text; or the counter returned another number of counts.
        """
        texts = list(texts)
        asked = [text for text in texts if text]
        if not isinstance(self._source, BatchCounter):
            return [self(text) for text in texts]
        if not asked:
            return [0] * len(texts)
        try:
            found = list(self._source.count_all(asked))
        except Exception as error:
            raise self._refusal(f"raised {type(error).__name__}: {error}") from error
        if len(found) != len(asked):
            raise self._refusal(f"returned {len(found)} counts; give one for each of {len(asked)}")
        counts = map(self._checked, found)
        return [next(counts) if text else 0 for text in texts]

    def _checked(self, counted: Any) -> int:
        try:
            tokens: object = _whole(counted)
        except Exception as error:
            raise self._refusal(f"raised {type(error).__name__}: {error}") from error
        if type(tokens) is not int or not 0 <= tokens < LARGEST:
            raise self._refusal(f"returned {shown(tokens)}; give a whole number, 0 or more")
        return min(tokens, self._most)

    def _refusal(self, what: str) -> CounterError:
        return CounterError(f"the token counter {self.name} {what}", counter=self.name)


def _whole(tokens: Any) -> object:
    """Return a whole number of another library's as one of Python's; all else as it is."""
    if type(tokens) is bool or not hasattr(type(tokens), "__index__"):
        return tokens
    return int.__index__(operator.index(tokens))


def name_of(count: object) -> str:
    """Return the ``name`` of a counter, else the name of its function, else of its type."""
    for attribute in ("name", "__name__"):
        name = getattr(count, attribute, None)
        if isinstance(name, str) and name and name != "<lambda>":
            return name
    return type(count).__name__
