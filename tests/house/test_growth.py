"""Time grows with what comes in, and no more; nothing of a passage outlives its call."""

import gc
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from growth import ROWS
from speed import best

_TIMES = 8  # as much; the square of it is 64
_MOST = 13
_NOISE = 0.01  # seconds


@pytest.mark.parametrize(("size", "make"), ROWS.values(), ids=list(ROWS))
def test_time_grows_with_the_input(size: int, make: Callable[[int], Callable[[], Any]]) -> None:
    once, more = make(size // 2), make(size // 2 * _TIMES)
    tries = ((best(2, once), best(1, more)) for _ in range(3))
    assert any(longer < _MOST * short + _NOISE for short, longer in tries)


def pack(words: int) -> None:
    """Pack passages in which each word is another, and none is there again in the next call."""
    pack.calls = getattr(pack, "calls", 0) + 1  # type: ignore[attr-defined]
    own = [f"w{pack.calls}x{n}" for n in range(words)]  # type: ignore[attr-defined]
    texts = [" ".join(own), "c" * 50_000 + str(own), f"{own} 保存期間 {own}", "rent is due"]
    hits = PassageMapper().hits([Passage(text, {"title": text[:50]}) for text in texts])
    for budget, counter in ((200, len), (200, None)):
        policy = FormatPolicy.gpt4(token_budget=budget, query_text=f"rent {own[0]}")
        ContextAssembler(counter=counter).format(hits, policy).report()


def collections() -> dict[str, int]:
    """Return the sizes of all that the modules of the package hold."""
    modules = {name: each for name, each in sys.modules.items() if name.startswith("areev_context")}
    return {
        f"{module}.{name}": len(value)
        for module, each in modules.items()
        for name, value in vars(each).items()
        if isinstance(value, dict | list | set) and not name.startswith("__")
    }


def test_no_text_of_a_passage_outlives_its_call() -> None:
    pack(300)  # what a character looks like is looked up once
    before = collections()
    pack(300)
    assert collections() == before


def test_no_memory_of_a_passage_outlives_its_call() -> None:
    pack(10)
    tracemalloc.start()
    try:
        for _ in range(3):
            pack(300)
        gc.collect()  # what refers to itself ends with it
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < 50_000  # a third of one kind of passage
