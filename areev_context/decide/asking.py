"""Ask a backend under one deadline, in separate threads, because a backend may never return.

A thread that never ends must not delay the result or the end of the process: the threads are
daemons, and late answers are ignored.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from areev_context.decide.answers import Decision, read_decision
from areev_context.decide.questions import DecisionRequest
from areev_context.errors import DeadlineError, DecisionError, ProviderError, RateLimitedError
from areev_context.protocols import DecisionBackend

__all__ = [
    "Replies",
    "aask_backend",
    "aasked",
    "ask_backend",
    "decision",
    "failure_of",
    "in_thread",
]

_T = TypeVar("_T")
_TOO_MANY_REQUESTS = 429
_LATE = DeadlineError("the deadline of this assembly has passed")


class Replies(NamedTuple):
    """The results of asking a backend.

    Attributes:
        results: For each request in order, its decision, or the error if there is none.
        latency_ms: Milliseconds from the first request to the last answer.
    """

    results: tuple[Decision | DecisionError, ...]
    latency_ms: int


def ask_backend(
    backend: DecisionBackend, requests: Sequence[DecisionRequest], deadline_ms: int
) -> Replies:
    """Send one request after the other, in one thread; return at the deadline at the latest."""
    start = time.monotonic()
    end = start + deadline_ms / 1000
    answers: queue.SimpleQueue[Decision | DecisionError] = queue.SimpleQueue()

    def ask() -> None:
        for request in requests:
            if time.monotonic() >= end:
                return
            answers.put(_asked(backend, request))

    results: list[Decision | DecisionError] = []
    with contextlib.suppress(queue.Empty, RuntimeError):  # the system has no thread to give
        _in_the_background(ask)
        while len(results) < len(requests):
            results.append(answers.get(timeout=max(0.0, end - time.monotonic())))
    return _replies(results, len(requests), start)


async def aask_backend(
    backend: DecisionBackend, requests: Sequence[DecisionRequest], deadline_ms: int
) -> Replies:
    """Send all requests at once, without blocking the loop; return at the deadline at the latest.

    A backend's `adecide` runs in the event loop, a `decide` in one thread per request. Neither sees
    the caller's context variables, so no tracer records the requests. This function does not wait
    for an `adecide` that continues after its cancellation, but the loop does when it closes.
    """
    start = time.monotonic()
    tasks = [
        asyncio.create_task(aasked(backend, request), context=contextvars.Context())
        for request in requests
    ]
    try:
        await asyncio.wait(tasks, timeout=deadline_ms / 1000)
        results = [
            task.result() if task.done() and not task.cancelled() else _LATE for task in tasks
        ]
    finally:
        for task in tasks:
            task.cancel()
    return _replies(results, len(requests), start)


def _replies(results: Sequence[Decision | DecisionError], asked: int, start: float) -> Replies:
    latency = int((time.monotonic() - start) * 1000)
    return Replies((*results, *[_LATE] * (asked - len(results))), latency)


def _asked(backend: DecisionBackend, request: DecisionRequest) -> Decision | DecisionError:
    try:
        return decision(backend, request)
    except BaseException as error:  # a backend that asks to exit is no reason to
        return failure_of(error)


async def aasked(backend: DecisionBackend, request: DecisionRequest) -> Decision | DecisionError:
    """Return a backend's answer, or the error if there is none, without blocking the loop.

    Raises:
        asyncio.CancelledError: The calling task was cancelled; a `CancelledError` that the backend
            itself raises is a failure of the backend.
    """
    try:
        ask = getattr(backend, "adecide", None)
        if not callable(ask):
            return await in_thread(lambda: _asked(backend, request))
        return _completed(backend, await ask(request.wire()), request)
    except BaseException as error:
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise
        return failure_of(error)


def decision(backend: DecisionBackend, request: DecisionRequest) -> Decision:
    """Return a backend's answers, with the provider and the calibration filled in.

    Probabilities are calibrated if the backend is calibrated and its response does not deny it.

    Raises:
        MalformedAnswerError: The response does not answer the request.
        Exception: Any error that the backend raises.
    """
    return _completed(backend, backend.decide(request.wire()), request)


def _completed(
    backend: DecisionBackend, response: Mapping[str, Any], request: DecisionRequest
) -> Decision:
    read = read_decision(response, request)
    calibrated = getattr(backend, "calibrated", False) is True and read.calibrated is not False
    provider = read.provider or _name_of(backend)
    return replace(read, provider=provider, model=read.model or provider, calibrated=calibrated)


def _name_of(backend: DecisionBackend) -> str:
    """Return the name that a backend gives itself, else its type's."""
    describe = getattr(backend, "describe", None)
    name: object = describe() if callable(describe) else None
    return name if isinstance(name, str) and name.strip() else type(backend).__name__


def failure_of(error: BaseException) -> DecisionError:
    """Return a `DecisionError` for any error; its message has nothing of the request."""
    if isinstance(error, DecisionError):
        return error
    if isinstance(error, TimeoutError):
        kind: type[DecisionError] = DeadlineError
    elif _is_rate_limit(error):
        kind = RateLimitedError
    else:
        kind = ProviderError
    failure = kind(f"the backend raised {type(error).__name__}")
    failure.__cause__ = error
    return failure


def _is_rate_limit(error: BaseException) -> bool:
    status: object = None
    with contextlib.suppress(Exception):  # a property of a stranger's error
        status = getattr(error, "status_code", None)
    too_many = isinstance(status, int) and status == _TOO_MANY_REQUESTS
    return too_many or "RateLimit" in type(error).__name__


def in_thread(function: Callable[[], _T]) -> asyncio.Future[_T]:
    """Call a function in a new thread; the future gets its result or its error.

    An error that no future may hold, such as `SystemExit`, becomes a `RuntimeError`.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def finish(deliver: Callable[[Any], None], value: Any) -> None:
        if not future.done():  # nobody waits any more
            deliver(value)

    def run() -> None:
        deliver: Callable[[Any], None] = future.set_result
        value: Any
        try:
            value = function()
        except BaseException as error:
            deliver, value = future.set_exception, error
            if not isinstance(error, Exception) or isinstance(error, StopIteration):
                value = RuntimeError(f"a thread ended with {type(error).__name__}")
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(finish, deliver, value)

    _in_the_background(run)
    return future


def _in_the_background(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="areev-context", daemon=True).start()
