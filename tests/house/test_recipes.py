"""Each recipe of CONTRIBUTING is followed in a copy: a mode, a format and a grain type.

One file and one row make each of them; it then works with everything that is there already.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPES = Path(__file__).parent / "recipes"

Row = tuple[str, str, str]
"""A file of the package, what stands in it, and what takes its place."""

MODE: list[Row] = [
    ("layout/all_modes.py", "import aggregation, census", "import aggregation, board, census"),
    ("layout/all_modes.py", "in (aggregation,", "in (board, aggregation,"),
]
FORMAT: list[Row] = [
    ("policy.py", '    JSON = "json"\n', '    JSON = "json"\n    BRACKETS = "brackets"\n'),
    ("formats/registry.py", "import json,", "import brackets, json,"),
    ("formats/registry.py", "in (sml,", "in (brackets, sml,"),
]
TYPE: list[Row] = [
    (
        "hits/grain_types.py",
        ")  # fmt: skip\n\nGRAIN_TYPES",
        '    GrainType("ticket", "tickets", ("title", "content"), 0.6, ("title", "body"),\n'
        '              text_field="body"),\n)  # fmt: skip\n\nGRAIN_TYPES',
    ),
]
ADDED: dict[str, tuple[list[str], list[Row]]] = {
    "none": ([], []),
    "mode": (["layout/board.py"], MODE),
    "format": (["formats/brackets.py"], FORMAT),
    "type": ([], TYPE),
    "all": (["layout/board.py", "formats/brackets.py"], [*MODE, *FORMAT, *TYPE]),
}


def follow(recipe: str, package: Path) -> None:
    files, rows = ADDED[recipe]
    for name in files:
        shutil.copy(RECIPES / Path(name).name, package / name)
    for name, old, new in rows:
        source = (package / name).read_text(encoding="utf-8")
        assert source.count(old) == 1, (name, old)
        (package / name).write_text(source.replace(old, new), encoding="utf-8")


def read_back(recipe: str, folder: Path) -> subprocess.CompletedProcess[str]:
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "areev_context", folder / "areev_context", ignore=skipped)
    follow(recipe, folder / "areev_context")
    path = [folder, ROOT / "integrations", ROOT / "tests"]
    return subprocess.run(
        [sys.executable, RECIPES / "read_back.py"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("recipe", ["mode", "format", "type", "all"])
def test_what_a_recipe_adds_reads_back_whole(recipe: str, tmp_path: Path) -> None:
    done = read_back(recipe, tmp_path)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert ("brackets" in shown["formats"]) == (recipe in ("format", "all"))
    assert ("board" in shown["modes"]) == (recipe in ("mode", "all"))
    assert ("ticket" in shown["types"]) == (recipe in ("type", "all"))


def test_a_hit_that_a_format_loses_is_found(tmp_path: Path) -> None:
    """The check sees a loss: a format that passes over named sections."""
    ADDED["losing"] = (ADDED["all"][0], [
        *ADDED["all"][1],
        ("formats/brackets.py", "yield from _lines(node.nodes, outline)",
         "yield from _lines(node.nodes if node.name is None else (), outline)"),
    ])  # fmt: skip
    done = read_back("losing", tmp_path)
    assert done.returncode == 1
    assert "AssertionError" in done.stderr
