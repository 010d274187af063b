"""Microseconds a hit: how fast hits become text, by format, number of hits and budget.

    python benchmarks/speed.py [--rounds 7]

Hits are mixed: facts, events, tool calls and goals of about 200 characters, one type of each in
five, two in five facts. Validation of rows is measured apart from `format` on validated hits, which
includes escaping and outcomes. Each figure is the best of several rounds in one run.
"""

import argparse
import gc
import random
import time
from collections.abc import Callable
from typing import Any

from areev_context import ContextAssembler, FormatPolicy, load_hits
from areev_context.extend import OutputFormat

SIZES = (10, 100, 1_000, 10_000)
WORDS = [
    "order",
    "parcel",
    "Basel",
    "walnut",
    "lamp",
    "customer",
    "carrier",
    "Milan",
    "Turin",
    "refund",
    "delay",
    "reroute",
    "desk",
    "yearly",
    "plan",
    "address",
]


def sentence(draw: random.Random, words: int) -> str:
    return " ".join(draw.choice(WORDS) for _ in range(words))


def row(number: int, draw: random.Random) -> dict[str, Any]:
    match number % 5:
        case 0 | 1:
            kind, own = "fact", {"subject": sentence(draw, 1), "relation": sentence(draw, 2)}
            own["object"] = sentence(draw, 25)
        case 2:
            kind, own = "event", {"role": "user", "content": sentence(draw, 30)}
        case 3:
            kind, own = "tool", {"tool_name": "carrier.track", "tool_content": sentence(draw, 29)}
        case _:
            kind, own = "goal", {"description": sentence(draw, 28), "goal_state": "active"}
    about = {"confidence": round(draw.random(), 2), "namespace": "desk"}
    created = {"created_at": 1_700_000_000_000 + number * 86_400_000 % 10**11}
    score = round(1 - number / 20_000, 4)
    fields = own | about | created
    return {"grain_type": kind, "hash": f"{number:064x}", "fields": fields, "score": score}


def best(rounds: int, once: Callable[[], object]) -> float:
    """Return the seconds of the fastest round, the garbage collector off as in `timeit`."""
    times = []
    gc.disable()
    for _ in range(rounds):
        began = time.process_time()
        once()
        times.append(time.process_time() - began)
    gc.enable()
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    draw, assembler = random.Random(3), ContextAssembler()
    rows = [row(number, draw) for number in range(max(SIZES))]
    print("| what | " + " | ".join(f"{size:,} hits" for size in SIZES) + " | 10,000 : 1,000 |")
    print("| --- |" + " ---: |" * (len(SIZES) + 1))
    line("validation of rows", rounds, [lambda n=n: load_hits(rows[:n]) for n in SIZES])
    hits = load_hits(rows)
    for name in OutputFormat:
        for budget in (None, 4_000):
            policy = FormatPolicy(format=name, token_budget=budget)
            label = f"{name}, " + ("no budget" if budget is None else f"budget {budget:,}")
            line(
                label, rounds, [lambda n=n, p=policy: assembler.format(hits[:n], p) for n in SIZES]
            )


def line(label: str, rounds: int, runs: list[Callable[[], object]]) -> None:
    seconds = [best(rounds, run) for run in runs]
    cells = [f"{s / size * 1e6:.1f}" for s, size in zip(seconds, SIZES, strict=True)]
    print(f"| {label} | {' | '.join(cells)} | {seconds[-1] / seconds[-2]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
