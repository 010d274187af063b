"""Every notebook runs, and prints what it was committed with."""

import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient.exceptions import DeadKernelError

from run_notebooks import NOTEBOOKS, executed, read

NEEDS = {"02_langchain": "langchain_core", "03_llamaindex": "llama_index.core"}

OFFLINE = Path(__file__).parents[1] / "offline"

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def outputs(notebook: Any) -> list[list[str]]:
    """Return what each cell of code printed, then what it showed; a picture is only named."""
    return [
        [streamed(cell, "stdout"), streamed(cell, "stderr"), *shown(cell)]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def streamed(cell: Any, name: str) -> str:
    return "".join(o.text for o in cell.outputs if o.output_type == "stream" and o.name == name)


def shown(cell: Any) -> list[str]:
    results = [output.data for output in cell.outputs if "data" in output]
    return ["a picture" if "image/png" in data else str(data["text/plain"]) for data in results]


def test_they_are_all_there() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        "01_quickstart",
        "02_langchain",
        "03_llamaindex",
        "04_deciders",
    ]


@each
def test_a_notebook_prints_what_it_was_committed_with(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if path.stem in NEEDS:
        pytest.importorskip(NEEDS[path.stem], reason="the notebook is about this framework")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))  # nobody's own settings
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(OFFLINE), os.environ.get("PYTHONPATH", "")])
    )
    committed = outputs(read(path))
    assert outputs(executed(path)) == committed, "python tests/run_notebooks.py writes them anew"


def test_a_notebook_that_reaches_for_the_network_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(OFFLINE), os.environ.get("PYTHONPATH", "")])
    )
    asks = "import socket\nsocket.create_connection(('192.0.2.1', 9), timeout=0.1)"
    path = tmp_path / "asks.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(asks)]), path)
    with pytest.raises(DeadKernelError):
        executed(path)


@each
def test_a_committed_notebook_tells_of_no_machine(path: Path) -> None:
    notebook = read(path)
    printed = outputs(notebook)
    assert any("a picture" in cell for cell in printed)
    assert not [errors for _, errors, *_ in printed if errors]
    assert not re.findall(r"(?<![\w<.])/\w+/\w.*", "\n".join(map("\n".join, printed)))
    assert set(notebook.metadata) <= {"kernelspec", "language_info"}
    assert not any(cell.metadata for cell in notebook.cells)
