"""Type checkers accept what the pages show, without a plugin, and refuse a misspelt option."""

import json
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime import INTEGRATIONS, installed

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TYPING = ROOT / "tests" / "typing"

# Pages are short: their functions have no annotations, and they read of a receipt what is there.
MYPY = [
    "--allow-untyped-defs", "--allow-untyped-calls", "--check-untyped-defs",
    "--allow-redefinition-new", "--local-partial-types",
    "--disable-error-code=union-attr", "--disable-error-code=var-annotated",
]  # fmt: skip
PYRIGHT: dict[str, Any] = {
    "typeCheckingMode": "basic",
    "reportOptionalMemberAccess": "none",
    "reportAttributeAccessIssue": "none",  # what has two types by its option, and areev's own
}
ON_PURPOSE = {"docs_laws": {"arg-type", "attr-defined", "reportArgumentType"}}
"""Pages that show what is refused when it runs, and how checkers call it."""

pytestmark = pytest.mark.skipif(
    not all(map(installed, INTEGRATIONS.values())), reason="the pages use both frameworks"
)

Error = tuple[str, str, int, str]
"""The page, the kind of the error, its line, and what is wrong."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one package: a module of the Python blocks of each page."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "pages").mkdir()
    (folder / "pages" / "__init__.py").touch()
    for page in PAGES:
        name = "_".join(page.relative_to(ROOT).with_suffix("").parts).lower()
        text = page.read_text(encoding="utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        (folder / "pages" / f"{name}.py").write_text("\n\n".join(blocks), encoding="utf-8")
    return folder


def by_mypy(folder: Path) -> list[Error]:
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *MYPY]
    done = subprocess.run(
        [*command, "--cache-dir", str(ROOT / ".mypy_cache" / "pages"), "-p", "pages"],
        cwd=folder,
        env={"MYPYPATH": f"{folder}:{ROOT / 'integrations'}", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = re.findall(r"^pages/(\w+)\.py:(\d+): error: (.*)  \[(.*)\]$", done.stdout, re.MULTILINE)
    return [(name, code, int(line), text) for name, line, text, code in found]


def by_pyright(folder: Path, include: Path, options: dict[str, Any]) -> Iterator[Error]:
    config = folder / "pyrightconfig.json"
    paths = [str(folder), str(ROOT), str(ROOT / "integrations")]
    config.write_text(json.dumps({
        **options, "include": [str(include)], "extraPaths": paths, "pythonVersion": "3.11",
    }), encoding="utf-8")  # fmt: skip
    command = Path(sysconfig.get_path("scripts")) / "basedpyright"
    done = subprocess.run(
        [command, "--outputjson", "--pythonpath", sys.executable, "-p", config],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] > 1
    for each in found["generalDiagnostics"]:
        if each["severity"] == "error":
            line = each["range"]["start"]["line"] + 1
            yield Path(each["file"]).stem, each.get("rule", ""), line, each["message"]


def unexpected(found: list[Error]) -> list[Error]:
    return [error for error in found if error[1] not in ON_PURPOSE.get(error[0], ())]


def test_mypy_accepts_what_the_pages_show(package: Path) -> None:
    found = by_mypy(package)
    assert unexpected(found) == []
    assert {name for name, *_ in found} == set(ON_PURPOSE)


def test_pyright_accepts_what_the_pages_show(package: Path) -> None:
    found = list(by_pyright(package, package / "pages", PYRIGHT))
    assert unexpected(found) == []
    assert {name for name, *_ in found} == set(ON_PURPOSE)


def test_pyright_accepts_what_a_user_types_and_refuses_what_is_misspelt(tmp_path: Path) -> None:
    strict = {"typeCheckingMode": "strict", "reportUnnecessaryTypeIgnoreComment": "error"}
    assert list(by_pyright(tmp_path, TYPING, strict)) == []


def test_a_misspelt_option_is_an_error_to_both(tmp_path: Path) -> None:
    """Without its comment, each line of the refusals is an error of both checkers."""
    source = (TYPING / "refusals.py").read_text(encoding="utf-8")
    ignored = re.compile(r"  # type: ignore\[[\w-]+\]$", re.MULTILINE)
    lines = {n for n, line in enumerate(source.splitlines(), 1) if ignored.search(line)}
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "__init__.py").touch()
    (tmp_path / "pages" / "refusals.py").write_text(ignored.sub("", source), encoding="utf-8")
    assert {line for _, _, line, _ in by_mypy(tmp_path)} == lines
    found = list(by_pyright(tmp_path, tmp_path / "pages", PYRIGHT))
    assert {line for _, _, line, _ in found} == lines
