"""Run the notebooks; as a script, write into them what they print."""

from pathlib import Path
from typing import Any

import nbclient
import nbformat

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Any:
    """Return a notebook as it was committed."""
    return nbformat.read(path, as_version=4)


def executed(path: Path) -> Any:
    """Return a notebook with what it prints now; nothing in it tells when or where it ran."""
    notebook = read(path)
    known = dict(notebook.metadata)
    nbclient.NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(FOLDER)}},
    ).execute()
    notebook.metadata = nbformat.from_dict(known)
    return notebook


if __name__ == "__main__":
    for path in NOTEBOOKS:
        nbformat.write(executed(path), path)
