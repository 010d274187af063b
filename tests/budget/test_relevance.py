"""How much each sentence should tell."""

import math

import pytest

from areev_context.budget.relevance import Part, Passage, part_of, sentence_values

OTHER = "The carrier called from Milan about the desk again."


def plain(*sentences: str, part: Part | None = None, speaker: str = "", title: str = "") -> Passage:
    return Passage(sentences, speaker, title, part)


@pytest.mark.parametrize(
    ("identifier", "part"),
    [
        (None, None),
        ("", None),
        ("chat", None),
        ("chat-12", ("chat-", 12)),
        ("D1:3", ("D1:", 3)),
        ("007", ("", 7)),
        ("a123456789", ("a", 123456789)),
        ("a1234567890", None),  # no number of a part, but a key
        ("a٣", None),
        ("a-3b", None),
    ],
)
def test_the_part_an_id_names(identifier: str | None, part: Part | None) -> None:
    assert part_of(identifier) == part


def test_nothing_in_nothing_out() -> None:
    assert sentence_values("lamp", []) == []


def test_without_a_query_places_decide() -> None:
    for query in ("", "  ", "what is it?"):
        (first,), (second,), (third,) = sentence_values(query, [plain(OTHER)] * 3)
        assert first > second > third > 0


def test_words_in_common_beat_places() -> None:
    query = "How long does the refund of a walnut lamp take?"
    found = sentence_values(query, [plain(OTHER), plain("The refund of a lamp takes a week.")])
    assert found[1][0] > found[0][0]


@pytest.mark.parametrize("query", ["refund", "refund of a lamp", "when is the refund?"])
def test_a_query_of_few_words_prefers_what_has_them(query: str) -> None:
    told = ["Desks come in walnut.", "The refund of a lamp takes a week.", "Parcels leave at noon."]
    found = sentence_values(
        query, [plain(text)._replace(part=("d", n)) for n, text in enumerate(told)]
    )
    assert max(found)[0] == found[1][0]
    ((before, asked, after),) = sentence_values(query, [plain(*told)])
    assert asked > max(before, after)


def test_the_sentence_that_answers_beats_its_neighbours() -> None:
    query = "How long does the refund of a walnut lamp take at the desk in Milan?"
    passage = plain(OTHER, "The refund of a walnut lamp takes five days.", "Parcels leave at noon.")
    (values,) = sentence_values(query, [passage])
    assert max(values) == values[1]


def test_a_scrap_is_worth_less_than_a_sentence() -> None:
    ((scrap, sentence),) = sentence_values("", [plain("Yes indeed.", OTHER)])
    assert scrap < sentence


def test_who_speaks_and_the_title_count() -> None:
    query = "What did Alice say about the Walnut catalogue?"
    spoken = [plain(OTHER, speaker=name) for name in ("Bob", "Alice")]
    titled = [plain(OTHER, title=name) for name in ("Parcels", "Walnut")]
    for passages in (spoken, titled):
        (first,), (second,) = sentence_values(query, passages)
        assert second > first


def test_neighbours_in_the_source_lend_their_worth() -> None:
    asked, answer = (
        plain("Where is the walnut lamp?", part=("c", 4)),
        "It stands beside the window.",
    )
    for number in (3, 5, 2, 6):
        near, far = plain(answer, part=("c", number)), plain(answer, part=("d", number))
        (beside,) = sentence_values("walnut lamp", [asked, near])[1]
        (elsewhere,) = sentence_values("walnut lamp", [asked, far])[1]
        assert beside > elsewhere


def test_of_two_passages_with_one_id_the_better_is_the_neighbour() -> None:
    twice = [plain(OTHER, part=("c", 1)), plain(OTHER), plain(OTHER, part=("c", 1))]
    once = [twice[0], twice[1], plain(OTHER)]
    last = plain(OTHER, part=("c", 2))
    assert sentence_values("", [*twice, last])[3] == sentence_values("", [*once, last])[3]


def test_values_are_numbers_above_nothing_whatever_comes() -> None:
    passages = [plain(""), plain("…", "!"), plain("保存期間は三年間です。", part=("c", 1))]
    passages += [plain("lamp " * 5000, part=("c", 2), speaker="lamp", title="lamp")]
    for query in ("", "…", "保存期間は?", "lamp " * 500):
        values = [v for of in sentence_values(query, passages) for v in of]
        assert all(0 < value < math.inf for value in values)


def test_a_script_without_spaces_is_matched() -> None:
    query = "保存期間は何年ですか"
    passages = [
        plain("配送は翌日に行われ、送料は無料です。"),
        plain("保存期間は三年間と定められた。"),
    ]
    (first,), (second,) = sentence_values(query, passages)
    assert second > first
