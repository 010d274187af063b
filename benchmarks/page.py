"""Milliseconds and bytes of the page of 1 000 hits: `ctx.to_html()`, the first time it is asked.

    python benchmarks/page.py [--rounds 7]

The hits are those of `speed.py`. Each figure is the best of several rounds, each on a context of
its own: what is asked a second time finds its entries counted.
"""

import argparse
import random
import time

from ceiling import vocabularies
from speed import row

from areev_context import ContextAssembler, FormatPolicy, SearchHit, load_hits
from areev_context.extend import OutputFormat
from areev_context.tokens import tiktoken_counter

HITS = 1_000
BUDGETS = (None, 20_000)


def measured(
    assembler: ContextAssembler, hits: list[SearchHit], policy: FormatPolicy, rounds: int
) -> tuple[float, int]:
    """Return the seconds of the fastest round, and the bytes of the page."""
    seconds, page = [], ""
    for _ in range(rounds):
        context = assembler.format(hits, policy)
        began = time.process_time()
        page = context.to_html()
        seconds.append(time.process_time() - began)
    return min(seconds), len(page.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    vocabularies()
    draw = random.Random(3)
    hits = load_hits([row(number, draw) for number in range(HITS)])
    counters = {"estimate": None, "o200k_base": tiktoken_counter("o200k_base")}
    print("| format | budget | tokens by | milliseconds | kB |")
    print("| --- | ---: | --- | ---: | ---: |")
    for name in OutputFormat:
        for budget in BUDGETS:
            for label, counter in counters.items():
                policy = FormatPolicy(format=name, token_budget=budget)
                taken, size = measured(ContextAssembler(counter=counter), hits, policy, rounds)
                most = "none" if budget is None else f"{budget:,}"
                print(f"| {name} | {most} | {label} | {taken * 1e3:.0f} | {size / 1e3:.0f} |")


if __name__ == "__main__":
    main()
