"""The same bytes, whatever the hash seed, the thread and the way by which the hits came."""

import copy
import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper, SearchHit
from areev_context.extend import MetadataLevel
from awkward import ENGINE_ROWS, TEXTS
from laws.situations import COMBINATIONS, everything, situated
from laws.strategies import METADATA_GROUPS, Case

TESTS = Path(__file__).parents[1]


def pages() -> list[Case]:
    """Return a case for every format, mode and metadata level, full of sets, objects and ties."""
    passages = [
        Passage("c", {**group, "title": {"b", "a"}, "source": frozenset("xyz")}, 0.5, str(n))
        for n, group in enumerate(METADATA_GROUPS.values())
    ]
    mapper = PassageMapper(shown=("title", "source", "s", "d"))
    found: list[dict[str, Any]] = [
        *everything(TEXTS["markdown_heading"]),
        *everything("word")[:20],
        *list[Any](ENGINE_ROWS),
        *map(dict, mapper.hits(passages)),
        {"grain_type": "ticket", "fields": {"s": set("hash order"), "t": {3, 1, 2}}},
    ]
    found = [{**row, "score": 0.5} for row in found]
    turns: list[dict[str, Any]] = [
        {"numbered": True, "group_by_type": True},
        {"token_budget": 900, "ordering": "by_entity", "query_text": "latest word"},
        {"token_budget": 3000, "grain_type_diversity": None, "ordering": "chronological"},
    ]
    return [
        situated(found, form, mode, metadata=level, **turns[(place + step) % len(turns)])
        for place, (form, mode) in enumerate(COMBINATIONS)
        for step, level in enumerate(MetadataLevel)
    ]


def as_text(case: Case, assembler: ContextAssembler | None = None) -> str:
    context = (assembler or ContextAssembler()).format(list(case.hits), case.policy, case.hints)
    return f"{context.model_dump_json()}\n{context.report()}"


def digests() -> list[str]:
    return [hashlib.sha256(as_text(case).encode()).hexdigest() for case in pages()]


@pytest.fixture(scope="module")
def here() -> list[str]:
    return digests()


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_every_hash_seed(seed: str, here: list[str]) -> None:
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    code = "import json, laws.test_same as t; print(json.dumps(t.digests()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == here


def test_eight_threads_at_once(here: list[str]) -> None:
    """They share one assembler and the hits, and change places as often as they can."""
    assembler, cases = ContextAssembler(), pages()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            rounds = [threads.map(lambda case: as_text(case, assembler), cases) for _ in range(3)]
            found = [list(answers) for answers in rounds]
    finally:
        sys.setswitchinterval(before)
    for texts in found:
        assert [hashlib.sha256(text.encode()).hexdigest() for text in texts] == here


def _json(value: Any) -> Any:
    return json.loads(json.dumps(value))


ROUND_TRIPS: dict[str, Callable[[Case], Case]] = {
    "pickle": lambda case: pickle.loads(pickle.dumps(case)),
    "a copy": copy.deepcopy,
    "JSON": lambda case: Case(
        tuple(SearchHit.model_validate(_json(hit.model_dump(mode="json"))) for hit in case.hits),
        FormatPolicy.model_validate(_json(case.policy.model_dump(mode="json"))),
        type(case.hints).model_validate(_json(case.hints.model_dump(mode="json"))),
    ),
}


@pytest.mark.parametrize("way", ROUND_TRIPS)
def test_round_trips_of_hits_and_policy(way: str, here: list[str]) -> None:
    cases = [ROUND_TRIPS[way](case) for case in pages()]
    assert cases == pages()
    found = [hashlib.sha256(as_text(case).encode()).hexdigest() for case in cases]
    assert found == here


def test_results_come_back_from_a_pickle() -> None:
    for case in pages():
        context = ContextAssembler().format(list(case.hits), case.policy, case.hints)
        assert pickle.loads(pickle.dumps(context)) == context


def test_rows_of_a_generator_are_rows() -> None:
    for case in pages()[::7]:
        rows = [hit.model_dump() for hit in case.hits]
        context = ContextAssembler().format((row for row in rows), case.policy, case.hints)
        assert f"{context.model_dump_json()}\n{context.report()}" == as_text(case)
