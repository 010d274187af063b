"""Budgets and counts of any size are a number or a clear error."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from areev_context import (
    ContextAssembler,
    CounterError,
    DecidePolicy,
    FormatPolicy,
    GrainOverride,
    InputError,
    Passage,
    PassageMapper,
    RendererError,
    RenderingHints,
    SharedRenderer,
    compare,
)
from areev_context.budget.allocate import BudgetItem, allocate, allocate_with_diversity
from areev_context.formats.registry import FORMATS
from areev_context.policy import GrainTypeDiversity
from areev_context.tokens import budget_for, counter_from
from hostile import Absurd, fails, subclass

HUGE = [10**16, 10**199, 10**200, 10**201, 10**308, 10**309, 10**400, 10**599]
HITS = [
    *PassageMapper().hits([Passage(f"The rent of flat {n} is due. Pay it.", {}) for n in range(3)]),
    *[{"grain_type": "fact", "fields": {"subject": f"s{n}", "object": "o"}} for n in range(3)],
]
COUNTERS: dict[str, Callable[[str], int] | None] = {
    "estimates": None,
    "characters": len,
    "huge": lambda text: 10**400 + len(text),
    "huge a character": lambda text: 10**397 * len(text),
}


@pytest.mark.parametrize("counter", COUNTERS.values(), ids=COUNTERS)
@pytest.mark.parametrize("form", FORMATS)
def test_every_budget_is_a_number(form: str, counter: Callable[[str], int] | None) -> None:
    assembler = ContextAssembler(counter=counter)
    whole = assembler.format(HITS, FormatPolicy(format=form))
    for budget, allocation in itertools.product((0, 40, *HUGE), ("auto", "reference")):
        policy = FormatPolicy(
            format=form, token_budget=budget, allocation=allocation, query_text="rent"
        )
        context = assembler.format(HITS, policy)
        assert counter is None or not context.text or counter(context.text) <= budget
        if counter in (None, len) and budget > 40:
            assert context.text == whole.text
        assert str(budget) in context.report()
        assert "<title>" in context.to_html()
        assert "<table>" in compare([whole, context]).to_html()


NUMBERS = {"just too large": 10**600, "far too large": 10**5000, "negative": -(10**5000)}
DOORS: dict[str, Callable[[int], Any]] = {
    "a budget": lambda n: FormatPolicy(token_budget=n),
    "a highlight": lambda n: FormatPolicy(highlight_over=n),
    "a limit": lambda n: GrainOverride(max_count=n),
    "entities": lambda n: RenderingHints(entity_count=n),
    "a counter": lambda n: ContextAssembler(counter=lambda text: n).format(HITS),
}


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_what_cannot_be_printed_is_a_clear_error(door: Callable[[int], Any], number: int) -> None:
    with pytest.raises((ValidationError, CounterError)) as raised:
        door(number)
    assert len(str(raised.value)) < 400


def test_the_rest_of_a_window_is_a_number_or_a_clear_error() -> None:
    assert budget_for(10**5000, 1) == 10**5000 - 1
    for reserve in (-(10**5000), 10**5001, True):
        with pytest.raises(InputError, match=r"give whole numbers|pass the window"):
            budget_for(10**5000, reserve)
    with pytest.raises(InputError, match="the budget is <int>"):
        allocate([], -(10**5000))


@pytest.mark.parametrize(
    "number", [True, 1.0, math.nan, math.inf, None, "7", Absurd(), subclass(list, fails)()]
)
def test_a_count_is_a_whole_number(number: Any) -> None:
    with pytest.raises(CounterError, match="give a whole number"):
        ContextAssembler(counter=lambda text: number).format(HITS)


class Whole:
    """Quacks as a whole number of a numeric library does."""

    def __init__(self, found: int) -> None:
        self._found = found

    def __index__(self) -> int:
        return self._found


@pytest.mark.parametrize("make", [int, Whole, subclass(int, fails)])
def test_a_whole_number_of_any_kind_is_a_count(make: Callable[[int], Any]) -> None:
    for counter in (lambda text: make(len(text)), counter_from(lambda text: make(len(text)))):
        context = ContextAssembler(counter=counter).format(HITS, FormatPolicy(token_budget=60))
        assert context.tokens == len(context.text) > 0
        assert type(context.tokens) is int


def test_a_budget_of_another_kind_is_a_clear_error() -> None:
    for budget in (Whole(5), 5.0, True, "5"):
        with pytest.raises(ValidationError, match="valid integer"):
            FormatPolicy(token_budget=budget)


def test_the_rule_of_the_reference_takes_any_budget() -> None:
    items = [BudgetItem("fact", 0.5, 7), BudgetItem("fact", 0.4, 10**400)]
    for budget in (*HUGE, 10**5000):
        forms = allocate_with_diversity(items, budget, GrainTypeDiversity(min_per_type=2))
        assert forms[0] == "full"
    with pytest.raises(InputError, match="the budget is True"):
        allocate(items, True)


class Sized(SharedRenderer):
    tokens = 10**400
    priority: float = 10**400

    def token_estimate(self, grain: Any, policy: Any) -> int:
        return self.tokens

    def context_priority(self, grain: Any, hit: Any) -> float:
        return self.priority


def test_a_renderer_may_estimate_any_number() -> None:
    renderer = Sized("fact")
    renderer.priority = 1
    assembler = ContextAssembler([renderer])
    assert assembler.format(HITS, FormatPolicy(token_budget=10**402)).included_count == 6
    renderer.tokens = 10**5000
    with pytest.raises(RendererError, match=r"token_estimate\) returned <int>"):
        assembler.format(HITS)
    renderer.priority = 10**5000
    with pytest.raises(RendererError, match=r"context_priority\) returned <int>"):
        assembler.format(HITS)


class Late:
    calibrated = False

    def describe(self) -> str:
        return "late"

    def decide(self, request: Any) -> Any:
        raise RuntimeError("no answer")


def test_a_deadline_may_be_any_number() -> None:
    policy = FormatPolicy(query_text="rent", decide=DecidePolicy(deadline_ms=10**400))
    assert ContextAssembler(decider=Late()).format(HITS, policy).decision is None
