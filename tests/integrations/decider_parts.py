"""What holds of every decider that is a language model, whichever framework it comes from."""

import asyncio
from typing import Any

import pytest

from areev_context import ContextAssembler, FormatPolicy
from areev_context.decide import DecisionBackend
from areev_context.selection.advice import DecisionProvenance
from deciders import fact

ROWS = [fact("boat", "red"), fact("sky", "over Ann Lee"), fact("sea", "deep")]
POLICY = FormatPolicy(query_text="which boat?")


def off_topic(text: str) -> tuple[float, float]:
    return (3.0, 0.0) if "boat" in text else (0.0, 0.0)


def without_name(text: str) -> str:
    return text.replace("Ann Lee", "[name]")


def uncalibrated(decider: Any) -> DecisionProvenance:
    """See that a decider orders and omits nothing, sync and async; return what it is called."""
    assembler = ContextAssembler(decider=decider)
    context = assembler.format(ROWS, POLICY)
    assert context.omitted_count == 0
    assert [o.priority for o in context.outcomes] == pytest.approx([0.9, 0.75, 0.75])
    assert asyncio.run(assembler.aformat(ROWS, POLICY)).text == context.text
    assert isinstance(decider, DecisionBackend)
    assert context.decision is not None
    assert not context.decision.calibrated
    return context.decision


def redacted(decider: Any, prompts: list[str]) -> None:
    """See that a decider that redacts by `without_name` is used, and is sent no name."""
    assert ContextAssembler(decider=decider).format(ROWS, POLICY).decision is not None
    assert "Ann Lee" not in "".join(prompts)
    assert "over [name]" in "".join(prompts)
