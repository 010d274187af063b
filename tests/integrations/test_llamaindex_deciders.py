"""LlamaIndex's language models as judges."""

import asyncio
import json
import re
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")

from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata, MockLLM
from pydantic import Field

from areev_context import AreevContextError, ContextAssembler, FormatPolicy
from areev_context.decide import DecisionBackend
from judges import Judge, fact
from llama_index.postprocessor.areev_context.deciders import LLMDecider

ROWS = [fact("boat", "red"), fact("sky", "over Ann Lee"), fact("sea", "deep")]
POLICY = FormatPolicy(query_text="which boat?")


def off_topic(text: str) -> tuple[float, float]:
    return (3.0, 0.0) if "boat" in text else (0.0, 0.0)


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
        right = Judge(off_topic).answers({"state": state, "questions": questions})
        bare = {name: answer[answer["type"]] for name, answer in right.items()}
        return CompletionResponse(text=f"Certainly: {json.dumps(bare)} Anything else?")

    def stream_complete(self, prompt: str, formatted: bool = False, **named: Any) -> Any:
        raise NotImplementedError


def test_a_language_model_is_never_calibrated() -> None:
    decider = LLMDecider(Talks())
    assembler = ContextAssembler(decider=decider)
    context = assembler.format(ROWS, POLICY)
    assert context.omitted_count == 0
    assert [o.priority for o in context.outcomes] == pytest.approx([0.9, 0.75, 0.75])
    assert asyncio.run(assembler.aformat(ROWS, POLICY)).text == context.text
    decision = context.decision
    assert decision is not None
    assert (decision.model, decision.calibrated) == ("talks-1", False)
    assert decision.provider == decider.describe() != ""
    assert isinstance(decider, DecisionBackend)


def test_what_a_language_model_is_sent_is_redacted() -> None:
    llm = Talks()
    decider = LLMDecider(llm, redact=lambda text: text.replace("Ann Lee", "[name]"))
    assert ContextAssembler(decider=decider).format(ROWS, POLICY).decision is not None
    assert "Ann Lee" not in "".join(llm.prompts)
    assert "over [name]" in "".join(llm.prompts)


def test_a_language_model_that_only_talks_changes_nothing() -> None:
    plain = ContextAssembler().format(ROWS, POLICY)
    assembler = ContextAssembler(decider=LLMDecider(MockLLM(max_tokens=5)))
    assert assembler.format(ROWS, POLICY) == plain
    assert asyncio.run(assembler.aformat(ROWS, POLICY)) == plain


def test_what_is_no_language_model() -> None:
    with pytest.raises(AreevContextError, match="str is no language model"):
        LLMDecider("gpt")  # type: ignore[arg-type]
