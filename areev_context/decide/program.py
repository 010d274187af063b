"""Run a program with limits on time and output, and end every process that it started."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from areev_context.errors import DeadlineError, MalformedAnswerError, ProviderError

__all__ = ["MOST_BYTES", "output_of"]

MOST_BYTES = 1_000_000
"""The most bytes that a program may write on standard output, and on standard error."""

_SHELL = "/bin/sh"
# It reads from a pipe whose other end this process alone has: the read ends when this process does,
# however it does. Then its whole group is killed, of which it is the first.
_WATCH = "trap '' HUP INT TERM; read -r line; kill -s KILL 0"
_PIECE = 1 << 16


def output_of(command: Sequence[str], request: bytes, seconds: float) -> bytes:
    """Run a program with a request on its standard input, and return its standard output.

    When this function returns or raises, the program has ended and has been waited for, and every
    process of its group has been killed. On systems with process groups and ``/bin/sh`` they are
    killed too if this process ends first or is killed. A process that leaves the group continues;
    and a process forked from this one while the program runs delays the killing until it ends.

    Args:
        command: The program and its arguments.
        request: The bytes on its standard input.
        seconds: The timeout, from now.

    Raises:
        ProviderError: The program cannot be started, or failed.
        DeadlineError: The program took too long, or a process that it started did not close its
            output in time.
        MalformedAnswerError: The program wrote more than `MOST_BYTES`.
    """
    ends = time.monotonic() + seconds
    with _watched() as group:
        try:
            program = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=group,
            )
        except OSError as error:
            raise ProviderError(f"the command cannot be run: {type(error).__name__}") from error
        try:
            return _output(program, group or program.pid, request, ends)
        except (queue.Empty, TimeoutError):
            raise DeadlineError(f"the command took over {seconds:g} s") from None
        finally:
            _kill(program, group or program.pid)
            program.wait()


@contextmanager
def _watched() -> Iterator[int]:
    """Yield a group of processes that is killed when this block or this process ends.

    It is there before any other process of it, so that none is ever unwatched. Where there is no
    watching it is 0: a program then begins a group of its own.
    """
    try:
        if not hasattr(os, "killpg"):
            raise FileNotFoundError
        watcher = subprocess.Popen(
            [_SHELL, "-c", _WATCH],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
            env={},
        )
    except OSError:
        yield 0
        return
    with watcher:
        try:
            yield watcher.pid
        finally:
            _kill(watcher, watcher.pid)


def _kill(program: subprocess.Popen[bytes], group: int) -> None:
    """Kill a program and its group, where the system knows groups of processes."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # nobody is left to be killed
            os.killpg(group, signal.SIGKILL)
    program.kill()


def _output(program: subprocess.Popen[bytes], group: int, request: bytes, ends: float) -> bytes:
    """Return the output of a program that has just been started.

    Raises:
        queue.Empty: It did not end in time.
        TimeoutError: Its output did not.
    """
    ended: queue.SimpleQueue[None] = queue.SimpleQueue()
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stderr is not None
    output, errors = _Reader(program.stdout, ended), _Reader(program.stderr, ended)
    _in_the_background(_feed, program.stdin, request)
    _in_the_background(_wait, program, ended)
    ended.get(timeout=max(0.0, ends - time.monotonic()))  # the program, or what it may write
    _kill(program, group)  # what it has started would hold its output open
    for reader, name in ((output, "output"), (errors, "error")):
        reader.join(max(0.0, ends - time.monotonic()))
        if reader.is_alive():
            raise TimeoutError
        if reader.size > MOST_BYTES:
            raise MalformedAnswerError(
                f"the command wrote over {MOST_BYTES:,} bytes on standard {name}"
            )
    if program.wait():
        raise ProviderError(f"the command ended with status {program.returncode}")
    return b"".join(output.pieces)


class _Reader(threading.Thread):
    """Reads a stream to its end, or to the most that may be read.

    Attributes:
        pieces: What was read.
        size: Its bytes.
    """

    def __init__(self, stream: IO[bytes], ended: queue.SimpleQueue[None]) -> None:
        super().__init__(name="areev-context", daemon=True)
        self.pieces: list[bytes] = []
        self.size = 0
        self._stream = stream
        self._ended = ended
        self.start()

    def run(self) -> None:
        """Read; past the most, the program counts as ended."""
        with self._stream:
            while piece := os.read(self._stream.fileno(), _PIECE):
                self.pieces.append(piece)
                self.size += len(piece)
                if self.size > MOST_BYTES:
                    self._ended.put(None)
                    return


def _feed(stream: IO[bytes], request: bytes) -> None:
    with suppress(OSError), stream:  # a program need not read what it is asked
        stream.write(request)


def _wait(program: subprocess.Popen[bytes], ended: queue.SimpleQueue[None]) -> None:
    program.wait()
    ended.put(None)


def _in_the_background(work: Callable[..., None], *given: object) -> None:
    threading.Thread(target=work, args=given, name="areev-context", daemon=True).start()
