"""Run the examples; as a script, keep what they print."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))


def expected(path: Path) -> Path:
    """Return the file that holds what an example prints."""
    return FOLDER / "output" / f"{path.stem}.txt"


def run(
    path: Path, *arguments: str, folder: Path = ROOT, first: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run an example as a user would.

    Args:
        path: The example.
        arguments: What follows its name.
        folder: Where it is started.
        first: A folder whose modules come before all others.
    """
    known = os.environ.get("PYTHONPATH")
    paths = [first, ROOT, ROOT / "integrations", known]
    return subprocess.run(
        [sys.executable, path, *arguments],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(str(each) for each in paths if each),
            "PYTHONUTF8": "1",  # also where the machine writes something else
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


if __name__ == "__main__":
    for path in EXAMPLES:
        done = run(path)
        if done.returncode:
            sys.exit(f"{path.name}: {done.stderr}")
        expected(path).parent.mkdir(exist_ok=True)
        expected(path).write_text(done.stdout, encoding="utf-8")
