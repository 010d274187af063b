"""The deciders that come with the library, each against the real thing."""

import asyncio
import itertools
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from areev_context import (
    AreevContextError,
    ContextAssembler,
    DecidePolicy,
    FormatPolicy,
    FormattedContext,
    Reason,
)
from areev_context.decide import (
    ChainDecider,
    ChainExhaustedError,
    CommandDecider,
    DeadlineError,
    DecisionBackend,
    DecisionError,
    EngineDecider,
    InvalidQuestionError,
    MalformedAnswerError,
    NotConfiguredError,
    ProviderError,
    RateLimitedError,
    ScoreDecider,
)
from deciders import AsyncDecider, Decider, choice, fact, noul, score

try:
    import areev
except ImportError:  # no wheel for this platform: test_engine.py says where that is no mistake
    areev = None

ROWS = [fact("boat", "red"), fact("sky", "blue"), fact("sea", "deep"), fact("sun", "hot")]
POLICY = FormatPolicy(query_text="which boat?", decide=DecidePolicy(deadline_ms=10_000))
ASKED = {
    "state": {"query": "q", "candidates": [{"n": 0, "text": "one"}, {"n": 1, "text": "two"}]},
    "questions": {
        f"{name}{n}": question
        for n in range(2)
        for name, question in (
            ("rel_", {"type": "score", "instructions": "how?", "criteria": list("abcd")}),
            ("verbatim_", {"type": "noul", "instructions": "so?"}),
        )
    },
}
INTENT = {
    "state": {"query": "q"},
    "questions": {
        "intent": {"type": "choice", "instructions": "what?", "criteria": {"a": "", "b": ""}}
    },
}


def off_topic(text: str) -> tuple[float, float]:
    return (3.0, 0.0) if "boat" in text else (0.0, 0.0)


def decided(decider: Any, rows: Any = ROWS, policy: FormatPolicy = POLICY) -> FormattedContext:
    """Return the context of the sync path, and see that the async path has the same text."""
    assembler = ContextAssembler(decider=decider)
    context = assembler.format(rows, policy)
    assert asyncio.run(assembler.aformat(rows, policy)).text == context.text
    return context


def reasons(context: FormattedContext) -> list[Reason]:
    return [outcome.reason for outcome in context.outcomes]


OMITTED = [Reason.FULL, *[Reason.OMITTED_DECIDER] * 3]


# --- several in a row -----------------------------------------------------------------------


class Raises(Decider):
    def __init__(self, error: BaseException) -> None:
        super().__init__(name="raises")
        self.error = error

    def decide(self, request: Any) -> Any:
        self.requests.append(request)
        raise self.error


class Answers(Decider):
    def __init__(self, response: Any) -> None:
        super().__init__()
        self.response = response

    def decide(self, request: Any) -> Any:
        return self.response


def test_the_first_of_a_chain_that_answers_is_used() -> None:
    last = Decider(name="last")
    chain = ChainDecider(
        [
            Raises(ConnectionError()),
            Answers({"answers": {}}),
            Decider(off_topic, calibrated=True, name="sure"),
            last,
        ]
    )
    context = decided(chain)
    assert reasons(context) == OMITTED
    assert last.requests == []
    assert context.decision is not None
    assert (context.decision.provider, context.decision.model) == ("sure", "sure-1")
    assert isinstance(chain, DecisionBackend)
    assert chain.describe() == "chain"


def test_a_chain_is_as_calibrated_as_the_one_that_answered() -> None:
    sure = Decider(off_topic, calibrated=True)
    assert decided(ChainDecider([Decider(off_topic), sure])).omitted_count == 0
    assert decided(ChainDecider([Raises(ValueError()), sure])).omitted_count == 3
    assert not ChainDecider([Decider()]).calibrated
    nested = ChainDecider([ChainDecider([Decider(off_topic)]), sure])
    assert decided(nested).omitted_count == 0


def test_a_chain_whose_answers_differ_in_calibration_omits_nothing() -> None:
    relevance = ScoreDecider(lambda q, texts: [0.0 for _ in texts])
    sure = Decider(off_topic, calibrated=True, intent="current_state")
    decision = decided(ChainDecider([relevance, sure])).decision
    assert decision is not None
    assert (decision.provider, decision.calibrated) == ("judge,score", False)
    assert decision.intent == "current_state"


def test_an_invalid_question_stops_a_chain() -> None:
    last = Decider()
    chain = ChainDecider([Raises(InvalidQuestionError("too long")), last])
    with pytest.raises(InvalidQuestionError, match="too long"):
        chain.decide(ASKED)
    with pytest.raises(InvalidQuestionError, match="too long"):
        asyncio.run(chain.adecide(ASKED))
    with pytest.raises(InvalidQuestionError, match="no questions"):
        chain.decide({"state": "s", "questions": {}})
    assert last.requests == []


def test_a_chain_that_is_exhausted_says_why() -> None:
    class TooManyError(Exception):
        status_code = 429

    class RateLimitError(Exception):
        pass

    chain = ChainDecider(
        [
            Raises(ConnectionError()),
            Answers("prose"),
            Raises(TimeoutError()),
            Raises(TooManyError()),
            Raises(RateLimitError()),
            Raises(RateLimitedError("later")),
        ]
    )
    codes = "DEC-E002, DEC-E003, DEC-E004, DEC-E007, DEC-E007, DEC-E007"
    with pytest.raises(ChainExhaustedError, match=f"none of 6 deciders answered: {codes}"):
        chain.decide(ASKED)
    with pytest.raises(ChainExhaustedError, match=codes):
        asyncio.run(chain.adecide(ASKED))


@pytest.mark.parametrize("error", [SystemExit(1), GeneratorExit(), BaseException("panic")])
def test_what_is_no_exception_does_not_stop_a_chain(error: BaseException) -> None:
    chain = ChainDecider([Raises(error), Decider(off_topic, calibrated=True)])
    assert reasons(decided(chain)) == OMITTED


def test_a_chain_can_be_interrupted() -> None:
    last = Decider()
    with pytest.raises(KeyboardInterrupt):
        ChainDecider([Raises(KeyboardInterrupt()), last]).decide(ASKED)
    assert last.requests == []


def test_a_chain_of_none_is_not_configured() -> None:
    with pytest.raises(NotConfiguredError, match="DEC-E001"):
        ChainDecider([])
    with pytest.raises(AreevContextError, match="is no backend"):
        ChainDecider([Decider(), "judge"])  # type: ignore[list-item]


def test_a_chain_asks_in_the_loop_whom_it_can() -> None:
    chain = ChainDecider([Raises(ValueError()), AsyncDecider(off_topic, calibrated=True)])
    context = asyncio.run(ContextAssembler(decider=chain).aformat(ROWS, POLICY))
    assert reasons(context) == OMITTED


def test_one_of_a_chain_cannot_change_what_the_next_is_asked() -> None:
    class Eats(Decider):
        def decide(self, request: Any) -> Any:
            request["state"].clear()
            request["questions"].clear()
            raise ValueError

    decider = Decider(off_topic, calibrated=True)
    assert reasons(decided(ChainDecider([Eats(), decider]))) == OMITTED


# --- a program ------------------------------------------------------------------------------

PROGRAM = """
import json, os, sys, time
request = json.load(sys.stdin)
with open(os.environ["JUDGE_LOG"], "a") as log:
    log.write(json.dumps(request) + "\\n")
answers = {}
for name, question in request["questions"].items():
    if question["type"] == "choice":
        answers[name] = {"type": "choice", "choice": "general", "probabilities": {"general": 1.0}}
    elif question["type"] == "noul":
        answers[name] = {"type": "noul", "noul": 0.0}
    else:
        state = request["state"]
        n = int(name.removeprefix("rel_"))
        level = 3 if "boat" in state["candidates"][n]["text"] else 0
        answers[name] = {"type": "score", "score": level, "probabilities": {str(level): 1.0}}
print(json.dumps({"model": "program-1", "answers": answers}))
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a command that decides; `sent` reads what it was sent."""
    path = tmp_path / "judge.py"
    path.write_text(PROGRAM, encoding="utf-8")
    monkeypatch.setenv("JUDGE_LOG", str(tmp_path / "log"))
    return [sys.executable, str(path)]


def sent() -> list[Any]:
    return [json.loads(line) for line in Path(os.environ["JUDGE_LOG"]).read_text().splitlines()]


def test_a_program_decides(program: list[str]) -> None:
    context = decided(CommandDecider(program, calibrated=True, timeout_ms=10_000))
    assert reasons(context) == OMITTED
    assert context.decision is not None
    assert (context.decision.provider, context.decision.model) == ("command", "program-1")
    assert decided(CommandDecider(program, timeout_ms=10_000)).omitted_count == 0


def test_a_string_is_split_and_meets_no_shell(program: list[str], tmp_path: Path) -> None:
    spaced = Path(program[1]).rename(tmp_path / "a judge.py")
    command = f"{program[0]} '{spaced}' ; touch '{tmp_path / 'touched'}' $HOME"
    assert reasons(decided(CommandDecider(command, calibrated=True, timeout_ms=10_000))) == OMITTED
    assert not (tmp_path / "touched").exists()


def command(code: str, **options: Any) -> CommandDecider:
    return CommandDecider([sys.executable, "-c", code], **options)


@pytest.mark.parametrize(
    ("decider", "error", "message"),
    [
        (CommandDecider("/no/such/program"), ProviderError, "cannot be run: FileNotFoundError"),
        (command("raise SystemExit(3)", timeout_ms=9_000), ProviderError, "ended with status 3"),
        (command("print('prose')", timeout_ms=9_000), MalformedAnswerError, "is no JSON"),
        (command("print('[1]')", timeout_ms=9_000), MalformedAnswerError, "is no JSON object"),
        (command("print('[' * 99999)", timeout_ms=9_000), MalformedAnswerError, "is no JSON"),
        (command("print(b'\\xff')", timeout_ms=9_000), MalformedAnswerError, "is no JSON"),
        (command("import time; time.sleep(60)", timeout_ms=50), DeadlineError, "took over 0.05 s"),
    ],
)
def test_a_program_that_fails(decider: CommandDecider, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        decider.decide(ASKED)
    with pytest.raises(InvalidQuestionError):
        decider.decide({"state": "s"})


@pytest.mark.parametrize("given", ["", " ", [], [1], ["x", None]])
def test_what_is_no_command(given: Any) -> None:
    with pytest.raises(AreevContextError, match="the command is empty"):
        CommandDecider(given)


# --- the engine -----------------------------------------------------------------------------


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Any]:
    if areev is None:
        pytest.skip("the engine has no wheel for this platform")
    db = areev.Areev(str(tmp_path / "memory"))
    yield db
    db.set_decider("")


def test_the_engine_decides(memory: Any, program: list[str]) -> None:
    memory.set_decider(cmd=" ".join(program), timeout_ms=10_000)
    context = decided(EngineDecider(memory))
    assert reasons(context) == OMITTED
    assert context.decision is not None
    assert (context.decision.provider, context.decision.model) == ("cmd", "program-1")
    assert context.decision.calibrated
    plain = Decider()
    ContextAssembler(decider=plain).format(ROWS, POLICY)
    engine, ours = sent()[:2], plain.requests
    assert engine == ours, "the engine passes on what it was asked"


def test_an_engine_without_a_decider(memory: Any) -> None:
    memory.set_decider("")
    with pytest.raises(NotConfiguredError, match="DEC-E001: the engine has no answer"):
        EngineDecider(memory).decide(ASKED)
    assert decided(EngineDecider(memory)) == ContextAssembler().format(ROWS, POLICY)


def test_the_engine_and_the_library_refuse_the_same_questions(
    memory: Any, program: list[str]
) -> None:
    memory.set_decider(cmd=" ".join(program), timeout_ms=10_000)
    for question in (
        {"type": "noul"},
        {"type": "noul", "instructions": ""},
        {"type": "noul", "instructions": "x", "criteria": {"yes": "x"}},
        {"type": "choice", "instructions": "x", "criteria": {"a": "x"}},
        {"type": "choice", "instructions": "x", "criteria": {"a": "x", "b": None}},
        {"type": "choice", "instructions": "x", "criteria": {str(n): "" for n in range(256)}},
        {"type": "score", "instructions": "x", "criteria": ["a"]},
        {"type": "score", "instructions": "x", "criteria": list("abcdefghijk")},
        {"type": "box", "instructions": "x"},
    ):
        with pytest.raises(ValueError, match="DEC-E006"):
            memory.decide("state", json.dumps({"q": question}))
        with pytest.raises(InvalidQuestionError, match="DEC-E006"):
            EngineDecider(memory).decide({"state": "state", "questions": {"q": question}})


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (ValueError("DEC-E007: slow down"), RateLimitedError, "the engine has no answer"),
        (ValueError("DEC-E005: all failed: DEC-E003"), ChainExhaustedError, "no answer"),
        (ValueError("DEC-E999: new"), ProviderError, "no answer"),
        (RuntimeError("gone"), ProviderError, "no answer"),
        ("prose", MalformedAnswerError, "what the engine answered is no JSON"),
        (None, MalformedAnswerError, "what the engine answered is no JSON"),
        ("[]", MalformedAnswerError, "is no JSON object"),
    ],
)
def test_an_engine_that_fails(answer: Any, error: type[DecisionError], message: str) -> None:
    class Fails:
        def decide(self, state: str, questions: str) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

    with pytest.raises(error, match=message):
        EngineDecider(Fails()).decide(ASKED)


@pytest.mark.parametrize("calibrated", [True, False, None, "yes"])
def test_an_engine_is_calibrated_where_it_says_so(calibrated: Any) -> None:
    class Engine:
        def decide(self, state: str, questions: str) -> Any:
            request = {"state": json.loads(state), "questions": json.loads(questions)}
            return {**Decider(off_topic).decide(request), "calibrated": calibrated}

    assert decided(EngineDecider(Engine())).omitted_count == (3 if calibrated is True else 0)


def test_what_is_no_engine() -> None:
    with pytest.raises(AreevContextError, match="dict is no engine"):
        EngineDecider({})  # type: ignore[arg-type]


# --- a scoring function ---------------------------------------------------------------------


def has_boat(query: str, texts: list[str]) -> list[float]:
    assert query == "which boat?"
    return [1.0 if "boat" in text else 0.25 for text in texts]


def test_a_function_scores_relevance_only() -> None:
    context = decided(ScoreDecider(has_boat, name="cross-encoder"))
    assert context.text == ContextAssembler().format(ROWS, POLICY).text
    assert [o.priority for o in context.outcomes] == pytest.approx([0.9, 0.7875, 0.7875, 0.7875])
    assert context.decision is not None
    assert context.decision.provider == "cross-encoder"
    assert (context.decision.requests, context.decision.intent) == (1, None)
    policy = POLICY.replace(decide=DecidePolicy(drop_below=0.26))
    assert decided(ScoreDecider(has_boat), policy=policy).omitted_count == 0
    assert decided(ScoreDecider(has_boat, calibrated=True), policy=policy).omitted_count == 3


def test_a_function_leaves_the_intent_to_the_next_of_a_chain() -> None:
    chain = ChainDecider([ScoreDecider(has_boat), Decider(intent="timeline", name="second")])
    decision = decided(chain).decision
    assert decision is not None
    assert (decision.provider, decision.intent) == ("second,score", "timeline")


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([0.5], "1 scores of 2 texts"),
        ([0.5] * 3, "3 scores of 2 texts"),
        ([0.5, 1.5], "outside 0..1"),
        ([0.5, float("nan")], "outside 0..1"),
        ([0.5, 10**400], "no number from 0 to 1"),
        ([0.5, "much"], "no number from 0 to 1"),
        ([0.5, None], "no number from 0 to 1"),
    ],
)
def test_what_are_no_scores(scores: list[Any], message: str) -> None:
    with pytest.raises(MalformedAnswerError, match=message):
        ScoreDecider(lambda query, texts: scores).decide(ASKED)


def test_what_is_no_question_of_relevance() -> None:
    decider = ScoreDecider(lambda query, texts: [0.5])
    with pytest.raises(NotConfiguredError, match="only the relevance"):
        decider.decide(INTENT)
    with pytest.raises(NotConfiguredError, match="only the relevance"):
        decider.decide({**ASKED, "state": "a text"})
    with pytest.raises(AreevContextError, match="score is of type list"):
        ScoreDecider([0.5])  # type: ignore[arg-type]


# --- redaction ------------------------------------------------------------------------------

SECRET = [fact("boat", "of Ann Lee"), fact("sky", "over Ann Lee")]


def without_names(text: str) -> str:
    return text.replace("Ann Lee", "[name]")


def test_what_leaves_the_process_is_redacted(program: list[str]) -> None:
    policy = POLICY.replace(query_text="which boat does Ann Lee own?")
    decider = CommandDecider(program, calibrated=True, timeout_ms=10_000, redact=without_names)
    context = decided(decider, SECRET, policy)
    assert reasons(context) == [Reason.FULL, Reason.OMITTED_DECIDER]
    assert "Ann Lee" in context.text
    request = json.dumps(sent())
    assert "Ann Lee" not in request
    assert "boat does [name] own" in request


def deciders(redact: Any) -> list[tuple[Any, list[Any]]]:
    """Return one decider of each kind that redacts, and what it sends on."""
    reached: list[Any] = []

    class Engine:
        def decide(self, state: str, questions: str) -> Any:
            reached.append((state, questions))
            return {}

    class Last(Decider):
        def decide(self, request: Any) -> Any:
            reached.append(request)
            return super().decide(request)

    def scored(query: str, texts: list[str]) -> list[float]:
        reached.append((query, texts))
        return [0.5 for _ in texts]

    return [
        (EngineDecider(Engine(), redact=redact), reached),
        (ChainDecider([Last()], redact=redact), reached),
        (ScoreDecider(scored, redact=redact), reached),
    ]


def refuses(text: str) -> str:
    if "Ann" in text:
        raise ValueError(text)
    return text


@pytest.mark.parametrize("redact", [refuses, lambda text: None, lambda text: 1 / 0])
def test_where_redaction_fails_nothing_is_sent(redact: Any) -> None:
    plain = ContextAssembler().format(SECRET, POLICY)
    policy = POLICY.replace(decide=DecidePolicy(intent=False))
    for decider, reached in deciders(redact):
        assert ContextAssembler(decider=decider).format(SECRET, policy) == plain
        assert reached == []


def test_every_text_of_a_request_is_redacted() -> None:
    request = {
        "state": [{"who": "Ann Lee", "n": 1, "all": ("Ann Lee", None)}],
        "questions": {
            "a": {
                "type": "noul",
                "instructions": "Is Ann Lee in?",
                "criteria": {"true": "Ann Lee is", "false": "no"},
            },
            "b": {
                "type": "choice",
                "instructions": "Who?",
                "criteria": {"x": "Ann Lee", "y": "nobody"},
            },
            "c": {"type": "score", "instructions": "How?", "criteria": ["Ann Lee", "all"]},
        },
    }
    decider = Answers({"answers": {"a": noul(0.5), "b": choice("x", "y"), "c": score(1, levels=2)}})
    seen = []

    class Sees(Answers):
        def decide(self, request: Any) -> Any:
            seen.append(request)
            return decider.response

    ChainDecider([Sees(None)], redact=without_names).decide(request)
    assert "Ann Lee" not in json.dumps(seen)
    assert json.dumps(seen).count("[name]") == 6
    assert list(seen[0]["questions"]["b"]["criteria"]) == ["x", "y"]


def test_what_is_no_redaction() -> None:
    for make in (
        lambda: CommandDecider("x", redact="name"),  # type: ignore[arg-type]
        lambda: ChainDecider([Decider()], redact=3),  # type: ignore[arg-type]
    ):
        with pytest.raises(AreevContextError, match="redact is of type"):
            make()


def test_a_command_that_hangs_is_ended_by_its_own_time() -> None:
    start = time.monotonic()
    policy = POLICY.replace(decide=DecidePolicy(deadline_ms=100))
    decided(command("import time; time.sleep(60)", timeout_ms=300), policy=policy)
    assert time.monotonic() - start < 1.0


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="the system knows no groups of processes")
def test_what_a_late_command_has_started_ends_with_it(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    starts = (
        "import pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"pathlib.Path({str(pid_file)!r}).write_text(str(child.pid))\n"
        "time.sleep(60)\n"
    )
    with pytest.raises(DeadlineError):
        CommandDecider([sys.executable, "-c", starts], timeout_ms=3000).decide(ASKED)
    pid, ends = int(pid_file.read_text()), time.monotonic() + 10
    while _runs(pid) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    """Return whether a process runs; one that has ended may wait for who collects it."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_scores_without_end_are_too_many() -> None:
    decider = ScoreDecider(lambda query, texts: itertools.repeat(0.5))
    with pytest.raises(MalformedAnswerError, match="3 scores of 2 texts"):
        decider.decide(ASKED)


def test_a_coroutine_function_is_no_decide() -> None:
    async def score(query: str, texts: list[str]) -> list[float]:
        return [0.5 for _ in texts]

    class Late:
        calibrated = False

        def describe(self) -> str:
            return "late"

        async def decide(self, request: Any) -> Any:
            return {}

    with pytest.raises(AreevContextError, match="score is a coroutine function"):
        ScoreDecider(score)  # type: ignore[arg-type]
    with pytest.raises(AreevContextError, match="call it adecide"):
        ContextAssembler(decider=Late())  # type: ignore[arg-type]


def test_a_late_command_ends_where_there_are_no_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "killpg", raising=False)
    sleeps = CommandDecider([sys.executable, "-c", "import time; time.sleep(60)"], timeout_ms=50)
    began = time.monotonic()
    with pytest.raises(DeadlineError):
        sleeps.decide(ASKED)
    assert time.monotonic() - began < 20
