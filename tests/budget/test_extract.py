"""Which parts of which passages are shown within a budget."""

from typing import NamedTuple

import pytest

from areev_context.budget.extract import Extract, Extracts
from areev_context.budget.parted import Parted, PassageNumber
from areev_context.text.part import Part, PartKind

WORDS = ("nought", "one", "two", "three", "four", "five")
LONG = [f"Sentence number {word} says something of its own. " for word in WORDS]


class Valued(NamedTuple):
    """A passage, and the value of each of its parts."""

    passage: Parted
    values: list[float]

    def read_as(self, *parts: Part) -> "Valued":
        return self._replace(passage=self.passage._replace(parts=parts))

    def valued(self, *values: float) -> "Valued":
        return self._replace(values=list(values))


def passage(
    sentences: list[str],
    values: list[float],
    tokens: list[float] | None = None,
    number: PassageNumber | None = None,
    source: str | None = None,
    *,
    together: bool = False,
) -> Valued:
    parts, start = [], 0
    for sentence in sentences:
        parts.append(Part(PartKind.SENTENCE, start, start + len(sentence)))
        start += len(sentence)
    each = tokens or [20.0] * len(sentences)
    text = "".join(sentences)
    made = Parted(text, parts, each, 2.0, number=number, source=source, together=together)
    return Valued(made, values)


def extracts(passages: list[Valued], required: frozenset[int] = frozenset()) -> Extracts:
    return Extracts(
        [each.passage for each in passages], [each.values for each in passages], required
    )


def chosen(
    passages: list[Valued], budget: float, required: frozenset[int] = frozenset()
) -> dict[int, Extract]:
    found, used = extracts(passages, required).chosen(budget, join=1.0)
    assert used <= budget or required
    return found


def shown(passages: list[Valued], budget: float) -> dict[int, list[int]]:
    return {n: list(extract.shown) for n, extract in chosen(passages, budget).items()}


def test_no_passage_and_no_room() -> None:
    assert chosen([], 100) == {}
    assert chosen([passage(LONG, [1.0] * 6)], 0) == {}


def test_the_best_parts_as_far_as_they_and_their_marks_fit() -> None:
    one = passage(LONG, [1, 9, 1, 8, 1, 7])
    assert shown([one], 27) == {0: [1]}  # a head, a join, a part and two marks
    assert shown([one], 26) == {0: [5]}  # nothing is left out after it: one mark
    assert shown([one], 24) == {}
    assert shown([one], 49) == {0: [1, 3]}
    assert shown([one], 48) == {0: [1, 5]}
    assert shown([one], 123) == {0: [0, 1, 2, 3, 4, 5]}


def test_a_dear_part_is_passed_over_for_a_cheap_one() -> None:
    one = passage(LONG[:3], [9, 8, 1], [90.0, 20.0, 20.0])
    assert shown([one], 40) == {0: [1]}


def test_a_short_passage_stays_together() -> None:
    turn = passage(LONG[:3], [9, 1, 1], [15.0, 15.0, 10.0])
    assert shown([turn], 43) == {0: [0, 1, 2]}
    assert shown([turn], 42) == {}


def test_one_part_is_whole_or_not_at_all() -> None:
    assert shown([passage(LONG[:1], [9], [300.0])], 302) == {}
    assert shown([passage(LONG[:1], [9], [300.0])], 303) == {0: [0]}


def test_what_is_shown_in_any_case_costs_first() -> None:
    passages = [passage(LONG[:1], [9]), passage(LONG[1:2], [1])]
    assert sorted(chosen(passages, 45, frozenset({1}))) == [1]
    assert sorted(chosen(passages, 46, frozenset({1}))) == [0, 1]
    assert sorted(chosen(passages, 1, frozenset({1}))) == [1]


def test_where_little_would_be_left_out_nothing_is() -> None:
    one = passage(LONG[:4], [9, 9, 9, -50], [20.0, 20.0, 20.0, 6.0])
    assert shown([one], 69) == {0: [0, 1, 2, 3]}
    assert shown([one], 68) == {0: [0, 1, 2]}  # the whole does not fit


def test_a_passage_that_must_stay_whole_is_whole_where_it_fits() -> None:
    one = passage(LONG[:3], [1, 9, 1], together=True)
    assert shown([one], 63) == {0: [0, 1, 2]}
    assert shown([one], 30) == {0: [1]}


def test_a_part_brings_what_it_needs_and_pays_for_it_once() -> None:
    one = passage(["# A long heading of the passage\n", *LONG[:4]], [0, 9, 0, 8, 0])
    heading, *parts = one.passage.parts
    heading = heading._replace(kind=PartKind.HEADING, alone=False)
    one = one.read_as(heading, *(part._replace(needs=(0,)) for part in parts))
    assert shown([one], 45) == {0: [0, 1]}
    assert shown([one], 44) == {}
    assert shown([one], 67) == {0: [0, 1, 3]}


def test_nothing_but_a_heading_comes_last() -> None:
    heading = passage(LONG[:1], [9])
    heading = heading.read_as(heading.passage.parts[0]._replace(alone=False))
    assert sorted(chosen([heading, passage(LONG[1:2], [6])], 25)) == [1]


def test_a_part_is_shown_once_within_a_source() -> None:
    passages = [
        passage(LONG[:3], [9, 1, 1], source="a"),
        passage([*LONG[:2], LONG[5]], [8, 1, 8], source="a"),
    ]
    found = chosen(passages, 1000)
    assert found[0] == Extract((0, 1, 2), elsewhere=False)
    assert found[1] == Extract((2,), elsewhere=True)


def test_two_sources_may_say_the_same() -> None:
    for source in ("b", None):
        passages = [passage(LONG, [9] * 6, source="a"), passage(LONG, [8] * 6, source=source)]
        assert sorted(chosen(passages, 1000)) == [0, 1]


def test_a_whole_copy_is_not_shown() -> None:
    passages = [passage(LONG, [9] * 6, source="a"), passage(LONG, [8] * 6, source="a")]
    assert sorted(chosen(passages, 1000)) == [0]


def test_a_passage_may_repeat_itself() -> None:
    assert shown([passage([LONG[0]] * 3, [9, 8, 7], source="a")], 1000) == {0: [0, 1, 2]}


def test_a_torn_part_is_shown_where_the_whole_one_is_not() -> None:
    torn = LONG[2][9:]
    first = passage(LONG[:3], [9, 9, -50], number=("c", 1))
    second = passage([torn, LONG[4], LONG[5]], [50, 1, 1], number=("c", 2))
    assert chosen([first, second], 27)[1] == Extract((0,), elsewhere=False)
    whole = chosen([first.valued(9, 9, 9), second.valued(5, 1, 1)], 1000)
    assert whole[1] == Extract((1, 2), elsewhere=True)


def test_equal_values_keep_the_order() -> None:
    passages = [passage([f"{n} {LONG[0]}"], [1.0]) for n in range(4)]
    assert sorted(chosen(passages, 50)) == [0, 1]


@pytest.mark.parametrize(("values", "best"), [([1, 9, 1], (1,)), ([5, 5, 5], (0,))])
def test_the_least_that_can_be_shown(values: list[float], best: tuple[int, ...]) -> None:
    assert extracts([passage(LONG[:3], values)]).best(0) == best


def test_the_least_of_what_is_nothing_but_a_heading_is_all_of_it() -> None:
    one = passage(LONG[:1], [9])
    one = one.read_as(one.passage.parts[0]._replace(alone=False))
    assert extracts([one]).best(0) == (0,)
