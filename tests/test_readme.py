"""Every block of the README runs, and prints what the README says it prints."""

import re
import shlex
import subprocess
import sysconfig
from pathlib import Path

import pytest

from runtime import INTEGRATIONS, installed

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
COMMANDS = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]


def test_the_python_blocks_run_and_print_what_the_text_blocks_say(
    capsys: pytest.CaptureFixture[str],
) -> None:
    names: dict[str, object] = {}
    absent = [name for name, framework in INTEGRATIONS.items() if not installed(framework)]
    for (kind, text), (following, expected) in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True):
        if kind == "python" and not any(name in text for name in absent):
            exec(compile(text, "README.md", "exec"), names)
            printed = capsys.readouterr().out
            assert printed == (expected if following == "text" else "")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_run(command: str) -> None:
    words, _, source = command.partition(" < ")
    name, *rest = shlex.split(words, comments=True)
    if name == "make":  # the target exists; what it runs is what the other tests run
        done = subprocess.run(
            ["make", "--dry-run", *rest], cwd=ROOT, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return
    program = Path(sysconfig.get_path("scripts")) / name
    stdin = (ROOT / source).read_bytes() if source else None
    done = subprocess.run([program, *rest], cwd=ROOT, input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert bool(done.stderr) == ("--report" in rest)


def test_make_demo_prints_the_context_and_its_report() -> None:
    recipe = re.search(
        r"^demo:.*\n\t\S+/areev-context (.*)$", (ROOT / "Makefile").read_text(), re.M
    )
    assert recipe is not None
    done = subprocess.run(
        [Path(sysconfig.get_path("scripts")) / "areev-context", *shlex.split(recipe[1])],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("<facts>\n<fact ")
    assert "11 hits" in done.stderr
