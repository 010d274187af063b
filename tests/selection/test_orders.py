"""The orders that sources and positions decide, pinned hits, and shares of a budget."""

import itertools
from typing import Any

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    Passage,
    PassageMapper,
    Reason,
)

FORMATS = ("markdown", "sml", "plain_text")


def made(passages: list[Passage], form: str = "plain_text", **options: Any) -> FormattedContext:
    policy = FormatPolicy(format=form, **options)
    return ContextAssembler().format(PassageMapper().hits(passages), policy)


def sample(source: str, number: int, **more: Any) -> Passage:
    text = f"{source}{number} says something of its own."
    return Passage(text, {"source": source, **more}, None, f"{source}-{number}")


def order_of(context: FormattedContext, passages: list[Passage]) -> list[str]:
    """Return the ids of the passages in the order of the text."""
    places = {passage.id: context.text.find(passage.text or "?") for passage in passages}
    return sorted((str(name) for name, place in places.items() if place >= 0), key=places.get)  # type: ignore[arg-type]


MIXED = [
    sample("b", 5),
    sample("a", 9),
    sample("b", 2),
    sample("c", 1),
    sample("a", 3),
    sample("b", 7),
]


@pytest.mark.parametrize("join", [True, False])
@pytest.mark.parametrize("budget", [None, 1000])
@pytest.mark.parametrize("form", [*FORMATS, "json", "toon"])
def test_reading_shows_one_source_after_the_other(form: str, budget: Any, join: bool) -> None:
    context = made(MIXED, form, ordering="reading", join=join, token_budget=budget)
    assert order_of(context, MIXED) == ["b-2", "b-5", "b-7", "a-3", "a-9", "c-1"]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("grouped", [True, False])
def test_edges_shows_the_best_first_and_last(form: str, grouped: bool) -> None:
    passages = [sample(name, 1) for name in "abcdef"]
    context = made(passages, form, ordering="edges", group_by_type=grouped)
    assert order_of(context, passages) == ["a-1", "c-1", "e-1", "f-1", "d-1", "b-1"]


def test_edges_are_those_of_each_section() -> None:
    facts = [Passage(f"fact {n}", {"grain_type": "fact", "subject": f"s{n}"}) for n in range(4)]
    passages = [facts[0], sample("a", 1), sample("b", 1), facts[1], sample("c", 1), facts[2]]
    text = made(passages, ordering="edges", group_by_type=True).text
    lines = [line for line in text.split("\n") if line and "===" not in line]
    assert [line.split()[0] for line in lines if line.startswith("s")] == ["s0", "s2", "s1"]
    assert [line[:3] for line in lines if line.startswith("(")] == ["(a)", "(c)", "(b)"]


@pytest.mark.parametrize("form", [*FORMATS, "json", "toon"])
@pytest.mark.parametrize("grouped", [True, False])
def test_stable_gives_one_text_for_any_rank(form: str, grouped: bool) -> None:
    extra = [Passage("No source.", {}), Passage("It", {"grain_type": "fact", "subject": "x"})]
    of = [*MIXED[:4], *extra]
    options = {"ordering": "stable", "group_by_type": grouped, "numbered": form != "json"}
    ranks = list(itertools.permutations(of))[:: 60 if form != "toon" else 240]
    assert len({made(list(rank), form, **options).text for rank in ranks}) == 1


def test_stable_leaves_what_stands_before_a_later_hit() -> None:
    few = [sample("a", 1), sample("b", 3)]
    more = [sample("b", 9), *few, sample("c", 1)]
    options = {"ordering": "stable", "numbered": True, "join": False}
    assert made(more, **options).text.startswith(made(few, **options).text)


def test_under_a_budget_stable_chooses_by_rank() -> None:
    found = order_of(made(MIXED, ordering="stable", token_budget=30, join=False), MIXED)
    assert {"a-9", "b-5"} <= set(found) < {str(passage.id) for passage in MIXED}
    assert found == sorted(found)


RULE = Passage("Always be polite.", {"pinned": True})
PINNED = {
    "markdown": "## Pinned\n- Always be polite.\n\n- (a): ",
    "sml": "<pinned>\n<document>Always be polite.</document>\n</pinned>\n<document ",
    "plain_text": "=== Pinned ===\nAlways be polite.\n\n(a): ",
}


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_pinned_stands_first_in_a_section_of_its_own(form: str) -> None:
    assert made([sample("a", 1), RULE], form).text.startswith(PINNED[form])


@pytest.mark.parametrize("form", [*FORMATS, "json", "toon"])
@pytest.mark.parametrize("budget", [40, 60, 90])
def test_what_is_pinned_is_paid_first(form: str, budget: int) -> None:
    context = made([*MIXED, RULE], form, token_budget=budget)
    assert context.outcomes[-1].reason is Reason.FULL
    assert context.tokens <= budget


def test_a_type_is_pinned_by_the_policy_and_a_hit_by_its_row() -> None:
    rows = [
        {"grain_type": "fact", "fields": {"subject": "a", "relation": "is", "object": "b"}},
        {"grain_type": "goal", "fields": {"description": "win", "goal_state": "active"}},
        {"grain_type": "fact", "fields": {"subject": "c"}, "pinned": True},
    ]
    text = ContextAssembler().format(rows, FormatPolicy.gpt4(pinned=("goal",))).text
    assert text.index("## Pinned") < text.index("win") < text.index("**c**") < text.index("**a**")


def test_of_too_many_pinned_as_many_as_fit_are_whole() -> None:
    pinned = [sample("abcdef"[n], n, pinned=True) for n in range(6)]
    context = made([sample("x", 1), *pinned], token_budget=45)
    reasons = [outcome.reason for outcome in context.outcomes]
    whole = reasons.count(Reason.FULL)
    assert 0 < whole < 6
    assert reasons[1 : 1 + whole] == [Reason.FULL] * whole
    assert set(reasons[1 + whole :]) <= {Reason.FLOOR_UNAFFORDABLE, Reason.SUMMARY, Reason.FULL}
    assert context.tokens <= 45


@pytest.mark.parametrize("mark", ["retracted", "rejected"])
def test_what_is_withheld_is_not_pinned(mark: str) -> None:
    gone = Passage("Secret.", {"pinned": True, "verification_status": mark})
    assert "Secret" not in made([sample("a", 1), gone]).text


HARVEST = [
    *[Passage(f"Report {n} of the harvest of wheat.", {"source": f"s{n % 2}"}) for n in range(9)],
    *[Passage(f"wheat {n}", {"grain_type": "event", "speaker": "Ann"}) for n in range(9)],
]


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_a_type_takes_no_more_than_its_share(share: float) -> None:
    budget = 48  # which either type could fill
    policy: Any = {"token_budget": budget, "query_text": "harvest wheat", "highlight_over": None}
    context = made(HARVEST, shares={"document": share}, **policy)
    of = [outcome.tokens or 0 for outcome in context.outcomes if outcome.grain_type == "document"]
    assert sum(of) <= share * budget + 2
    assert "wheat 0" in context.text


def test_a_share_by_source_and_for_all_others() -> None:
    policy: Any = {"token_budget": 80, "query_text": "harvest", "highlight_over": None}
    context = made(HARVEST[:9], shares={"*": 0.5}, share_by="source", **policy)
    shown = [outcome.index % 2 for outcome in context.outcomes if outcome.tokens]
    assert abs(shown.count(0) - shown.count(1)) <= 1


def test_room_that_others_leave_is_for_all() -> None:
    passages = HARVEST[:4]
    whole = made(passages, join=False)
    context = made(passages, shares={"document": 0.1}, token_budget=whole.tokens + 10, join=False)
    assert all(outcome.reason is Reason.FULL for outcome in context.outcomes)


@pytest.mark.parametrize("share", [0, -0.5, 1.5, "half"])
def test_a_share_is_a_part_of_the_budget(share: Any) -> None:
    with pytest.raises(ValueError, match="shares"):
        FormatPolicy(shares={"document": share})


def test_few_entries_shown_are_not_divided() -> None:
    many = [sample("abcdefghijklmn"[n], n) for n in range(14)]
    assert "Most Relevant" in made(many, "markdown").text
    assert "Most Relevant" in made(many, "markdown", token_budget=10_000).text
    assert "Most Relevant" not in made(many, "markdown", token_budget=80).text
