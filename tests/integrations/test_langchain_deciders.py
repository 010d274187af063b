"""LangChain's chat models as deciders."""

import asyncio
import copy
import json
import re
import threading
import time
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")

from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel, FakeListChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import Field

from areev_context import AreevContextError, ContextAssembler, DecidePolicy, FormatPolicy
from areev_context.decide import MalformedAnswerError
from deciders import Decider, on_time
from integrations.decider_parts import (
    POLICY,
    ROWS,
    off_topic,
    redacted,
    uncalibrated,
    without_name,
)
from langchain_areev_context import ContextCompressor, ContextRunnable
from langchain_areev_context.model_deciders import ChatModelDecider


def answers_to(prompt: str) -> dict[str, Any]:
    """Return what a language model says of itself: bare numbers and names."""
    questions, state = (
        json.loads(part)
        for part in re.findall(r"^(?:Questions|State):\n(.*)$", prompt, re.MULTILINE)
    )
    asked = {"state": state, "questions": questions}
    right = Decider(off_topic, intent="timeline").answers(asked)
    return {name: answer[answer["type"]] for name, answer in right.items()}


class Talks(BaseChatModel):
    """A chat model without structured output."""

    model_name: str = "talks-1"
    prompts: list[Any] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "talks"

    def _generate(self, messages: list[BaseMessage], *rest: Any, **named: Any) -> ChatResult:
        self.prompts.append(messages[0].text)
        reply = f"Here you are:\n```json\n{json.dumps(answers_to(str(messages[0].text)))}\n```"
        return ChatResult(generations=[ChatGeneration(message=AIMessage(reply))])


class Structured(Talks):
    """A chat model that answers in a schema; `schemas` are those it was given."""

    schemas: list[Any] = Field(default_factory=list)

    def with_structured_output(
        self, schema: Any, **named: Any
    ) -> Runnable[LanguageModelInput, Any]:
        self.schemas.append(schema)
        return RunnableLambda(lambda prompt: answers_to(str(prompt)))


@pytest.mark.parametrize("kind", [Talks, Structured])
def test_a_chat_model_is_never_calibrated(kind: type[Talks]) -> None:
    decision = uncalibrated(ChatModelDecider(kind()))
    assert (decision.provider, decision.model) == (kind.__name__, "talks-1")
    assert decision.intent == "timeline"


def test_structured_output_is_asked_for_where_there_is_some() -> None:
    model = Structured()
    ContextAssembler(decider=ChatModelDecider(model)).format(ROWS, POLICY)
    assert model.prompts == []
    assert list(model.schemas[0]["properties"]) == ["intent"]
    assert model.schemas[1]["required"][:2] == ["rel_0", "verbatim_0"]
    ContextAssembler(decider=ChatModelDecider(model, structured=False)).format(ROWS, POLICY)
    assert len(model.prompts) == 2
    assert len(model.schemas) == 2
    with pytest.raises(NotImplementedError):
        ChatModelDecider(Talks(), structured=True).decide(ASKED)


ASKED = {"state": "s", "questions": {"q": {"type": "noul", "instructions": "Is it?"}}}


def test_a_chat_model_without_a_name_is_called_by_its_class() -> None:
    decider = ChatModelDecider(FakeListChatModel(responses=['{"q": 0.75}']))
    assert decider.decide(ASKED) == {
        "model": "FakeListChatModel",
        "provider": "FakeListChatModel",
        "calibrated": False,
        "answers": {"q": {"type": "noul", "noul": 0.75}},
    }


def test_what_a_chat_model_sends_is_redacted() -> None:
    model = Talks()
    redacted(ChatModelDecider(model, redact=without_name), model.prompts)


def test_a_chat_model_that_does_not_answer_changes_nothing() -> None:
    plain = ContextAssembler().format(ROWS, POLICY)
    for reply in ("I would rather not.", "", '{"intent": "x"}'):
        decider = ChatModelDecider(FakeListChatModel(responses=[reply]))
        assert ContextAssembler(decider=decider).format(ROWS, POLICY) == plain
    with pytest.raises(AreevContextError, match="list is no chat model"):
        ChatModelDecider([])  # type: ignore[arg-type]


def test_a_structured_answer_that_is_none_is_malformed() -> None:
    class Mute(Structured):
        def with_structured_output(
            self, schema: Any, **named: Any
        ) -> Runnable[LanguageModelInput, Any]:
            return RunnableLambda(lambda prompt: None)

    with pytest.raises(MalformedAnswerError, match="answered with NoneType"):
        ChatModelDecider(Mute()).decide(ASKED)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda model: model.bind(stop=["\n\n"]),
        lambda model: model.with_retry(),
        lambda model: model.with_config(tags=["judge"]).with_retry().bind(stop=["x"]),
    ],
    ids=["bound", "retried", "all of it"],
)
def test_a_runnable_around_a_chat_model_is_asked_for_json(wrap: Any) -> None:
    model = Structured()
    decider = ChatModelDecider(wrap(model))
    decision = ContextAssembler(decider=decider).format(ROWS, POLICY).decision
    assert decision is not None
    assert (decision.provider, decision.model) == ("Structured", "talks-1")
    assert (len(model.prompts), model.schemas) == (2, [])
    with pytest.raises(AreevContextError, match="has no structured output: give the chat model"):
        ChatModelDecider(wrap(model), structured=True)


def test_what_is_bound_reaches_the_model() -> None:
    bound = []

    class Listens(Talks):
        def _generate(self, messages: list[BaseMessage], *rest: Any, **named: Any) -> ChatResult:
            bound.append(named["temperature"])
            return super()._generate(messages, *rest, **named)

    decider = ChatModelDecider(Listens().bind(temperature=0))
    assert ContextAssembler(decider=decider).format(ROWS, POLICY).decision is not None
    assert bound == [0, 0]


def test_any_runnable_that_talks_will_do() -> None:
    talks = RunnableLambda(lambda prompt: json.dumps(answers_to(prompt)))
    decision = ContextAssembler(decider=ChatModelDecider(talks)).format(ROWS, POLICY).decision
    assert decision is not None
    assert decision.provider == decision.model == "RunnableLambda"


def test_hanging_models_starve_nothing_else_of_the_loop() -> None:
    class Hangs(Talks):
        def _generate(self, *given: Any, **named: Any) -> ChatResult:
            time.sleep(60)
            raise AssertionError

    policy = FormatPolicy(query_text="x", decide=DecidePolicy(deadline_ms=200))
    runnable = ContextRunnable(policy=policy, decider=ChatModelDecider(Hangs()))
    documents = [Document(f"d {n}") for n in range(3)]
    plain = ContextRunnable(policy=policy).invoke(documents)

    async def one() -> float:
        start = time.monotonic()
        assert await runnable.ainvoke(documents) == plain
        return time.monotonic() - start

    async def waves() -> list[float]:
        return [took for _ in range(2) for took in await asyncio.gather(*(one() for _ in "x" * 20))]

    on_time(lambda: asyncio.run(waves()), within=1.0)  # an adapter has work of its own


@pytest.mark.parametrize("kind", [ContextRunnable, ContextCompressor])
def test_a_deep_copy_shares_what_cannot_be_copied(kind: Any) -> None:
    class Locked(Decider):
        def __init__(self) -> None:
            super().__init__()
            self.lock = threading.Lock()

        def __call__(self, text: str) -> int:
            with self.lock:
                return len(text)

    decider, counter = Locked(), Locked()
    packer = kind(decider=decider, counter=counter, policy=POLICY)
    for twin in (copy.deepcopy(packer), packer.model_copy(deep=True), copy.copy(packer)):
        assert twin == packer
        assert twin.decider is decider
        assert twin.counter is counter
    one, other = copy.deepcopy([packer, decider])
    assert one.decider is other is decider
    assert copy.deepcopy(kind()) == kind()
