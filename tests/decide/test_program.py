"""Programs that answer: bounded in time and in what they write, and ended with all they start."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from areev_context.decide import DeadlineError, MalformedAnswerError, ProviderError, program
from areev_context.decide.program import MOST_BYTES, output_of

GROUPS = pytest.mark.skipif(not hasattr(os, "killpg"), reason="the system has no process groups")


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def runs(pid: int) -> bool:
    """Return whether a process runs; one that has ended may wait for who collects it."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def comes_true(what: Callable[[], bool], seconds: float = 20) -> bool:
    ends = time.monotonic() + seconds
    while not what():
        if time.monotonic() > ends:
            return False
        time.sleep(0.02)
    return True


def starting(folder: Path, then: str, *, session: bool = False) -> list[str]:
    """Return a program that starts another, which keeps the output open, and leaves both ids."""
    own = folder / "pids"
    return python(
        "import os, pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], "
        f"start_new_session={session})\n"
        f"part = pathlib.Path({str(own)!r} + '.part')\n"
        "part.write_text(f'{os.getpid()} {child.pid}')\n"
        f"part.rename({str(own)!r})\n"
        f"{then}\n"
    )


def started(folder: Path) -> list[int]:
    own = folder / "pids"
    assert comes_true(own.exists)
    return [int(pid) for pid in own.read_text().split()]


# --- how much it may write ----------------------------------------------------------------------


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_output_without_an_end_is_cut_off(stream: str) -> None:
    code = f"import sys\nwhile True: sys.{stream}.write('x' * 65536)"
    name = {"stdout": "output", "stderr": "error"}[stream]
    began = time.monotonic()
    with pytest.raises(MalformedAnswerError, match=f"over 1,000,000 bytes on standard {name}"):
        output_of(python(code), b"", 60)
    assert time.monotonic() - began < 20


def test_the_most_that_may_be_written() -> None:
    code = "import sys; sys.stdout.write('x' * {0}); sys.stderr.write('y' * {0})"
    assert output_of(python(code.format(MOST_BYTES)), b"", 60) == b"x" * MOST_BYTES
    with pytest.raises(MalformedAnswerError, match="over 1,000,000 bytes"):
        output_of(python(code.format(MOST_BYTES + 1)), b"", 60)


def test_a_program_need_not_read_what_it_is_asked() -> None:
    assert output_of(python("print('done')"), b"x" * 5_000_000, 60).strip() == b"done"
    reads = python("import sys; print(len(sys.stdin.read()))")
    assert output_of(reads, b"x" * 5_000_000, 60).strip() == b"5000000"


# --- what it has started ends with it -----------------------------------------------------------


@GROUPS
@pytest.mark.parametrize("shell", ["/bin/sh", "/no/such/shell"])
@pytest.mark.parametrize(
    ("then", "error"),
    [
        ("print('answer')", None),
        ("sys.exit(3)", ProviderError),
        ("time.sleep(60)", DeadlineError),
        ("while True: sys.stdout.write('x' * 65536)", MalformedAnswerError),
    ],
)
def test_a_group_ends_with_its_program(
    then: str,
    error: type[Exception] | None,
    shell: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(program, "_SHELL", shell)
    command = starting(tmp_path, then)
    began = time.monotonic()
    if error is None:
        assert output_of(command, b"", 30).strip() == b"answer"
    else:
        with pytest.raises(error):
            output_of(command, b"", 5)
    assert time.monotonic() - began < 25
    assert comes_true(lambda: not any(map(runs, started(tmp_path))))


@GROUPS
def test_output_that_another_holds_open_is_late(tmp_path: Path) -> None:
    try:
        with pytest.raises(DeadlineError, match="took over 3 s"):
            output_of(starting(tmp_path, "print('answer')", session=True), b"", 3)
    finally:
        os.kill(started(tmp_path)[1], signal.SIGKILL)


PARENT = """
import asyncio, sys, threading
from areev_context.decide import CommandDecider, DecisionRequest, Noul
from areev_context.decide.asking import aasked

decider = CommandDecider(sys.argv[2:], timeout_ms=60_000)
request = DecisionRequest("x", {"q": Noul("is it?")})
how = sys.argv[1]
if how == "thread":
    threading.Thread(target=decider.decide, args=[request.wire()]).start()
elif how == "loop":
    asyncio.run(aasked(decider, request))
else:
    decider.decide(request.wire())
"""


@GROUPS
@pytest.mark.parametrize("signals", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("how", ["call", "thread", "loop"])
def test_a_program_ends_when_who_asks_is_killed(
    how: str, signals: signal.Signals, tmp_path: Path
) -> None:
    waits = starting(tmp_path, "time.sleep(60)")
    with subprocess.Popen([*python(PARENT), how, *waits], stderr=subprocess.DEVNULL) as parent:
        pids = started(tmp_path)
        assert all(map(runs, pids))
        parent.send_signal(signals)
    assert comes_true(lambda: not any(map(runs, pids)))


@GROUPS
def test_a_program_cannot_end_what_watches_it(tmp_path: Path) -> None:
    waits = starting(
        tmp_path,
        "import signal; signal.signal(15, signal.SIG_IGN); os.killpg(0, 15); time.sleep(60)",
    )
    with subprocess.Popen([*python(PARENT), "call", *waits], stderr=subprocess.DEVNULL) as parent:
        pids = started(tmp_path)
        assert comes_true(lambda: not runs(pids[1]))
        parent.kill()
    assert comes_true(lambda: not runs(pids[0]))


MANY = """
import asyncio, gc, os, sys, threading
from areev_context import ContextAssembler, DecidePolicy, FormatPolicy
from areev_context.decide import CommandDecider

rows = [{"grain_type": "fact", "fields": {"subject": str(n)}} for n in range(2)]
policy = FormatPolicy(query_text="x", decide=DecidePolicy(deadline_ms=20_000))
codes = ["print({})", "raise SystemExit(3)", "import time; time.sleep(60)", "print('x' * 2**21)"]

def ask(code):
    command = [sys.executable, "-c", code]
    ContextAssembler(decider=CommandDecider(command, timeout_ms=1000)).format(rows, policy)

async def aask():
    assemblers = [
        ContextAssembler(decider=CommandDecider([sys.executable, "-c", code], timeout_ms=1000))
        for code in codes
    ]
    await asyncio.gather(*(assembler.aformat(rows, policy) for assembler in assemblers))

opened = len(os.listdir("/proc/self/fd"))
threads = [threading.Thread(target=ask, args=[code]) for code in codes]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
asyncio.run(aask())
try:
    print("left", os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    print("none left")
gc.collect()
print(len(os.listdir("/proc/self/fd")) - opened)
"""


@GROUPS
def test_no_program_waits_to_be_collected_and_no_pipe_stays_open() -> None:
    run = subprocess.run(python(MANY), capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.split("\n")[:2] == ["none left", "0"]
    assert run.stderr == ""


@GROUPS
def test_a_late_program_is_collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_wait", lambda program, ended: None)
    with pytest.raises(DeadlineError):
        output_of(starting(tmp_path, "time.sleep(60)"), b"", 3)
    with pytest.raises(ChildProcessError):
        os.waitpid(started(tmp_path)[0], os.WNOHANG)


def test_where_there_are_no_groups_the_program_alone_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "killpg", raising=False)
    command = starting(tmp_path, "time.sleep(60)")
    with pytest.raises(DeadlineError):
        output_of(command, b"", 3)
    one, other = started(tmp_path)
    assert comes_true(lambda: not runs(one))
    with suppress(ProcessLookupError):
        os.kill(other, signal.SIGKILL)
