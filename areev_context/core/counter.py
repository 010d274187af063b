"""Token counters of a host, held to what they promise."""

from __future__ import annotations

import operator
from collections.abc import Callable

from areev_context.core.errors import CounterError

__all__ = ["Counter", "TokenCounter"]

TokenCounter = Callable[[str], int]
"""Any callable that returns how many tokens a text costs: a whole number, 0 or more."""


class Counter:
    """A host's counter by its name; the empty text is free.

    Attributes:
        name: How reports and errors call it.
    """

    def __init__(self, count: TokenCounter) -> None:
        self._count = count
        self.name = name_of(count)

    def __call__(self, text: str) -> int:
        """Return the tokens of a text.

        Raises:
            CounterError: The counter raised, or returned no whole number from 0 up.
        """
        if not text:
            return 0
        try:
            tokens: object = _whole(self._count(text))
        except Exception as error:
            raise self._refusal(f"raised {type(error).__name__}: {error}") from error
        if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
            raise self._refusal(f"returned {tokens!r}; give a whole number, 0 or more")
        return tokens

    def _refusal(self, what: str) -> CounterError:
        return CounterError(f"the token counter {self.name} {what}", counter=self.name)


def _whole(tokens: object) -> object:
    """Return a whole number of another library's as one of Python's; all else as it is."""
    if isinstance(tokens, int) or not hasattr(tokens, "__index__"):
        return tokens
    return operator.index(tokens)


def name_of(count: TokenCounter) -> str:
    """Return the name a counter gives itself, else its function's, else its type's."""
    for attribute in ("name", "__name__"):
        name = getattr(count, attribute, None)
        if isinstance(name, str) and name and name != "<lambda>":
            return name
    return type(count).__name__
