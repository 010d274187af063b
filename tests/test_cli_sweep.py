"""The command with --sweep: a page, or a page in a file and a table; and what goes with neither."""

import json
from pathlib import Path
from typing import Any

import pytest

from areev_context import FormatPolicy, load_hits, sweep
from areev_context.cli import main

ROWS: list[dict[str, Any]] = [
    {"grain_type": "fact", "fields": {"subject": "zoë", "object": "Zürich \x1b[2J" * 9}},
    {"grain_type": "goal", "fields": {"description": "move to Basel"}},
]


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ROWS), encoding="utf-8")
    return str(path)


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return (main(arguments), *capfd.readouterr())


def test_a_page_stands_on_standard_output(rows: str, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capfd, rows, "--preset", "claude", "--sweep", "5:60", "--query", "zoë")
    made = sweep(
        load_hits(ROWS),
        FormatPolicy.claude(query_text="zoë"),
        budgets=(5, 60),
        query="zoë",
        names=["claude"],
    )
    assert (status, out, err) == (0, made.html(), "")


def test_a_page_in_a_file_leaves_a_table(
    rows: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "sweep.html"
    options = ["--preset", "claude", "--numbered", "--against", "gpt4", "--sweep=5:60"]
    status, out, err = run(capfd, rows, *options, "--html", str(page))
    made = sweep(
        load_hits(ROWS),
        FormatPolicy.claude(numbered=True),
        against=FormatPolicy.gpt4(numbered=True),
        budgets=(5, 60),
        names=["claude", "gpt4"],
    )
    assert (status, out, err) == (0, f"{made}\n", "")
    assert page.read_text(encoding="utf-8") == made.html()


def test_a_format_is_that_of_the_first(
    rows: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "sweep.html"
    options = ["--format=toon", "--against", "gpt4", "--sweep=5:60", "--html", str(page)]
    status, out, _ = run(capfd, rows, *options)
    assert status == 0
    assert out.startswith("budget  toon tokens  toon shown  gpt4 tokens  gpt4 shown\n")


WRONG: dict[str, tuple[list[str], str]] = {
    **{
        repr(text): (
            ["--sweep", text],
            f"--sweep is {text!r}: give the lowest and the highest budget in whole tokens, "
            "as in 200:4000",
        )
        for text in ("200", "", "200:", "a:b", "1.5:3", "200-400", f"1:{10**20}")
    },
    "a budget": (
        ["--sweep", "1:2", "--budget", "0"],
        "--budget says nothing about many budgets: leave it out, or --sweep",
    ),
    "a report": (
        ["--sweep", "1:2", "--report"],
        "--report says nothing about many budgets: leave it out, or --sweep",
    ),
    "a second preset alone": (
        ["--against", "gpt4"],
        "--against needs --sweep: give both, as in --sweep 200:4000",
    ),
}


@pytest.mark.parametrize(("options", "why"), WRONG.values(), ids=WRONG)
def test_what_does_not_go_together_is_one_line(
    options: list[str], why: str, rows: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(capfd, rows, *options) == (2, "", f"areev-context: {why}\n")
