"""How many small faults in formats and selection the tests find.

    python benchmarks/mutation.py [--mutants 200] [--seed 1]

Each mutant is one change of one expression, in a copy of the package: a comparison, ``and`` and
``or``, ``not``, a constant, or what a function returns. The tests of that folder run on it and stop
at the first that fails. What is printed at the end can be repeated: the seed draws the mutants.
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = {
    "formats": ["tests/formats", "tests/modes", "tests/house/test_grain_type.py"],
    "selection": ["tests/selection/test_select.py", "tests/hits/test_trust.py", "tests/modes"],
}
"""The tests that are to find a fault, by the folder that has it."""

_SECONDS = 600  # a mutant that runs longer, as one that never ends does, counts as found
_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


def changed(node: ast.AST) -> ast.AST | None:
    """Return a node with one small fault; None where there is none to make."""
    other = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARED:
            other.ops = [_COMPARED[type(operator)]()]
        case ast.BoolOp(op=ast.And()):
            other.op = ast.Or()
        case ast.BoolOp(op=ast.Or()):
            other.op = ast.And()
        case ast.UnaryOp(op=ast.Not()):
            return other.operand
        case ast.Constant(value=bool(value)):
            other.value = not value
        case ast.Constant(value=int(value)):
            other.value = value + 1
        case ast.Constant(value=str(value)):
            other.value = "" if value else "mutant"
        case ast.Return(value=ast.expr()):
            other.value = ast.Constant(None)
        case _:
            return None
    return other


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else super().generic_visit(node)


def _places(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes inside of functions that a fault can be made of; no docstring, no name."""
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    texts = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    hints = {
        id(inner)
        for n in ast.walk(tree)
        for hint in (getattr(n, "annotation", None), getattr(n, "returns", None))
        if isinstance(hint, ast.AST)
        for inner in ast.walk(hint)
    }
    parts = {
        id(part)
        for n in ast.walk(tree)
        if isinstance(n, ast.JoinedStr | ast.MatchClass | ast.MatchValue)
        for part in ast.walk(n)
        if isinstance(part, ast.Constant)
    }
    for function in functions:
        for node in ast.walk(function):
            if id(node) not in texts | hints | parts and changed(node) is not None:
                yield node


def drawn(mutants: int, seed: int) -> list[tuple[Path, int]]:
    """Return which places are changed, each as its module and its place among those of it."""
    every = [
        (path.relative_to(ROOT), n)
        for folder in TESTS
        for path in sorted((ROOT / "areev_context" / folder).glob("*.py"))
        for n, _ in enumerate(_places(ast.parse(path.read_text(encoding="utf-8"))))
    ]
    return sorted(random.Random(seed).sample(every, min(mutants, len(every))))


def mutated(source: str, place: int) -> tuple[str, str]:
    """Return a module with the fault, and the line of it before and after."""
    tree = ast.parse(source)
    node = list(_places(tree))[place]
    new = changed(node)
    assert new is not None
    before = f"line {node.lineno}: {ast.unparse(node)} -> {ast.unparse(new)}"  # type: ignore[attr-defined]
    return ast.unparse(ast.fix_missing_locations(_Replacing(node, new).visit(tree))), before


def found(folder: Path, tests: list[str]) -> bool:
    """Return whether the tests fail on the copy."""
    path = os.pathsep.join(map(str, (folder, ROOT / "integrations")))
    command = [sys.executable, "-P", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path, "AREEV_PROFILE": "quick"},
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Count the faults that the tests find.")
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    survived: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        package = folder / "areev_context"
        shutil.copytree(ROOT / "areev_context", package)
        for room, tests in TESTS.items():
            assert not found(folder, tests), f"the tests of {room} fail without a fault"
        chosen = drawn(options.mutants, options.seed)
        for path, place in chosen:
            source = (ROOT / path).read_text(encoding="utf-8")
            text, what = mutated(source, place)
            (folder / path).write_text(text, encoding="utf-8")
            is_found = found(folder, TESTS[path.parts[1]])
            survived += [] if is_found else [what]
            print(f"{'found' if is_found else 'NOT FOUND'}: {path}, {what}", flush=True)
            (folder / path).write_text(source, encoding="utf-8")
    killed = len(chosen) - len(survived)
    print(f"{killed} of {len(chosen)} faults found, seed {options.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
