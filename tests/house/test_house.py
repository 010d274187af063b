"""The rules of the house, checked on the sources and on a fresh interpreter."""

import ast
import importlib
import importlib.metadata
import inspect
import json
import os
import pkgutil
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

import pytest

import areev_context
from runtime import INTEGRATIONS, OURS, THIRD_PARTY, installed

ROOT = Path(__file__).parents[2]
FOLDERS = {OURS: Path(OURS)} | {
    name: Path("integrations", *name.split(".")) for name in INTEGRATIONS
}
SOURCES = sorted(path for folder in FOLDERS.values() for path in (ROOT / folder).rglob("*.py"))
HERE = [  # an integration is imported where its framework is
    name for name in FOLDERS if name == OURS or installed(INTEGRATIONS[name])
]
MODULES = sorted(
    {
        *HERE,
        *(
            module.name
            for name in HERE
            for module in pkgutil.walk_packages([str(ROOT / FOLDERS[name])], f"{name}.")
        ),
    }
)
CONTRACTS = {
    contract["id"]: contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
        "contracts"
    ]
}

MOST_LINES_OF_A_BODY = 40
MOST_LINES_OF_A_MODULE = 400

# For each import contract, one line that must break it: the module it is put in, and the line.
FORBIDDEN = {
    "one-way": ("areev_context.errors", "import areev_context.inspect.report"),
    "front-door": ("areev_context.errors", "import areev_context"),
    "formats-independent": ("areev_context.formats.sml", "import areev_context.formats.toon"),
    "modes-independent": ("areev_context.layout.census", "import areev_context.layout.timeline"),
    "registries": ("areev_context.assembler", "import areev_context.formats.sml"),
    "no-framework": ("areev_context.errors", "import langchain_core"),
    "own-door": ("langchain_areev_context.models", "import areev_context.assembler"),
    "langchain-alone": ("langchain_areev_context.models", "import langchain_classic"),
    "haystack-alone": ("haystack_areev_context.packer", "import langchain_core"),
    "llamaindex-alone": (
        "llama_index.postprocessor.areev_context.nodes",
        "import langchain_core",
    ),
}


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def lint_imports(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = Path(sysconfig.get_path("scripts")) / "lint-imports"
    return subprocess.run(
        [command, "--no-cache", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "integrations")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for folder in (OURS, "integrations"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path


def test_imports_keep_to_the_contracts(copy: Path) -> None:
    done = lint_imports(copy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(CONTRACTS)} kept, 0 broken" in done.stdout


@pytest.mark.parametrize("contract", CONTRACTS)
def test_each_contract_can_be_broken(contract: str, copy: Path) -> None:
    module, line = FORBIDDEN[contract]
    package = next(name for name in FOLDERS if module.startswith(f"{name}."))
    file = Path(*module.removeprefix(f"{package}.").split(".")).with_suffix(".py")
    with (copy / FOLDERS[package] / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    done = lint_imports(copy, "--contract", contract)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{CONTRACTS[contract]} BROKEN" in done.stdout


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_modules_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES_OF_A_MODULE


def lines_of_body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_function_bodies_are_short(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    lengths = {function.name: lines_of_body(function) for function in functions}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES_OF_A_BODY} == {}


@pytest.mark.parametrize("extra", ["haystack", "langchain", "llamaindex"])
def test_the_oldest_frameworks_tested_are_the_oldest_that_an_extra_allows(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    tested = (ROOT / "tests" / "oldest.txt").read_text().splitlines()
    asked = project["optional-dependencies"][extra]
    assert [one for one in asked if one.replace(">=", "==") not in tested] == []


def public_names() -> list[tuple[str, str]]:
    return [
        (module, name)
        for module in MODULES
        for name in getattr(importlib.import_module(module), "__all__", ())
    ]


def has_own_docstring(value: Any) -> bool:
    if not inspect.isclass(value):
        return bool(inspect.getdoc(value))
    doc = vars(value).get("__doc__") or ""
    return bool(doc) and not doc.startswith(f"{value.__name__}(")  # what a dataclass writes itself


@pytest.mark.parametrize(("module", "name"), public_names())
def test_public_names_exist_and_say_what_they_are(module: str, name: str) -> None:
    value = getattr(importlib.import_module(module), name)
    if inspect.isclass(value) or inspect.isroutine(value):
        assert has_own_docstring(value)


def test_the_front_door_is_sorted() -> None:
    def place(name: str) -> tuple[bool, bool, str]:  # constants, classes, functions
        return not name.isupper(), not name[0].isupper(), name

    assert areev_context.__all__ == sorted(set(areev_context.__all__), key=place)


def test_importing_loads_no_framework_and_opens_no_connection() -> None:
    code = f"""
import json, sys
def refuse(event, _):
    if event.startswith("socket."):
        raise RuntimeError(event)
sys.addaudithook(refuse)
before = set(sys.modules)
import {OURS}
print(json.dumps([name.partition(".")[0] for name in set(sys.modules) - before]))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    installed = importlib.metadata.packages_distributions()
    assert set(json.loads(done.stdout)) & set(installed) - {OURS} <= THIRD_PARTY
