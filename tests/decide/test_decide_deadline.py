"""Deciders that hang: nobody waits for them, neither a caller, nor a loop, nor the process."""

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from areev_context import ContextAssembler, DecidePolicy, FormatPolicy
from areev_context.extend import OutputFormat
from deciders import Sleeper, fact, on_time
from hanging import KINDS

NEEDS = {
    "chat": "langchain_core",
    "decision": "langchain_core.decisions",
    "llm": "llama_index.core",
}
ROWS = [fact(f"s{n}", "v") for n in range(5)]


@pytest.mark.parametrize("kind", KINDS)
def test_many_at_once_are_on_time_and_the_process_ends(kind: str) -> None:
    if kind in NEEDS:
        pytest.importorskip(NEEDS[kind], reason="needs the extra of its integration")

    def timed() -> list[float]:
        program = str(Path(__file__).parents[1] / "hanging.py")
        done = subprocess.run(
            [sys.executable, program, kind], capture_output=True, timeout=30, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        took: list[float] = json.loads(done.stdout)
        assert len(took) == 41
        return took

    on_time(timed)


@pytest.mark.parametrize("format_", OutputFormat)
def test_a_late_decider_changes_nothing(format_: OutputFormat) -> None:
    policy = FormatPolicy(format=format_, query_text="x", decide=DecidePolicy(deadline_ms=200))
    plain = ContextAssembler().format(ROWS, policy)
    assembler = ContextAssembler(decider=Sleeper(60))

    def timed() -> list[float]:
        start = time.monotonic()
        assert assembler.format(ROWS, policy) == plain
        between = time.monotonic()
        assert asyncio.run(assembler.aformat(ROWS, policy)) == plain
        return [between - start, time.monotonic() - between]

    on_time(timed)
