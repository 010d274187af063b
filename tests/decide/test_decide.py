"""Deciders in an assembly: what they may change, and what they never do."""

import asyncio
import contextvars
import copy
import html
import json
import logging
import math
import pickle
import time
from collections.abc import Callable
from typing import Any

import pytest

from areev_context import (
    AreevContextError,
    ContextAssembler,
    DecidePolicy,
    FormatPolicy,
    FormattedContext,
    Grain,
    InputError,
    Reason,
    RenderingHints,
    SearchHit,
    SharedRenderer,
    load_hits,
)
from areev_context.decide import DecisionError, MalformedAnswerError, RateLimitedError, ScoreDecider
from areev_context.extend import DecisionBackend, OutputFormat
from areev_context.tokens import estimate_tokens
from awkward import TEXTS
from deciders import LEVELS, AsyncDecider, Broken, Decider, Sleeper, fact, noul, score

BUDGETS = (None, 30, 80, 10_000)
QUERY = "what is john doing now, and when did he move to Rome?"
ROWS = [
    fact("john", "an engineer at the harbour", 1_700_000_000, score=0.9),
    fact("john", "moving to Rome", 1_710_000_000, score=0.8),
    fact("weather", "rainy in the north", 1_720_000_000, score=0.7),
    fact("john", "old", 1_600_000_000, supersession_status="superseded",
         superseded_by_hash="b", hash="a"),
    fact("john", "new", 1_650_000_000, supersession_status="current", hash="b"),
    {"grain_type": "document", "fields": {"title": "Notes", "content": "John moved. " * 20}},
    {"grain_type": "event", "fields": {"content": "I live in Rome now.", "role": "user"}},
]  # fmt: skip


def words(text: str) -> int:
    return len(text.split())


def both(decider: Any, hits: Any, policy: FormatPolicy, **options: Any) -> FormattedContext:
    """Return the context of the sync path, and see that the async path has the same."""
    context = ContextAssembler(decider=decider, **options).format(hits, policy)
    again = asyncio.run(ContextAssembler(decider=decider, **options).aformat(hits, policy))
    assert again.model_dump(exclude={"decision"}) == context.model_dump(exclude={"decision"})
    assert (again.decision is None) == (context.decision is None)
    return context


def reasons(context: FormattedContext) -> list[Reason]:
    return [outcome.reason for outcome in context.outcomes]


def spoil(change: Callable[[dict[str, Any]], Any]) -> Callable[[Any], Any]:
    """Return what changes every answer of a response."""

    def spoiled(response: Any) -> Any:
        response["answers"] = {n: change(a) or a for n, a in response["answers"].items()}
        return response

    return spoiled


def set_in(answer: dict[str, Any], value: Any) -> None:
    answer[answer["type"]] = value


def shares(answer: dict[str, Any], total: float) -> Any:
    if answer["type"] == "noul":
        return noul(1.0 + total)
    given = answer["probabilities"]
    answer["probabilities"] = {name: total * share for name, share in given.items()}
    return answer


def renamed(response: Any) -> Any:
    response["answers"] = {f"{n}x": answer for n, answer in response["answers"].items()}
    return response


def fewer(response: Any) -> Any:
    response["answers"].popitem()
    return response


def turned(answer: dict[str, Any]) -> Any:
    """Return an answer whose levels are numbered from the highest down."""
    if answer["type"] != "score":
        return "out of order"
    return {**answer, "legend": {str(n): level for n, level in enumerate(reversed(LEVELS))}}


class Panic(BaseException):
    """As that of an extension module."""


class Opaque(Exception):
    @property
    def status_code(self) -> int:
        raise LookupError("no response")


def contradicted(answer: dict[str, Any]) -> Any:
    """Return an answer that its own probabilities contradict."""
    if answer["type"] == "noul":
        return noul(2)
    name, at = ("general", "timeline") if answer["type"] == "choice" else (3, "0")
    return {**answer, answer["type"]: name, "probabilities": {at: 1.0}}


FAILURES: dict[str, Any] = {
    "raises": ConnectionError("refused"),
    "raises its own": RateLimitedError("later"),
    "raises nothing ordinary": KeyboardInterrupt(),
    "exits": SystemExit(1),
    "raises what is no Exception": Panic(),
    "raises a group": BaseExceptionGroup("several", [Panic(), ValueError()]),
    "raises the end of a generator": GeneratorExit(),
    "cancels itself": asyncio.CancelledError(),
    "raises what cannot be looked at": Opaque(),
    "nothing": None,
    "empty": {},
    "no answers": {"model": "m", "answers": {}},
    "prose": "Sure! The first candidate is the best.",
    "a list": [1, 2],
    "answers in a list": lambda r: {**r, "answers": list(r["answers"].values())},
    "wrong ids": renamed,
    "too few": fewer,
    "too many": lambda r: {**r, "answers": {**r["answers"], "rel_99": score(0)}},
    "out of order": spoil(turned),
    "bare": spoil(lambda a: a[a["type"]]),
    "null": lambda r: {**r, "answers": dict.fromkeys(r["answers"])},
    "wrong type": spoil(lambda a: noul(0.5) if a["type"] != "noul" else score(1)),
    "a text for a number": spoil(lambda a: set_in(a, "0.5")),
    "a truth for a number": spoil(lambda a: set_in(a, True)),
    "nan": spoil(lambda a: set_in(a, math.nan)),
    "infinite": spoil(lambda a: set_in(a, math.inf)),
    "negative": spoil(lambda a: set_in(a, -0.1)),
    "over the highest": spoil(lambda a: set_in(a, 3.1)),
    "endless": spoil(lambda a: set_in(a, 10**5000)),
    "endlessly negative": spoil(lambda a: set_in(a, -(10**5000))),
    "at odds with itself": spoil(contradicted),
    "half": spoil(lambda a: shares(a, 0.5)),
    "double": spoil(lambda a: shares(a, 2.0)),
    "nan shares": spoil(lambda a: shares(a, math.nan)),
    "shares in a list": spoil(lambda a: {**a, "probabilities": [1.0], "noul": None}),
    "no shares": spoil(lambda a: {"type": a["type"], "score": 1, "choice": "timeline"}),
    "unknown options": spoil(lambda a: {**a, "probabilities": {"z": 1.0}, "noul": [0]}),
    "unsure of its confidence": spoil(lambda a: {**a, "confidence": 7, "noul": "?"}),
}


class InTheLoop(Broken):
    async def adecide(self, request: Any) -> Any:
        await asyncio.sleep(0)
        return super().decide(request)

    def decide(self, request: Any) -> Any:
        raise AssertionError("asked in a thread")


@pytest.mark.parametrize("options", [{}, {"counter": words}], ids=["estimates", "counted"])
@pytest.mark.parametrize("failure", FAILURES)
def test_a_decider_that_fails_changes_nothing(failure: str, options: dict[str, Any]) -> None:
    policies = [
        FormatPolicy(format=format_, token_budget=budget, query_text=QUERY)
        for format_ in OutputFormat
        for budget in BUDGETS
    ]
    in_threads, in_the_loop = (
        ContextAssembler(decider=kind(FAILURES[failure]), **options) for kind in (Broken, InTheLoop)
    )

    async def run() -> list[FormattedContext]:
        return [
            await assembler.aformat(ROWS, policy)
            for assembler in (in_threads, in_the_loop)
            for policy in policies
        ]

    plain = [ContextAssembler(**options).format(ROWS, policy) for policy in policies]
    decided = [in_threads.format(ROWS, policy) for policy in policies]
    assert [*decided, *asyncio.run(run())] == 3 * plain
    for context in decided:
        assert context.decision is None
        assert "decision" not in context.model_dump()
        assert "decision" not in json.loads(context.model_dump_json())


def test_what_it_would_have_changed_is_seen_when_it_does_not_fail() -> None:
    policy = FormatPolicy(query_text=QUERY)
    context = both(Broken(lambda response: response), ROWS, policy)
    assert context.text != ContextAssembler().format(ROWS, policy).text
    assert context.mode == "timeline"
    assert set(reasons(context)) == {Reason.OMITTED_DECIDER, Reason.SUPERSEDED}
    assert context.text == ""


def test_an_answer_in_time_counts_where_the_next_is_late() -> None:
    class Slow(Decider):
        def decide(self, request: Any) -> Any:
            if "intent" not in request["questions"]:
                time.sleep(60)
            return super().decide(request)

    decider = Slow(intent="timeline")
    policy = FormatPolicy(query_text="x", decide=DecidePolicy(deadline_ms=100))
    context = both(decider, ROWS, policy)
    assert context.mode == "timeline"
    assert context.decision is not None
    assert (context.decision.requests, context.decision.intent) == (1, "timeline")


def test_after_the_deadline_nothing_more_is_sent() -> None:
    class Slow(Decider):
        def decide(self, request: Any) -> Any:
            response = super().decide(request)
            time.sleep(0.1)
            return response

    decider = Slow()
    ContextAssembler(decider=decider).format(
        ROWS, FormatPolicy(query_text="x", decide=DecidePolicy(deadline_ms=30))
    )
    time.sleep(0.2)
    assert [list(request["questions"]) for request in decider.requests] == [["intent"]]


def test_a_system_without_threads_has_no_decider(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: Any) -> None:
        raise RuntimeError("can't start new thread")

    policy = FormatPolicy(query_text=QUERY)
    plain = ContextAssembler().format(ROWS, policy)
    monkeypatch.setattr("threading.Thread.start", start)
    assert ContextAssembler(decider=Decider()).format(ROWS, policy) == plain


def test_the_loop_goes_on_while_a_context_is_made() -> None:
    ticks = 0

    async def run() -> FormattedContext:
        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.005)

        ticking = asyncio.create_task(tick())
        policy = FormatPolicy(query_text=QUERY, token_budget=50)
        context = await ContextAssembler(decider=Sleeper(0.05), counter=slow).aformat(ROWS, policy)
        ticking.cancel()
        return context

    def slow(text: str) -> int:
        time.sleep(0.005)
        return words(text)

    assert asyncio.run(run()).decision is not None
    assert ticks >= 5


def test_all_requests_are_made_at_once_without_blocking() -> None:
    policy = FormatPolicy(query_text=QUERY)
    start = time.monotonic()
    context = asyncio.run(ContextAssembler(decider=Sleeper(0.5)).aformat(ROWS, policy))
    assert time.monotonic() - start < 0.95
    assert context.decision is not None
    assert context.decision.requests == 2


def test_a_decider_that_was_cancelled_by_another_is_not_used() -> None:
    class Cancelled(Decider):
        async def adecide(self, request: Any) -> Any:
            raise asyncio.CancelledError

    async def run() -> FormattedContext:
        context = await ContextAssembler(decider=Cancelled()).aformat(ABOUT, POLICY)
        task = asyncio.current_task()
        assert task is not None
        assert not task.cancelling()
        return context

    assert asyncio.run(run()) == ContextAssembler().format(ABOUT, POLICY)


def test_a_cancelled_context_cancels_its_questions() -> None:
    cancelled = []

    class Asleep(Decider):
        async def adecide(self, request: Any) -> Any:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(request)
                raise

    async def run() -> None:
        assembler = ContextAssembler(decider=Asleep())
        task = asyncio.create_task(assembler.aformat(ROWS, FormatPolicy(query_text=QUERY)))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)

    asyncio.run(run())
    assert len(cancelled) == 2


# What a decider may change


ABOUT = [fact("boat", "red"), fact("sky", "blue"), fact("sea", "deep"), fact("sun", "hot")]
POLICY = FormatPolicy(query_text="which boat?")


def off_topic(text: str) -> tuple[float, float]:
    return (3.0, 0.0) if "boat" in text else (0.0, 0.0)


@pytest.mark.parametrize("format_", OutputFormat)
@pytest.mark.parametrize("budget", BUDGETS)
def test_calibrated_what_is_off_topic_is_omitted(format_: OutputFormat, budget: int | None) -> None:
    policy = POLICY.replace(format=format_, token_budget=budget)
    for options in ({}, {"counter": words}):
        context = both(Decider(off_topic, calibrated=True), ABOUT, policy, **options)
        assert reasons(context)[1:] == [Reason.OMITTED_DECIDER] * 3
        assert context.omitted_count >= 3
        assert context.truncated
        assert not any(word in context.text for word in ("sky", "sea", "sun"))
    assert [outcome.tokens for outcome in context.outcomes[1:]] == [0, 0, 0]


def test_uncalibrated_nothing_is_omitted() -> None:
    context = both(Decider(off_topic), ABOUT, POLICY)
    assert context.omitted_count == 0
    assert context.text == ContextAssembler().format(ABOUT, POLICY).text
    assert context.decision is not None
    assert not context.decision.calibrated


@pytest.mark.parametrize("options", [{}, {"counter": words}], ids=["estimates", "counted"])
def test_relevance_orders_what_a_budget_is_spent_on(options: dict[str, Any]) -> None:
    rows = [fact(f"s{n}", "one two three four five six seven") for n in range(6)]
    policy = FormatPolicy(
        token_budget=30, query_text="?", metadata="none", grain_type_diversity=None
    )
    decider = Decider(lambda text: (3.0, 0.0) if "s4" in text else (1.0, 0.0))
    context = both(decider, rows, policy, **options)
    plain = ContextAssembler(**options).format(rows, policy)
    assert plain.outcomes[4].allocation != "full"
    assert context.outcomes[4].allocation == "full"
    priorities = [outcome.priority or 0.0 for outcome in context.outcomes]
    assert max(priorities) == priorities[4] == pytest.approx(0.70 + 0.15 + 0.05)
    assert priorities[0] == pytest.approx(0.70 + 0.15 / 3 + 0.05)


def test_relevance_stands_in_for_the_score_in_a_renderer_of_the_hosts() -> None:
    seen: dict[str, Any] = {}

    class Noted(SharedRenderer):
        def context_priority(self, grain: Grain, hit: SearchHit) -> float:
            seen[grain.fields["subject"]] = hit.score
            return 0.5

    rows = [fact("boat", "red", score=0.2), fact("sky", "blue", score=0.9)]
    decider = Decider(lambda text: (3.0, 0.0) if "boat" in text else (1.0, 0.0))
    both(decider, rows, POLICY, renderers=[Noted("fact")])
    assert seen == {"boat": 1.0, "sky": pytest.approx(1 / 3)}


def test_rated_passages_are_packed_by_their_relevance() -> None:
    rows = [
        {
            "grain_type": "document",
            "fields": {"content": f"Boat {n}: which boat do they mean? Boat {n}, says the list."},
        }
        for n in range(8)
    ]
    dinghy = "The dinghy is the one they mean. It lies in the harbour, tied to a post."
    rows.append({"grain_type": "document", "fields": {"content": dinghy}})
    policy = FormatPolicy(query_text="which boat?", token_budget=24)
    decider = Decider(lambda text: (3.0, 0.0) if "dinghy" in text else (1.0, 0.0))
    assert "dinghy" not in ContextAssembler(counter=words).format(rows, policy).text
    context = both(decider, rows, policy, counter=words)
    assert "dinghy" in context.text
    assert context.tokens <= 24


def verbatim(text: str) -> tuple[float, float]:
    return (2.0, 0.9) if "exact" in text else (2.0, 0.1)


def estimates(*sizes: int) -> list[dict[str, Any]]:
    """Return facts whose estimated tokens are these, at metadata none."""
    rows = [fact(f"s{n}", "") for n in range(len(sizes))]
    for row, size in zip(rows, sizes, strict=True):
        fields = row["fields"]
        bare = sum(len(name) + len(value) + 4 for name, value in fields.items())
        fields["object"] = ("exact " * size)[: 4 * size - bare]
    return rows


@pytest.mark.parametrize(
    ("calibrated", "sizes", "forms"),
    [
        (False, (60, 30), ["full", "summary"]),  # 90 of 100 passes 70
        (True, (60, 30), ["full", "full"]),
        (True, (60, 35), ["full", "full"]),  # 95 does not pass 95
        (True, (60, 36), ["full", "summary"]),
    ],
)
def test_what_must_stay_verbatim_is_whole_up_to_the_second_line(
    calibrated: bool, sizes: tuple[int, ...], forms: list[str]
) -> None:
    policy = FormatPolicy(
        metadata="none",
        token_budget=100,
        query_text="?",
        grain_type_diversity=None,
        allocation="reference",
    )
    rows = estimates(*sizes)
    context = both(Decider(verbatim, calibrated=calibrated), rows, policy)
    assert [outcome.full_tokens for outcome in context.outcomes] == list(sizes)
    assert [outcome.allocation for outcome in context.outcomes] == forms


def ledgers() -> list[dict[str, Any]]:
    """Return documents of fifty-five words, a third of which are about a sum."""
    return [
        {
            "grain_type": "document",
            "fields": {
                "title": f"t{n}",
                "content": " ".join(
                    f"Ledger {n} says the sum of {n}{k} is due. "
                    f"The ink on page {n}{k} had long dried. Nobody wrote to Ann {n}{k} that day."
                    for k in range(2)
                ),
            },
        }
        for n in range(4)
    ]


@pytest.mark.parametrize(("budget", "form"), [(80, "full"), (60, "full"), (40, "summary")])
def test_with_a_counter_what_must_stay_verbatim_is_whole_where_it_fits(
    budget: int, form: str
) -> None:
    policy = FormatPolicy(query_text="which sum is due?", token_budget=budget)

    def first(text: str) -> tuple[float, float]:
        return 3.0, 0.9 if "Ledger 0" in text else 0.0

    plain = both(Decider(first), ledgers(), policy, counter=words)
    context = both(Decider(first, calibrated=True), ledgers(), policy, counter=words)
    assert plain.outcomes[0].allocation == "summary"
    assert context.outcomes[0].allocation == form
    assert context.tokens <= budget


def test_thresholds_can_be_tuned() -> None:
    decider = Decider(lambda text: (1.0, 0.4), calibrated=True)

    def context(**rules: Any) -> FormattedContext:
        policy = FormatPolicy(
            metadata="none",
            token_budget=100,
            query_text="?",
            decide=DecidePolicy(**rules),
            allocation="reference",
        )
        return both(decider, estimates(60, 30), policy)

    assert [o.allocation for o in context().outcomes] == ["full", "summary"]
    assert [o.allocation for o in context(full_above=0.4).outcomes] == ["full", "full"]
    assert reasons(context(drop_below=0.34)) == [Reason.OMITTED_DECIDER] * 2
    assert Reason.OMITTED_DECIDER not in reasons(context(drop_below=0.33))


UPDATES = [
    fact("john", "in Oslo", 1_600_000_000, supersession_status="superseded",
         superseded_by_hash="b", hash="a"),
    fact("john", "in Rome", 1_700_000_000, supersession_status="current", hash="b"),
    fact("ann", "in Bonn", 1_650_000_000),
]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "intent", "calibrated", "old_is_shown"),
    [
        ("where does john live?", "current_state", True, False),
        ("where does john live?", "current_state", False, True),
        ("where does john live?", "general", True, True),
        ("what is john's home?", "general", True, True),
        ("what is john's home?", "general", False, False),
    ],
)
def test_the_intent_hides_old_values_only_when_calibrated(
    query: str, intent: str, calibrated: bool, old_is_shown: bool
) -> None:
    decider = Decider(intent=intent, calibrated=calibrated)
    for format_ in OutputFormat:
        context = both(decider, UPDATES, FormatPolicy(format=format_, query_text=query))
        assert ("Oslo" in context.text) == old_is_shown
        assert "Rome" in context.text


HISTORY = [
    fact("john", "in Bergen", 1_500_000_000, supersession_status="superseded",
         superseded_by_hash="a", hash="z"),
    *UPDATES,
]  # fmt: skip


def shown(context: FormattedContext) -> set[int]:
    """Return the places of the hits that a text shows."""
    forms = {Reason.FULL, Reason.SUMMARY, Reason.UPDATE, Reason.CUT}
    return {outcome.index for outcome in context.outcomes if outcome.reason in forms}


@pytest.mark.parametrize("metadata", ["none", "minimal", "full"])
@pytest.mark.parametrize("most", [None, 1])
def test_a_timeline_of_an_unsure_decider_keeps_the_old_value(
    metadata: str, most: int | None
) -> None:
    limits = {} if most is None else {"fact": {"max_count": most}}
    policy = FormatPolicy(
        metadata=metadata, query_text="where does john live?", grain_overrides=limits
    )
    plain = ContextAssembler().format(HISTORY, policy)
    assert plain.outcomes[1].reason is Reason.SUPERSEDED, "the update says it all"
    for format_ in OutputFormat:
        context = both(Decider(intent="timeline"), HISTORY, policy.replace(format=format_))
        assert shown(context) == shown(plain) == {0, 2, 3}
        assert (context.omitted_count, context.decision is None) == (0, False)
        assert all(place in context.text for place in ("Bergen", "Rome", "Bonn"))
        context = both(Decider(intent="timeline"), UPDATES, policy.replace(format=format_))
        assert (shown(context), context.omitted_count) == ({0, 1, 2}, 0)
        assert all(place in context.text for place in ("Oslo", "Rome", "Bonn"))
    context = both(Decider(intent="timeline"), HISTORY, policy)
    assert context.mode == "timeline"
    assert context.text.index("Bergen") < context.text.index("Bonn") < context.text.index("Rome")
    sure = both(Decider(intent="timeline", calibrated=True), UPDATES, policy)
    assert ("Oslo" in sure.text) == (metadata == "full" or most == 1)


@pytest.mark.parametrize("metadata", ["none", "minimal", "full"])
def test_an_update_of_an_unsure_decider_hides_nothing(metadata: str) -> None:
    query = "what is the order of john's homes?"  # phrases of both kinds
    policy, hints = (
        FormatPolicy(metadata=metadata, query_text=query),
        RenderingHints(query_text=query),
    )
    plain = ContextAssembler().format(HISTORY, policy, hints)
    assert plain.mode == "timeline"
    context = ContextAssembler(decider=Decider(intent="general")).format(HISTORY, policy, hints)
    assert context.mode == "default"
    assert shown(context) >= shown(plain) >= {0, 2, 3}
    assert "Bergen" in context.text
    assert context.omitted_count == 0
    sure = Decider(intent="current_state", calibrated=True)
    assert "Bergen" not in ContextAssembler(decider=sure).format(HISTORY, policy, hints).text


def test_an_update_goes_when_both_its_halves_are_off_topic() -> None:
    def about(*topics: str) -> Decider:
        return Decider(
            lambda text: (3.0 if any(topic in text for topic in topics) else 0.0, 0.0),
            calibrated=True,
        )

    policy = FormatPolicy(query_text="where does ann live?")
    context = both(about("Bonn"), HISTORY, policy)
    gone, superseded = Reason.OMITTED_DECIDER, Reason.SUPERSEDED
    assert reasons(context) == [gone, superseded, gone, Reason.FULL]
    assert (context.text, context.omitted_count) == ("ann is in Bonn", 2)
    for half in ("Bergen", "Rome"):
        context = both(about(half), HISTORY, policy)
        assert reasons(context) == [Reason.UPDATE, superseded, Reason.UPDATE, gone]
    two_to_one = [*UPDATES, fact("john", "in Wien", 1, superseded_by_hash="b", hash="c",
                                 supersession_status="superseded")]  # fmt: skip
    context = both(about("Wien"), two_to_one, policy)
    assert reasons(context) == [gone, Reason.UPDATE, gone, Reason.UPDATE]


@pytest.mark.parametrize("calibrated", [False, True])
def test_the_intent_takes_the_place_of_the_temporal_phrases(calibrated: bool) -> None:
    hints = RenderingHints(query_text="when did john move?")
    for intent, mode in (("timeline", "timeline"), ("general", "default")):
        decider = Decider(intent=intent, calibrated=calibrated)
        context = ContextAssembler(decider=decider).format(UPDATES, None, hints)
        assert context.mode == mode
    assert ContextAssembler().format(UPDATES, None, hints).mode == "timeline"
    context = ContextAssembler(decider=Decider(intent="timeline")).format(ABOUT, POLICY)
    assert context.mode == "default", "nothing is dated"


def asked(decider: Decider) -> list[str]:
    return [
        "intent" if "intent" in request["questions"] else "disclosure"
        for request in decider.requests
    ]


@pytest.mark.parametrize(
    ("hints", "rules", "questions"),
    [
        ({}, {}, ["intent", "disclosure"]),
        ({"has_temporal_expr": True}, {}, ["disclosure"]),
        ({"has_time_range": True}, {}, ["disclosure"]),
        ({"entity_count": 2}, {}, ["intent", "disclosure"]),
        ({}, {"intent": False}, ["disclosure"]),
        ({}, {"disclosure": False}, ["intent"]),
        ({}, {"intent": False, "disclosure": False}, []),
    ],
)
def test_what_is_asked(hints: dict[str, Any], rules: dict[str, Any], questions: list[str]) -> None:
    decider = Decider()
    policy = POLICY.replace(decide=DecidePolicy(**rules)) if rules else POLICY
    context = ContextAssembler(decider=decider).format(ABOUT, policy, RenderingHints(**hints))
    assert asked(decider) == questions
    assert (context.decision is None) == (not questions)


@pytest.mark.parametrize(
    ("rows", "policy", "hints"),
    [
        (ABOUT, FormatPolicy(), RenderingHints()),
        (ABOUT, FormatPolicy(query_text=" \n"), RenderingHints(query_text="")),
        ([], POLICY, RenderingHints()),
        (ABOUT[:1], POLICY, RenderingHints()),
        ([ABOUT[0], ABOUT[0]], POLICY, RenderingHints()),
        ([ABOUT[0], {"grain_type": "event", "fields": {"content": " "}}], POLICY, RenderingHints()),
        (ABOUT, FormatPolicy(query_text="x" * 120_000), RenderingHints()),
    ],
    ids=["no query", "blank", "no hits", "one hit", "one twice", "one empty", "endless query"],
)
def test_when_nothing_is_asked(rows: Any, policy: FormatPolicy, hints: RenderingHints) -> None:
    decider = Decider(off_topic, calibrated=True)
    context = ContextAssembler(decider=decider).format(rows, policy, hints)
    assert context == asyncio.run(ContextAssembler(decider=decider).aformat(rows, policy, hints))
    assert decider.requests == []
    assert context == ContextAssembler().format(rows, policy, hints)
    assert context == asyncio.run(ContextAssembler().aformat(rows, policy, hints))


def test_the_query_of_the_policy_is_asked_before_that_of_the_hints() -> None:
    decider = Decider()
    assembler = ContextAssembler(decider=decider)
    assembler.format(ABOUT, POLICY, RenderingHints(query_text="hinted"))
    assembler.format(ABOUT, None, RenderingHints(query_text="hinted"))
    queries = [request["state"]["query"] for request in decider.requests]
    assert queries == ["which boat?"] * 2 + ["hinted"] * 2


# What it is asked


def test_what_is_withheld_is_never_sent() -> None:
    withheld = [
        fact("secret-a", "x", verification_status="retracted"),
        fact("secret-b", "x"),
        {"grain_type": "document", "fields": {"title": "t", "content": "secret-c"}},
        fact("secret-d", "x"),
    ]
    withheld[1]["fields"]["context"] = {"vstatus": "Rejected"}
    withheld[3]["fields"]["verification_status"] = "RETRACTED"
    policy = POLICY.replace(grain_overrides={"document": {"include": False}})
    decider = Decider(off_topic, calibrated=True)
    context = both(decider, [*ABOUT[:2], *withheld, *ABOUT[2:]], policy)
    sent = json.dumps(decider.requests)
    assert "secret" not in sent
    assert "boat" in sent
    assert context.withheld_count == 4
    assert context.text == both(decider, ABOUT, policy).text


def test_a_candidate_is_its_plain_text_by_its_renderer() -> None:
    class Hushed(SharedRenderer):
        def render(self, grain: Grain, policy: FormatPolicy) -> str:
            return f"{policy.format} of {grain.fields['subject']}"

    rows = [
        fact("boat", "red"),
        {"grain_type": "note", "fields": {"subject": "sky", "object": "hidden"}},
        {"grain_type": "document", "fields": {"content": "x" * 700}},
    ]
    decider = Decider()
    ContextAssembler(decider=decider, renderers=[Hushed("note")]).format(
        rows, POLICY.replace(format="sml")
    )
    assert decider.requests[1]["state"] == {
        "query": "which boat?",
        "candidates": [
            {"n": 0, "text": "boat is red"},
            {"n": 1, "text": "plain_text of sky"},
            {"n": 2, "text": "x" * 600},
        ],
    }


def test_the_wording() -> None:
    decider = Decider()
    ContextAssembler(decider=decider).format(ABOUT[:2], POLICY)
    intent, disclosure = decider.requests
    assert intent["state"] == {"query": "which boat?"}
    question = intent["questions"]["intent"]
    assert (question["type"], list(question["criteria"])) == (
        "choice",
        ["timeline", "current_state", "general"],
    )
    assert list(disclosure["questions"]) == ["rel_0", "verbatim_0", "rel_1", "verbatim_1"]
    assert disclosure["questions"]["rel_1"] == {
        "type": "score",
        "instructions": "How relevant to the query is candidate 1?",
        "criteria": LEVELS,
    }
    assert disclosure["questions"]["verbatim_1"] == {
        "type": "noul",
        "instructions": "Would a one-line summary of candidate 1 lose a detail that the query "
        "needs?",
    }


@pytest.mark.parametrize(("letter", "requests"), [("x", 2), ("é", 3), ("中", 5)])
def test_many_candidates_make_several_requests(letter: str, requests: int) -> None:
    def text(n: int) -> str:
        return f"{n:03d} {letter * 596}"

    rows = [{"grain_type": "document", "fields": {"content": text(n)}} for n in range(250)]
    decider = Decider(lambda text: (0.0 if text[2] == "7" else 3.0, 0.0), calibrated=True)
    policy = POLICY.replace(decide=DecidePolicy(intent=False))
    context = ContextAssembler(decider=decider).format(rows, policy)
    assert len(decider.requests) == requests
    sent = []
    for request in decider.requests:
        candidates = request["state"]["candidates"]
        assert estimate_tokens(json.dumps(request["state"], ensure_ascii=False)) < 28_000
        assert [candidate["n"] for candidate in candidates] == list(range(len(candidates)))
        assert len(request["questions"]) == 2 * len(candidates)
        sent += [candidate["text"] for candidate in candidates]
    assert sent == [text(n) for n in range(250)]
    omitted = [o.index for o in context.outcomes if o.reason is Reason.OMITTED_DECIDER]
    assert omitted == list(range(7, 250, 10))
    assert context.decision is not None
    assert context.decision.requests == requests


def test_one_request_of_several_that_fails_takes_the_question_with_it() -> None:
    rows = [
        {"grain_type": "document", "fields": {"content": f"{n:03d} {'x' * 596}"}}
        for n in range(250)
    ]

    class Second(Decider):
        def decide(self, request: Any) -> Any:
            if "candidates" in request["state"] and "249 " in str(request["state"]):
                raise ConnectionError
            return super().decide(request)

    policy = POLICY.replace(token_budget=2_000)
    context = both(Second(off_topic, intent="timeline", calibrated=True), rows, policy)
    assert Reason.OMITTED_DECIDER not in reasons(context)
    assert context.text == ContextAssembler().format(rows, policy).text
    assert context.decision is not None
    assert (context.decision.requests, context.decision.intent) == (1, "timeline")


# Who decided


def test_the_decision_says_who_decided() -> None:
    class Two(Decider):
        def decide(self, request: Any) -> Any:
            response = super().decide(request)
            if "intent" in request["questions"]:
                return {**response, "provider": "p", "model": "m", "calibrated": True}
            return {**response, "calibrated": False}

    context = both(
        Two(off_topic, calibrated=True, intent="timeline"), ROWS, FormatPolicy(query_text="?")
    )
    decision = context.decision
    assert decision is not None
    assert (decision.provider, decision.model) == ("p,judge", "m,judge-1")
    assert not decision.calibrated
    assert (decision.requests, decision.intent) == (2, "timeline")
    assert 0 <= decision.latency_ms < 2_000
    assert context.omitted_count == 0
    dumped = json.loads(context.model_dump_json())
    assert dumped["decision"]["provider"] == "p,judge"
    assert FormattedContext.model_validate(dumped) == context


def test_a_response_cannot_call_itself_calibrated() -> None:
    class Boaster(Decider):
        def decide(self, request: Any) -> Any:
            return {**super().decide(request), "calibrated": True}

    assert both(Boaster(off_topic), ABOUT, POLICY).omitted_count == 0


def test_a_decider_may_say_less_of_itself() -> None:
    class Bare:
        def decide(self, request: Any) -> Any:
            return {"answers": Decider(off_topic).answers(request)}

    class Silent(Bare):
        def describe(self) -> Any:
            return None

    for decider, name in ((Bare(), "Bare"), (Silent(), "Silent")):
        context = both(decider, ABOUT, POLICY)
        assert context.decision is not None
        assert (context.decision.provider, context.decision.model) == (name, name)
        assert not context.decision.calibrated
    assert not isinstance(Bare(), DecisionBackend)
    assert isinstance(Decider(), DecisionBackend)


def test_an_async_decider_answers_in_the_loop() -> None:
    decider = AsyncDecider(off_topic, calibrated=True)
    context = asyncio.run(ContextAssembler(decider=decider).aformat(ABOUT, POLICY))
    assert context.omitted_count == 3
    assert asked(decider) == ["intent", "disclosure"]


def test_why_no_decider_was_used_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "areev_context"):
        ContextAssembler(decider=Broken(ConnectionError("at boat:80"))).format(ABOUT, POLICY)
    assert [record.getMessage() for record in caplog.records] == [
        "no decider on intent: DEC-E002: the backend raised ConnectionError",
        "no decider on disclosure: DEC-E002: the backend raised ConnectionError",
    ]
    caplog.clear()
    relevance = ScoreDecider(lambda query, texts: [0.5 for _ in texts])
    with caplog.at_level(logging.DEBUG, "areev_context"):
        ContextAssembler(decider=relevance).format(ABOUT, POLICY)
    assert [(record.levelname, record.getMessage()[:27]) for record in caplog.records] == [
        ("DEBUG", "no decider on intent: DEC-E")
    ]


# Host configuration


def test_a_decider_is_not_in_a_pickle_and_not_in_a_dump() -> None:
    decider = Decider(off_topic, calibrated=True, name="the-judge")
    assembler = ContextAssembler(decider=decider)
    pickled = pickle.dumps(assembler)
    assert b"judge" not in pickled
    assert "judge" not in repr(assembler)
    restored = pickle.loads(pickled)
    assert restored.format(ABOUT, POLICY) == ContextAssembler().format(ABOUT, POLICY)
    for twin in (copy.copy(assembler), copy.deepcopy(assembler)):
        assert twin.format(ABOUT, POLICY).omitted_count == 3
    policy = POLICY.replace(decide=DecidePolicy(drop_below=0.2))
    assert FormatPolicy.model_validate_json(policy.model_dump_json()) == policy


@pytest.mark.parametrize("decider", [object(), "decider", Decider, 3])
def test_what_is_no_decider_is_refused_at_the_door(decider: Any) -> None:
    with pytest.raises(AreevContextError, match="is no backend: give an object with decide"):
        ContextAssembler(decider=decider)


def test_a_caller_sees_nothing_of_its_context_in_a_decider() -> None:
    trace = contextvars.ContextVar("trace", default="none")
    seen = []

    class Traced(Decider):
        def decide(self, request: Any) -> Any:
            seen.append(trace.get())
            return super().decide(request)

    class AsyncTraced(Traced):
        async def adecide(self, request: Any) -> Any:
            return self.decide(request)

    async def run() -> None:
        trace.set("run")
        for decider in (Traced(), AsyncTraced()):
            await ContextAssembler(decider=decider).aformat(ABOUT, POLICY)

    trace.set("run")
    ContextAssembler(decider=Traced()).format(ABOUT, POLICY)
    asyncio.run(run())
    assert seen == ["none"] * 6


# Entries apart


def test_separate_entries_are_decided_without_an_intent() -> None:
    decider = Decider(off_topic, calibrated=True, intent="timeline")
    assembler = ContextAssembler(decider=decider)
    each = assembler.format_each(ABOUT, POLICY)
    assert [entry.index for entry in each.entries] == [0]
    assert reasons(each.context)[1:] == [Reason.OMITTED_DECIDER] * 3
    assert asyncio.run(assembler.aformat_each(ABOUT, POLICY)).entries == each.entries
    assert asked(decider) == ["disclosure", "disclosure"]


def test_a_format_without_entries_is_refused_before_a_decider_is_asked() -> None:
    decider = Decider()
    assembler = ContextAssembler(decider=decider)
    with pytest.raises(InputError, match="one document"):
        assembler.format_each(ABOUT, POLICY.replace(format="json"))
    with pytest.raises(InputError, match="one document"):
        asyncio.run(assembler.aformat_each(ABOUT, POLICY.replace(format="toon")))
    assert decider.requests == []


def test_errors_at_the_door_come_through_the_async_path() -> None:
    assembler = ContextAssembler(decider=Decider())
    with pytest.raises(AreevContextError, match="hits is of type"):
        asyncio.run(assembler.aformat("no hits", POLICY))  # type: ignore[arg-type]


def test_a_hostile_text_reaches_the_decider_as_data() -> None:
    rows = [fact(f"s{n}", text) for n, text in enumerate(TEXTS)]
    decider = Decider(off_topic)
    context = both(decider, load_hits(rows), POLICY)
    assert context.decision is not None
    json.dumps(decider.requests).encode()


def test_every_error_of_a_decider_begins_with_its_code() -> None:
    assert str(MalformedAnswerError("x")) == "DEC-E003: x"
    assert issubclass(DecisionError, AreevContextError)


def test_the_report_and_the_page_name_the_decider() -> None:
    rows = [{"grain_type": "fact", "fields": {"object": f"value {n}"}} for n in range(2)]
    policy = FormatPolicy(query_text="which value?")
    for name, content in (
        ("a <b>\ud800\njudge", "a <b>\ufffd judge"),
        ("", "Decider"),
        ("\x07", "an unnamed decider"),
    ):
        context = ContextAssembler(decider=Decider(name=name)).format(rows, policy)
        assert context.report().endswith(f"mode default; decided by {content}")
        assert f"decided by {html.escape(content)}" in context.to_html()
    assert "decided" not in ContextAssembler().format(rows, policy).report()


@pytest.mark.parametrize(
    "tail", ["4111 1111 1111 1234", "ann.example@mail.example", "+41 (0)61 555 01 02", "long" * 9]
)
def test_a_text_is_not_cut_in_the_midst_of_what_is_redacted(tail: str) -> None:
    for start in range(570, 601):
        text = f"{'word ' * 200}"[: start - 1].rstrip() + f" {tail} and more"
        decider = Decider()
        rows = [
            {"grain_type": "event", "fields": {"content": content}} for content in (text, "other")
        ]
        ContextAssembler(decider=decider).format(rows, FormatPolicy(query_text="who?"))
        candidate = decider.requests[-1]["state"]["candidates"][0]["text"]
        assert len(candidate) <= 600
        assert tail in candidate or set(candidate.split()) <= {"word", "wor", "wo", "w"}


def test_who_read_the_beginning_alone_omits_nothing() -> None:
    long = "General provisions. " * 40 + "The rent is due on the first."
    rows = [
        {"grain_type": "event", "fields": {"content": content}}
        for content in (long, "Offices close.")
    ]
    decider = Decider(lambda text: (0.0, 0.0), calibrated=True)
    context = ContextAssembler(decider=decider).format(rows, FormatPolicy(query_text="rent?"))
    assert [outcome.reason for outcome in context.outcomes] == ["full", "omitted_decider"]
