"""Type checkers accept what the pages show, without a plugin, and refuse a misspelt option."""

import ast
import builtins
import json
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime import INTEGRATIONS, installed

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TYPING = ROOT / "tests" / "typing"

# Both are strict, but for what short examples leave out: their own functions have no annotations,
# and they read of a result what is there without asking whether it is None.
MYPY = [
    "--allow-untyped-defs", "--allow-untyped-calls", "--check-untyped-defs",
    "--allow-redefinition-new", "--local-partial-types",
    "--disable-error-code=union-attr", "--disable-error-code=var-annotated",
]  # fmt: skip
OFF = [
    "reportMissingParameterType",
    "reportUnknownArgumentType", "reportUnknownLambdaType", "reportUnknownMemberType",
    "reportUnknownParameterType", "reportUnknownVariableType",
    "reportOptionalMemberAccess",
    "reportAttributeAccessIssue",  # what has two types by its option, and areev's own
    "reportMissingTypeStubs",  # areev
    "reportDeprecated",  # LlamaIndex's agents: run with a message and a context
    "reportDuplicateImport",  # blocks of one page are one module, and each shows its imports
]  # fmt: skip
PYRIGHT: dict[str, Any] = {"typeCheckingMode": "strict", **dict.fromkeys(OFF, "none")}
ON_PURPOSE = {"docs_laws": {"arg-type", "attr-defined", "reportArgumentType"}}
"""Pages that show what is refused when it runs, and how checkers call it."""

pytestmark = pytest.mark.skipif(
    not all(map(installed, INTEGRATIONS.values())), reason="the pages use both frameworks"
)

Error = tuple[str, str, int, str]
"""The page, the kind of the error, its line, and what is wrong."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one package: the Python blocks of each page, as modules."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "pages").mkdir()
    (folder / "pages" / "__init__.py").touch()
    for page in PAGES:
        name = "_".join(page.relative_to(ROOT).with_suffix("").parts).lower()
        for n, module in enumerate(modules_of(blocks_of(page))):
            file = folder / "pages" / (f"{name}_{n}.py" if n else f"{name}.py")
            file.write_text(module, encoding="utf-8")
    return folder


def blocks_of(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def modules_of(blocks: Iterable[str]) -> list[str]:
    """Join the blocks of a page, which go on from each other.

    A complete block that imports another object under a name that is taken starts a new module.
    """
    modules: list[list[str]] = [[]]
    taken: dict[str, str] = {}
    for block in blocks:
        tree = ast.parse(block)
        found = imports(tree)
        if is_complete(tree) and any(taken.get(name, at) != at for name, at in found.items()):
            modules.append([])
            taken = {}
        modules[-1].append(block)
        taken |= found
    return ["\n\n".join(module) for module in modules]


def imports(tree: ast.AST) -> dict[str, str]:
    """Return the names that a block imports, and from where."""
    return {
        name.asname or name.name: getattr(node, "module", None) or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }


def is_complete(tree: ast.AST) -> bool:
    """Return whether a block uses no name of the blocks before it."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store)} | imports(tree).keys()
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    bound |= {node.name for node in ast.walk(tree) if isinstance(node, defined)}
    return {name.id for name in names} <= bound | set(dir(builtins))


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


def test_every_block_of_a_page_is_checked(package: Path) -> None:
    checked = "\n".join(file.read_text("utf-8") for file in (package / "pages").glob("*.py"))
    blocks = [block for page in PAGES for block in blocks_of(page)]
    assert len(blocks) > 50
    assert [block for block in blocks if block not in checked] == []


def test_a_complete_block_may_import_another_object_under_a_name_that_is_taken() -> None:
    one, more, other = "from a import D\nx = D()", "print(x)", "from b import D\nprint(D())"
    needy = "from b import D\nprint(x, D())"
    assert modules_of([one, more, other]) == [f"{one}\n\n{more}", other]
    assert modules_of([one, one, more]) == ["\n\n".join([one, one, more])]
    assert modules_of([one, needy]) == [f"{one}\n\n{needy}"]


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
