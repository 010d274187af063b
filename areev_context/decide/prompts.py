"""The requests to a decider about the hits of an assembly, and the advice in its answers.

All wording of questions is here. There are two questions: what the query wants (intent), and how
much of each hit it needs (disclosure). A question that is not answered completely has no effect.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from areev_context.decide.answers import ChoiceAnswer, Decision, NoulAnswer, ScoreAnswer
from areev_context.decide.asking import Replies
from areev_context.decide.questions import Choice, DecisionRequest, Noul, Question, Score
from areev_context.errors import DecisionError, NotConfiguredError
from areev_context.formats.registry import FORMATS
from areev_context.formats.renderers import Renderers, with_query
from areev_context.policy import DecidePolicy, FormatPolicy, OutputFormat, RenderingHints
from areev_context.protocols import GrainRenderer
from areev_context.selection.advice import NO_ADVICE, Advice, DecisionProvenance, Intent
from areev_context.selection.item import Item
from areev_context.selection.screening import Screened
from areev_context.text.clean import clean

__all__ = [
    "DEADLINE_MS",
    "Ask",
    "Prompt",
    "advice_of",
    "disclosure_answers",
    "disclosure_of",
    "prompt_of",
]

DEADLINE_MS = 2_000
"""The default deadline of all requests of one assembly, in milliseconds."""
_LONGEST_WAIT_MS = 10**9  # eleven days: systems refuse to wait for longer than they can count

_log = logging.getLogger("areev_context")
_log.addHandler(logging.NullHandler())  # a host that sets up no logging hears nothing

_MOST_CHARACTERS = 600  # of a candidate's text
_WORD = re.compile(r"(?<!\S)[^\W\d_]+[.,;:!?]?(?=\s)")  # of letters, and whole
_MOST_TOKENS = 28_000  # of a request's state, estimated

_INTENT = "intent"
_RELEVANCE = "rel_"
_VERBATIM = "verbatim_"

_LEVELS = ("off-topic", "tangential", "relevant", "directly answers")

_ASK_INTENT = Choice(
    "What does the query want to know?",
    {
        Intent.TIMELINE.value: "an order in time: when things happened, in what order, how far "
        "apart, or how something changed",
        Intent.CURRENT_STATE.value: "how something is now; what it was before does not matter",
        Intent.GENERAL.value: "anything else",
    },
)


def _ask_relevance(n: int) -> Score:
    return Score(f"How relevant to the query is candidate {n}?", _LEVELS)


def _ask_verbatim(n: int) -> Noul:
    return Noul(f"Would a one-line summary of candidate {n} lose a detail that the query needs?")


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, and the hits that it is about.

    Attributes:
        request: The request.
        indexes: The indexes of the hits, in the order of the candidates; empty if the request is
            about the query alone.
        in_part: The indexes of hits whose text is shown to the decider only in part.
    """

    request: DecisionRequest
    indexes: tuple[int, ...]
    in_part: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Prompt:
    """All requests for one assembly.

    Attributes:
        rules: The policy's rules for what the answers may change.
        asks: The requests, the one for the intent first.
    """

    rules: DecidePolicy
    asks: tuple[Ask, ...]

    @property
    def requests(self) -> list[DecisionRequest]:
        """The requests in order."""
        return [ask.request for ask in self.asks]

    @property
    def deadline_ms(self) -> int:
        """The deadline of all requests together."""
        given = self.rules.deadline_ms
        return DEADLINE_MS if given is None else min(given, _LONGEST_WAIT_MS)


def prompt_of(
    screened: Screened,
    policy: FormatPolicy,
    hints: RenderingHints,
    renderers: Mapping[str, GrainRenderer],
    *,
    modes: bool = True,
) -> Prompt:
    """Return the requests to a decider about screened hits; none about fewer than two hits.

    Args:
        screened: The result of screening, which has no withheld hit.
        policy: The query, and what a decider may change.
        hints: The query, if the policy has none.
        renderers: The application's renderers; they write the texts of the candidates too.
        modes: Whether the intent can change the result.

    Raises:
        RendererError: A renderer of the application failed.
    """
    rules = DecidePolicy() if policy.decide is None else policy.decide
    shown_text = with_query(policy, hints)
    query = (shown_text.query_text or "").strip()
    if not query or len(screened.items) < 2:
        return Prompt(rules, ())
    asks: list[Ask] = []
    if rules.intent and modes and not (hints.has_temporal_expr or hints.has_time_range):
        asks.append(Ask(DecisionRequest({"query": query}, {_INTENT: _ASK_INTENT}), ()))
    if rules.disclosure:
        writers = Renderers(
            FORMATS[OutputFormat.PLAIN_TEXT],
            shown_text.model_copy(update={"format": OutputFormat.PLAIN_TEXT}),
            renderers,
        )
        asks.extend(_disclosure(query, screened.items, writers))
    fits = all(_size(ask.request.state) < 4 * _MOST_TOKENS for ask in asks)
    return Prompt(rules, tuple(asks) if fits else ())  # a query as long as that is none


def _size(state: Any) -> int:
    """Return the bytes of a state as JSON in UTF-8; four of them are a token, as estimated."""
    return len(json.dumps(state, ensure_ascii=False).encode())


def _disclosure(query: str, item: Sequence[Item], writers: Renderers) -> Iterator[Ask]:
    """Yield requests about the hits, in their order, each as large as its state may be."""
    room = 4 * _MOST_TOKENS - 1 - _size({"query": query, "candidates": []})
    indexes: list[int] = []
    in_part: set[int] = set()
    candidates: list[dict[str, Any]] = []
    used = 0
    for each in item:
        whole = writers.whole(each) or ""
        candidate = {"n": len(candidates), "text": _beginning(whole)}
        size = _size(candidate) + len(", ")
        if candidates and used + size > room:
            yield _ask(query, candidates, indexes, in_part)
            candidates, indexes, in_part, used = [], [], set(), 0
            candidate["n"] = 0
        candidates.append(candidate)
        indexes.append(each.index)
        used += size
        if len(whole) > _MOST_CHARACTERS:
            in_part.add(each.index)
    yield _ask(query, candidates, indexes, in_part)


def _beginning(text: str) -> str:
    """Return what a decider reads of a text; where it is cut, it ends in a whole word of letters.

    What redacts texts knows a number or an address as a whole, and would let out a half of one.
    """
    if len(text) <= _MOST_CHARACTERS:
        return text
    head = text[:_MOST_CHARACTERS]
    ends = [match.end() for match in _WORD.finditer(head)]
    return head[: ends[-1]] if ends else head


def _ask(
    query: str, candidates: list[dict[str, Any]], indexes: list[int], in_part: set[int]
) -> Ask:
    questions: dict[str, Question] = {}
    for n in range(len(candidates)):
        questions[f"{_RELEVANCE}{n}"] = _ask_relevance(n)
        questions[f"{_VERBATIM}{n}"] = _ask_verbatim(n)
    state = {"query": query, "candidates": candidates}
    return Ask(DecisionRequest(state, questions), tuple(indexes), frozenset(in_part))


def advice_of(prompt: Prompt, replies: Replies) -> Advice:
    """Return the advice in the answers; a question not answered completely changes nothing."""
    pairs = list(zip(prompt.asks, replies.results, strict=True))
    about_query = _answered("intent", [pair for pair in pairs if not pair[0].indexes])
    about_hits = _answered("disclosure", [pair for pair in pairs if pair[0].indexes])
    if not about_query and not about_hits:
        return NO_ADVICE
    intent, intent_is_sure = _intent(about_query)
    scores, verbatim = _of_hits(about_hits)
    decisions = [decision for _, decision in (*about_query, *about_hits)]
    sure = all(decision.calibrated for _, decision in about_hits)
    in_part = frozenset(index for ask, _ in about_hits for index in ask.in_part)
    rules = prompt.rules
    low = frozenset(n for n, score in scores.items() if sure and score < rules.drop_below)
    return Advice(
        intent,
        scores,
        low - in_part,  # who read the beginning alone cannot tell that nothing answers
        frozenset(n for n, need in verbatim.items() if sure and need >= rules.full_above),
        intent_is_sure,
        DecisionProvenance(
            provider=_joined(decision.provider for decision in decisions),
            model=_joined(decision.model for decision in decisions),
            calibrated=all(decision.calibrated for decision in decisions),
            requests=len(decisions),
            latency_ms=replies.latency_ms,
            intent=intent,
        ),
    )


def _answered(
    question: str, pairs: Sequence[tuple[Ask, Decision | DecisionError]]
) -> list[tuple[Ask, Decision]]:
    """Return the answers to one question, or none of them where one is missing."""
    replies = [(ask, result) for ask, result in pairs if isinstance(result, Decision)]
    if len(replies) == len(pairs):
        return replies
    first = next(result for _, result in pairs if isinstance(result, DecisionError))
    level = logging.DEBUG if isinstance(first, NotConfiguredError) else logging.WARNING
    _log.log(level, "no decider on %s: %s", question, first)
    return []


def _intent(replies: Sequence[tuple[Ask, Decision]]) -> tuple[Intent | None, bool]:
    """Return what the query wants, and whether whoever says so is calibrated."""
    if not replies:
        return None, True
    (_, decision), *_ = replies
    answer = decision.answers[_INTENT]
    assert isinstance(answer, ChoiceAnswer), "it was read as what was asked"
    return Intent(answer.choice), decision.calibrated is True


def _of_hits(
    replies: Sequence[tuple[Ask, Decision]],
) -> tuple[dict[int, float], dict[int, float]]:
    """Return relevance and need for the whole text, 0..1, by the place of the hit."""
    scores: dict[int, float] = {}
    verbatim: dict[int, float] = {}
    for ask, decision in replies:
        for n, index in enumerate(ask.indexes):
            relevance = decision.answers[f"{_RELEVANCE}{n}"]
            need = decision.answers[f"{_VERBATIM}{n}"]
            assert isinstance(relevance, ScoreAnswer), "it was read as what was asked"
            assert isinstance(need, NoulAnswer), "it was read as what was asked"
            scores[index] = relevance.score / (len(_LEVELS) - 1)
            verbatim[index] = need.noul
    return scores, verbatim


def _joined(names: Iterable[str | None]) -> str:
    return ",".join(dict.fromkeys(clean(name)[0] for name in names if name))


def disclosure_of(request: DecisionRequest) -> tuple[str, list[str]]:
    """Return the query and the texts of the candidates that a request asks about.

    Raises:
        NotConfiguredError: The request does not ask for relevance.
    """
    state = request.state
    if f"{_RELEVANCE}0" not in request.questions or not isinstance(state, Mapping):
        raise NotConfiguredError("only the relevance of candidates is decided here")
    return state["query"], [candidate["text"] for candidate in state["candidates"]]


def disclosure_answers(relevance: Sequence[float]) -> dict[str, Any]:
    """Return answers in the wire form from the relevance, 0..1, of each candidate."""
    answers: dict[str, Any] = {}
    highest = len(_LEVELS) - 1
    for n, each in enumerate(relevance):
        level = each * highest
        shares = tuple(max(0.0, 1.0 - abs(at - level)) for at in range(highest + 1))
        answer = ScoreAnswer(level, shares, _LEVELS, max(shares))
        answers[f"{_RELEVANCE}{n}"] = answer.wire()
        answers[f"{_VERBATIM}{n}"] = NoulAnswer(0.0).wire()
    return answers
