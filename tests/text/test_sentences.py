"""Sentences of a passage, and those that answer a query best."""

import pytest

from areev_context.text.splitting import opening_or_best, sentence_parts, sentences

LAMPS = (
    "The shop opened in Turin. It sells lamps. Every lamp is tested for a day. "
    "A refund takes five days. Parcels leave at noon. Refund questions go to the desk."
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        (" \n ", []),
        ("No stop", ["No stop"]),
        ("One. Two! Three? Four…", ["One.", "Two!", "Three?", "Four…"]),
        ("Version 1.5 is out. Yes.", ["Version 1.5 is out.", "Yes."]),
        ('He said "Stop." Then left.', ['He said "Stop."', "Then left."]),
        ("A line\nanother  line\n\nlast", ["A line", "another line", "last"]),
        (
            "一つ目です。二つ目です！「三つ目。」終",
            ["一つ目です。", "二つ目です！", "「三つ目。」", "終"],
        ),
    ],
)
def test_sentences_in_reading_order(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


LIST = ", ".join(f"press the key {n} on its back for {n} seconds" for n in range(20)) + "."


def test_a_long_sentence_comes_in_parts_that_end_at_a_pause() -> None:
    found = sentence_parts(f"Short one. {LIST}")
    assert found[0] == "Short one."
    assert " ".join(found[1:]) == LIST
    assert max(map(len, found)) <= 400
    assert all(part[-1] in ",." for part in found)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("word " * 200, [999]),  # it never pauses
        ("word " * 200 + "one, two", [1004, 3]),
        ("長い文、" * 200, [400, 400]),
        ("a, " + "b " * 300 + "c, d", [605, 1]),  # a pause near the start is none
    ],
)
def test_where_a_long_sentence_parts(text: str, sizes: list[int]) -> None:
    assert list(map(len, sentence_parts(text))) == sizes


@pytest.mark.parametrize("query", ["", "  ", "unrelated words"])
def test_without_an_answer_it_is_the_opening(query: str) -> None:
    assert opening_or_best(LAMPS, query) == "The shop opened in Turin."


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("refund", "A refund takes five days. … Refund questions go to the desk."),
        ("who sells in Turin", "The shop opened in Turin. It sells lamps."),
        ("at NOON", "Parcels leave at noon."),
    ],
)
def test_the_best_come_in_reading_order(query: str, best: str) -> None:
    assert opening_or_best(LAMPS, query) == best


def test_a_rare_word_weighs_more_than_a_frequent_one() -> None:
    text = "The desk is open. The desk is closed. The desk is late. Ask for Zoe."
    assert opening_or_best(text, "the desk of Zoe").endswith("Ask for Zoe.")


def test_a_sentence_that_passes_the_third_stays_out() -> None:
    long = "refund " * 20 + "all."
    assert opening_or_best(f"A refund, please. {long} {'Nothing here. ' * 5}", "refund please") == (
        "A refund, please."
    )


@pytest.mark.parametrize("text", ["", " \n"])
def test_nothing_to_say_says_nothing(text: str) -> None:
    assert opening_or_best(text, "refund") == ""


def test_a_sentence_without_end_is_cut_at_a_word() -> None:
    text = "word " * 100
    cut = opening_or_best(text, "")
    assert cut == "word " * 33 + "…"
    assert len(cut) <= len(text) // 3 + 2


def test_a_word_without_end_is_cut_anywhere() -> None:
    assert opening_or_best("x" * 300, "") == "x" * 100 + " …"


def test_the_summary_is_one_line() -> None:
    assert opening_or_best("A refund\ttakes\n five days", "five days") == "five days"
