"""Laws about several things that are drawn by name: tests, and rows of the fuzzer's table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from amount import examples

EXAMPLES = examples(300)
LAWS: dict[str, tuple[Callable[[Any], None], SearchStrategy[Any]]] = {}
"""Every law by its name: the check, and what is drawn for it."""


def drawn(times: int = 1, **strategies: SearchStrategy[Any]) -> Callable[[Any], Any]:
    """Register a check, and make it a test of `EXAMPLES` examples.

    Args:
        times: How many times as many examples.
        strategies: What is drawn for each of its arguments.
    """
    often = settings(max_examples=times * EXAMPLES, derandomize=True, database=None, deadline=None)

    def register(check: Any) -> Any:
        holds = st.fixed_dictionaries(strategies)
        LAWS[check.__name__.removeprefix("test_")] = (lambda example: check(**example), holds)
        return often(given(**strategies)(check))

    return register
