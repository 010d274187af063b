"""Within a counted budget passages and turns keep what answers the query."""

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
    RenderingHints,
    SearchHit,
    SharedRenderer,
)
from areev_context.budget.draft import drafted
from areev_context.budget.passage_packing import Packed, PassagePacking
from areev_context.selection.item import Allocation
from areev_context.selection.screening import screen
from counters import characters, cl100k, dear_joins, shared_words, words

QUERY = "How many days does the refund of a walnut lamp take?"
ANSWER = "The refund of a walnut lamp takes five days."
NOISE = [
    f"The {what} was a matter that the people in the hall talked about at great length {when}."
    for what, when in itertools.product(("parcel", "garden", "weather"), ("today", "on Monday"))
]
SHOP = Passage(" ".join([*NOISE[:3], ANSWER, *NOISE[3:]]), {"title": "Shop", "source": "shop.md"})
TALK = " ".join([*NOISE[:2], ANSWER, *NOISE[2:]])


def turn(text: str, speaker: str = "Ann", **metadata: Any) -> Passage:
    return Passage(
        text,
        {
            "grain_type": "event",
            "speaker": speaker,
            "created_at": "2026-05-08T13:56:00Z",
            **metadata,
        },
    )


def fact(text: str) -> Passage:
    return Passage(text, {"grain_type": "fact", "subject": "lamp", "relation": "is"})


def context(
    passages: list[Passage], budget: int, preset: str = "gpt4", counter: Any = words, **options: Any
) -> FormattedContext:
    policy = FormatPolicy.preset(preset, **{"token_budget": budget, "query_text": QUERY, **options})
    made = ContextAssembler(counter=counter).format(PassageMapper().hits(passages), policy)
    assert counter is None or counter(made.text) <= budget
    return made


def reasons(made: FormattedContext) -> list[Reason]:
    return [outcome.reason for outcome in made.outcomes]


@pytest.mark.parametrize("preset", ["gpt4", "claude", "gemini", "local_small"])
@pytest.mark.parametrize("counter", [words, characters, cl100k, dear_joins, shared_words])
def test_the_ceiling_holds_and_the_answer_is_there(preset: str, counter: Any) -> None:
    passages = [Passage(" ".join(NOISE), {"title": "Hall"}), SHOP, turn(TALK)]
    whole = counter(context(passages, 10**6, preset, counter).text)
    for share in (0, 1, 10, 50, 75, 99):
        made = context(passages, whole * share // 100, preset, counter)
        assert made.tokens == counter(made.text)
        if share >= 50 and counter is not shared_words:  # to which few words are a whole page
            assert ANSWER in made.text


def test_a_passage_in_part_keeps_its_title_and_marks_its_gaps() -> None:
    more = "A refund of the lamp is paid by the carrier."
    passage = Passage(" ".join([NOISE[0], ANSWER, NOISE[1], more, NOISE[2]]), SHOP.metadata)
    made = context([passage], 28)
    assert made.text == f"- **Shop** (shop.md): … {ANSWER} … {more} …"
    assert reasons(made) == [Reason.SUMMARY]


@pytest.mark.parametrize("preset", ["gpt4", "claude"])
def test_a_turn_in_part_keeps_its_speaker_and_date(preset: str) -> None:
    made = context([turn(TALK)], 40, preset)
    assert ANSWER in made.text
    assert "Ann" in made.text
    assert "2026-05-08" in made.text
    assert reasons(made) == [Reason.SUMMARY]


def test_a_short_turn_stays_whole_or_goes() -> None:
    remarks = [f"Remark {n} is short. It has an end." for n in range(8)]
    made = context([turn(text) for text in remarks], 60)
    assert set(reasons(made)) == {Reason.FULL, Reason.OMITTED_BUDGET}
    assert all((text in made.text) or (text[:9] not in made.text) for text in remarks)


def test_all_is_whole_where_all_fits() -> None:
    made = context([SHOP, turn(TALK)], 1000)
    assert reasons(made) == [Reason.FULL] * 2


def in_two(again: str, after: str = "a-2") -> list[Passage]:
    """Return two passages of one source; the second begins with what the first ends with."""
    first, second = " ".join([ANSWER, *NOISE[:4]]), " ".join([again, *NOISE[4:]])
    return [
        Passage(first, {"source": "a"}, 0.9, "a-1"),
        Passage(second, {"source": "a"}, 0.8, after),
    ]


TORN = NOISE[3].split(maxsplit=1)[1]


@pytest.mark.parametrize("again", [NOISE[3], TORN])
def test_what_the_passage_beside_it_says_is_trimmed(again: str) -> None:
    everything = words(context(in_two(again), 10**6, join=False).text)
    made = context(in_two(again), everything - 1, join=False)
    assert reasons(made) == [Reason.FULL, Reason.TRIMMED]
    assert all(made.text.count(sentence) == 1 for sentence in (*NOISE, ANSWER, again))


@pytest.mark.parametrize("again", [NOISE[3], TORN])
def test_a_joined_entry_says_it_once(again: str) -> None:
    made = context(in_two(again), 10**6)
    assert reasons(made) == [Reason.FULL, Reason.FULL]
    assert all(made.text.count(sentence) == 1 for sentence in (*NOISE, ANSWER, again))


def test_a_piece_of_a_sentence_elsewhere_is_no_overlap() -> None:
    everything = words(context(in_two(TORN, "b-2"), 10**6, join=False).text)
    made = context(in_two(TORN, "b-2"), everything - 1, join=False)
    assert Reason.TRIMMED not in reasons(made)


def test_other_types_keep_their_floor_whole() -> None:
    passages = [SHOP, turn(TALK), fact("made of walnut"), fact("sold in Milan")]
    for budget in (30, 45, 60, 90):
        made = context(passages, budget)
        assert reasons(made)[2] is Reason.FULL
        assert "made of walnut" in made.text


def test_a_floor_that_cannot_be_paid_is_reported() -> None:
    dear = fact(" ".join(["walnut"] * 100))
    made = context([SHOP, dear], 40)
    assert ANSWER in made.text
    assert reasons(made)[1] in {Reason.SUMMARY, Reason.FLOOR_UNAFFORDABLE}


@pytest.mark.parametrize("preset", ["json_api", "gpt4"])
def test_tables_and_json_hold_whole_passages_or_none(preset: str) -> None:
    options = {"format": "toon"} if preset == "gpt4" else {}
    for budget in (20, 60, 120, 150):
        made = context([SHOP, turn(TALK), Passage(ANSWER)], budget, preset, **options)
        assert set(reasons(made)) <= {Reason.FULL, Reason.OMITTED_BUDGET, Reason.FLOOR_UNAFFORDABLE}


def test_the_reference_rule_stays() -> None:
    passages = [SHOP, turn(TALK), Passage(ANSWER)]
    over = context(passages, 40, counter=None, allocation="reference")
    assert over.tokens > 40
    assert over.estimated_tokens == over.tokens
    assert context(passages, 40, counter=None).tokens <= 40
    counted = context(passages, 80, allocation="reference")
    assert counted.text != context(passages, 80).text
    assert Reason.TRIMMED not in reasons(counted)


def test_without_text_to_split_the_rule_is_the_reference_s() -> None:
    facts = [fact(f"{' '.join(NOISE[:2])} {n}") for n in range(4)]
    for budget in (20, 50, 90):
        made = context(facts, budget)
        assert made.text == context(facts, budget, allocation="reference").text


@pytest.mark.parametrize("query", [None, "", "  ", "?", "what is it"])
def test_a_query_that_says_nothing(query: str | None) -> None:
    made = context([Passage(f"{ANSWER} {' '.join(NOISE)}"), SHOP], 40, query_text=query)
    assert made.included_count
    assert made.outcomes[0].reason is Reason.SUMMARY


def test_the_hints_query_serves_where_the_policy_has_none() -> None:
    hits = PassageMapper().hits([SHOP])
    policy = FormatPolicy.gpt4(token_budget=30)
    made = ContextAssembler(counter=words).format(hits, policy, RenderingHints(query_text=QUERY))
    assert ANSWER in made.text


def test_a_script_without_spaces() -> None:
    answer = "保存期間は三年間と定められている。"
    rest = [f"第{n}章では配送と送料の扱いについて長く述べている。" for n in "一二三四五"]
    passage = Passage("".join([*rest[:3], answer, *rest[3:]]))
    made = context([passage], 50, counter=characters, query_text="保存期間は何年ですか")
    assert answer in made.text
    assert reasons(made) == [Reason.SUMMARY]


@pytest.mark.parametrize("grain_type", ["document", "event"])
def test_a_host_s_text_is_never_split(grain_type: str) -> None:
    class Host(SharedRenderer):
        def render(self, grain: Any, policy: Any) -> str:
            return f"HOST {grain.fields['content']} END"

        def render_summary(self, grain: Any, policy: Any) -> str:
            return "HOST SUMMARY END"

    split, whole = (SHOP, turn(TALK)) if grain_type == "event" else (turn(TALK), SHOP)
    hits = PassageMapper().hits([whole, split])
    for budget in (20, 40, 90, 130, 200):
        policy = FormatPolicy.gpt4(token_budget=budget, query_text=QUERY)
        made = ContextAssembler([Host(grain_type)], counter=words).format(hits, policy)
        assert words(made.text) <= budget
        assert made.text.count("HOST") == made.text.count(" END")


def test_same_in_same_out() -> None:
    passages = [SHOP, turn(TALK), fact("made of walnut"), Passage(" ".join(NOISE), id="a-1")]
    assert context(passages, 77) == context(passages, 77)


def planned(tokens: int, budget: int, count: Any) -> Packed | None:
    hits = [SearchHit.model_validate(hit) for hit in PassageMapper().hits([SHOP])]
    draft = drafted(
        screen(hits, FormatPolicy()), FormatPolicy.gpt4(query_text=QUERY), RenderingHints(), {}
    )
    return PassagePacking(draft, [(tokens, SHOP.text or "")], frozenset(), budget).plan(count)


def test_where_no_plan_fits_there_is_none() -> None:
    assert planned(100, 50, lambda *_: 51) is None
    assert planned(100, 0, lambda *_: 0) is None
    found = planned(100, 50, lambda *_: 50)
    assert found is not None
    assert found.forms == (Allocation.SUMMARY,)
    assert found.tokens == 50


def test_the_whole_is_counted_first_where_it_should_fit() -> None:
    found = planned(50, 50, lambda forms, _: 50 if forms == (Allocation.FULL,) else 51)
    assert found is not None
    assert found.forms == (Allocation.FULL,)
    assert planned(50, 50, lambda *_: 51) is None


def test_a_plan_over_the_ceiling_is_mended() -> None:
    asked = []

    def count(_: Any, parts: Any) -> int:
        asked.append(sum(2 * words(entry.text) for entry in parts.values()))
        return asked[-1]

    found = planned(130, 80, count)
    assert asked[0] > 80
    assert found is not None
    assert 0 < found.tokens <= 80


def test_a_plan_that_no_count_allows_leaves_it_to_the_reference_s_rule() -> None:
    def whole_or_nothing(text: str) -> int:
        return 1000 if "…" in text else len(text.split())

    made = context([SHOP, Passage(ANSWER)], 60, counter=whole_or_nothing)
    assert made.included_count


def long(grain_type: str, field: str, **fields: Any) -> dict[str, Any]:
    body = " ".join([*NOISE[:3], ANSWER, *NOISE[3:], *NOISE])
    return {"grain_type": grain_type, "fields": {field: body, **fields}}


LONG_TEXTS = [
    (long("tool", "tool_content", tool_name="shop"), "shop"),
    (long("tool", "content", tool_name="shop"), "shop"),
    (long("tool", "error", tool_name="shop", is_error=True), "shop"),
    (long("observation", "object", observer_id="desk", subject="lamp"), "lamp"),
    (long("skill", "description", name="refunds"), "refunds"),
    (long("reasoning", "conclusion", inference_method="deduction"), ""),
]


@pytest.mark.parametrize("preset", ["gpt4", "claude", "local_small"])
@pytest.mark.parametrize(("row", "label"), LONG_TEXTS)
def test_long_texts_of_other_types_are_shown_in_part(
    preset: str, row: dict[str, Any], label: str
) -> None:
    policy = FormatPolicy.preset(preset, token_budget=45, query_text=QUERY)
    made = ContextAssembler(counter=words).format([row], policy)
    assert ANSWER in made.text
    assert "…" in made.text
    assert label in made.text
    assert reasons(made) == [Reason.SUMMARY]


@pytest.mark.parametrize("preset", ["gpt4", "claude", "local_small"])
def test_whole_entries_only_where_nothing_may_be_shortened(preset: str) -> None:
    passages = [SHOP, turn(TALK), Passage(ANSWER, {"title": "Note"}), fact("made of walnut")]
    whole = words(context(passages, 10**6, preset).text)
    for budget in (3, 20, 60, whole - 1, whole):
        made = context(passages, budget, preset, shorten=False)
        assert "…" not in made.text
        assert Reason.SUMMARY not in reasons(made)
        assert Reason.CUT not in reasons(made)
    assert reasons(context(passages, 60, preset, shorten=False))[2] is Reason.FULL
    estimated = context(passages, 40, preset, counter=None, shorten=False)
    assert Reason.SUMMARY not in reasons(estimated)


LEASE = (
    "The rent is {rent} francs a month, payable in advance by bank transfer. Pets are not allowed. "
    "The tenant may end the lease with three months' notice to the end of a quarter. "
    "The deposit is three months' rent and is paid into a blocked account."
)


def test_the_same_clause_of_two_sources_is_two_facts() -> None:
    leases = [
        Passage(LEASE.format(rent=n), {"title": f"Lease {name}", "source": f"{name}.pdf"})
        for n, name in enumerate(("Adler", "Berger", "Christen"))
    ]
    query = "which notice to the end of a quarter have the leases of Adler, Berger and Christen?"
    made = context(leases, words(context(leases, 10**6).text) - 4, query_text=query)
    assert Reason.TRIMMED not in reasons(made)
    assert made.text.count("three months' notice") == 3


@pytest.mark.parametrize("query", [None, "how quickly do I get my money back?"])
@pytest.mark.parametrize("budget", [20, 40, 60])
def test_the_first_hit_is_not_left_out_because_it_is_short(query: str | None, budget: int) -> None:
    short = Passage("Refunds take ten days.", {"title": "A"})
    others = [Passage(f"{n}: {NOISE[n]} {NOISE[n + 1]}", {"title": f"B{n}"}) for n in range(5)]
    made = context([short, *others], budget, query_text=query)
    assert reasons(made)[0] is Reason.FULL


@pytest.mark.parametrize(
    ("text", "query", "answer"),
    [
        (" ".join(["so we talk of it and"] * 20 + ["the pump costs four"]), "pump cost", "four"),
        ("[" + ",".join(f'{{"id":{n},"name":"{name}"}}' for n, name in enumerate(
            ["Bern", "Biel", "Chur", "Genf", "Olten", "Sion", "Thun", "Zug"] * 3 + ["Wil"])) + "]",
         "Wil", "Wil"),
        ("<table>" + "<tr><td>1</td><td>Bern</td></tr>" * 30 + "<tr><td>2</td><td>Thun</td></tr>",
         "Thun", "Thun"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("budget", [40, 60, 100])
def test_a_run_of_text_without_a_pause_is_shown_where_it_answers(
    text: str, query: str, answer: str, budget: int
) -> None:
    passages = [Passage(text, {"title": "Run"}), *[Passage(noise) for noise in NOISE[:3]]]
    made = context(passages, budget, counter=cl100k, query_text=query)
    assert answer in made.text


@pytest.mark.parametrize("counter", [words, cl100k])
@pytest.mark.parametrize("budget", [8, 14, 25, 40])
def test_a_turn_never_loses_its_speaker(counter: Any, budget: int) -> None:
    turns = [turn(f"Turn {n}: I would take the blue one. {NOISE[n]}", f"Ann{n}") for n in range(6)]
    made = context(turns, budget, counter=counter)
    for line in made.text.split("\n"):
        assert not line.startswith("- ") or "**Ann" in line
