"""What packs a context: this library, what people install today, and a benchmark's baselines.

Run as a script it prints what one job costs each of them; `benchmarks/README.md` says how.
"""

import argparse
import importlib
import importlib.util
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper

Item = Mapping[str, Any]
"""One passage of a benchmark: id, text, timestamp, speaker, source, score."""
Pack = Callable[[str, list[Item], int, Callable[[str], int]], str]
"""A packer: from a query, passages best first, a budget and a counter to one text."""

PRESETS = ("gpt4", "claude", "gemini", "local_small", "json_api")
GREEDY = "greedy_skip"
INSTALL = "pip install -r {}/requirements.txt promptbudget contextcram llm-ctxpack"
HALF, POOL = "dev", 50
BUDGET, QUESTIONS, ROUNDS = 1024, 10, 5  # of the table of costs


def harness_of(folder: Path) -> Any:
    """Return the harness that lies beside the data, or end with a line that says what is missing.

    Nothing of it is copied: its licences allow use, not redistribution.
    """
    script = folder / "harness.py"
    if not script.is_file() or not (folder / "data").is_dir():
        print(f"{folder} holds no benchmark: give the folder with harness.py and data/")
        sys.exit(2)
    spec = importlib.util.spec_from_file_location("harness", script)
    assert spec is not None
    assert spec.loader is not None
    harness = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(harness)
    except ImportError as missing:
        print(f"the benchmark needs {missing.name}: {INSTALL.format(folder)}")
        sys.exit(2)
    return harness


# --- this library -----------------------------------------------------------------------------


def passage(item: Item) -> Passage:
    """Return a passage as a user has it: a turn of a chat is an event, all else a document."""
    metadata = {"source": item["source"]}
    if item["speaker"]:
        metadata = {
            "grain_type": "event",
            "speaker": item["speaker"],
            "created_at": item["timestamp"],
            "namespace": item["source"],
        }
    return Passage(item["text"], metadata, item["score"], item["id"])


def ours(preset: str) -> Pack:
    mapper = PassageMapper()

    def pack(question: str, items: list[Item], budget: int, count: Callable[[str], int]) -> str:
        policy = FormatPolicy.preset(preset, token_budget=budget, query_text=question)
        hits = mapper.hits([passage(item) for item in items])
        return ContextAssembler(counter=count).format(hits, policy).text

    return pack


# --- what people install today, as their own pages say ----------------------------------------


def promptbudget(harness: Any) -> Pack:
    library = importlib.import_module("promptbudget")

    def pack(_: str, items: list[Item], budget: int, count: Callable[[str], int]) -> str:
        if not items:
            return ""
        found = [library.Item(harness.fmt(item), score=item["score"]) for item in items]
        section = library.Section("retrieval", found, strategy="lowest_score_first")
        return str(library.pack([section], budget=budget, tokenizer=count).text)

    return pack


def contextcram(harness: Any) -> Pack:
    library = importlib.import_module("contextcram")
    tokenizers = importlib.import_module("contextcram.tokenizers")

    def pack(_: str, items: list[Item], budget: int, count: Callable[[str], int]) -> str:
        packer = library.Packer(budget=budget, tokenizer=tokenizers.CallableTokenizer(count))
        for place, item in enumerate(items):
            packer.add(harness.fmt(item), priority=-place, strategy="drop")
        return str(packer.fit().text)

    return pack


def llm_ctxpack(harness: Any) -> Pack:
    library = importlib.import_module("llm_ctxpack")

    def pack(_: str, items: list[Item], budget: int, __: Callable[[str], int]) -> str:
        found = [
            library.ContextItem(item["id"], harness.fmt(item), priority=-place)
            for place, item in enumerate(items)
        ]
        return str(library.pack(found, budget=budget, encoding="cl100k_base").render())

    return pack


INSTALLED: dict[str, Callable[[Any], Pack]] = {
    "promptbudget": promptbudget,
    "contextcram": contextcram,
    "llm_ctxpack": llm_ctxpack,
}


TRIAL = {"id": "a", "text": "b", "timestamp": None, "speaker": None, "source": "c", "score": 1.0}


def packers(harness: Any) -> dict[str, Pack]:
    """Return every packer that can be had here, its imports done; the rest is named as missing."""
    found: dict[str, Pack] = {preset: ours(preset) for preset in PRESETS}
    makes = {baseline.__name__: lambda _, plain=baseline: plain for baseline in harness.BASELINES}
    for name, make in (makes | INSTALLED).items():
        try:
            pack = make(harness)
            pack("b", [TRIAL], BUDGET, harness.count_tokens)
        except ImportError as missing:
            print(f"{name} is left out, {missing.name} is not installed", file=sys.stderr)
        else:
            found[name] = pack
    return found


# --- what one job costs -----------------------------------------------------------------------


def jobs(harness: Any) -> list[tuple[str, list[Item]]]:
    """Return the first questions of each set whose pool is full, with their passages."""
    found: list[tuple[str, list[Item]]] = []
    for name in harness.SETS:
        passages, questions = harness.load(name, HALF)
        pools = harness.retrieve(name, HALF, passages, questions, POOL)
        full = (question for question in questions if len(pools[question["id"]]) == POOL)
        of_set = itertools.islice(full, QUESTIONS)
        found += [(question["question"], pools[question["id"]]) for question in of_set]
    return found


def speed(harness: Any) -> str:
    """Return the table: the same jobs for all, turn by turn, so that they share the weather."""
    todo, those = jobs(harness), packers(harness)
    spent: dict[str, list[float]] = {name: [] for name in those}
    for pack in those.values():
        pack(*todo[0], BUDGET, harness.count_tokens)
    for question, items in todo:
        of_job: dict[str, list[float]] = {name: [] for name in those}
        for _, (name, pack) in itertools.product(range(ROUNDS), those.items()):
            start = time.process_time()
            pack(question, items, BUDGET, harness.count_tokens)
            of_job[name].append(1000 * (time.process_time() - start))
        for name, times in of_job.items():
            spent[name].append(statistics.median(times))
    greedy = statistics.mean(spent[GREEDY])
    rows = [
        f"| {name} | {statistics.mean(times):.1f} | {max(times):.1f} "
        f"| {statistics.mean(times) / greedy:.2f} |"
        for name, times in spent.items()
    ]
    return "\n".join(
        ["| packer | ms, mean | ms, slowest | of greedy |", "| --- | ---: | ---: | ---: |", *rows]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the benchmark")
    harness = harness_of(parser.parse_args().data)
    print(f"{POOL} passages, budget {BUDGET} in cl100k; milliseconds of processor time\n")
    print(speed(harness))


if __name__ == "__main__":
    main()
