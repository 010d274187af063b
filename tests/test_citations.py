"""The numbers of entries, read back from an answer."""

import pytest

from areev_context import cited_numbers


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("", []),
        ("nothing cited", []),
        ("as said in [3]", [3]),
        ("[1, 2] and [2,1]", [1, 2]),
        ("[1-3]", [1, 2, 3]),
        ("[1–3]", [1, 2, 3]),
        ("[ 4 ; 2 - 3 ]", [4, 2, 3]),
        ("first [9], then [2], then [9] again", [9, 2]),
        ("[1][2]", [1, 2]),
        ("[5-5]", [5]),
        ("[3-1]", [3, 1]),
        ("[1-1000]", list(range(1, 1001))),
        ("[1-2000]", [1, 2000]),
        ("[a] [] [1.5] [-1] [1234567] (3) 4", []),
        ("[CURRENT] [session: 3]", []),
        ("[٣]", []),
        ("[3\n]", [3]),
        (r"as \[3] says, [4]", [4]),
    ],
)
def test_numbers_in_order_of_appearance(answer: str, numbers: list[int]) -> None:
    assert cited_numbers(answer) == numbers
