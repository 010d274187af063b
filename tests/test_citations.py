"""The numbers of entries, read back from an answer."""

import time

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


def test_ranges_that_overlap_give_each_number_once_in_order() -> None:
    assert cited_numbers("[3-5] [1-4] [2-7] [7-9, 8-10]") == [3, 4, 5, 1, 2, 6, 7, 8, 9, 10]
    assert cited_numbers("[9-2, 1-10]") == [9, 2, 1, 3, 4, 5, 6, 7, 8, 10]
    ranges = [(first, first + width) for first in range(1, 90, 7) for width in (0, 3, 40, 8)]
    answer = "; ".join(f"[{first}-{last}]" for first, last in ranges)
    every = [number for first, last in ranges for number in range(first, last + 1)]
    assert cited_numbers(answer) == list(dict.fromkeys(every))


def test_a_range_again_costs_no_more_than_a_number_again() -> None:
    def seconds(part: str) -> float:
        began = time.process_time()
        cited_numbers(f"[{','.join([part] * 4_000)}]")
        return time.process_time() - began

    assert any(seconds("1-1000") < 10 * seconds("1") + 0.01 for _ in range(3))
