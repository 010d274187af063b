"""What belongs together in a passage, and how an excerpt of it grows."""

import math
from itertools import pairwise, permutations

import pytest

from areev_context.budget.bonds import Bonds, bonds_of
from areev_context.budget.extract import Excerpt
from areev_context.budget.parted import Parted
from areev_context.text.part import Part, PartKind

FIRST = "The tenant may end the lease at any time."
LONG = "The rent is due on the first day of each month."


def passage(*pieces: str, kind: PartKind = PartKind.SENTENCE) -> tuple[str, tuple[Part, ...]]:
    text, parts = "", []
    for piece in pieces:
        parts.append(Part(kind, len(text), len(text) + len(piece)))
        text += piece
    return text, tuple(parts)


def with_needs(bonds: Bonds, index: int) -> set[int]:
    seen: set[int] = set()
    todo = [index, bonds.leans_on.get(index, index)]
    while todo:
        part = todo.pop()
        todo.extend(set(bonds.needs[part]) - seen - {part})
        seen.add(part)
    return seen


def needs(pieces: list[str], index: int, glued: int = 1000) -> list[int]:
    return sorted(with_needs(bonds_of(*passage(*pieces), glued), index))


def grown(text: str, parts: tuple[Part, ...], *picked: int) -> list[int]:
    excerpt = excerpt_of(text, parts, [1.0] * len(parts))
    excerpt.grow(picked)
    return list(excerpt.indexes())


def excerpt_of(text: str, parts: tuple[Part, ...], tokens: list[float]) -> Excerpt:
    return Excerpt(Parted(text, parts, tokens, head=3.0), bonds_of(text, parts, 100))


def test_needs_are_followed_to_their_end() -> None:
    text, parts = passage("# A\n", "## B\n", "Some text.", LONG)
    parts = (parts[0], parts[1]._replace(needs=(0,)), parts[2]._replace(needs=(1,)), parts[3])
    assert grown(text, parts, 3) == [3]
    parts = (*parts[:3], parts[3]._replace(needs=(1,)))
    assert grown(text, parts, 3) == [0, 1, 2, 3]  # no mark stands for so little
    assert with_needs(bonds_of(text, parts, 100), 2) == {0, 1, 2}
    assert with_needs(bonds_of(text, parts, 100), 0) == {0}


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
    assert with_needs(bonds_of(text, code, 100), 1) == {1}


def test_a_sentence_in_pieces_is_whole_where_it_is_not_too_long() -> None:
    pieces = ["The fee is due, ", "whatever happens, ", "on Monday."]
    text, parts = passage(*pieces, " Next one.")
    parts = (
        parts[0],
        *(part._replace(kind=PartKind.PIECE) for part in parts[1:3]),
        parts[3],
    )
    for index in range(3):
        assert with_needs(bonds_of(text, parts, 100), index) == {0, 1, 2}
        assert with_needs(bonds_of(text, parts, 10), index) == {index}
    assert with_needs(bonds_of(text, parts, 100), 3) == {3}


def test_pieces_that_no_sentence_ends_are_shown_one_by_one() -> None:
    text, parts = passage('{"a":1,', '"b":2,', '"c":3}')
    parts = (parts[0], *(part._replace(kind=PartKind.PIECE) for part in parts[1:]))
    assert with_needs(bonds_of(text, parts, 100), 1) == {1}


def test_what_leans_on_a_sentence_in_pieces_brings_all_of_it() -> None:
    text, parts = passage("The fee is due, ", "on Monday. ", "It is small.")
    parts = (parts[0], parts[1]._replace(kind=PartKind.PIECE), parts[2])
    assert with_needs(bonds_of(text, parts, 100), 2) == {0, 1, 2}


def together(pieces: list[str], shown: set[int], kind: PartKind = PartKind.SENTENCE) -> list[int]:
    return grown(*passage(*pieces, kind=kind), *shown)


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
    assert grown(text, parts, 0, 1) == [0, 1, 2]
    assert together([LONG, LONG, "Three months."], {2}) == [1, 2]
    assert together(["Three months."], {0}) == [0]


def test_a_heading_that_is_a_crumb_takes_what_follows_it() -> None:
    text, parts = passage(f"{LONG}\n", "## Notice\n", f"{LONG} ", f"{LONG} ", LONG)
    parts = (
        parts[0]._replace(kind=PartKind.CODE),
        parts[1]._replace(kind=PartKind.HEADING, alone=False),
        *(part._replace(needs=(1,)) for part in parts[2:]),
    )
    assert grown(text, parts, 1, 4) == [1, 2, 4]


def test_an_entry_of_little_takes_what_stands_above_however_long_that_is() -> None:
    headings = [f"## {LONG}\n\n"] * 5
    text, parts = passage(f"{LONG}\n\n", *headings, "Yes.")
    parts = (
        parts[0],
        *(part._replace(kind=PartKind.HEADING, alone=False) for part in parts[1:-1]),
        parts[-1],
    )
    assert grown(text, parts, 6) == [0, 1, 2, 3, 4, 5, 6]


def test_an_excerpt_grows_from_what_it_shows_as_if_it_began_anew() -> None:
    pieces = [LONG, " Yes. ", "Nine o'clock. ", LONG, LONG[:30], "No. ", LONG, " So be it.", LONG]
    text, parts = passage(*pieces)
    tokens = [float(len(piece)) for piece in pieces]
    for order in permutations(range(0, len(parts), 2)):
        excerpt = excerpt_of(text, parts, tokens)
        for part in order:
            if not excerpt.shown[part]:
                before, refused = excerpt.indexes(), excerpt.grow([part], room=0.0)
                assert refused >= excerpt.cost
                excerpt.shrink()
                assert excerpt.indexes() == before
                fresh = excerpt_of(text, parts, tokens)
                excerpt.cost = excerpt.grow([part])
                assert excerpt.cost == pytest.approx(fresh.grow([*before, part]))
                assert excerpt.indexes() == fresh.indexes()
                left_out = [not is_shown for is_shown in excerpt.shown]
                gaps = sum(out and not before for before, out in pairwise([False, *left_out]))
                own = sum(tokens[n] for n in excerpt.indexes())
                assert excerpt.cost == pytest.approx(3.0 + own + 2.0 * gaps)


def test_what_cannot_be_shown_is_not_looked_for_to_its_end() -> None:
    text, parts = passage(*[f"{LONG} "] * 50)
    parts = (parts[0], *(part._replace(needs=(n,)) for n, part in enumerate(parts[1:])))
    excerpt = excerpt_of(text, parts, [10.0] * 50)
    assert excerpt.grow([49], room=40.0) == math.inf
    assert len(excerpt.indexes()) < 10
    excerpt.shrink()
    assert excerpt.indexes() == ()
    assert excerpt.grow([49], room=503.0) == 503.0
