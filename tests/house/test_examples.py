"""Every example runs offline, and prints what is kept of it."""

import ast
import json
import re
from pathlib import Path

import pytest

from run_examples import EXAMPLES, FOLDER, expected, run
from runtime import installed

OFFLINE = Path(__file__).parents[1] / "offline"
NEEDS = ("areev", "langchain_core", "llama_index.core", "tqdm")
"""What an example may import beside the library, and is skipped without."""

REPORTED = {"09_batch_jsonl": r"packing: 100%.* 8/8 .*\n7 of 8 tickets packed\n$"}
"""What an example tells on standard error; all others are silent there."""

BATCH, COMPARE = FOLDER / "09_batch_jsonl.py", FOLDER / "10_compare_policies.py"
ROWS = re.findall(
    r"^\| \[(.+?)\]\((.+?)\) \| .+ \| `(.+)` \|$", (FOLDER / "README.md").read_text("utf-8"), re.M
)

each = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


def imported(path: Path) -> set[str]:
    """Return the modules that a program imports, with all that they stand inside of."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    parts = [name.split(".") for name in names]
    return {".".join(part[:n]) for part in parts for n in range(1, len(part) + 1)}


def skip_without_its_needs(path: Path) -> None:
    missing = [name for name in NEEDS if name in imported(path) and not installed(name)]
    if missing:
        pytest.skip(f"the example needs {', '.join(missing)}")


@each
def test_an_example_prints_what_is_stored_of_it(path: Path, tmp_path: Path) -> None:
    skip_without_its_needs(path)
    done = run(path, folder=tmp_path, first=OFFLINE)
    assert done.returncode == 0, done.stderr
    assert re.search(REPORTED.get(path.stem, r"\A\Z"), done.stderr, re.S), done.stderr
    stored = expected(path).read_text("utf-8")
    assert done.stdout == stored, "python tests/run_examples.py writes it anew"
    assert not list(tmp_path.iterdir())


@each
def test_an_example_is_short_and_says_what_it_shows(path: Path) -> None:
    source = path.read_text("utf-8")
    assert 25 <= len(source.splitlines()) <= 60
    description = ast.get_docstring(ast.parse(source)) or ""
    assert "\n\n" in description
    needs = [name for name in NEEDS if name in imported(path)]
    (install,) = re.findall(r"Install:\s`pip install (.+)`\.$", description)
    extras = {"areev": "[engine]", "langchain_core": "[langchain]", "llama_index.core": "[llama"}
    assert install.strip("'").startswith("areev-context")
    assert all(extras.get(name, name) in install for name in needs)


def test_the_readme_lists_them_all_with_something_that_each_prints() -> None:
    assert [name for name, *_ in ROWS] == [path.name for path in EXAMPLES]
    for name, link, printed in ROWS:
        assert link == name
        assert printed in expected(FOLDER / name).read_text("utf-8")


def test_nothing_is_stored_of_what_is_no_example() -> None:
    assert sorted((FOLDER / "output").iterdir()) == [expected(path) for path in EXAMPLES]


def test_what_reaches_for_the_network_is_seen(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import socket\nsocket.create_connection(('example.org', 80))\n")
    done = run(program, first=OFFLINE)
    assert done.returncode == 97
    assert done.stderr.startswith("reached for the network: socket.getaddrinfo")


def test_the_batch_takes_a_file_and_tells_of_its_bad_lines(tmp_path: Path) -> None:
    skip_without_its_needs(BATCH)
    good = {"ticket": "T-1", "question": "when?", "hits": []}
    bad = {"ticket": "T-2", "hits": []}
    tickets = tmp_path / "tickets.jsonl"
    tickets.write_text("\n".join(["[]", json.dumps(good), "{", json.dumps(bad)]), "utf-8")
    done = run(BATCH, str(tickets))
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    nothing = dict.fromkeys(("shown", "omitted", "tokens"), 0)
    assert json.loads(line) == {"ticket": "T-1", **nothing, "context": ""}
    reported = re.findall(r"line (\d): (\w+): .", done.stderr)
    assert reported == [("1", "TypeError"), ("3", "JSONDecodeError"), ("4", "KeyError")]
    assert done.stderr.endswith("1 of 4 tickets packed\n")


def test_the_batch_says_how_to_get_its_bar(tmp_path: Path) -> None:
    (tmp_path / "tqdm.py").write_text("raise ModuleNotFoundError(name='tqdm')\n")
    done = run(BATCH, first=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "tqdm is not installed: pip install tqdm\n"


def test_the_comparison_writes_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run(COMPARE, str(page))
    assert done.returncode == 0, done.stderr
    text = page.read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert all(name in text for name in ("claude 250", "gpt4 250", "gpt4 120", "local 120"))
