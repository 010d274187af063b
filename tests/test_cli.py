"""The command, called as a function and once as a process of its own."""

import io
import json
import os
import runpy
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import areev_context
from areev_context import ContextAssembler, FormatPolicy, RenderingHints, cli, load_hits
from areev_context.cli import main
from areev_context.tokens import estimate_tokens

ROWS: list[dict[str, Any]] = [
    {
        "grain_type": "fact",
        "hash": "a1",
        "created_at": "2024-03-01",
        "fields": {"subject": "zoë", "relation": "lives in", "object": "Zürich 🏔"},
    },
    {
        "grain_type": "goal",
        "hash": "a2",
        "created_at": "2024-03-02",
        "fields": {"subject": "amy", "description": "move to Basel"},
    },
    {
        "grain_type": "fact",
        "hash": "a3",
        "fields": {"subject": "amy", "object": "secret", "verification_status": "retracted"},
    },
    {
        "grain_type": "fact",
        "hash": "a4",
        "fields": {"subject": "job", "object": "cook", "superseded_by": "a5"},
    },
    {"grain_type": "fact", "hash": "a5", "fields": {"subject": "job", "object": "chef"}},
    {"grain_type": "goal", "hash": "a6", "fields": {"description": "learn to swim"}},
]
COMMAND = Path(sysconfig.get_path("scripts")) / "areev-context"
PLAIN = """\
=== Knowledge Updates ===
job: "cook" → "chef" [CURRENT]

zoë lives in Zürich 🏔
[medium/active] move to Basel
[medium/active] learn to swim
"""


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ROWS), encoding="utf-8")
    return str(path)


def printed(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command and return what it printed on standard output, and nothing elsewhere."""
    assert main(arguments) == 0
    out, err = capfd.readouterr()
    assert err == ""
    return out


def test_rows_of_a_file_become_the_text(rows: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert printed(capfd, rows) == PLAIN


OPTIONS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "a format": (["--format", "toon"], {"format": "toon"}),
    "metadata": (["--format=sml", "--metadata=full"], {"format": "sml", "metadata": "full"}),
    "an ordering": (["--ordering", "by_entity"], {"ordering": "by_entity"}),
    "the older name of one": (
        ["--ordering", "by_relevance", "--format", "sml"],
        {"ordering": "as_given", "format": "sml"},
    ),
    "groups": (["--group-by-type"], {"group_by_type": True}),
    "no groups": (
        ["--preset", "claude", "--no-group-by-type"],
        {"format": "sml", "group_by_type": False},
    ),
    "a budget": (["--budget", "30"], {"token_budget": 30}),
    "no room": (["--budget", "0", "--format", "json"], {"token_budget": 0, "format": "json"}),
    "numbers": (["--numbered"], {"numbered": True}),
    "retracted too": (["--include-retracted"], {"include_retracted": True}),
    "the current only": (["--query", "what is new"], {"query_text": "what is new"}),
    "all of it": (
        ["--preset=gpt4", "--budget=99", "--numbered", "--ordering=chronological"],
        {
            "format": "markdown",
            "token_budget": 99,
            "numbered": True,
            "ordering": "chronological",
        },
    ),
}


@pytest.mark.parametrize(("arguments", "options"), OPTIONS.values(), ids=OPTIONS)
def test_options_become_a_policy(
    arguments: list[str], options: dict[str, Any], rows: str, capfd: pytest.CaptureFixture[str]
) -> None:
    policy = FormatPolicy.model_validate(options)
    hints = RenderingHints(query_text=policy.query_text)
    text = ContextAssembler().format(load_hits(ROWS), policy, hints).text
    assert printed(capfd, rows, *arguments) == f"{text}\n"
    plain = ContextAssembler().format(load_hits(ROWS)).text
    assert text != plain  # the option shows


@pytest.mark.parametrize("preset", ["claude", "gpt4", "gemini", "local_small", "json_api"])
def test_presets_are_named(preset: str, rows: str, capfd: pytest.CaptureFixture[str]) -> None:
    policy = getattr(FormatPolicy, preset)()
    assert policy == FormatPolicy.preset(preset)
    text = ContextAssembler().format(load_hits(ROWS), policy).text
    assert printed(capfd, "--preset", preset, rows) == f"{text}\n"


def test_the_query_chooses_the_mode_too(rows: str, capfd: pytest.CaptureFixture[str]) -> None:
    out = printed(capfd, rows, "--query", "When did they move?")
    assert out.startswith("=== Timeline (earliest to latest) ===\n")


def test_a_dash_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    source = json.dumps({"grains": ROWS}, ensure_ascii=False).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source), encoding="ascii"))
    assert printed(capfd, "-") == PLAIN


@pytest.mark.parametrize("ends", ["", "\n", "\r\n\r\n"])
def test_json_lines_are_rows(ends: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes((ends or "\n").join(json.dumps(row) for row in ROWS).encode() + ends.encode())
    assert printed(capfd, str(path)) == PLAIN
    path.write_text(f"{json.dumps(ROWS[0])}{ends}")
    assert printed(capfd, str(path)) == "zoë lives in Zürich 🏔\n"


@pytest.mark.parametrize("budget", [0, 3, 9, 14, 40])
@pytest.mark.parametrize("counter", [[], ["--counter", "o200k_base"]])
def test_a_budget_is_a_ceiling(
    budget: int,
    counter: list[str],
    rows: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli, "tiktoken_counter", lambda name: len)  # no encoding is at hand
    text = printed(capfd, rows, "--budget", str(budget), *counter).removesuffix("\n")
    count = len if counter else estimate_tokens
    assert count(text) <= budget


@pytest.mark.parametrize(("source", "text"), [
    ([{"text": "Rent is due.", "metadata": {"title": "Lease"}}], "Lease: Rent is due.\n"),
    ([{"page_content": "Rent.", "metadata": {}, "type": "Document"}], "Rent.\n"),
    ([{"role": "user", "content": "hi"}], "user: hi\n"),
    ({"results": [{"memory": "Likes tea"}]}, "Likes tea\n"),
])  # fmt: skip
def test_passages_memories_and_messages_are_read(
    source: Any, text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "found.json"
    path.write_text(json.dumps(source))
    assert printed(capfd, str(path)) == text


def test_nothing_to_show_prints_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.json"
    path.write_text("[]")
    assert printed(capfd, str(path)) == ""
    assert printed(capfd, str(path), "--format", "json") == "[]\n"


def test_the_report_goes_to_standard_error(rows: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([rows, "--report"]) == 0
    out, err = capfd.readouterr()
    assert out == PLAIN
    assert err == ContextAssembler().format(load_hits(ROWS)).report() + "\n"
    assert "withheld" in err
    assert "secret" not in err


def test_the_page_goes_to_a_file(
    rows: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.html"
    assert printed(capfd, rows, "--html", str(path)) == PLAIN
    page = ContextAssembler().format(load_hits(ROWS)).to_html()
    assert path.read_bytes() == page.encode()


def test_a_page_that_cannot_be_written_is_one_clear_line(
    rows: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nowhere" / "page.html"
    assert main([rows, "--html", str(path), "--report"]) == 2
    out, err = capfd.readouterr()
    assert (out, err) == ("", f"areev-context: {path}: No such file or directory\n")


def test_help_shows_how_it_is_called(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    out, err = capfd.readouterr()
    assert (ended.value.code, err) == (0, "")
    assert out.startswith("usage: areev-context ")
    assert "areev-context - --format toon --counter o200k_base --report < rows.json" in out


def test_a_closed_pipe_ends_it_quietly(rows: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert main([rows]) == 0


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([COMMAND, *arguments], capture_output=True, check=False, **options)


@pytest.mark.parametrize(
    "environment",
    [{}, {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}],
    ids=["as it is", "ASCII"],
)
def test_the_process_reads_and_writes_utf_8(environment: dict[str, str]) -> None:
    source = json.dumps(ROWS, ensure_ascii=False).encode()
    done = process("-", "--report", input=source, env=os.environ | environment)
    assert done.returncode == 0
    assert done.stdout.decode() == PLAIN
    assert "zoë lives in Zürich 🏔" in done.stderr.decode()


def test_the_process_ends_with_status_2_where_it_cannot_read() -> None:
    done = process("-", input="[ungültig]".encode())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"areev-context: not JSON: Expecting value at line 1, column 2\n"


def test_the_process_does_not_mind_that_nobody_reads(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{**ROWS[0], "hash": str(n)} for n in range(20_000)]))
    with subprocess.Popen(
        [COMMAND, str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0


@pytest.mark.parametrize("stream", ["stdin", "stdout"])
def test_a_closed_stream_is_one_clear_line(
    stream: str, rows: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, stream, None)
    assert main(["-" if stream == "stdin" else rows]) == 2
    assert capfd.readouterr().err.count("\n") == 1


def test_a_full_disk_is_one_clear_line(
    rows: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Full:
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stdout", Full())
    assert main([rows]) == 2
    assert capfd.readouterr().err == "areev-context: cannot write: No space left on device\n"


def test_with_standard_error_closed_nothing_takes_its_place(
    rows: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["nowhere.json"]) == 2
    assert main([rows, "--report"]) == 2
    assert capfd.readouterr().out == PLAIN


def test_the_version(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capfd.readouterr().out == f"areev-context {areev_context.__version__}\n"


def test_the_package_runs_as_a_module(
    rows: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["areev-context", rows])
    monkeypatch.delitem(sys.modules, "areev_context.__main__", raising=False)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("areev_context", run_name="__main__")
    assert ended.value.code == 0
    assert capfd.readouterr().out == PLAIN
