"""Questions and answers of deciders: their wire form, and its strict and lenient readings."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from amount import examples
from areev_context.decide import (
    Choice,
    ChoiceAnswer,
    DecisionRequest,
    InvalidQuestionError,
    MalformedAnswerError,
    Noul,
    NoulAnswer,
    Question,
    Score,
    ScoreAnswer,
    parse_answer,
    prompt_for,
    read_decision,
    schema_of,
)

NOUL = Noul("Is it so?", {"true": "it is", "false": "it is not"})
BARE = Noul("Is it?")
CHOICE = Choice("Which one?", {"a": "the first", "b": "the second", "c": "the third"})
SCORE = Score("How much?", ["none", "some", "most", "all"])
REQUEST = DecisionRequest(
    {"query": "q", "texts": ["é", 1, None]}, {"n": NOUL, "m": BARE, "c": CHOICE, "s": SCORE}
)
RIGHT: dict[str, Any] = {
    "n": {"type": "noul", "noul": 0.25},
    "m": {"type": "noul", "noul": 1},
    "c": {
        "type": "choice",
        "choice": "b",
        "probabilities": {"a": 0.25, "b": 0.75},
        "confidence": 0.5,
    },
    "s": {
        "type": "score",
        "score": 1.5,
        "probabilities": {"0": 0.0, "1": 0.5, "2": 0.5, "3": 0.0},
        "legend": {"0": "none", "1": "some", "2": "most", "3": "all"},
        "confidence": 0.25,
    },
}


def response(**changed: Any) -> dict[str, Any]:
    return {"model": "m", "answers": {**RIGHT, **changed}}


def only(question: Question, given: Any, *, lenient: bool) -> Any:
    """Return the answer to one question."""
    asked = DecisionRequest("state", {"q": question})
    return read_decision({"model": "m", "answers": {"q": given}}, asked, lenient=lenient).answers[
        "q"
    ]


def test_a_request_is_written_and_read() -> None:
    wire = REQUEST.wire()
    assert wire == {
        "state": {"query": "q", "texts": ["é", 1, None]},
        "questions": {
            "n": {
                "type": "noul",
                "instructions": "Is it so?",
                "criteria": {"true": "it is", "false": "it is not"},
            },
            "m": {"type": "noul", "instructions": "Is it?"},
            "c": {
                "type": "choice",
                "instructions": "Which one?",
                "criteria": {"a": "the first", "b": "the second", "c": "the third"},
            },
            "s": {
                "type": "score",
                "instructions": "How much?",
                "criteria": ["none", "some", "most", "all"],
            },
        },
    }
    assert DecisionRequest.from_wire(json.loads(json.dumps(wire))) == REQUEST
    wire["state"]["texts"].clear()
    assert REQUEST.state["texts"] == ["é", 1, None]


def test_a_response_is_read_and_written() -> None:
    decision = read_decision(
        {**response(), "provider": " p ", "calibrated": True, "latency_ms": 3, "usage": {}}, REQUEST
    )
    assert decision.answers == {
        "n": NoulAnswer(0.25),
        "m": NoulAnswer(1.0),
        "c": ChoiceAnswer("b", {"a": 0.25, "b": 0.75, "c": 0.0}, 0.5),
        "s": ScoreAnswer(1.5, (0.0, 0.5, 0.5, 0.0), ("none", "some", "most", "all"), 0.25),
    }
    assert (decision.model, decision.provider, decision.calibrated) == ("m", "p", True)
    assert read_decision(decision.wire(), REQUEST) == decision
    bare = read_decision({"answers": RIGHT, "model": 7, "calibrated": "yes"}, REQUEST)
    assert (bare.model, bare.provider, bare.calibrated) == ("", None, None)
    assert set(bare.wire()) == {"model", "answers"}


def test_the_wire_form_is_that_of_langchain() -> None:
    langchain = pytest.importorskip(
        "langchain_core.decisions", reason="decision models came with langchain-core 1.8"
    )
    questions = TypeAdapter(dict[str, langchain.Question]).validate_python(
        REQUEST.wire()["questions"]
    )
    written = {
        name: question.model_dump(mode="json", exclude_none=True)
        for name, question in questions.items()
    }
    assert written == REQUEST.wire()["questions"]
    decision = read_decision(response(), REQUEST)
    theirs = langchain.ClassifierResponse.model_validate(decision.wire())
    for mode in ("json", "python"):
        assert read_decision(theirs.model_dump(mode=mode), REQUEST) == decision


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        (None, "a request is an object"),
        ({"questions": {}}, "a request is an object"),
        ({"state": "s"}, "the questions of a request are an object"),
        ({"state": "s", "questions": {}}, "there are no questions"),
        ({"state": "s", "questions": {"": BARE.wire()}}, "the id of a question is empty"),
        ({"state": "s", "questions": {"q": "noul"}}, "a question is of type str"),
        ({"state": "s", "questions": {"q": {"type": "box"}}}, "no question of type 'box'"),
        ({"state": "s", "questions": {"q": {"type": ["noul"]}}}, "no question of type"),
    ],
)  # fmt: skip
def test_what_is_no_request(wire: Any, message: str) -> None:
    with pytest.raises(InvalidQuestionError, match=f"^DEC-E006: .*{message}"):
        DecisionRequest.from_wire(wire)


@pytest.mark.parametrize(
    ("kind", "instructions", "criteria", "message"),
    [
        (Noul, "", None, "instructions are ''"),
        (Noul, " \n", None, "instructions are"),
        (Noul, None, None, "instructions are None"),
        (Noul, "x", {"yes": "x"}, "a text for true and for false"),
        (Noul, "x", {"true": "x"}, "a text for true and for false"),
        (Noul, "x", {"true": "x", "false": None}, "a text for true and for false"),
        (Noul, "x", ["x", "y"], "a text for true and for false"),
        (Choice, "x", {"a": "x"}, "there are 1 options: give 2 to 255"),
        (Choice, "x", {str(n): "x" for n in range(256)}, "there are 256 options: give 2 to 255"),
        (Choice, "x", {"a": "x", "b": None}, "a text for each option"),
        (Choice, "x", {"a": "x", 1: "y"}, "a text for each option"),
        (Choice, "x", None, "a text for each option"),
        (Choice, 3, {"a": "x", "b": "y"}, "instructions are 3"),
        (Score, "x", ["a"], "there are 1 levels: give 2 to 10"),
        (Score, "x", list("abcdefghijk"), "there are 11 levels: give 2 to 10"),
        (Score, "x", ["a", 1], "a list of texts"),
        (Score, "x", "ab", "a list of texts"),
        (Score, "x", None, "a list of texts"),
    ],
)
def test_what_is_no_question(kind: Any, instructions: Any, criteria: Any, message: str) -> None:
    with pytest.raises(InvalidQuestionError, match=message):
        kind(instructions, criteria)


def test_the_limits_themselves_are_allowed() -> None:
    Choice("x", {"a": "", "b": ""})
    Choice("x", {str(n): "" for n in range(255)})
    Score("x", ("a", "b"))
    Score("x", list("abcdefghij"))


TURNED = {"0": "all", "1": "most", "2": "some", "3": "none"}
BOTH_REFUSE = [
    ("n", None),
    ("n", {"type": "noul"}),
    ("n", {"noul": "0.5"}),
    ("n", {"noul": True}),
    ("n", {"noul": -0.01}),
    ("n", {"noul": 1.01}),
    ("n", {"noul": math.nan}),
    ("n", {"noul": math.inf}),
    ("n", RIGHT["c"]),
    ("c", {"type": "noul", "noul": 1}),
    ("c", {"choice": "d", "probabilities": {"a": 1.0}}),
    ("c", {"choice": ["a"], "probabilities": {"a": 1.0}}),
    ("c", {"choice": "a", "probabilities": {"d": 1.0}}),
    ("c", {"choice": "a", "probabilities": {"a": 0, "b": 0.0}}),
    ("c", {"choice": "a", "probabilities": {"a": -1.0, "b": 2.0}}),
    ("c", {"choice": "a", "probabilities": {"a": math.nan}}),
    ("c", {"choice": "a", "probabilities": {"a": None, "b": 1.0}}),
    ("c", {"choice": "a", "probabilities": {}}),
    ("c", {"choice": "a", "probabilities": [1.0, 0.0, 0.0]}),
    ("c", {"choice": "a", "probabilities": {"a": 1.0}, "confidence": 1.5}),
    ("c", {"choice": "a", "probabilities": {"a": 1.0}, "confidence": "high"}),
    ("n", {"noul": 10**400}),
    ("n", {"noul": -(10**5000)}),
    ("c", {"probabilities": {"a": 10**400}}),
    ("c", {"probabilities": {"a": 10**5000, "b": 1.7e308, "c": 1.7e308}}),
    ("c", {"probabilities": {"a": 1.7e308, "b": 1.7e308}}),
    ("c", {"probabilities": {10**5000: 1.0}}),
    ("c", {"probabilities": {None: 1.0}}),
    ("c", {"probabilities": {"a": 1.0}, "confidence": 10**5000}),
    ("s", {"score": 10**5000}),
    ("s", {"score": 1, "probabilities": {-1: 1.0}}),
    ("c", {}),
    ("s", {"score": 3.5, "probabilities": {"3": 1.0}}),
    ("s", {"score": "much", "probabilities": {"3": 1.0}}),
    ("s", {"score": 1, "probabilities": {"4": 1.0}}),
    ("s", {}),
]


@pytest.mark.parametrize(("name", "given"), BOTH_REFUSE)
def test_what_neither_reading_takes(name: str, given: Any) -> None:
    for lenient in (False, True):
        with pytest.raises(MalformedAnswerError, match=f"^DEC-E003: {name}: "):
            read_decision(response(**{name: given}), REQUEST, lenient=lenient)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "the response is of type NoneType"),
        ("prose", "the response is of type str"),
        ([], "the response is of type list"),
        ({}, "no object of answers"),
        (RIGHT, "no object of answers"),
        ({"answers": list(RIGHT.values())}, "no object of answers"),
        ({"answers": {**RIGHT, "x": RIGHT["n"]}}, "1 answers to what was not asked"),
        (response(n=0.5), "n: the answer is of type float"),
        (response(c="a"), "c: the answer is of type str"),
        (response(c={"choice": "a"}), "c: there are no probabilities"),
        (response(c={"probabilities": {"a": 0.5, "b": 0.48}}), "c: the probabilities sum to 0.98"),
        (response(c={"probabilities": {"a": 0.5, "b": 0.52}}), "c: the probabilities sum to 1.02"),
        (
            response(c={"choice": "a", "probabilities": {"a": 0.49, "b": 0.51}}),
            "c: what it chose is not the likeliest",
        ),
        (
            response(s={"score": 0, "probabilities": {"3": 1.0}}),
            "s: the score is 0, its probabilities say 3",
        ),
        (
            response(s={"score": 2.95, "probabilities": {"3": 1.0}}),
            "s: the score is 2.95, its probabilities say 3",
        ),
        (response(s={"score": 2}), "s: there are no probabilities"),
        (response(s={"score": 2, "probabilities": {"all": 1.0}}), "s: a probability of what was"),
        (
            response(
                s={
                    "probabilities": {"0": 1},
                    "legend": dict(zip("3210", SCORE.criteria, strict=True)),
                }
            ),
            "s: the legend has the levels in another order",
        ),
    ],
)
def test_what_the_strict_reading_refuses(given: Any, message: str) -> None:
    with pytest.raises(MalformedAnswerError, match=message):
        read_decision(given, REQUEST)


def test_what_the_strict_reading_fills_in() -> None:
    answer = only(CHOICE, {"probabilities": {"a": 0.25, "c": 0.745}}, lenient=False)
    assert answer.choice == "c"
    assert sum(answer.probabilities.values()) == pytest.approx(1.0)
    assert answer.probabilities["b"] == 0.0
    assert answer.confidence == pytest.approx((3 * 0.745 / 0.995 - 1) / 2)
    answer = only(SCORE, {"probabilities": {1: 0.5, 3: 0.5}}, lenient=False)
    assert answer.score == 2.0
    assert answer.confidence == pytest.approx((4 * 0.5 - 1) / 3)
    even = only(SCORE, {"probabilities": dict.fromkeys("0123", 0.25)}, lenient=False)
    assert even.confidence == 0.0
    sure = only(SCORE, {"probabilities": {"0": 1}, "confidence": 1.001}, lenient=False)
    assert sure.confidence == 1.0


def test_what_is_rounded_does_not_contradict_itself() -> None:
    tied = {"choice": "a", "probabilities": {"a": 0.33, "b": 0.34, "c": 0.33}}
    assert only(CHOICE, tied, lenient=False).choice == "a"
    for lacking in ({"a": 0.5, "b": 0.49}, {"a": 0.5, "b": 0.51}):
        assert only(CHOICE, {"probabilities": lacking}, lenient=False).probabilities["c"] == 0.0
    rounded = {"score": 2.5, "probabilities": {"1": 0.17, "2": 0.17, "3": 0.66}}
    assert only(SCORE, rounded, lenient=False).score == 2.5


@pytest.mark.parametrize("legend", [{"0": "█", "1": "█", "2": "█", "3": "█"}, "none to all", {}])
def test_a_legend_of_other_words_passes(legend: Any) -> None:
    given = {"probabilities": {"0": 1.0}, "legend": legend}
    assert only(SCORE, given, lenient=False).legend == ("none", "some", "most", "all")


A_THIRD, TWO_THIRDS = pytest.approx(1 / 3), pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("question", "given", "expected"),
    [
        (NOUL, 0.5, NoulAnswer(0.5)),
        (NOUL, {"noul": 1}, NoulAnswer(1.0)),
        (CHOICE, "b", ChoiceAnswer("b", {"a": 0.0, "b": 1.0, "c": 0.0}, 1.0)),
        (CHOICE, {"choice": "b"}, ChoiceAnswer("b", {"a": 0.0, "b": 1.0, "c": 0.0}, 1.0)),
        (
            CHOICE,
            {"choice": "a", "probabilities": {"a": 3, "b": 1}},
            ChoiceAnswer("a", {"a": 0.75, "b": 0.25, "c": 0.0}, 0.625),
        ),
        (
            CHOICE,
            {"choice": "b", "probabilities": {"a": 3, "b": 1}},
            ChoiceAnswer("a", {"a": 0.75, "b": 0.25, "c": 0.0}, 0.625),
        ),
        (
            SCORE,
            {"score": 0, "probabilities": {"3": 2}},
            ScoreAnswer(3.0, (0, 0, 0, 1), tuple(SCORE.criteria), 1.0),
        ),
        (SCORE, 2, ScoreAnswer(2.0, (0, 0, 1, 0), tuple(SCORE.criteria), 1.0)),
        (SCORE, 1.5, ScoreAnswer(1.5, (0, 0.5, 0.5, 0), tuple(SCORE.criteria), A_THIRD)),
        (SCORE, "most", ScoreAnswer(2.0, (0, 0, 1, 0), tuple(SCORE.criteria), 1.0)),
        (SCORE, "3", ScoreAnswer(3.0, (0, 0, 0, 1), tuple(SCORE.criteria), 1.0)),
        (
            SCORE,
            {"probabilities": {"none": 30, "3": 10}},
            ScoreAnswer(0.75, (0.75, 0, 0, 0.25), tuple(SCORE.criteria), TWO_THIRDS),
        ),
        (
            SCORE,
            {"score": 3, "legend": TURNED},
            ScoreAnswer(3.0, (0, 0, 0, 1), tuple(SCORE.criteria), 1.0),
        ),
    ],
)  # fmt: skip
def test_what_the_lenient_reading_takes(question: Question, given: Any, expected: Any) -> None:
    assert only(question, given, lenient=True) == expected


def test_a_lenient_reading_takes_answers_alone_and_passes_over_others() -> None:
    decision = read_decision(
        {"n": 0.5, "m": 0, "c": "a", "s": 1, "why": "so"}, REQUEST, lenient=True
    )
    assert decision.answers["s"] == only(SCORE, 1, lenient=True)
    assert decision.calibrated is None
    with pytest.raises(MalformedAnswerError, match="s: there is no answer"):
        read_decision({"n": 0.5, "m": 0, "c": "a"}, REQUEST, lenient=True)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["type", "noul", "choice", "score", "probabilities", "legend", "confidence",
                         "0", "1", "a", "b", "answers", "model", "n", "m", "c", "s"]),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=examples(300), derandomize=True, deadline=None)
@given(_json, _json, st.booleans())
def test_no_response_raises_anything_else(whole: Any, part: Any, lenient: bool) -> None:
    for given_ in (whole, response(n=part), response(c=part), response(s=part)):
        try:
            decision = read_decision(given_, REQUEST, lenient=lenient)
        except MalformedAnswerError:
            continue
        assert read_decision(decision.wire(), REQUEST) == decision


ANSWER = '{"n": 0.5, "m": 1, "c": "a", "s": 2}'


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"```json\n{ANSWER}\n```",
        f"Let me think {{aloud}} first.\n{ANSWER}\nThat is {{all}}.",
        f'{{"answers": {ANSWER}}}',
    ],
)
def test_an_object_is_found_in_what_a_language_model_says(text: str) -> None:
    assert parse_answer(text, REQUEST) == parse_answer(json.loads(ANSWER), REQUEST)


@pytest.mark.parametrize("digits", [400, 5000])
def test_an_endless_number_in_words_is_malformed(digits: int) -> None:
    text = f'{{"n": 1{"0" * digits}, "m": 1, "c": "a", "s": 2}}'
    with pytest.raises(MalformedAnswerError):
        parse_answer(text, REQUEST)


@pytest.mark.parametrize("text", ["", "I cannot judge this.", "{", "{'n': 1}", "{" * 5000, "[1]"])
def test_where_there_is_none_that_is_reported(text: str) -> None:
    with pytest.raises(MalformedAnswerError, match="no JSON object"):
        parse_answer(text, REQUEST)


def test_a_request_in_words_holds_all_of_it_and_its_schema_what_is_expected() -> None:
    prompt = prompt_for(REQUEST)
    assert '"texts": ["é", 1, null]' in prompt
    for question in REQUEST.questions.values():
        assert question.instructions in prompt
    schema = schema_of(REQUEST)
    assert schema["required"] == ["n", "m", "c", "s"]
    assert schema["properties"]["c"]["enum"] == ["a", "b", "c"]
    assert schema["properties"]["s"]["enum"] == [0, 1, 2, 3]
    assert schema["properties"]["n"]["type"] == "number"


def test_an_answer_is_found_behind_objects_that_are_none() -> None:
    number = '{"n": ' + "1" * 5_000  # of more digits than are read
    for before in ('{"q": what} ' * 500, "{so} " * 5_000, '{"a": {"b": ' * 20, number):
        assert parse_answer(before + ANSWER, REQUEST) == parse_answer(ANSWER, REQUEST), before[:9]


def test_the_search_for_an_answer_has_an_end() -> None:
    for endless in ('{"', '{"a": ', '{"a": ['):
        with pytest.raises(MalformedAnswerError, match="no JSON object"):
            parse_answer(endless * 20_000 + ANSWER, REQUEST)
