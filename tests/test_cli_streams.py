"""The command and its streams: no control of the input reaches a terminal, and none is misused."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from areev_context.cli import main

CONTROLS = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
ODD = "\x1b[31mred\x1b]0;title\x07\x9b2J\x08\r\x00\x7f\u202etxt.\u2066\u061c\u200f\u2028\u0085end"
ROW: dict[str, Any] = {
    "grain_type": "fact",
    "fields": {"subject": "ada", "relation": "lives in", "object": "Turin"},
}


def written(path: Path, content: Any) -> str:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


FAULTS: dict[str, Any] = {
    "a key": {ODD: 1},
    "keys without end": {f"{ODD * 500}{n}": 1 for n in range(9)},
    "a type": [{"grain_type": [ODD], "fields": {}}],
    "a row": [ODD],
    "no JSON": ODD,
    "a name of a type": [{**ROW, "fields": ODD}],
}


@pytest.mark.parametrize("content", FAULTS.values(), ids=FAULTS)
def test_an_error_is_one_line_without_controls(
    content: Any, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main([written(tmp_path / "rows.json", content)]) == 2
    out, err = capfdbinary.readouterr()
    assert out == b""
    assert 0 < len(err) < 4_100
    line = err.decode()
    assert line.endswith("\n")
    assert not CONTROLS.search(line.removesuffix("\n"))
    assert "\n" not in line.removesuffix("\n")


WORDS = {
    "a file": [f"nowhere-{ODD}"],
    "a page": ["ROWS", "--html", f"nowhere/{ODD}"],
    "a budget": ["ROWS", "--budget", ODD],
    "a budget of digits": ["ROWS", "--budget", "9" * 5_000],
    "a counter": ["ROWS", "--counter", ODD],
    "a format": ["ROWS", "--format", ODD],
    "an option": ["ROWS", f"--{ODD}"],
    "two files": ["ROWS", ODD],
    "nothing": [],
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_so_it_is_with_what_was_typed(
    words: list[str], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    rows = written(tmp_path / "rows.json", [ROW])
    assert main([rows if word == "ROWS" else word for word in words]) == 2
    out, err = capfdbinary.readouterr()
    line = err.decode()
    assert (out, line.count("\n")) == (b"", 1)
    assert line.startswith("areev-context: ")
    assert len(line) < 1_100
    assert not CONTROLS.search(line.removesuffix("\n"))


def test_the_report_spells_controls_out(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    found = [{"grain_type": f"t{ODD}", "fields": {f"k{ODD}": ODD}}]
    assert main([written(tmp_path / "rows.json", found), "--report"]) == 0
    report = capfdbinary.readouterr().err.decode()
    assert "\\u202e" in report
    assert not CONTROLS.search(report.replace("\n", ""))


NUMBERS = {
    "digits": "9" * 5_000,
    "641 digits": "9" * 641,
    "negative": "-" + "9" * 5_000,
    "a power": "1e999999",
    "a negative power": "-1E+400",
    "depth": "[" * 100_000,
    "objects": '{"a":' * 100_000,
}


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
def test_what_no_number_can_hold_is_one_line(
    number: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    content = f'[{{"grain_type":"fact","fields":{{"n":{number}}}}}]'
    assert main([written(tmp_path / "rows.json", content)]) == 2
    out, err = capfdbinary.readouterr()
    assert (out, err.count(b"\n")) == (b"", 1)
    assert len(err) < 200


def test_numbers_up_to_that_are_numbers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    content = f'[{{"grain_type":"n","fields":{{"n":[{"9" * 640}, -{"9" * 640}, 1e308, NaN]}}}}]'
    assert main([written(tmp_path / "rows.json", content), "--format", "json"]) == 0
    assert f"[{'9' * 640},-{'9' * 640},1e+308,null]" in capfd.readouterr().out


# --- streams that cannot be written to ----------------------------------------------------------

RUN = f'"{sys.executable}" -m areev_context'
WAYS = {
    "rows": "$ROWS",
    "report": "$ROWS --report",
    "help": "--help",
    "wrong option": "$ROWS --nonsense",
    "no file": "nowhere.json",
}
SPEAKS = {  # on which streams
    "rows": {"out"}, "report": {"out", "err"}, "help": {"out"},
    "wrong option": {"err"}, "no file": {"err"},
}  # fmt: skip
BUFFERED = {**os.environ, "PYTHONUNBUFFERED": ""}  # so that what is left is tried at the end
FAILS = {"wrong option", "no file"}


def ended(words: str, streams: str, rows: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", f"{RUN} {words} {streams}"],
        env={**BUFFERED, "ROWS": rows},
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("how", ["> /dev/full", ">&-"], ids=["full", "closed"])
@pytest.mark.parametrize("stream", ["out", "err"])
def test_a_stream_that_cannot_be_written_to_is_status_2(
    stream: str, how: str, way: str, tmp_path: Path
) -> None:
    rows = written(tmp_path / "rows.json", [ROW])
    done = ended(WAYS[way], f"{1 if stream == 'out' else 2}{how}", rows)
    assert done.returncode == (2 if way in FAILS or stream in SPEAKS[way] else 0)
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert done.stderr.count(b"\n") <= 5
    if stream == "out" and "out" in SPEAKS[way]:
        assert done.stderr.startswith(b"areev-context: ")
        assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("way", WAYS)
def test_both_streams_may_be_full(way: str, tmp_path: Path) -> None:
    rows = written(tmp_path / "rows.json", [ROW])
    assert ended(WAYS[way], "> /dev/full 2>&1", rows).returncode == 2


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_reader_that_went_away_is_no_error(stream: str, way: str, tmp_path: Path) -> None:
    rows = written(tmp_path / "rows.json", [ROW])
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        done = subprocess.run(
            [sys.executable, "-m", "areev_context", *WAYS[way].replace("$ROWS", rows).split()],
            check=False,
            env=BUFFERED,
            **{**streams, stream: nobody},
        )
    assert done.returncode == (2 if way in FAILS else 0)
    assert b"Traceback" not in (done.stderr or b"")
    assert b"Exception ignored" not in (done.stderr or b"")


def test_what_a_stream_takes_in_parts_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(io.BytesIO):
        def write(self, data: Any) -> int:
            return super().write(bytes(data[:3]))

    taken = Slow()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(taken, write_through=True))
    assert main([written(tmp_path / "rows.json", [ROW])]) == 0
    assert taken.getvalue() == b"ada lives in Turin\n"


def test_a_name_that_no_file_can_have_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["a\x00b"]) == 2
    assert capfd.readouterr().err == "areev-context: a\\x00b: embedded null byte\n"
