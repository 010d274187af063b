"""Whether code, tables, lists and records are still usable after packing; README.md says more."""

import argparse
import importlib.util
import sys
from pathlib import Path
from typing import Any

from packers import HALF, INSTALL, POOL

BUDGETS = (256, 512, 1024, 2048)
OURS = ("gpt4", "claude", "local_small")
OTHERS = (
    "greedy_skip",
    "naive_truncate",
    "langchain_reorder",
    "langchain_approx",
    "llamaindex_repack",
)


def benchmark_of(folder: Path) -> Any:
    """Return the shape benchmark below the folder, or end with a line that says what is missing.

    Nothing of it is copied: the licences of its texts allow use.
    """
    script = folder / "shape" / "shape.py"
    if not script.is_file():
        print(f"{folder} holds no shape benchmark: give the folder with shape/shape.py")
        sys.exit(2)
    spec = importlib.util.spec_from_file_location("shape_benchmark", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ImportError as missing:
        print(f"the benchmark needs {missing.name}: {INSTALL.format(folder)}")
        sys.exit(2)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the benchmark")
    parser.add_argument("--sample", type=int, default=1, help="take every Nth question")
    parser.add_argument("--pool", type=int, default=POOL, help="passages a question")
    parser.add_argument("--run", default="", help="only these packers, comma between them")
    options = parser.parse_args()
    benchmark = benchmark_of(options.data)
    asked = argparse.Namespace(
        k=options.pool,
        budgets=list(BUDGETS),
        kinds="",
        every=max(1, options.sample),
        procs=1,
        run=options.run or ",".join((*OURS, *OTHERS)),
        packer=[],
        keep=False,
    )
    print(benchmark.report(benchmark.work((HALF, 0, asked)), asked, HALF))


if __name__ == "__main__":
    main()
