"""How far one passage walks: moves between modules, modules, and forms it takes.

    python benchmarks/walk.py            # this checkout
    python benchmarks/walk.py FOLDER     # another checkout, for instance an older one

One passage is formatted under a budget that shortens it. A move is a call, or the resumption of a
generator, from one module of the package into another. A form is a class of the package whose
instance holds the passage or its text on the way. Both are the same in every run.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
sys.path.insert(0, str(ROOT))

import areev_context  # noqa: E402  # of the checkout that was named
from areev_context import (  # noqa: E402
    ContextAssembler,
    FormatPolicy,
    Passage,
    PassageMapper,
)

PACKAGE = str(Path(areev_context.__file__).parent)
MARK = "the quarterly notice period"
TEXT = (
    f"The lease says that {MARK} is three months. Rent is due on the first of the month. "
    "The deposit is three rents. It is paid into a blocked account. The cellar is damp in May. "
    "The garden is for all. Bicycles stand in the yard. Dogs are allowed, cats are not asked."
)
DEPTH = 4


def count(text: str) -> int:
    return len(text.split())


def holds(value: Any, depth: int = DEPTH) -> bool:
    """Return whether a value is the passage, or holds it at most so many levels deep."""
    if isinstance(value, str):
        return MARK in value
    if depth == 0 or isinstance(value, type) or callable(value):
        return False
    if isinstance(value, dict):
        return any(holds(each, depth - 1) for each in list(value.values()))
    if isinstance(value, tuple | list | set | frozenset):
        return any(holds(each, depth - 1) for each in list(value)[:20])
    names = [*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())]
    return is_ours(value) and any(holds(getattr(value, n, None), depth - 1) for n in names)


def is_ours(value: Any) -> bool:
    return type(value).__module__.startswith("areev_context")


def forms_in(value: Any, found: set[str], depth: int = 2) -> None:
    """Collect the classes of the package that hold the passage."""
    if is_ours(value) and holds(value):
        found.add(f"{type(value).__module__.removeprefix('areev_context.')}.{type(value).__name__}")
    if depth and isinstance(value, tuple | list):
        for each in list(value)[:20]:
            forms_in(each, found, depth - 1)


def main() -> None:
    moves: Counter[tuple[str, str]] = Counter()
    forms: set[str] = set()

    def watch(frame: FrameType, event: str, value: Any) -> None:
        module, caller = frame.f_code.co_filename, frame.f_back
        if not module.startswith(PACKAGE):
            return
        if event == "return":
            forms_in(value, forms)
        if event != "call" or caller is None:
            return
        arguments = [frame.f_locals.get(n) for n in frame.f_code.co_varnames if n in frame.f_locals]
        for each in arguments:
            forms_in(each, forms)
        origin = caller.f_code.co_filename
        if origin.startswith(PACKAGE) and origin != module:
            moves[name(origin), name(module)] += 1

    def name(file: str) -> str:
        return str(Path(file).relative_to(PACKAGE))

    policy = FormatPolicy.gpt4(token_budget=30, query_text="how long is the notice period?")
    assembler = ContextAssembler(counter=count)
    assembler.format(PassageMapper().hits([Passage(TEXT, {"title": "Lease"})]), policy)  # warm
    sys.setprofile(watch)
    try:
        hits = PassageMapper().hits([Passage(TEXT, {"title": "Lease"})])
        context = assembler.format(hits, policy)
    finally:
        sys.setprofile(None)
    assert context.tokens <= 30, context.tokens
    modules = {module for pair in moves for module in pair}
    print(f"{sum(moves.values())} moves, {len(modules)} modules, {len(forms)} forms")
    for form in sorted(forms):
        print("  ", form)
    if "-v" in sys.argv:
        for pair, times in moves.most_common():
            print(f"{times:4} {pair[0]} -> {pair[1]}")


if __name__ == "__main__":
    main()
