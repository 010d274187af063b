"""Work done in threads of our own, and what becomes of what comes too late."""

import asyncio
import threading
from typing import Any

import pytest

from areev_context.decide.asking import in_thread


def test_a_result_and_an_error_reach_who_waits() -> None:
    async def run() -> None:
        assert await in_thread(lambda: 7) == 7
        with pytest.raises(KeyError):
            await in_thread(lambda: {}["x"])

    asyncio.run(run())


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt(), StopIteration()])
def test_what_no_future_may_hold_is_an_error_like_another(error: BaseException) -> None:
    def fail() -> Any:
        raise error

    async def run() -> None:
        with pytest.raises(RuntimeError, match=f"ended with {type(error).__name__}"):
            await in_thread(fail)

    asyncio.run(run())


def test_what_comes_when_nobody_waits_is_dropped() -> None:
    let_go, loops_end = threading.Event(), threading.Event()
    ended: list[threading.Thread] = []

    def wait(event: threading.Event) -> int:
        ended.append(threading.current_thread())
        event.wait(10)
        return 7

    async def run() -> None:
        given_up = in_thread(lambda: wait(let_go))
        given_up.cancel()
        in_thread(lambda: wait(loops_end))
        let_go.set()
        ended[0].join(10)
        await asyncio.sleep(0.01)

    asyncio.run(run())
    loops_end.set()
    for thread in ended:
        thread.join(10)
    assert not any(thread.is_alive() for thread in ended)
    assert all(thread.daemon for thread in ended)
