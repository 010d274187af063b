"""A program: many assemblies at once, each over a decider that hangs.

    python tests/hanging.py KIND

It prints how long each of them took, in seconds: those of many threads, those of one loop, and the
whole life of the loop.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from areev_context import ContextAssembler, DecidePolicy, FormatPolicy
from areev_context.decide import ChainDecider, EngineDecider, ScoreDecider
from deciders import Decider, Sleeper, fact

AT_ONCE = 20
ROWS = [fact(str(n), "v") for n in range(3)]
POLICY = FormatPolicy(query_text="x", decide=DecidePolicy(deadline_ms=200))
PLAIN = ContextAssembler().format(ROWS, POLICY)


def hang(*given: Any, **named: Any) -> Any:
    time.sleep(60)


class Asleep(Sleeper):
    async def adecide(self, request: Any) -> Any:
        await asyncio.sleep(60)


class Engine:
    decide = staticmethod(hang)


def chat() -> Any:
    from langchain_core.language_models import BaseChatModel  # noqa: PLC0415  # one kind needs not what another does

    from langchain_areev_context.model_deciders import ChatModelDecider  # noqa: PLC0415  # one kind needs not what another does

    class Hangs(BaseChatModel):
        _generate = hang

        @property
        def _llm_type(self) -> str:
            return "hangs"

    return ChatModelDecider(Hangs())


def decision() -> Any:
    from langchain_core.decisions import BaseDecisionModel  # noqa: PLC0415  # one kind needs not what another does

    from langchain_areev_context.model_deciders import DecisionModelDecider  # noqa: PLC0415  # one kind needs not what another does

    class Hangs(BaseDecisionModel):
        _classify = hang

        @property
        def _provider(self) -> str:
            return "hangs"

    return DecisionModelDecider(Hangs(model="hangs"))


def llm() -> Any:
    from llama_index.core.llms import CustomLLM, LLMMetadata  # noqa: PLC0415  # one kind needs not what another does

    from llama_index.postprocessor.areev_context.llm_decider import LLMDecider  # noqa: PLC0415  # one kind needs not what another does

    class Hangs(CustomLLM):
        complete = stream_complete = hang

        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata()

    return LLMDecider(Hangs())


KINDS: dict[str, Callable[[], Any]] = {
    "thread": lambda: Sleeper(60),
    "loop": lambda: Asleep(60),
    "chain": lambda: ChainDecider([Sleeper(60), Decider()]),
    "chain in the loop": lambda: ChainDecider([Asleep(60), Decider()]),
    "redact": lambda: ChainDecider([Decider()], redact=hang),
    "engine": lambda: EngineDecider(Engine()),
    "score": lambda: ScoreDecider(hang),
    "chat": chat,
    "decision": decision,
    "llm": llm,
}
"""A decider of each kind that hangs."""


def in_threads(assembler: ContextAssembler) -> list[float]:
    def timed(_: int) -> float:
        start = time.monotonic()
        assert assembler.format(ROWS, POLICY) == PLAIN
        return time.monotonic() - start

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(timed, range(AT_ONCE)))


def in_a_loop(assembler: ContextAssembler) -> list[float]:
    async def timed() -> float:
        start = time.monotonic()
        assert await assembler.aformat(ROWS, POLICY) == PLAIN
        return time.monotonic() - start

    async def run() -> list[float]:
        return await asyncio.gather(*(timed() for _ in range(AT_ONCE)))

    start = time.monotonic()
    return [*asyncio.run(run()), time.monotonic() - start]


if __name__ == "__main__":
    hung = ContextAssembler(decider=KINDS[sys.argv[1]]())
    print(json.dumps([*in_threads(hung), *in_a_loop(hung)]))
