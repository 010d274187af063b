"""Who gets the room: the two allocators over estimates."""

import pytest

from areev_context import GrainTypeDiversity
from areev_context.extend import Allocation, BudgetItem, allocate, allocate_with_diversity
from areev_context.tokens import estimate_tokens

LETTER = {"F": Allocation.FULL, "S": Allocation.SUMMARY, "-": Allocation.OMIT}
ONE_EACH = GrainTypeDiversity()


def forms(word: str) -> list[Allocation]:
    return [LETTER[letter] for letter in word]


def items(*sizes: int) -> list[BudgetItem]:
    """Entries of one type, best first."""
    return [BudgetItem("fact", 1.0 - n / 100, size) for n, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("sizes", "budget", "expected"),
    [
        ([], 100, ""),
        ([10], None, "F"),
        ([10, 10], 0, "--"),
        ([70], 100, "F"),  # full up to 70 %
        ([71], 100, "S"),
        ([70, 75], 100, "FS"),  # 70 + 25: a summary up to 95 %
        ([70, 78], 100, "F-"),
        ([70, 200, 9], 100, "F-S"),  # a later, smaller one may still fit
        ([40, 60, 10], 100, "FSF"),
        ([285], 100, "S"),
        ([288], 100, "-"),
        ([1], 1, "-"),  # 70 % and 95 % of 1 are 0
        ([1, 1], 2, "F-"),
        ([2], 2, "S"),  # a summary costs at least 1
    ],
)
def test_spending_by_priority(sizes: list[int], budget: int | None, expected: str) -> None:
    assert allocate(items(*sizes), budget) == forms(expected)


def test_high_priority_goes_first_and_ties_keep_their_order() -> None:
    ranked = [BudgetItem("fact", priority, 60) for priority in (0.2, 0.9, 0.9)]
    assert allocate(ranked, 100) == forms("-FS")


def test_priorities_are_compared_rounded() -> None:
    near = [BudgetItem("fact", 0.5, 60), BudgetItem("fact", 0.5 + 1e-9, 60)]
    distinct = [BudgetItem("fact", 0.5, 60), BudgetItem("fact", 0.5 + 1e-5, 60)]
    assert allocate(near, 100) == forms("FS")
    assert allocate(distinct, 100) == forms("SF")


@pytest.mark.parametrize("budget", [None, 1000])
def test_what_must_be_omitted_is_omitted(budget: int | None) -> None:
    forced = [BudgetItem("fact", 1.0, 1, force_omit=True), BudgetItem("fact", 0.1, 1)]
    assert allocate(forced, budget) == forms("-F")
    assert allocate_with_diversity(forced, budget, ONE_EACH) == forms("-F")


@pytest.mark.parametrize(("tokens", "expected"), [(95, "F"), (96, "S")])
def test_what_should_be_whole_is_tried_against_the_second_line(tokens: int, expected: str) -> None:
    assert allocate([BudgetItem("fact", 1.0, tokens, prefer_full=True)], 100) == forms(expected)


def mixed(*entries: tuple[str, int]) -> list[BudgetItem]:
    """Entries of several types, best first."""
    return [BudgetItem(kind, 1.0 - n / 100, size) for n, (kind, size) in enumerate(entries)]


def test_the_best_of_each_type_is_whole() -> None:
    crowded = mixed(("fact", 40), ("fact", 40), ("goal", 30))
    assert allocate(crowded, 60) == forms("FS-")
    assert allocate_with_diversity(crowded, 60, ONE_EACH) == forms("F-F")


def test_the_floor_stays_where_it_passes_the_budget() -> None:
    entries = mixed(("fact", 80), ("goal", 80), ("fact", 1))
    assert allocate_with_diversity(entries, 10, ONE_EACH) == forms("FF-")
    assert allocate_with_diversity(entries, 0, ONE_EACH) == forms("FF-")


@pytest.mark.parametrize(
    ("share", "sizes", "expected"),
    [
        (0.50, (10, 10, 10, 10), "FFFF"),  # 40 of 100 may be reserved
        (0.35, (10, 10, 10, 60), "FFFS"),  # the last is released, and 70 are left for it
        (0.20, (10, 60, 10, 60), "FSFS"),  # of each type one stays
    ],
)
def test_a_reservation_over_its_share_releases_the_least(
    share: float, sizes: tuple[int, ...], expected: str
) -> None:
    entries = mixed(*zip(("fact", "fact", "goal", "goal"), sizes, strict=True))
    diversity = GrainTypeDiversity(min_per_type=2, max_reservation_pct=share)
    assert allocate_with_diversity(entries, 100, diversity) == forms(expected)


def test_a_reservation_of_exactly_its_share_stays() -> None:
    entries = [
        *(
            BudgetItem("goal", priority, size)
            for priority, size in ((0.9, 10), (0.8, 10), (0.7, 40))
        ),
        *(BudgetItem("fact", priority, size) for priority, size in ((0.2, 10), (0.1, 20))),
    ]
    diversity = GrainTypeDiversity(min_per_type=2, max_reservation_pct=0.5)
    assert allocate_with_diversity(entries, 100, diversity) == forms("FFSFF")


def test_of_equal_priorities_the_later_is_released() -> None:
    equal = [BudgetItem("fact", 0.5, 30), BudgetItem("fact", 0.5, 30)]
    diversity = GrainTypeDiversity(min_per_type=2, max_reservation_pct=0.5)
    assert allocate_with_diversity(equal, 50, diversity) == forms("FS")


def test_what_is_left_is_spent_by_its_own_seventy_per_cent() -> None:
    entries = mixed(("fact", 40), ("fact", 42), ("fact", 1))
    assert allocate_with_diversity(entries, 100, ONE_EACH) == forms("FFS")
    entries = mixed(("fact", 40), ("fact", 43), ("fact", 1))
    assert allocate_with_diversity(entries, 100, ONE_EACH) == forms("FSF")


def test_no_budget_is_no_limit() -> None:
    assert allocate_with_diversity(items(10**9, 10**9), None, ONE_EACH) == forms("FF")


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abc", 0), ("abcd", 1), ("x" * 4003, 1000), ("é" * 4, 2)]
)
def test_a_text_is_estimated_by_its_bytes(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
