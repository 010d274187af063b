"""What passages of one source share."""

from areev_context.budget.parted import Parted, PassageNumber
from areev_context.budget.repeats import repeats_of
from areev_context.text.parts import parts_of

WORDS = ("one", "two", "three", "four")
SENTENCES = [f"Sentence number {word} says something of its own." for word in WORDS]


def passage(text: str, source: str | None = "a.md", number: PassageNumber | None = None) -> Parted:
    return Parted(text, parts_of(text), source=source, number=number)


def shared(*passages: Parted) -> dict[tuple[int, int], list[tuple[int, list[int]]]]:
    return {
        place: [(other, list(parts)) for other, parts in others]
        for place, others in repeats_of(passages).items()
    }


def test_what_stands_twice_in_one_source_is_shown_twice() -> None:
    found = shared(passage(" ".join(SENTENCES[:3])), passage(f"{SENTENCES[3]} {SENTENCES[1]}"))
    assert found == {(0, 1): [(1, [1])], (1, 1): [(0, [1])]}


def test_what_stands_in_two_sources_is_two_facts() -> None:
    for source in ("b.md", None):
        assert shared(passage(SENTENCES[0], "c.md"), passage(SENTENCES[0], source)) == {}
    assert shared(passage(SENTENCES[0], None), passage(SENTENCES[0], None)) == {}


def test_a_short_sentence_may_stand_twice() -> None:
    assert shared(passage("Yes. It is."), passage("Yes. No.")) == {}


def test_a_passage_may_repeat_itself() -> None:
    assert shared(passage(f"{SENTENCES[0]} {SENTENCES[0]}")) == {}


def test_neighbours_share_their_overlap_torn_sentences_included() -> None:
    torn = SENTENCES[2][9:]
    first = passage(" ".join(SENTENCES[:3]), number=("a", 1))
    second = passage(f"{torn} {SENTENCES[3]}", number=("a", 2))
    assert shared(first, second) == {(1, 0): [(0, [2])]}
    assert shared(second, first) == {(0, 0): [(1, [2])]}
    for number in (("a", 3), ("b", 2), ("a", 1), None):
        assert shared(first, second._replace(number=number)) == {}
    assert shared(first, second._replace(source="b.md")) == {}


def test_the_overlap_is_what_the_ends_share_and_no_more() -> None:
    clause = "The deposit is three months' rent and is paid in advance."
    one = passage(f"{SENTENCES[0]} {clause} {SENTENCES[1]}", None, ("a", 1))
    two = passage(f"{clause[4:]} {SENTENCES[2]}", None, ("a", 2))
    assert shared(one, two) == {}
    echo = passage(f"{SENTENCES[0]} {SENTENCES[0]} and more", None, ("a", 1))
    assert shared(echo, passage(f"{SENTENCES[0]} and more. {SENTENCES[2]}", None, ("a", 2)))
    none = passage(f"{clause} {clause} {clause} {clause} {clause} {clause}.", None, ("a", 1))
    assert shared(none, passage(f"{clause} or not. {SENTENCES[2]}", None, ("a", 2))) == {}
    assert shared(one, passage("Short.", None, ("a", 2))) == {}


def test_a_child_is_inside_its_parent() -> None:
    parent = passage(" ".join(SENTENCES))
    torn = f"{SENTENCES[1][9:]} {SENTENCES[2][:30]}"
    found = shared(passage(torn), parent)
    assert found[0, 0] == [(1, [1])]
    assert found[0, 1] == [(1, [2])]
    assert shared(passage("Short."), parent) == {}
    assert shared(passage(torn, "b.md"), parent) == {}


def test_a_part_that_stands_within_several_is_shown_by_all_of_them_together() -> None:
    table = "| a | b |\n|---|---|\n| pump one | runs well |\n| pump two | stands still |\n"
    inside = table.strip().replace("\n", " ")
    found = repeats_of([passage(inside), passage(f"Before it. {inside} After it.")])
    assert all(parts for others in found.values() for _, parts in others)


def test_an_opening_that_stands_many_times_is_not_looked_for_for_ever() -> None:
    line = "The pump is quite old now. "
    first = passage(f"{line * 8}The end.", None, ("a", 1))
    second = passage(f"{line}{SENTENCES[0] * 8}", None, ("a", 2))
    assert shared(first, second) == {}
