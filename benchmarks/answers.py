"""How much of what answers a question is left after packing; `benchmarks/README.md` says more."""

import argparse
import collections
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from packers import GREEDY, HALF, POOL, Item, Pack, harness_of, packers

BUDGETS = (256, 512, 1024, 2048)


@dataclass
class Scores:
    """What one packer reached: each list is of one set, or of one set and budget."""

    evidence: dict[tuple[str, int], list[float]] = field(
        default_factory=lambda: collections.defaultdict(list)
    )
    full: dict[str, list[float]] = field(default_factory=lambda: collections.defaultdict(list))
    answers: dict[str, list[float]] = field(default_factory=lambda: collections.defaultdict(list))
    used: list[float] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)
    over: int = 0

    def of(self, name: str, budget: int) -> float:
        return 100 * statistics.mean(self.evidence[name, budget])

    def mean(self) -> float:
        """Return the evidence kept over sets and budgets, each alike."""
        return statistics.mean(self.of(*cell) for cell in self.evidence)

    def worst_beside(self, other: "Scores") -> float:
        return min(self.of(*cell) - other.of(*cell) for cell in self.evidence)


def measured(harness: Any, those: dict[str, Pack], sample: int) -> dict[str, Scores]:
    found = {name: Scores() for name in those}
    for name in harness.SETS:
        passages, questions = harness.load(name, HALF)
        pools = harness.retrieve(name, HALF, passages, questions, POOL)
        by_id = {passage["id"]: passage for passage in passages}
        speakers = collections.defaultdict(set)
        for passage in passages:
            if passage.get("timestamp") and passage.get("speaker"):
                speakers[passage["group"]].add(passage["speaker"])
        for question, budget in itertools.product(questions[::sample], BUDGETS):
            pool, names = pools[question["id"]], speakers.get(question["group"], ())
            for packer, pack in those.items():
                text, spent = timed(pack, question["question"], pool, budget, harness.count_tokens)
                tokens, scores = harness.count_tokens(text), found[packer]
                score = harness.score(question, text, by_id, names)
                scores.evidence[name, budget].append(score["acov"])
                scores.full[name].append(score["full"])
                if "ans" in score:
                    scores.answers[name].append(score["ans"])
                scores.used.append(tokens / budget)
                scores.spent.append(spent)
                scores.over += tokens > budget
    return found


def timed(
    pack: Pack, question: str, pool: list[Item], budget: int, count: Callable[[str], int]
) -> tuple[str, float]:
    """Return a packed text and the milliseconds of processor time it took."""
    items: list[Item] = [dict(item) for item in pool]
    start = time.process_time()
    text = pack(question, items, budget, count)
    return text, 1000 * (time.process_time() - start)


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def heads(first: str, *others: str) -> list[str]:
    return [row(first, *others), row("---", *["---:"] * len(others))]


def evidence_table(found: dict[str, Scores], sets: Iterable[str]) -> str:
    """Return the evidence kept: the mean, each set at each budget, the worst beside greedy."""
    titles = [f"{name} {BUDGETS[0]} to {BUDGETS[-1]}" for name in sets]
    greedy = found.get(GREEDY)
    if greedy:
        titles.append("worst beside greedy")
    rows = heads("packer", "mean", *titles)
    for packer, scores in found.items():
        cells = [" / ".join(f"{scores.of(name, b):.1f}" for b in BUDGETS) for name in sets]
        if greedy:
            cells.append(f"{scores.worst_beside(greedy):+.1f}")
        rows.append(row(packer, f"{scores.mean():.1f}", *cells))
    return "\n".join(rows)


def rest_table(found: dict[str, Scores], sets: Iterable[str]) -> str:
    """Return what else counts: all evidence there, the answer's words there, tokens, time."""
    answers = [name for name in sets if any(scores.answers[name] for scores in found.values())]
    titles = [f"full {name}" for name in sets] + [f"ans {name}" for name in answers]
    rows = heads("packer", *titles, "of the budget", "over it", "ms")
    for packer, scores in found.items():
        cells = [f"{100 * statistics.mean(scores.full[name]):.1f}" for name in sets]
        cells += [f"{100 * statistics.mean(scores.answers[name]):.1f}" for name in answers]
        used, spent = statistics.mean(scores.used), statistics.mean(scores.spent)
        rows.append(row(packer, *cells, f"{used:.2f}", str(scores.over), f"{spent:.1f}"))
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the benchmark")
    parser.add_argument("--sample", type=int, default=1, help="take every Nth question")
    parser.add_argument("--run", default="", help="only these packers, comma between them")
    options = parser.parse_args()
    harness = harness_of(options.data)
    those = packers(harness)
    wanted = [name for name in options.run.split(",") if name] or list(those)
    if unknown := [name for name in wanted if name not in those]:
        sys.exit(f"no packer {', '.join(unknown)}: there are {', '.join(those)}")
    found = measured(harness, {name: those[name] for name in wanted}, max(1, options.sample))
    count = len(next(iter(found.values())).spent) // len(BUDGETS)
    print(f"{count} questions of the {HALF} half, {POOL} passages each, tokens of cl100k\n")
    print(evidence_table(found, harness.SETS), rest_table(found, harness.SETS), sep="\n\n")


if __name__ == "__main__":
    main()
