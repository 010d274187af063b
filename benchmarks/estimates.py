"""How near `approximate_counter` comes to a real tokenizer, on the passages of the benchmark.

    python benchmarks/estimates.py DATA

DATA is the benchmark's folder. For each set: the tokens by the tokenizer over those estimated, with
a margin of 1.0, in single passages and in pages of twenty passages; and how many pass the estimate
with the default margin.
"""

import argparse
import json
import random
import statistics
from collections.abc import Iterator
from pathlib import Path

from areev_context.tokens import approximate_counter, tiktoken_counter

ENCODINGS = ("cl100k_base", "o200k_base")
MOST, PAGE = 400, 20


def texts_of(path: Path) -> list[str]:
    """Return some texts of a set, the same in every run."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        json.loads(line)["text"] for line in random.Random(5).sample(lines, min(MOST, len(lines)))
    ]


def row(name: str, texts: list[str]) -> Iterator[str]:
    """Yield the cells of a set."""
    plain, usual = approximate_counter("claude", margin=1.0), approximate_counter("claude")
    pages = ["\n\n".join(texts[start : start + PAGE]) for start in range(0, len(texts), PAGE)]
    yield name
    for encoding in ENCODINGS:
        count = tiktoken_counter(encoding)
        ratios = [count(text) / max(1, plain(text)) for text in texts]
        of_pages = [count(page) / max(1, plain(page)) for page in pages]
        over = sum(count(text) > usual(text) for text in texts)
        over_pages = sum(count(page) > usual(page) for page in pages)
        yield f"{statistics.mean(ratios):.2f}"
        yield f"{max(of_pages):.2f}"
        yield f"{100 * over / len(texts):.1f} / {100 * over_pages / len(pages):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of the benchmark")
    folder = parser.parse_args().data
    heads = [
        f"{e}: {what}"
        for e in ENCODINGS
        for what in ("mean", "worst page", "over, % (texts / pages)")
    ]
    print(f"| set | {' | '.join(heads)} |\n| --- |{' ---: |' * len(heads)}")
    for path in sorted(folder.glob("**/*passages.jsonl")):
        print(f"| {' | '.join(row(path.name.split('.')[0], texts_of(path)))} |")


if __name__ == "__main__":
    main()
