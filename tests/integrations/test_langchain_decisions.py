"""LangChain's decision models as deciders."""

import asyncio
import json
import sys
from collections.abc import Mapping
from typing import Any

import pytest

pytest.importorskip("langchain_core", reason="needs the extra langchain")
pytest.importorskip(
    "langchain_core.decisions", reason="decision models came with langchain-core 1.8"
)

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.decisions import BaseDecisionModel, ClassifierResponse, Noul
from langchain_core.runnables import RunnableLambda
from pydantic import Field

from areev_context import AreevContextError, ContextAssembler, FormatPolicy
from areev_context.decide import DecisionBackend
from deciders import Decider, fact
from langchain_areev_context.model_deciders import DecisionModelDecider

ROWS = [fact("boat", "red"), fact("sky", "over Ann Lee"), fact("sea", "deep")]
POLICY = FormatPolicy(query_text="which boat?")


def off_topic(text: str) -> tuple[float, float]:
    return (3.0, 0.0) if "boat" in text else (0.0, 0.0)


class Decides(BaseDecisionModel):
    model: str = "decides-1"
    asked: list[Any] = Field(default_factory=list)

    @property
    def _provider(self) -> str:
        return "tests"

    def _classify(self, state: Any, questions: dict[str, Any]) -> ClassifierResponse:
        assert all(not isinstance(question, Mapping) for question in questions.values())
        dumped = {name: q.model_dump(mode="json") for name, q in questions.items()}
        self.asked.append({"state": state, "questions": dumped})
        answers = Decider(off_topic).answers({"state": state, "questions": questions})
        for name, answer in answers.items():
            if answer["type"] == "score":
                answer["legend"] = dict(enumerate(questions[name].criteria))
        return ClassifierResponse.model_validate({"model": self.model, "answers": answers})


@pytest.mark.parametrize("calibrated", [False, True])
def test_a_decision_model_is_calibrated_only_when_declared_so(calibrated: bool) -> None:
    decider = DecisionModelDecider(Decides(), calibrated=calibrated)
    assembler = ContextAssembler(decider=decider)
    context = assembler.format(ROWS, POLICY)
    assert context.omitted_count == (2 if calibrated else 0)
    assert asyncio.run(assembler.aformat(ROWS, POLICY)).text == context.text
    decision = context.decision
    assert decision is not None
    assert (decision.provider, decision.model, decision.intent) == (
        "Decides",
        "decides-1",
        "general",
    )
    assert isinstance(decider, DecisionBackend)


def test_a_decision_model_may_be_wrapped_and_named() -> None:
    model = Decides()
    wrapped = DecisionModelDecider(
        model.with_retry(), name="mine", redact=lambda text: text.replace("Ann Lee", "[name]")
    )
    decision = ContextAssembler(decider=wrapped).format(ROWS, POLICY).decision
    assert decision is not None
    assert decision.provider == "mine"
    sent = json.dumps(model.asked)
    assert "[name]" in sent
    assert "Ann Lee" not in sent
    bare = RunnableLambda(lambda asked: {"model": "m", "answers": Decider().answers(asked)})
    assert ContextAssembler(decider=DecisionModelDecider(bare)).format(ROWS, POLICY).decision


def test_what_is_no_decision_model(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AreevContextError, match="Noul is no decision model"):
        DecisionModelDecider(Noul(instructions="x"))  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "langchain_core.decisions", None)
    with pytest.raises(AreevContextError, match=r"pip install 'langchain-core>=1\.8'"):
        DecisionModelDecider(Decides())


class Records(BaseCallbackHandler):
    def __init__(self) -> None:
        self.runs: list[Any] = []

    def on_chain_start(self, serialized: Any, inputs: Any, **named: Any) -> None:
        self.runs.append((serialized, inputs, named))

    def on_chat_model_start(self, serialized: Any, messages: Any, **named: Any) -> None:
        self.runs.append((serialized, messages, named))

    def on_llm_start(self, serialized: Any, prompts: Any, **named: Any) -> None:
        self.runs.append((serialized, prompts, named))


def test_a_decider_is_in_no_trace() -> None:
    assembler = ContextAssembler(decider=DecisionModelDecider(Decides()))
    seen: list[Any] = []

    def packed(rows: Any) -> str:
        context = assembler.format(rows, POLICY)
        seen.append(context.decision)
        return context.text

    async def apacked(rows: Any) -> str:
        context = await assembler.aformat(rows, POLICY)
        seen.append(context.decision)
        return context.text

    records = Records()
    chain = RunnableLambda(packed, apacked)
    chain.invoke(ROWS, {"callbacks": [records]})
    asyncio.run(chain.ainvoke(ROWS, {"callbacks": [records]}))
    assert None not in seen
    assert len(records.runs) == 2
    assert "Decider" not in repr(records.runs)
