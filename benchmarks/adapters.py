"""Microseconds a document: what an adapter adds to the core's own work on the same passages.

    python benchmarks/adapters.py [--rounds 15]

The core's own is `PassageMapper().hits` and `ContextAssembler.format`, or `format_each` where the
adapter returns one thing a document, with the query in policy and hints. An adapter does the same,
and turns a framework's documents into passages, the text into what the framework takes, and tells
of a run. Both are measured in turn, in processor time, Markdown of passages of about 400
characters; each figure is the least of several rounds in one run.
"""

import argparse
import random
from collections.abc import Callable, Iterator, Sequence

from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode
from speed import best, sentence

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper, RenderingHints
from areev_context.tokens import estimate_tokens
from langchain_areev_context import ContextCompressor, ContextRunnable
from llama_index.postprocessor.areev_context import ContextPostprocessor

SIZES = (10, 50, 500)
QUERY = "which order waits in Basel?"
Call = Callable[[], object]


def drawn(count: int) -> list[Passage]:
    draw = random.Random(3)
    return [
        Passage(
            f"{sentence(draw, 30)}. {sentence(draw, 30)}.",
            {"title": f"t{n}", "page": n},
            None,
            f"p{n}",
        )
        for n in range(count)
    ]


def core(passages: list[Passage], policy: FormatPolicy, each: bool) -> Call:
    assembler, mapper = ContextAssembler(counter=estimate_tokens), PassageMapper()
    asked, hints = policy.replace(query_text=QUERY), RenderingHints(query_text=QUERY)
    own = assembler.format_each if each else assembler.format
    return lambda: own(mapper.hits(passages), asked, hints)


def langchain(passages: list[Passage], policy: FormatPolicy) -> Iterator[tuple[str, bool, Call]]:
    """Yield what is measured: its name, whether it returns one thing a document, and the call."""
    documents = [Document(p.text or "", id=p.id, metadata=dict(p.metadata)) for p in passages]
    runnable, given = ContextRunnable(policy=policy), {"documents": documents, "query": QUERY}
    one = ContextCompressor(policy=policy)
    each = ContextCompressor(policy=policy, returns="documents")
    yield "LangChain, runnable", False, lambda: runnable.invoke(given)
    yield "LangChain, compressor", False, lambda: one.compress_documents(documents, QUERY)
    yield (
        "LangChain, compressor, one by one",
        True,
        lambda: each.compress_documents(documents, QUERY),
    )


def llamaindex(passages: list[Passage], policy: FormatPolicy) -> Iterator[tuple[str, bool, Call]]:
    """Yield the same of LlamaIndex, with the core's counter instead of its own tokenizer."""
    nodes = [
        NodeWithScore(node=TextNode(id_=p.id or "", text=p.text or "", metadata=dict(p.metadata)))
        for p in passages
    ]
    one = ContextPostprocessor(policy=policy, counter=estimate_tokens)
    each = ContextPostprocessor(policy=policy, counter=estimate_tokens, returns="nodes")
    yield "LlamaIndex, one node", False, lambda: one.postprocess_nodes(nodes, query_str=QUERY)
    yield "LlamaIndex, a node each", True, lambda: each.postprocess_nodes(nodes, query_str=QUERY)


ADAPTERS = (langchain, llamaindex)


def over(rounds: int, call: Call, own: Call) -> tuple[float, float]:
    """Return the seconds of the core's own, and those that a call takes more."""
    times = [(best(1, own), best(1, call)) for _ in range(rounds)]
    least = min(time for time, _ in times)
    return least, min(time for _, time in times) - least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=25)
    rounds = parser.parse_args().rounds
    jobs = [drawn(size) for size in SIZES]
    print("| adapter | budget | " + " | ".join(f"{size} documents" for size in SIZES) + " |")
    print("| --- | ---: |" + " ---: |" * len(SIZES))
    for adapter in ADAPTERS:
        for budget in (None, 2_000):
            policy = FormatPolicy.gpt4(token_budget=budget)
            for runs in zip(*(adapter(job, policy) for job in jobs), strict=True):
                row(runs, jobs, policy, rounds)


def row(
    runs: Sequence[tuple[str, bool, Call]],
    jobs: list[list[Passage]],
    policy: FormatPolicy,
    rounds: int,
) -> None:
    cells = []
    for (_, each, call), job in zip(runs, jobs, strict=True):
        own, more = over(rounds, call, core(job, policy, each))
        cells.append(f"{own / len(job) * 1e6:.1f} {more / len(job) * 1e6:+.1f}")
    budget = "none" if policy.token_budget is None else f"{policy.token_budget:,}"
    print(f"| {runs[0][0]} | {budget} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
