"""Which sentences are shown within a budget."""

from areev_context.budget.extract import GAP, Choice, Shelf, Text, extract_of
from areev_context.budget.relevance import Part

LONG = [f"Sentence number {n} says something of its own." for n in range(6)]


def text(
    sentences: list[str],
    values: list[float],
    tokens: list[float] | None = None,
    part: Part | None = None,
) -> Text:
    return Text(sentences, values, tokens or [20.0] * len(sentences), 2.0, part)


def chosen(
    texts: list[Text], budget: float, kept: frozenset[int] = frozenset()
) -> dict[int, Choice]:
    choice, used = Shelf(texts, kept).chosen(budget, join=1.0)
    assert used <= budget or kept
    return choice


def shown(texts: list[Text], budget: float) -> dict[int, list[int]]:
    return {n: sorted(choice.shown) for n, choice in chosen(texts, budget).items()}


def test_no_passage_and_no_room() -> None:
    assert chosen([], 100) == {}
    assert chosen([text(LONG, [1.0] * 6)], 0) == {}


def test_the_best_sentences_as_far_as_they_fit() -> None:
    one = text(LONG, [1, 9, 1, 8, 1, 7])
    assert shown([one], 23) == {0: [1]}
    assert shown([one], 43) == {0: [1, 3]}
    assert shown([one], 42) == {0: [1]}
    assert shown([one], 123) == {0: [0, 1, 2, 3, 4, 5]}


def test_a_dear_sentence_is_passed_over_for_a_cheap_one() -> None:
    one = text(LONG[:3], [9, 8, 1], [90.0, 20.0, 20.0])
    assert shown([one], 40) == {0: [1]}


def test_a_short_passage_stays_together() -> None:
    turn = text(LONG[:3], [9, 1, 1], [15.0, 15.0, 10.0])
    assert shown([turn], 43) == {0: [0, 1, 2]}
    assert shown([turn], 42) == {}


def test_one_sentence_is_whole_or_not_at_all() -> None:
    assert shown([text(LONG[:1], [9], [300.0])], 302) == {}
    assert shown([text(LONG[:1], [9], [300.0])], 303) == {0: [0]}


def test_what_is_kept_in_any_case_costs_first() -> None:
    texts = [text(LONG[:1], [9]), text(LONG[1:2], [1])]
    assert sorted(chosen(texts, 45, frozenset({1}))) == [1]
    assert sorted(chosen(texts, 46, frozenset({1}))) == [0, 1]
    assert sorted(chosen(texts, 1, frozenset({1}))) == [1]


def test_a_sentence_is_said_once() -> None:
    texts = [text(LONG[:3], [9, 1, 1]), text([*LONG[:2], LONG[5]], [8, 1, 8])]
    choice = chosen(texts, 1000)
    assert choice[0] == Choice(frozenset({0, 1, 2}), frozenset())
    assert choice[1] == Choice(frozenset({2}), frozenset({0, 1}))


def test_a_whole_copy_is_not_shown() -> None:
    assert sorted(chosen([text(LONG, [9] * 6), text(LONG, [8] * 6)], 1000)) == [0]


def test_a_short_sentence_may_be_said_twice() -> None:
    texts = [text(["Yes."], [9]), text(["Yes."], [8])]
    assert sorted(chosen(texts, 1000)) == [0, 1]


def test_a_passage_may_repeat_itself() -> None:
    assert shown([text([LONG[0]] * 3, [9, 8, 7])], 1000) == {0: [0, 1, 2]}


def test_a_piece_of_a_sentence_beside_it_is_not_shown_again() -> None:
    piece = LONG[2][9:]
    first = text(LONG[:3], [9, 9, 9], part=("c", 1))
    for number, again in ((2, [2]), (0, [2]), (3, [1, 2]), (1, [1, 2])):
        second = text([LONG[4], piece, LONG[5]], [1, 5, 1], part=("c", number))
        found = chosen([first, second], 1000)[1]
        assert sorted(found.shown)[-len(again) :] == again
        assert (1 in found.told_elsewhere) == (again == [2])


def test_a_piece_is_shown_where_its_sentence_is_not() -> None:
    first = text(LONG[:3], [9, 9, 0.001], part=("c", 1))
    second = text([LONG[4], LONG[2][9:], LONG[5]], [1, 50, 1], part=("c", 2))
    assert chosen([first, second], 23)[1] == Choice(frozenset({1}), frozenset())


def test_no_neighbour_no_twin() -> None:
    lone = text(LONG[:2], [1, 1], part=("c", 1))
    assert sorted(chosen([lone, text(LONG[2:4], [1, 1])], 1000)) == [0, 1]


def test_an_extract_marks_its_gaps() -> None:
    one = text(LONG, [1] * 6)
    assert extract_of(one, frozenset({0})) == LONG[0]
    assert extract_of(one, frozenset({1, 0})) == f"{LONG[0]} {LONG[1]}"
    assert extract_of(one, frozenset({5, 2})) == f"{LONG[2]}{GAP}{LONG[5]}"


def test_equal_values_keep_the_order() -> None:
    texts = [text([f"{n} {LONG[0]}"], [1.0]) for n in range(4)]
    assert sorted(chosen(texts, 50)) == [0, 1]


def test_the_beginning_and_the_end_of_a_sentence_are_found_beside_it() -> None:
    whole = "The walnut lamp stands beside the window of the shop."
    row = [LONG[0], whole, LONG[1]]
    shown_again = {whole[:19]: True, "Another lamp stands at the window.": True}
    for piece in (whole, whole[:25], whole[-25:], *shown_again):
        first = text(row, [9, 9, 9], part=("c", 1))
        second = text([LONG[4], piece, LONG[5]], [1, 5, 1], part=("c", 2))
        assert (1 in chosen([first, second], 1000)[1].shown) is shown_again.get(piece, False)
