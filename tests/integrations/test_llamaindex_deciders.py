"""LlamaIndex's language models as deciders."""

import asyncio
import copy
import json
import re
import threading
import time
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.llm import LLMCompletionStartEvent
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata, MockLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.schema import NodeWithScore, TextNode
from pydantic import Field

from areev_context import AreevContextError, ContextAssembler, DecidePolicy, FormatPolicy
from deciders import Decider, on_time
from integrations.decider_parts import (
    POLICY,
    ROWS,
    off_topic,
    redacted,
    uncalibrated,
    without_name,
)
from llama_index.postprocessor.areev_context import ContextPostprocessor
from llama_index.postprocessor.areev_context.llm_decider import LLMDecider


class Talks(CustomLLM):
    """Answers in prose with a JSON object in it."""

    prompts: list[str] = Field(default_factory=list)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="talks-1")

    def complete(self, prompt: str, formatted: bool = False, **named: Any) -> CompletionResponse:
        self.prompts.append(prompt)
        questions, state = (
            json.loads(part)
            for part in re.findall(r"^(?:Questions|State):\n(.*)$", prompt, re.MULTILINE)
        )
        right = Decider(off_topic).answers({"state": state, "questions": questions})
        bare = {name: answer[answer["type"]] for name, answer in right.items()}
        return CompletionResponse(text=f"Certainly: {json.dumps(bare)} Anything else?")

    def stream_complete(self, prompt: str, formatted: bool = False, **named: Any) -> Any:
        raise NotImplementedError


def test_a_language_model_is_never_calibrated() -> None:
    decider = LLMDecider(Talks())
    decision = uncalibrated(decider)
    assert decision.model == "talks-1"
    assert decision.provider == decider.describe() != ""


def test_what_a_language_model_is_sent_is_redacted() -> None:
    llm = Talks()
    redacted(LLMDecider(llm, redact=without_name), llm.prompts)


def test_a_language_model_that_only_talks_changes_nothing() -> None:
    plain = ContextAssembler().format(ROWS, POLICY)
    assembler = ContextAssembler(decider=LLMDecider(MockLLM(max_tokens=5)))
    assert assembler.format(ROWS, POLICY) == plain
    assert asyncio.run(assembler.aformat(ROWS, POLICY)) == plain


def test_what_is_no_language_model() -> None:
    with pytest.raises(AreevContextError, match="str is no language model"):
        LLMDecider("gpt")  # type: ignore[arg-type]


NODES = [NodeWithScore(node=TextNode(text=f"boat of Ann Lee {n}")) for n in range(3)]


class Events(BaseEventHandler):
    events: list[BaseEvent] = Field(default_factory=list)

    @classmethod
    def class_name(cls) -> str:
        return "Heard"

    def handle(self, event: BaseEvent, **_: Any) -> None:
        self.events.append(event)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_call_of_the_model_is_reported_as_any_other(
    asynchronous: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Scripted(Talks):
        @llm_completion_callback()
        def complete(self, prompt: str, *rest: Any, **named: Any) -> CompletionResponse:
            return super().complete(prompt)

    handler, root = Events(), get_dispatcher()
    monkeypatch.setattr(root, "event_handlers", [*root.event_handlers, handler])
    decider = LLMDecider(Scripted(), redact=lambda text: text.replace("Ann Lee", "[name]"))
    processor = ContextPostprocessor(decider=decider)
    if asynchronous:
        asyncio.run(processor.apostprocess_nodes(NODES, query_str="which boat?"))
    else:
        processor.postprocess_nodes(NODES, query_str="which boat?")
    names = [type(event).__name__ for event in handler.events]
    assert (names[0], names[-1]) == ("ReRankStartEvent", "ReRankEndEvent")
    assert sorted(names[1:-1]) == 2 * ["LLMCompletionEndEvent"] + 2 * ["LLMCompletionStartEvent"]
    prompts = [e.prompt for e in handler.events if isinstance(e, LLMCompletionStartEvent)]
    assert "boat of [name] 0" in "".join(prompts)
    assert "Ann Lee" not in "".join(prompts)


def test_hanging_models_starve_nothing_else_of_the_loop() -> None:
    class Hangs(Talks):
        def complete(self, *given: Any, **named: Any) -> CompletionResponse:
            time.sleep(60)
            raise AssertionError

    policy = FormatPolicy(decide=DecidePolicy(deadline_ms=200))
    processor = ContextPostprocessor(policy=policy, decider=LLMDecider(Hangs()))
    plain = ContextPostprocessor(policy=policy).postprocess_nodes(NODES, query_str="x")

    async def one() -> float:
        start = time.monotonic()
        assert await processor.apostprocess_nodes(NODES, query_str="x") == plain
        return time.monotonic() - start

    async def waves() -> list[float]:
        return [took for _ in range(2) for took in await asyncio.gather(*(one() for _ in "x" * 20))]

    on_time(lambda: asyncio.run(waves()), within=1.0)  # an adapter has work of its own


def test_a_deep_copy_shares_what_cannot_be_copied() -> None:
    decider = Decider()
    decider.lock = threading.Lock()  # type: ignore[attr-defined]
    processor = ContextPostprocessor(decider=decider, counter=len)
    for twin in (copy.deepcopy(processor), processor.model_copy(deep=True), copy.copy(processor)):
        assert twin.decider is decider
        assert twin.counter is processor.counter
        assert twin.to_dict() == processor.to_dict()
    one, other = copy.deepcopy([processor, decider])
    assert one.decider is other is decider
    assert copy.deepcopy(ContextPostprocessor()).decider is None
