"""The fuzzer runs every law, says its seed, counts, and finds what is broken."""

from typing import Any

import pytest
from hypothesis import strategies as st

from laws import fuzz


def test_every_law_is_run_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--seconds", "0", "--seed", "7", "--examples", "2"]) == 0
    first, *counts, last = capsys.readouterr().out.splitlines()
    assert first == "seed 7"
    assert [line.split()[1] for line in counts] == list(fuzz.LAWS)
    assert all(int(line.split()[0]) > 0 for line in counts)
    total = sum(int(line.split()[0]) for line in counts)
    assert last.split()[:2] == [str(total), "examples"]
    assert last.endswith("0 failures, seed 7")


def test_a_law_that_fails_is_found_and_found_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[int] = []

    def holds(number: Any) -> None:
        seen.append(number)
        assert number < 1000

    monkeypatch.setattr(fuzz, "LAWS", {"small": (holds, st.integers(0, 2**40))})
    runs = []
    for _ in range(2):
        seen.clear()
        assert fuzz.main(["--seconds", "0", "--seed", "7", "--law", "small"]) == 1
        printed = capsys.readouterr()
        assert "number=1000" in printed.err or "example=1000" in printed.err
        assert "small failed; seed and round 7 0" in printed.out
        runs.append(list(seen))
    assert runs[0] == runs[1]


def test_without_a_seed_one_is_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fuzz, "LAWS", {"fine": (lambda number: None, st.integers())})
    for _ in range(2):
        assert fuzz.main(["--seconds", "0", "--examples", "1"]) == 0
    seeds = [line for line in capsys.readouterr().out.splitlines() if line.startswith("seed ")]
    assert len(set(seeds)) == 2
