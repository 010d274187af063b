"""LlamaIndex's language models as deciders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from llama_index.core.llms import LLM

from areev_context import AreevContextError
from areev_context.decide import (
    DecisionRequest,
    Redact,
    checked_redact,
    outgoing,
    parse_answer,
    prompt_for,
)

__all__ = ["LLMDecider"]


class LLMDecider:
    """Any LLM as a decider: it reports on itself, so it is read leniently.

    Its numbers are guesses, so it is never calibrated and never leaves a node out. It is asked in
    threads, which hold up neither a loop nor the end of the process: the asynchronous way of many a
    model blocks.

    Each call is one of the model's own: a handler of LlamaIndex's instrumentation, or a callback
    of the model's, is told of it as of any other, the prompt with the texts in it included. What a
    handler is not to see is for `redact`.

    Args:
        llm: The language model, for instance ``Settings.llm``.
        redact: What may be sent of a text; None = all of it.

    Raises:
        AreevContextError: It is no language model.
    """

    calibrated = False

    def __init__(self, llm: LLM, *, redact: Redact | None = None) -> None:
        if not isinstance(llm, LLM):
            raise AreevContextError(f"{type(llm).__name__} is no language model: give an LLM")
        self._llm = llm
        self._redact = checked_redact(redact)

    def describe(self) -> str:
        """Return the class of the model."""
        return str(self._llm.class_name())

    def decide(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the model answers; raises what the model raises.

        Raises:
            MalformedAnswerError: It is no answer to what was asked.
        """
        asked = outgoing(request, self._redact)
        return self._read(self._llm.complete(prompt_for(asked)).text, asked)

    def _read(self, text: str, asked: DecisionRequest) -> dict[str, Any]:
        decision = parse_answer(text, asked)
        model = self._llm.metadata.model_name
        return replace(decision, model=model, provider=self.describe(), calibrated=False).wire()
