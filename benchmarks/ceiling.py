"""What a ceiling in counted tokens costs; `benchmarks/README.md` says what the figures mean."""

import importlib
import importlib.util
import inspect
import itertools
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Passage,
    PassageMapper,
    SearchHit,
    SharedRenderer,
)
from areev_context.tokens import TokenCounter, tiktoken_counter

MODULES = (
    "argparse", "asyncio", "collections", "concurrent.futures", "csv", "datetime", "decimal",
    "email.message", "fractions", "functools", "heapq", "http.client", "ipaddress", "itertools",
    "json", "logging", "multiprocessing", "os", "pathlib", "pickle", "random", "shutil", "socket",
    "sqlite3", "ssl", "statistics", "string", "subprocess", "tarfile", "tempfile", "threading",
    "tokenize", "typing", "unittest", "urllib.request", "uuid", "zipfile",
)  # fmt: skip
PRESETS = {"SML": "claude", "Markdown": "gpt4"}
BUDGETS = (256, 512, 1024, 2048, 4096)
ENCODINGS = ("cl100k_base", "o200k_base")
SIZES = (500, 1000, 5000)
PASSAGES, TOKENS = 50, 200
ROUNDS = 15


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield the documentation of the standard library, word by word, with its module."""
    for name in MODULES:
        module = importlib.import_module(name)
        named = sorted(vars(module).items())
        for member in (module, *(value for key, value in named if key[0] != "_")):
            if inspect.isroutine(member) or inspect.isclass(member) or inspect.ismodule(member):
                yield from ((name, word) for word in (inspect.getdoc(member) or "").split())


def passages(count: int, tokens: int, counter: TokenCounter) -> list[SearchHit]:
    """Return hits of about so many tokens each, best first; the text begins anew when it ends.

    Each starts with its number, so that no two are duplicates.
    """
    found: list[Passage] = []
    text, size = ["Passage 0."], 0
    for module, word in itertools.cycle(docstrings()):
        text.append(word)
        size += counter(f" {word}")
        if size >= tokens:
            score = 1 - len(found) / (count + 1)
            found.append(Passage(" ".join(text), {"title": module}, score))
            text, size = [f"Passage {len(found)}."], 0
        if len(found) == count:
            return PassageMapper().hits(found)
    raise AssertionError("a cycle does not end")


def free(text: str) -> int:
    return len(text) // 4


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


class Tally:
    """A counter that remembers how many tokens it counted, and in how many calls."""

    def __init__(self, counter: TokenCounter) -> None:
        self.counter = counter
        self.calls = self.tokens = 0

    def __call__(self, text: str) -> int:
        found = self.counter(text)
        self.calls += 1
        self.tokens += found
        return found


def compared(hits: list[SearchHit], policy: FormatPolicy, counter: TokenCounter) -> str:
    """Return one row: the call against one count of all candidates and the core's own time."""
    whole = SharedRenderer("document")
    candidates = "\n".join(whole.render(hit.grain, policy) for hit in hits)
    counted, uncounted = ContextAssembler(counter=counter), ContextAssembler(counter=free)
    times = [
        (
            seconds(lambda: counted.format(hits, policy)),
            seconds(lambda: counter(candidates)),
            seconds(lambda: uncounted.format(hits, policy)),
        )
        for _ in range(ROUNDS + 1)
    ][1:]  # the first one warms up
    call, once, core = (statistics.median(column) for column in zip(*times, strict=True))
    tally = Tally(counter)
    shown = ContextAssembler(counter=tally).format(hits, policy)
    return (
        f"{shown.tokens:6} {call * 1000:8.2f} {once * 1000:9.2f} {core * 1000:7.2f} "
        f"{call / (once + core):6.2f} {tally.tokens / counter(candidates):8.2f} {tally.calls:6}"
    )


def growth(hits: list[SearchHit], policy: FormatPolicy, counter: TokenCounter) -> str:
    assembler = ContextAssembler(counter=counter)
    times = [seconds(lambda: assembler.format(hits, policy)) for _ in range(4)][1:]
    tally = Tally(counter)
    ContextAssembler(counter=tally).format(hits, policy)
    middle = statistics.median(times)
    return f"{middle * 1000:9.1f} {middle / len(hits) * 1e6:11.1f} {tally.calls / len(hits):9.2f}"


def vocabularies() -> None:
    """Name the folder in which llama-index-core ships vocabularies, unless one is named."""
    if importlib.util.find_spec("llama_index") is None:
        sys.exit("the vocabularies are llama-index-core's: pip install '.[dev]'")
    core = importlib.util.find_spec("llama_index.core")
    if core is None or core.origin is None:
        sys.exit("the vocabularies are llama-index-core's: pip install '.[dev]'")
    os.environ.setdefault(
        "TIKTOKEN_CACHE_DIR", str(Path(core.origin).parent / "_static" / "tiktoken_cache")
    )


def main() -> None:
    vocabularies()
    counters = {name: tiktoken_counter(name) for name in ENCODINGS}
    hits = passages(PASSAGES, TOKENS, counters[ENCODINGS[0]])
    print(f"{PASSAGES} passages of {TOKENS} tokens; milliseconds, medians of {ROUNDS} rounds\n")
    print("format   encoding    budget tokens     call one count    core  ratio  counted  calls")
    for (name, preset), encoding, budget in itertools.product(PRESETS.items(), ENCODINGS, BUDGETS):
        policy = FormatPolicy.preset(preset, token_budget=budget)
        print(f"{name:8} {encoding:11} {budget:6} {compared(hits, policy, counters[encoding])}")
    print("\nhits    milliseconds  per hit, us  calls/hit   (SML, cl100k_base, budget 2048)")
    for size in SIZES:
        many = passages(size, TOKENS, counters[ENCODINGS[0]])
        policy = FormatPolicy.claude(token_budget=2048)
        print(f"{size:5}     {growth(many, policy, counters[ENCODINGS[0]])}")


if __name__ == "__main__":
    main()
