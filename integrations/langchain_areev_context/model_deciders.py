"""LangChain's decision models and chat models as deciders.

They are called in threads of the assembler, which block neither the event loop nor the end of the
process. Models without an asynchronous method would use the loop's executor, which blocks both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase
from pydantic import BaseModel, TypeAdapter

from areev_context import AreevContextError
from areev_context.decide import (
    DecisionRequest,
    MalformedAnswerError,
    Redact,
    checked_redact,
    outgoing,
    parse_answer,
    prompt_for,
    schema_of,
)

__all__ = ["ChatModelDecider", "DecisionModelDecider"]


class DecisionModelDecider:
    """A LangChain decision model, from ``langchain_core.decisions``, as a decider.

    It needs langchain-core 1.8 or newer.

    Args:
        model: The decision model, or a runnable around one, such as ``model.with_retry()``.
        calibrated: Whether its probabilities match how often it is right; set it only if that was
            measured. Only a calibrated decider may leave hits out.
        name: Its name in results; None = the class of the model.
        redact: A function that returns the text to send instead of a text; None = texts are sent
            as they are.

    Raises:
        AreevContextError: The model is no runnable, or langchain-core is too old.
    """

    def __init__(
        self,
        model: Runnable[Any, Any],
        *,
        calibrated: bool = False,
        name: str | None = None,
        redact: Redact | None = None,
    ) -> None:
        if not isinstance(model, Runnable):
            raise AreevContextError(
                f"{type(model).__name__} is no decision model: give a BaseDecisionModel"
            )
        self._model = model
        self._questions = _questions()
        self._name = name or type(model).__name__
        self._redact = checked_redact(redact)
        self.calibrated = calibrated

    def describe(self) -> str:
        """Return its name."""
        return self._name

    def decide(self, request: Mapping[str, Any]) -> Any:
        """Return the model's answers; errors of the model are raised unchanged."""
        return _plain(self._model.invoke(self._asked(request)))

    def _asked(self, request: Mapping[str, Any]) -> dict[str, Any]:
        wire = outgoing(request, self._redact).wire()
        return {**wire, "questions": self._questions.validate_python(wire["questions"])}


def _questions() -> TypeAdapter[Any]:
    """Return what makes LangChain's questions of those in the wire form."""
    try:
        from langchain_core.decisions import Question  # noqa: PLC0415  # new in langchain-core 1.8
    except ImportError as error:
        raise AreevContextError(
            "decision models came with langchain-core 1.8: pip install 'langchain-core>=1.8'"
        ) from error
    return TypeAdapter(dict[str, Question])


def _plain(response: Any) -> Any:
    return response.model_dump(mode="json") if isinstance(response, BaseModel) else response


class ChatModelDecider:
    """Any chat model as a decider; its answers are parsed leniently.

    Its probabilities are guesses, so it is never calibrated and never leaves a hit out.

    Args:
        model: The chat model, or a runnable around one, such as ``model.bind(stop=["x"])`` or
            ``model.with_retry()``.
        structured: Whether to use the model's structured output; False = ask for JSON in its text;
            None = use structured output if the model has it. A runnable around a model has none.
        redact: A function that returns the text to send instead of a text; None = texts are sent
            as they are.

    Raises:
        AreevContextError: The model is no runnable, or a runnable around a model is to use
            structured output.
    """

    calibrated = False

    def __init__(
        self,
        model: Runnable[LanguageModelInput, Any],
        *,
        structured: bool | None = None,
        redact: Redact | None = None,
    ) -> None:
        if not isinstance(model, Runnable):
            raise AreevContextError(f"{type(model).__name__} is no chat model: give one")
        self._model = model
        self._inner = _inside(model)
        if structured and self._inner is not model:
            raise AreevContextError(
                f"{type(model).__name__} has no structured output: give the chat model itself, or "
                "structured=False"
            )
        self._structured = structured
        self._redact = checked_redact(redact)

    def describe(self) -> str:
        """Return the class of the model."""
        return type(self._inner).__name__

    def decide(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the model's answers; errors of the model are raised unchanged.

        Raises:
            MalformedAnswerError: The text does not answer the request.
        """
        asked = outgoing(request, self._redact)
        answer = self._runnable(asked).invoke(prompt_for(asked))
        return self._read(answer, asked)

    def _runnable(self, asked: DecisionRequest) -> Runnable[LanguageModelInput, Any]:
        if self._structured is False or not isinstance(self._model, BaseChatModel):
            return self._model
        try:
            return self._model.with_structured_output(schema_of(asked))
        except NotImplementedError:
            if self._structured:
                raise
            return self._model

    def _read(self, answer: Any, asked: DecisionRequest) -> dict[str, Any]:
        found = str(answer.text) if isinstance(answer, BaseMessage) else answer
        if not isinstance(found, str | Mapping):
            raise MalformedAnswerError(f"the model answered with {type(found).__name__}")
        named = getattr(self._inner, "model_name", None) or getattr(self._inner, "model", None)
        decision = parse_answer(found, asked)
        model = named if isinstance(named, str) else self.describe()
        return replace(decision, model=model, provider=self.describe(), calibrated=False).wire()


def _inside(model: Runnable[Any, Any]) -> Runnable[Any, Any]:
    """Return what is bound, retried or configured, from within any number of these."""
    while isinstance(model, RunnableBindingBase):
        model = model.bound
    return model
