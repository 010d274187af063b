"""The command line with ``--counter``."""

import json
from pathlib import Path

import pytest

import areev_context.cli
from areev_context import ContextAssembler, FormatPolicy, load_hits
from areev_context.cli import main
from areev_context.tokens import TokenCounter
from counters import cl100k, o200k

ROWS = [
    {
        "grain_type": "event",
        "hash": f"e{n}",
        "score": 1 - n / 10,
        "fields": {"role": "user", "content": f"Zoë's letter number {n} says: see <|endoftext|>."},
    }
    for n in range(6)
]
COUNTERS = {"cl100k_base": cl100k, "o200k_base": o200k}


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ROWS), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", COUNTERS)
@pytest.mark.parametrize("form", ["sml", "toon", "markdown", "plain_text", "json"])
def test_the_text_keeps_the_budget_in_counted_tokens(
    form: str, name: str, rows: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([rows, "--format", form, "--budget", "90", "--counter", name, "--report"]) == 0
    out, err = capfd.readouterr()
    policy = FormatPolicy(format=form, token_budget=90)
    context = ContextAssembler(counter=COUNTERS[name]).format(load_hits(ROWS), policy)
    assert out == f"{context.text}\n"
    assert COUNTERS[name](context.text) == context.tokens <= 90
    assert context.included_count > 0
    assert context.omitted_count > 0
    assert f"{context.tokens} tokens by {name}, budget 90;" in err


def test_without_a_counter_the_report_says_about(
    rows: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([rows, "--budget", "90", "--report"]) == 0
    assert " tokens, budget 90;" in capfd.readouterr().err.replace("about ", "", 1)
    assert main([rows, "--report", "--counter", "o200k_base"]) == 0
    assert " tokens by o200k_base, no limit;" in capfd.readouterr().err


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_no_room_prints_nothing(form: str, rows: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([rows, "--format", form, "--budget", "0", "--counter", "o200k_base"]) == 0
    assert capfd.readouterr() == ("", "")


def refused(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command and return the one line it prints, on standard error."""
    assert main(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith("\n")
    return err


def test_an_encoding_nobody_knows_is_one_clear_line(
    rows: str, capfd: pytest.CaptureFixture[str]
) -> None:
    line = refused(capfd, rows, "--budget", "90", "--counter", "gpt-9")
    assert line.startswith("areev-context: tiktoken has no encoding 'gpt-9': give cl100k_base, ")


def test_a_counter_that_fails_is_one_clear_line(
    rows: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(text: str) -> int:
        raise RuntimeError("the vocabulary\nis gone")

    def counter(encoding: str) -> TokenCounter:
        return failing

    monkeypatch.setattr(areev_context.cli, "tiktoken_counter", counter)
    line = refused(capfd, rows, "--budget", "90", "--counter", "o200k_base", "--report")
    assert line == (
        "areev-context: the token counter failing raised RuntimeError: the vocabulary is gone\n"
    )


def test_a_vocabulary_that_cannot_be_had_is_one_clear_line(
    rows: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(name: str) -> object:
        raise ConnectionError(f"no route to the vocabulary\nof {name}")

    monkeypatch.setattr("tiktoken.get_encoding", unreachable)
    line = refused(capfd, rows, "--budget", "90", "--counter", "o200k_base")
    assert line.startswith("areev-context: the vocabulary of o200k_base cannot be had (")
    assert "ConnectionError: no route to the vocabulary of o200k_base" in line
    assert "set TIKTOKEN_CACHE_DIR to a folder that holds it" in line


def test_the_help_names_the_option(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "--counter NAME" in capfd.readouterr().out
