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
    """Any LlamaIndex LLM as a decider; its answers are parsed leniently.

    Its probabilities are guesses, so it is never calibrated and never leaves a node out. It is
    called in threads, which block neither the event loop nor the end of the process; the
    asynchronous methods of many models block.

    Each call is a normal call of the model: handlers of LlamaIndex's instrumentation and callbacks
    of the model receive it, with the prompt and the texts in it. Use `redact` for texts that
    handlers must not see.

    Args:
        llm: The language model, for instance ``Settings.llm``.
        redact: A function that returns the text to send instead of a text; None = texts are sent
            as they are.

    Raises:
        AreevContextError: The argument is no language model.
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
        """Return the model's answers; errors of the model are raised unchanged.

        Raises:
            MalformedAnswerError: The text does not answer the request.
        """
        asked = outgoing(request, self._redact)
        return self._read(self._llm.complete(prompt_for(asked)).text, asked)

    def _read(self, text: str, asked: DecisionRequest) -> dict[str, Any]:
        decision = parse_answer(text, asked)
        model = self._llm.metadata.model_name
        return replace(decision, model=model, provider=self.describe(), calibrated=False).wire()
