"""What is kept of the evidence when a perfect reranker has put it first; README.md says more.

    python benchmarks/reranked.py DATA [--sample 1]

The pools of the benchmark are ordered anew: the passages with evidence first, then the others, with
scores that fall from 0.99 to 0.01. Each is packed as whole items in that order, with
`PassageMapper(scores="reranker")`, and without that option.
"""

import argparse
import collections
import itertools
import statistics
from pathlib import Path
from typing import Any

from answers import BUDGETS, heads, row
from packers import GREEDY, HALF, POOL, Item, Pack, harness_of, passage

from areev_context import ContextAssembler, FormatPolicy, PassageMapper


def ours(**options: Any) -> Pack:
    mapper = PassageMapper(**options)

    def pack(question: str, items: list[Item], budget: int, count: Any) -> str:
        policy = FormatPolicy.gpt4(token_budget=budget)
        hits = mapper.hits([passage(item) for item in items])
        return ContextAssembler(counter=count).format(hits, policy, query=question).text

    return pack


def reranked(pool: list[Item], question: Any) -> list[Item]:
    """Return a pool with its evidence first, and scores from 0.99 down to 0.01."""
    gold = {passage_id for each in question["evidence"] for passage_id in each["ids"]}
    ordered = sorted(pool, key=lambda item: item["id"] not in gold)
    step = 0.98 / max(1, len(pool) - 1)
    return [{**item, "score": 0.99 - step * place} for place, item in enumerate(ordered)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of the benchmark")
    parser.add_argument("--sample", type=int, default=1, help="take every Nth question")
    options = parser.parse_args()
    harness = harness_of(options.data)
    packers: dict[str, Pack] = {
        "whole items": getattr(harness, GREEDY),
        'scores="reranker"': ours(scores="reranker"),
        "without the option": ours(),
    }
    found: dict[str, dict[tuple[str, int], list[float]]] = {
        name: collections.defaultdict(list) for name in packers
    }
    for name in harness.SETS:
        passages, questions = harness.load(name, HALF)
        pools = harness.retrieve(name, HALF, passages, questions, POOL)
        by_id = {each["id"]: each for each in passages}
        speakers = collections.defaultdict(set)
        for each in passages:
            if each.get("timestamp") and each.get("speaker"):
                speakers[each["group"]].add(each["speaker"])
        for question, budget in itertools.product(questions[:: options.sample], BUDGETS):
            pool = reranked(pools[question["id"]], question)
            for packer, pack in packers.items():
                items: list[Item] = [dict(item) for item in pool]
                text = pack(question["question"], items, budget, harness.count_tokens)
                score = harness.score(question, text, by_id, speakers.get(question["group"], ()))
                found[packer][name, budget].append(score["acov"])
    titles = [f"{name} {BUDGETS[0]} to {BUDGETS[-1]}" for name in harness.SETS]
    lines = heads("packed", "mean", *titles)
    for packer, cells in found.items():
        means = {cell: 100 * statistics.mean(values) for cell, values in cells.items()}
        of_sets = [" / ".join(f"{means[s, b]:.1f}" for b in BUDGETS) for s in harness.SETS]
        lines.append(row(packer, f"{statistics.mean(means.values()):.1f}", *of_sets))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
