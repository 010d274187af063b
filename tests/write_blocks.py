"""Write what the blocks of the README and of docs/ print anew: python tests/write_blocks.py."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
sys.path.insert(0, str(Path(__file__).parent))

from house.test_docs import PAGES, ROOT, printed_by, to_run


def printed(page: Path) -> list[tuple[str, str]]:
    """Return the text of each block that runs, and what it prints, in the page's order."""
    names: dict[str, Any] = {}
    out = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.symlink(ROOT / "examples", "examples")
        for (kind, text), expected in to_run(page):
            stream = io.StringIO()
            if kind == "python":
                with contextlib.redirect_stdout(stream):
                    exec(compile(text, page.name, "exec", dont_inherit=True), names)
            elif expected:
                for line in text.splitlines():
                    stream.write(printed_by(line, Path(folder)))
            out.append((text, stream.getvalue() if expected else ""))
    return out


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block, shown in printed(page):
            if shown:
                pattern = re.escape(f"{block}```\n") + r"((?:(?!^```)[^\n]*\n)*?)```text\n.*?^```$"
                found = re.search(pattern, text, re.DOTALL | re.MULTILINE)
                assert found is not None, block
                between = found[1]
                text = text.replace(found[0], f"{block}```\n{between}```text\n{shown}```", 1)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
