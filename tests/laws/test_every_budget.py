"""A budget is a ceiling: random assemblies, of which none is over it by the counter in use.

A thousand of them guard a change, 100,000 are tried in a night. What is assembled, how, and with
which counter is drawn by a seed, which stands in the name of the test that fails.
"""

import asyncio
import contextlib
import io
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from amount import PROFILE
from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Passage,
    PassageMapper,
    RenderingHints,
    SearchHit,
)
from areev_context.cli import main
from areev_context.extend import GRAIN_TYPES, PRESETS, MetadataLevel, Ordering, OutputFormat
from areev_context.layout.all_modes import MODES
from areev_context.tokens import approximate_counter, counter_from, estimate_tokens
from awkward import METADATA, TEXTS, TOON_STRINGS
from counters import COUNTERS, cl100k, erratic, o200k
from leads import LEADS, led

SEEDS = 20
TIMES = {"quick": 5, "test": 50, "nightly": 5_000}[PROFILE]
"""Assemblies a seed."""

SHORT = [text for name, text in TEXTS.items() if name != "huge"] + TOON_STRINGS
WORDS = (
    "The", "walnut", "desk", "arrived", "late.", "Refund!", "<b>no", "保存期間は三年間です。", "é",
    "42", "😀", "[3]", "#1", "C:\\dir",
)  # fmt: skip
ODD_VALUES = list(METADATA.values())
MAIN = ("object", "content", "description", "conclusion", "tool_content", "agreed_content")
QUERIES = [None, "what is the desk?", "when did the desk arrive?", "how many refunds?"]


class Counting(NamedTuple):
    """A counter as an application gives it, and what it counts; None = none is given."""

    given: Any
    counts: Callable[[str], int]


class Batches:
    """A counter of batches, which has no function for one text."""

    def __init__(self, count: Callable[[str], int], size: int | None = None) -> None:
        self.count = count
        if size is not None:
            self.batch_size = size

    def count_all(self, texts: Sequence[str], /) -> list[int]:
        return [self.count(text) for text in texts]


class Client:
    """A client of a service that counts messages, one request a text."""

    @property
    def messages(self) -> "Client":
        return self

    def count_tokens(self, *, model: str, messages: list[dict[str, str]]) -> dict[str, int]:
        return {"input_tokens": sum(7 + cl100k(message["content"]) for message in messages)}


def of_messages(messages: list[dict[str, str]]) -> int:
    return sum(4 + len(message["content"]) // 3 for message in messages)


COUNTED: dict[str, Counting] = {
    "no counter": Counting(None, estimate_tokens),
    **{name: Counting(count, count) for name, count in COUNTERS.items() if name != "mistral"},
    "erratic": Counting(erratic, erratic),
    "batches": Counting(Batches(o200k), o200k),
    "batches of five": Counting(Batches(cl100k, 5), cl100k),
    "erratic batches": Counting(Batches(erratic), erratic),
    "messages": Counting(
        counter_from(of_messages), lambda text: of_messages([{"role": "user", "content": text}])
    ),
    "a client": Counting(counter_from(Client(), model="m"), lambda text: 7 + cl100k(text)),
    "claude, estimated": Counting(approximate_counter("claude"), approximate_counter("claude")),
}
ENCODINGS = {None: estimate_tokens, "cl100k_base": cl100k, "o200k_base": o200k}


def text_of(drawn: random.Random) -> str:
    if drawn.random() < 0.3:
        return drawn.choice(SHORT)
    most = drawn.choice([3, 12, 60, 300])
    return drawn.choice([" ", " ", "\n"]).join(drawn.choices(WORDS, k=drawn.randint(0, most)))


def row_of(drawn: random.Random, place: int, odd_values: Sequence[Any] = ()) -> dict[str, Any]:
    main_text, name = text_of(drawn), drawn.choice(["alice", "bob", "", "<b>", "\n## Facts"])
    odd = drawn.choice([{}, {}, {}, drawn.choice(odd_values or [{}])])
    row = {
        "grain_type": drawn.choice([*GRAIN_TYPES, "ticket"]),
        "hash": f"{place:x}",
        "score": drawn.choice([None, 0.0, 0.3, 0.9]),
        "created_at_sec": drawn.choice([0, 1_700_000_000, 1_700_090_000]),
        "source_namespace": name,
        "fields": {**dict.fromkeys(("subject", "name", "title"), name), "relation": "is",
                   "context": {"label": main_text}, **dict.fromkeys(MAIN, main_text), **odd},
    }  # fmt: skip
    newer = drawn.randint(0, 12)
    if drawn.random() < 0.3 and newer != place:
        row |= {"supersession_status": "superseded", "superseded_by_hash": f"{newer:x}"}
    return row


def passages_of(drawn: random.Random) -> list[Passage]:
    return [
        Passage(text_of(drawn), {"title": drawn.choice(SHORT), "page": place}, 1 - place / 20)
        for place in range(drawn.choice([0, 1, 4, 12, 20]))
    ]


def budget_of(drawn: random.Random) -> int:
    return drawn.randint(0, drawn.choice([3, 40, 400, 5_000]))


class Drawn(NamedTuple):
    """What is assembled."""

    hits: list[SearchHit]
    policy: FormatPolicy
    hints: RenderingHints


def assembly_of(drawn: random.Random) -> Drawn:
    lead = LEADS[drawn.choice(list(MODES))]
    if drawn.random() < 0.5:
        rows = [row_of(drawn, n, ODD_VALUES) for n in range(drawn.choice([0, 1, 4, 12]))]
        hits = [SearchHit.model_validate(row) for row in led(rows, lead)]
    else:
        hits = PassageMapper().hits(passages_of(drawn))
    options: dict[str, Any] = {
        "token_budget": budget_of(drawn),
        "query_text": drawn.choice(QUERIES),
        "numbered": drawn.random() < 0.5,
        "first_number": drawn.choice([1, 1, 98]),
    }
    if drawn.random() < 0.3:
        policy = FormatPolicy.preset(drawn.choice(list(PRESETS)), **options)
    else:
        policy = FormatPolicy(
            format=drawn.choice(list(OutputFormat)),
            metadata=drawn.choice(list(MetadataLevel)),
            ordering=drawn.choice(list(Ordering)),
            group_by_type=drawn.random() < 0.5,
            **options,
        )
    return Drawn(hits, policy.replace(**lead.policy), RenderingHints(**lead.hints))


def assembled(drawn: random.Random, counting: Counting) -> tuple[str, int, FormatPolicy]:
    """Return a text, the tokens that its context says it has, and the policy."""
    hits, policy, hints = assembly_of(drawn)
    if counting.given is not None and drawn.random() < 0.2:
        policy = policy.replace(allocation="reference")
    assembler = ContextAssembler(counter=counting.given)
    way = drawn.choice(["whole", "whole", "each", "in the loop"])
    if way == "each" and policy.format not in ("json", "toon"):
        context = assembler.format_each(hits, policy, hints).context
    elif way == "in the loop":
        context = asyncio.run(assembler.aformat(hits, policy, hints))
    else:
        context = assembler.format(hits, policy, hints)
    return context.text, context.tokens, policy


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_assembly_is_over_its_budget(seed: int) -> None:
    for turn in range(TIMES):
        drawn = random.Random(f"{seed} {turn}")
        name = drawn.choice(list(COUNTED))
        text, tokens, policy = assembled(drawn, COUNTED[name])
        counted = COUNTED[name].counts(text) if text else 0
        assert counted == tokens <= (policy.token_budget or 0), (seed, turn, name)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_command_is_over_its_budget(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    for turn in range(max(1, TIMES // 5)):
        drawn = random.Random(f"{seed} {turn} command")
        rows: list[Any] = [row_of(drawn, place) for place in range(drawn.choice([1, 4, 12]))]
        if drawn.random() < 0.5:
            rows = [{"text": p.text, "metadata": p.metadata} for p in passages_of(drawn)]
        file.write_text(json.dumps(rows))
        encoding, budget = drawn.choice(list(ENCODINGS)), budget_of(drawn)
        words = [str(file), "--budget", str(budget), *options_of(drawn)]
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(out):
            assert main([*words, *(["--counter", encoding] if encoding else [])]) == 0
        text = out.buffer.getvalue().decode().removesuffix("\n")  # type: ignore[attr-defined]
        assert (ENCODINGS[encoding](text) if text else 0) <= budget, (seed, turn, encoding, words)


def options_of(drawn: random.Random) -> list[str]:
    found = ["--format", drawn.choice(list(OutputFormat))]
    if drawn.random() < 0.4:
        found = ["--preset", drawn.choice(list(PRESETS))]
    found += ["--metadata", drawn.choice(list(MetadataLevel))]
    query = drawn.choice(QUERIES)
    found += [] if query is None else ["--query", query]
    return [*found, *(["--numbered"] if drawn.random() < 0.5 else [])]
