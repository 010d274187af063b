"""What belongs together in a passage."""

import pytest

from areev_context.budget.bonds import Bonds
from areev_context.text.part import Part, PartKind

FIRST = "The tenant may end the lease at any time."
LONG = "The rent is due on the first day of each month."


def passage(*pieces: str, kind: PartKind = PartKind.SENTENCE) -> tuple[str, tuple[Part, ...]]:
    text, parts = "", []
    for piece in pieces:
        parts.append(Part(kind, len(text), len(text) + len(piece)))
        text += piece
    return text, tuple(parts)


def needs(pieces: list[str], index: int, glued: int = 1000) -> list[int]:
    return sorted(Bonds(*passage(*pieces), glued).with_needs(index))


def test_needs_are_followed_to_their_end_and_asked_for_once() -> None:
    text, parts = passage("# A\n", "## B\n", "Some text.")
    parts = (parts[0], parts[1]._replace(needs=(0,)), parts[2]._replace(needs=(1,)))
    bonds = Bonds(text, parts, 100)
    assert bonds.with_needs(2) == {0, 1, 2}
    assert bonds.with_needs(2) is bonds.with_needs(2)
    assert bonds.with_needs(0) == {0}


@pytest.mark.parametrize(
    "turn",
    [
        "However, three months' notice is needed.",
        "But not in the first year.",
        "“Except in December.",
        "Unless it was agreed otherwise.",
        "This needs a letter.",
        "She must sign it.",
        "Therefore a letter is needed.",
        "Aber nicht im ersten Jahr.",
        "Er muss kündigen.",
        "Mais pas la première année.",
        "Pero no el primer año.",
        "Однако не в первый год.",
        "但是第一年不行。",
        "ただし初年度は除く。",
    ],
)
def test_a_sentence_that_leans_on_the_one_before_brings_it(turn: str) -> None:
    assert needs([f"{LONG} ", f"{FIRST} ", turn], 2) == [1, 2]
    assert needs([turn, f"{FIRST} "], 0) == [0]


@pytest.mark.parametrize("alone", ["Heating costs extra.", "42 francs.", "Itself is a word."])
def test_any_other_sentence_stands_alone(alone: str) -> None:
    assert needs([f"{FIRST} ", alone], 1) == [1]


def test_a_sentence_leans_on_nothing_of_another_paragraph_or_kind() -> None:
    assert needs([f"{FIRST}\n\n", "However, this differs."], 1) == [1]
    text, parts = passage(f"{FIRST}\n", "However, this differs.")
    code = (parts[0]._replace(kind=PartKind.CODE), parts[1])
    assert Bonds(text, code, 100).with_needs(1) == {1}


def test_a_sentence_in_pieces_is_whole_where_it_is_not_too_long() -> None:
    pieces = ["The fee is due, ", "whatever happens, ", "on Monday."]
    text, parts = passage(*pieces, " Next one.")
    parts = (
        parts[0],
        *(part._replace(kind=PartKind.PIECE) for part in parts[1:3]),
        parts[3],
    )
    for index in range(3):
        assert Bonds(text, parts, 100).with_needs(index) == {0, 1, 2}
        assert Bonds(text, parts, 10).with_needs(index) == {index}
    assert Bonds(text, parts, 100).with_needs(3) == {3}


def test_pieces_that_no_sentence_ends_are_shown_one_by_one() -> None:
    text, parts = passage('{"a":1,', '"b":2,', '"c":3}')
    parts = (parts[0], *(part._replace(kind=PartKind.PIECE) for part in parts[1:]))
    assert Bonds(text, parts, 100).with_needs(1) == {1}


def test_what_leans_on_a_sentence_in_pieces_brings_all_of_it() -> None:
    text, parts = passage("The fee is due, ", "on Monday. ", "It is small.")
    parts = (parts[0], parts[1]._replace(kind=PartKind.PIECE), parts[2])
    assert Bonds(text, parts, 100).with_needs(2) == {0, 1, 2}


def together(pieces: list[str], shown: set[int], kind: PartKind = PartKind.SENTENCE) -> list[int]:
    return Bonds(*passage(*pieces, kind=kind), 100).together(shown)


def test_a_gap_smaller_than_a_mark_is_filled() -> None:
    assert together([LONG, " Yes. ", LONG], {0, 2}) == [0, 1, 2]
    assert together([LONG, " Yes, sir, it is. ", LONG], {0, 2}) == [0, 2]
    assert together(["Yes. ", LONG], {1}) == [0, 1]
    assert together([LONG, " Yes."], {0}) == [0, 1]


def test_no_stretch_between_two_marks_is_a_crumb() -> None:
    assert together([LONG, "Nine o'clock. ", LONG, LONG], {1, 3}) == [1, 2, 3]
    assert together([LONG, "Nine o'clock. ", LONG[:30], LONG], {1, 3}) == [1, 2, 3]
    assert together([LONG[:30], "Nine o'clock. ", LONG, LONG, LONG], {1}) == [0, 1]
    assert together([LONG, f"{LONG} ", LONG], {1}) == [1]


def test_an_entry_says_something_of_its_own() -> None:
    text, parts = passage("# Notice\n", "Three months.\n\n", f"{LONG}\n\n", LONG)
    parts = (
        parts[0]._replace(kind=PartKind.HEADING, alone=False),
        *(part._replace(needs=(0,)) for part in parts[1:]),
    )
    assert Bonds(text, parts, 100).together({0, 1}) == [0, 1, 2]
    assert together([LONG, LONG, "Three months."], {2}) == [1, 2]
    assert together(["Three months."], {0}) == [0]


def test_a_heading_that_is_a_crumb_takes_what_follows_it() -> None:
    text, parts = passage(f"{LONG}\n", "## Notice\n", f"{LONG} ", f"{LONG} ", LONG)
    parts = (
        parts[0]._replace(kind=PartKind.CODE),
        parts[1]._replace(kind=PartKind.HEADING, alone=False),
        *(part._replace(needs=(1,)) for part in parts[2:]),
    )
    assert Bonds(text, parts, 100).together({1, 4}) == [1, 2, 4]
