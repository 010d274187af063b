"""The plan that keeps a budget, on pages that are only numbers."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import examples
from areev_context.budget.fit import Slot, fit
from areev_context.selection.item import Allocation
from awkward import SIZES

FULL, SUMMARY, OMIT = Allocation
Plan = Sequence[Allocation]


@dataclass
class Numbers:
    """A page whose text is the sum of its pieces, its headings and its joins.

    Attributes:
        sizes: The tokens of each unit, whole and in short; 0 = it has no summary.
        join: What one piece after another costs beside them; may be negative.
        sections: The section of each unit; none = one without a heading.
        titles: The tokens of a section's heading.
        hidden: Tokens that a unit in a form brings into the whole and no piece tells of.
        asked: The plans whose whole text was counted.
    """

    sizes: Sequence[tuple[int, int]]
    join: float = 0.0
    sections: Sequence[Hashable] = ()
    titles: dict[Hashable, int] = field(default_factory=dict)
    hidden: dict[tuple[int, Allocation], int] = field(default_factory=dict)
    asked: list[tuple[Allocation, ...]] = field(default_factory=list)
    pieces: int = 0

    @property
    def units(self) -> list[Slot]:
        sections = self.sections or [None] * len(self.sizes)
        return [
            Slot(section, bool(short))
            for (_, short), section in zip(self.sizes, sections, strict=True)
        ]

    def piece(self, unit: int, form: Allocation) -> int:
        self.pieces += 1
        return self.sizes[unit][form is SUMMARY]

    def heading(self, unit: int) -> int:
        return self.titles.get(self.units[unit].section, 0)

    def shown(self, forms: Plan) -> set[Hashable]:
        return {
            slot.section for slot, form in zip(self.units, forms, strict=True) if form is not OMIT
        }

    def headings(self, forms: Plan) -> int:
        return sum(self.titles.get(section, 0) for section in self.shown(forms))

    def size(self, forms: Plan) -> int:
        """Return what `whole` counts, without being remembered."""
        shown = [(unit, form) for unit, form in enumerate(forms) if form is not OMIT]
        if not shown:
            return 0
        joins = len(shown) - 1 + len(self.shown(forms) & self.titles.keys())
        tokens = sum(self.sizes[unit][form is SUMMARY] for unit, form in shown)
        tokens += sum(self.hidden.get(each, 0) for each in shown)
        return max(0, int(tokens + self.headings(forms) + self.join * joins))

    def shortens(self, unit: int) -> bool:
        return 0 < self.sizes[unit][1] < self.sizes[unit][0]

    def whole(self, forms: Plan) -> int:
        self.asked.append(tuple(forms))
        return self.size(forms)

    def planned(self, budget: int, wish: Plan | None = None, order: Sequence[int] = ()) -> Plan:
        """Settle, and fail unless the plan that comes out keeps the budget and was counted."""
        wish = [FULL] * len(self.sizes) if wish is None else wish
        places = order or range(len(self.sizes))
        forms = fit(self.units, places, wish, budget, self)
        assert self.size(forms) <= budget
        assert tuple(forms) in self.asked
        return forms

    def spare(self, forms: Plan, budget: int, join: int) -> list[tuple[int, Allocation]]:
        """Return what fits by the pieces and by joins at a price, and by the whole too."""
        found = []
        for unit, now in enumerate(forms):
            for form in (FULL, SUMMARY):
                if form is now:
                    break
                if form is SUMMARY and not self.shortens(unit):
                    continue
                more = [*forms[:unit], form, *forms[unit + 1 :]]
                grows = self.sizes[unit][form is SUMMARY]
                grows -= 0 if now is OMIT else self.sizes[unit][now is SUMMARY]
                grows += self.headings(more) - self.headings(forms)
                joins = (now is OMIT) + len(self.shown(more)) - len(self.shown(forms))
                expected = self.size(forms) + grows + join * joins
                if max(expected, self.size(more)) <= budget:
                    found.append((unit, form))
        return found


def test_what_fits_whole_is_whole() -> None:
    page = Numbers([(10, 3), (10, 3), (10, 3)])
    assert page.planned(30) == (FULL, FULL, FULL)
    page.asked.clear()
    assert page.planned(40) == (FULL, FULL, FULL)
    assert page.asked == [(FULL, FULL, FULL)]  # with room to spare one text is counted, once


def test_a_modest_wish_is_not_left_at_that() -> None:
    page = Numbers([(10, 3), (10, 3), (10, 3)])
    assert page.planned(30, [SUMMARY, OMIT, SUMMARY]) == (FULL, FULL, FULL)


def test_the_last_of_the_order_is_shortened_first_and_then_left_out() -> None:
    page = Numbers([(10, 4), (10, 4), (10, 4)])
    assert page.planned(29) == (FULL, FULL, SUMMARY)
    assert page.planned(23) == (FULL, FULL, OMIT)
    assert page.planned(18) == (FULL, SUMMARY, SUMMARY)
    assert page.planned(14) == (FULL, SUMMARY, OMIT)
    assert page.planned(13) == (FULL, OMIT, OMIT)
    assert page.planned(9) == (SUMMARY, SUMMARY, OMIT)
    assert page.planned(5) == (SUMMARY, OMIT, OMIT)
    assert page.planned(3) == (OMIT, OMIT, OMIT)


def test_the_order_says_who_stays() -> None:
    page = Numbers([(10, 0), (10, 0), (10, 0)])
    assert page.planned(20, order=[2, 0, 1]) == (FULL, OMIT, FULL)
    assert page.planned(11, [OMIT, OMIT, OMIT], order=[1, 2, 0]) == (OMIT, FULL, OMIT)


def test_a_smaller_one_further_down_still_gets_in() -> None:
    assert Numbers([(size, 0) for size in SIZES]).planned(100) == (FULL, OMIT, FULL, FULL)


@pytest.mark.parametrize("short", [10, 11])
def test_a_summary_that_is_not_smaller_is_no_summary(short: int) -> None:
    page = Numbers([(10, short), (10, 4)])
    assert page.planned(20, [SUMMARY, SUMMARY]) == (FULL, FULL)
    assert page.planned(14, [SUMMARY, SUMMARY]) == (FULL, SUMMARY)
    assert page.planned(9, [SUMMARY, SUMMARY]) == (OMIT, SUMMARY)


def test_no_units_and_no_room() -> None:
    assert Numbers([]).planned(0) == ()
    assert Numbers([]).planned(7) == ()
    assert Numbers([(1, 0)]).planned(0) == (OMIT,)


def test_joins_that_cost_are_paid() -> None:
    page = Numbers([(10, 0)] * 10, join=5)
    assert page.planned(99).count(FULL) == 6  # 6 * 10 + 5 * 5 = 85; one more is 100
    assert page.planned(100).count(FULL) == 7


def test_joins_that_save_make_room() -> None:
    page = Numbers([(10, 0)] * 10, join=-5)
    assert page.planned(60).count(FULL) == 10
    assert page.planned(45).count(FULL) == 7  # 7 * 10 - 6 * 5 = 40


def test_joins_of_any_price_take_few_counts() -> None:
    page = Numbers([(1, 0)] * 2_000, join=1_000)
    forms = page.planned(5_000)
    assert page.size(forms) == 4_005
    assert len(page.asked) < 100


class Stubborn(Numbers):
    """A page that stays a token too long however much goes, until almost all of it went."""

    def size(self, forms: Plan) -> int:
        shown = len(forms) - forms.count(OMIT)
        return 1_001 if shown > 3 else shown


def test_a_text_that_will_not_shrink_takes_few_counts_too() -> None:
    page = Stubborn([(1, 0)] * 2_000)
    assert page.planned(1_000).count(FULL) <= 3
    assert len(page.asked) < 250


def test_a_unit_that_costs_more_than_its_piece_is_refused_and_the_others_are_not() -> None:
    page = Numbers([(10, 4)] * 6, hidden={(1, FULL): 100, (1, SUMMARY): 100})
    assert page.planned(44, [FULL, *[OMIT] * 5]) == (FULL, OMIT, FULL, FULL, FULL, SUMMARY)


def test_refusals_without_end_do_not_keep_the_last_one_out() -> None:
    costs = {(unit, FULL): 1_000 for unit in range(1, 59)}
    page = Numbers([(10, 0)] * 60, hidden=costs)
    forms = page.planned(600, [FULL, *[OMIT] * 59])
    assert (forms[0], forms[1:59], forms[59]) == (FULL, (OMIT,) * 58, FULL)
    assert len(page.asked) < 120


def test_summaries_that_cannot_be_lengthened_do_not_keep_the_last_one_short() -> None:
    costs = {(unit, FULL): 1_000 for unit in range(39)}
    page = Numbers([(10, 4)] * 40, hidden=costs)
    assert page.planned(200, [SUMMARY] * 40) == (*[SUMMARY] * 39, FULL)


def test_tries_come_to_an_end_all_the_same() -> None:
    costs = {(unit, FULL): 10**6 for unit in range(1, 2_000)}
    page = Numbers([(10, 0)] * 2_000, hidden=costs)
    assert page.planned(9_000, [FULL, *[OMIT] * 1_999]).count(FULL) == 1
    assert len(page.asked) < 60


def test_a_heading_is_paid_once() -> None:
    page = Numbers([(5, 0)] * 4, sections="aabb", titles={"a": 10, "b": 10})
    assert page.planned(40) == (FULL, FULL, FULL, FULL)
    assert page.planned(39) == (FULL, FULL, FULL, OMIT)
    assert page.planned(34) == (FULL, FULL, OMIT, OMIT)
    assert page.planned(15) == (FULL, OMIT, OMIT, OMIT)


def test_a_heading_that_does_not_fit_is_not_counted_again_and_again() -> None:
    sizes = [(100, 0), *[(5, 0)] * 300]
    sections = ["main", *(f"own {n}" for n in range(300))]
    titles: dict[Hashable, int] = dict.fromkeys(sections, 50)
    page = Numbers(sizes, sections=sections, titles=titles)
    assert page.planned(4_000, [OMIT] * 301).count(FULL) == 71  # 150 + 70 * 55 = 4 000
    page.asked.clear()
    assert page.planned(4_010, [OMIT] * 301).count(FULL) == 71
    assert len(page.asked) < 20


@pytest.mark.parametrize("join", [-1, 0, 1.5, 3.7, 40])
def test_counts_do_not_grow_with_the_units(join: float) -> None:
    for size in (500, 2_000):
        page = Numbers([(20 + n % 37, 4 + n % 7) for n in range(size)], join=join)
        page.planned(1_500)
        assert len(page.asked) < 100
        assert page.pieces < 100 * size


# --- for any numbers --------------------------------------------------------------------------

sizes = st.tuples(st.integers(0, 40), st.integers(0, 40))


@st.composite
def pages(draw: st.DrawFn) -> Numbers:
    found = draw(st.lists(sizes, max_size=25))
    sections = draw(st.lists(st.sampled_from("abc"), min_size=len(found), max_size=len(found)))
    titles: dict[Hashable, int] = {name: draw(st.integers(0, 15)) for name in "ab"}
    page = Numbers(found, draw(st.sampled_from([-1, 0, 1, 1.5, 2, 7])), sections, titles)
    if found and draw(st.booleans()):
        unit, form = draw(st.integers(0, len(found) - 1)), draw(st.sampled_from([FULL, SUMMARY]))
        page.hidden[unit, form] = draw(st.integers(-5, 60))
    return page


@settings(max_examples=examples(400), derandomize=True, database=None, deadline=None)
@given(pages(), st.integers(0, 500), st.data())
def test_any_page_keeps_the_budget_and_uses_the_room(
    page: Numbers, budget: int, data: st.DataObject
) -> None:
    units = range(len(page.sizes))
    wish = data.draw(
        st.lists(st.sampled_from(Allocation), min_size=len(units), max_size=len(units))
    )
    order = data.draw(st.permutations(units))
    forms = page.planned(budget, wish, order)
    assert page.spare(forms, budget, join=2) == []
    assert not any(f is SUMMARY and not page.shortens(n) for n, f in enumerate(forms))
