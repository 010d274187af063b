"""Every block of the README and of docs/ runs, and prints what its page says it prints."""

import gc
import re
import shlex
import subprocess
import sysconfig
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from runtime import INTEGRATIONS, installed

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SCRIPTS = Path(sysconfig.get_path("scripts"))
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

# What a block needs, by what stands in it.
NEEDS = {
    **INTEGRATIONS,
    "from langchain_core": "langchain_core",
    "from llama_index.core": "llama_index.core",
    "import areev\n": "areev",
    "from langgraph": "langgraph",
}

Block = tuple[str, str]

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def blocks_of(page: Path) -> list[Block]:
    return re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)


def to_run(page: Path) -> list[tuple[Block, str]]:
    """Return the blocks that run, each with what it must print.

    Where a framework is absent, the block that needs it is left out, and so are those after it,
    which may use what it made.
    """
    blocks = blocks_of(page)
    absent = [name for name, module in NEEDS.items() if not installed(module)]
    out = []
    for block, (kind, text) in pairwise([*blocks, ("", "")]):
        if any(name in block[1] for name in absent):
            break
        if block[0] in ("python", "sh"):
            out.append((block, text if kind == "text" else ""))
    return out


def printed_by(command: str, folder: Path) -> str:
    """Run one line of a shell block and return what it prints, the text before the report."""
    words, _, source = command.partition(" < ")
    name, *rest = shlex.split(words, comments=True)
    if name == "make":  # the target exists; what it runs is what the other tests run
        subprocess.run(["make", "--dry-run", *rest], cwd=ROOT, capture_output=True, check=True)
        return ""
    if name == "pip":  # the extra exists; tests/house/test_wheel.py installs
        named = re.findall(r"\[([\w,]+)\]", command)
        assert {extra for group in named for extra in group.split(",")} <= set(EXTRAS)
        return ""
    stdin = (folder / source).read_bytes() if source else None
    done = subprocess.run(
        [SCRIPTS / name, *rest], cwd=folder, input=stdin, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert bool(done.stderr) == ("--report" in rest)
    return (done.stdout + done.stderr).decode()


@pytest.mark.filterwarnings("ignore:(The `__field|Accessing the 'model_):DeprecationWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore:Skipping serialization of known unserializable key")
@each_page
def test_the_blocks_run_and_print_what_the_page_says(
    page: Path,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # a page may write files
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names: dict[str, Any] = {}
    for (kind, text), expected in to_run(page):
        if kind == "python":
            exec(compile(text, page.name, "exec"), names)
            assert capsys.readouterr().out == expected
        else:
            printed = "".join(printed_by(line, tmp_path) for line in text.splitlines())
            assert printed == expected or not expected
    names.clear()
    gc.collect()  # what LlamaIndex leaves open warns here, not in another test


@each_page
def test_no_block_is_passed_over(page: Path) -> None:
    kinds = [kind for kind, _ in blocks_of(page)]
    assert set(kinds) <= {"python", "sh", "text"}
    follows = [before for before, kind in zip(["", *kinds], kinds, strict=False) if kind == "text"]
    assert set(follows) <= {"python", "sh"}
    assert page.read_text().count("```") == 2 * len(kinds)


@each_page
def test_the_links_to_files_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text())
    files = [link for link in links if "://" not in link]
    assert [link for link in files if not (page.parent / link).exists()] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 160


def test_an_integration_is_shown_in_eight_lines_that_stand_alone() -> None:
    blocks = [text for kind, text in blocks_of(ROOT / "README.md") if kind == "python"]
    shown = [text for text in blocks if any(name in text for name in INTEGRATIONS)]
    assert len(shown) == len(INTEGRATIONS)
    for text in shown:
        assert len([line for line in text.splitlines() if line.strip()]) <= 8
        assert "import FormatPolicy" in text


def test_make_demo_prints_the_context_and_its_report() -> None:
    recipe = re.search(
        r"^demo:.*\n\t\S+/areev-context (.*)$", (ROOT / "Makefile").read_text(), re.M
    )
    assert recipe is not None
    done = subprocess.run(
        [SCRIPTS / "areev-context", *shlex.split(recipe[1])],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("<facts>\n<fact ")
    assert "11 hits" in done.stderr
