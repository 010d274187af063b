"""Token counters of a host, held to what they promise."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from areev_context.core.errors import CounterError
from areev_context.core.foreign import shown
from areev_context.core.policy import LARGEST

__all__ = ["Counter", "TokenCounter"]

TokenCounter = Callable[[str], int]
"""Any callable that returns how many tokens a text costs: a whole number, 0 or more."""


class Counter:
    """A host's counter by its name; the empty text is free.

    Attributes:
        name: How reports and errors call it.
    """

    def __init__(self, count: TokenCounter, *, most: int = LARGEST) -> None:
        self._count = count
        self._most = most
        self.name = name_of(count)

    def up_to(self, most: int) -> Counter:
        """Return the same counter, which takes a larger count for this one."""
        return Counter(self._count, most=most)

    def __call__(self, text: str) -> int:
        """Return the tokens of a text.

        Raises:
            CounterError: The counter raised, or returned no whole number from 0 up, or one of
                over 600 digits.
        """
        if not text:
            return 0
        try:
            tokens: object = _whole(self._count(text))
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


def name_of(count: TokenCounter) -> str:
    """Return the name a counter gives itself, else its function's, else its type's."""
    for attribute in ("name", "__name__"):
        name = getattr(count, attribute, None)
        if isinstance(name, str) and name and name != "<lambda>":
            return name
    return type(count).__name__
