"""Deciders: backends that answer typed questions about a query and hits, and may reorder hits.

::

    from areev_context import ContextAssembler
    from areev_context.decide import CommandDecider

    assembler = ContextAssembler(decider=CommandDecider(["my-decider", "--fast"]))

A request in the wire form is ``{"state": …, "questions": {id: question}}``, a response
``{"model": …, "answers": {id: answer}}``; `Noul`, `Choice` and `Score` are the questions.
"""

from __future__ import annotations

from areev_context.decide.answers import (
    Answer,
    ChoiceAnswer,
    Decision,
    NoulAnswer,
    ScoreAnswer,
    read_decision,
)
from areev_context.decide.backends import CommandDecider, Engine, EngineDecider, ScoreDecider
from areev_context.decide.chain import ChainDecider
from areev_context.decide.parse import parse_answer, prompt_for, schema_of
from areev_context.decide.questions import Choice, DecisionRequest, Noul, Question, Score
from areev_context.decide.redaction import Redact, checked_redact, outgoing
from areev_context.errors import (
    ChainExhaustedError,
    DeadlineError,
    DecisionError,
    InvalidQuestionError,
    MalformedAnswerError,
    NotConfiguredError,
    ProviderError,
    RateLimitedError,
)
from areev_context.protocols import DecisionBackend
from areev_context.selection.advice import DecisionProvenance, Intent

__all__ = [
    "Answer",
    "ChainDecider",
    "ChainExhaustedError",
    "Choice",
    "ChoiceAnswer",
    "CommandDecider",
    "DeadlineError",
    "Decision",
    "DecisionBackend",
    "DecisionError",
    "DecisionProvenance",
    "DecisionRequest",
    "Engine",
    "EngineDecider",
    "Intent",
    "InvalidQuestionError",
    "MalformedAnswerError",
    "NotConfiguredError",
    "Noul",
    "NoulAnswer",
    "ProviderError",
    "Question",
    "RateLimitedError",
    "Redact",
    "Score",
    "ScoreAnswer",
    "ScoreDecider",
    "checked_redact",
    "outgoing",
    "parse_answer",
    "prompt_for",
    "read_decision",
    "schema_of",
]


def __getattr__(name: str) -> object:
    """Return `parse_answer` under its old name, for programs that still import it."""
    if name == "read_spoken":
        return parse_answer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
