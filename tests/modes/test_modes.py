"""Which mode applies, and in which order each of them shows its entries."""

import re
from typing import Any

import pytest
from markdown_it import MarkdownIt
from pydantic import ValidationError

from areev_context import ContextAssembler, FormatPolicy, FormattedContext, RenderingHints
from areev_context.budget.draft import RECENCY_PHRASES
from areev_context.extend import Ordering, OutputFormat
from areev_context.layout.all_modes import MODES
from areev_context.layout.timeline import TEMPORAL_PHRASES
from leads import LEADS, led

Row = dict[str, Any]
DAY = 86_400
NOON = 1_700_049_600  # 2023-11-15T12:00:00Z


def fact(name: str, **known: Any) -> Row:
    fields = {"subject": "ada", "relation": "owns", "object": name, **known.pop("fields", {})}
    return {"grain_type": "fact", "hash": name, "fields": fields, **known}


def dated(name: str, days: float = 0, **known: Any) -> Row:
    return fact(name, created_at=NOON + round(days * DAY), **known)


def made(
    rows: list[Row], hints: Row | None = None, /, format: str = "plain_text", **options: Any
) -> FormattedContext:
    policy = FormatPolicy(format=format, **options)
    return ContextAssembler().format(rows, policy, RenderingHints(**(hints or {})))


def order(context: FormattedContext) -> list[str]:
    """The hashes of what is shown, in reading order."""
    return [source.id for source in context.sources]


TEMPORAL = {"has_temporal_expr": True}
CENSUS = {"recall_source": "census"}
EXPANSION = {"recall_source": "expansion"}
TWO_DATED = [dated("a"), dated("b", 1)]
MANY = [fact(f"{n:02}") for n in range(11)]

CHOICES = {
    "nothing": ([], {}, {}, "default"),
    "a few": (MANY[:10], {}, {}, "default"),
    "more than ten": (MANY, {}, {}, "highlight"),
    "more than ten, in time": (MANY, {}, {"ordering": "chronological"}, "default"),
    "more than a limit of one's own": (MANY[:2], {}, {"highlight_over": 1}, "highlight"),
    "a limit of none": (MANY[:1], {}, {"highlight_over": 0}, "highlight"),
    "no limit": (MANY, {}, {"highlight_over": None}, "default"),
    "two dated, a time asked": (TWO_DATED, TEMPORAL, {}, "timeline"),
    "two dated, a range asked": (TWO_DATED, {"has_time_range": True}, {}, "timeline"),
    "two dated, nothing asked": (TWO_DATED, {}, {}, "default"),
    "one dated": ([dated("a"), fact("b")], TEMPORAL, {}, "default"),
    "two of one moment": ([dated("a"), dated("b")], TEMPORAL, {}, "timeline"),
    "a census hit": ([fact("a", **CENSUS)], {}, {}, "census"),
    "a census hit in capitals": ([fact("a", recall_source="CENSUS")], {}, {}, "census"),
    "an expansion hit": ([fact("a", **EXPANSION)], {}, {}, "default"),
    "entities counted": ([fact("a")], {"entity_count": 1}, {}, "aggregation"),
    "no entity counted": ([fact("a")], {"entity_count": 0}, {}, "aggregation"),
    "entities named only": ([fact("a")], {"entities": ("ada",)}, {}, "default"),
}


@pytest.mark.parametrize(("rows", "hints", "options", "mode"), CHOICES.values(), ids=CHOICES)
def test_the_mode_that_applies(rows: list[Row], hints: Row, options: Row, mode: str) -> None:
    assert made(rows, hints, **options).mode == mode


def test_the_first_mode_that_applies_is_taken() -> None:
    rows = [*TWO_DATED, fact("c", **CENSUS), *MANY]
    asked = {**TEMPORAL, "entity_count": 2}
    assert made(rows, asked).mode == "aggregation"
    assert made(rows, TEMPORAL).mode == "timeline"
    assert made(rows).mode == "census"
    assert made([*TWO_DATED, *MANY]).mode == "highlight"
    assert list(MODES) == ["aggregation", "timeline", "census", "highlight", "default"]


@pytest.mark.parametrize("hints", [TEMPORAL, {"entity_count": 1}, {}])
def test_json_skips_all_modes(hints: Row) -> None:
    context = made([*TWO_DATED, fact("c", **CENSUS), *MANY], hints, format="json")
    assert context.mode == "default"
    assert order(context)[:3] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("hidden", "hints", "options"),
    [
        (dated("b", fields={"verification_status": "retracted"}), TEMPORAL, {}),
        (fact("b", fields={"verification_status": "retracted"}, **CENSUS), {}, {}),
        (fact("b", fields={"verification_status": "rejected"}), {}, {"highlight_over": 1}),
        (dated("a", 1), TEMPORAL, {}),
        ({"grain_type": "event", "created_at": NOON, "fields": {}}, TEMPORAL, {}),
    ],
    ids=["dated", "census", "many", "a duplicate", "empty"],
)
def test_what_is_not_shown_chooses_no_mode(hidden: Row, hints: Row, options: Row) -> None:
    assert made([dated("a"), hidden], hints, **options).mode == "default"


@pytest.mark.parametrize("phrase", TEMPORAL_PHRASES)
def test_a_phrase_of_time_makes_a_timeline(phrase: str) -> None:
    query = f"Tell me {phrase.upper()}, please"
    assert made(TWO_DATED, {"query_text": query}).mode == "timeline"
    assert made(TWO_DATED, query_text=query).mode == "default"  # the policy's query has no say


OLD = fact("old", supersession_status="superseded", superseded_by_hash="new")
NEW = dated("new", supersession_status="current")


@pytest.mark.parametrize("phrase", RECENCY_PHRASES)
def test_a_phrase_of_now_hides_the_old_value(phrase: str) -> None:
    query = f"So {phrase.title()} with ada?"
    asked = made([OLD, NEW], query_text=query)
    assert asked.text.endswith('\nada: "new" [CURRENT]')
    assert asked.included_count == 2
    hinted = made([OLD, NEW], {"query_text": query})  # the hints' query has no say
    assert hinted.text.endswith('\nada: "old" → "new" (2023-11-15) [CURRENT]')


def test_the_phrases_are_those_of_the_design() -> None:
    assert " · ".join(TEMPORAL_PHRASES) == (
        "order of · in what order · sequence of · from earliest · from latest · from first · "
        "from last · how many days · how long between · time between · which came first · "
        "which came last · which was earlier · which was later · before or after · "
        "earlier or later · when did · what date · what time · chronolog"
    )
    assert " · ".join(RECENCY_PHRASES) == (
        "currently · right now · most recently · at this point · latest · what is · what's"
    )


@pytest.mark.parametrize(
    ("days", "label"),
    [
        (0.001, "same day"),
        (0.999, "1 day"),  # it is the day after
        (1, "1 day"),
        (1.99, "1 day"),
        (2, "2 days"),
        (89.9, "89 days"),
        (90, "3 months"),
        (119, "3 months"),
        (120, "4 months"),
        (364, "12 months"),
        (365, "1 year"),
        (394, "1 year"),
        (395, "1 year, 1 month"),
        (425, "1 year, 2 months"),
        (729, "1 year, 12 months"),
        (730, "2 years"),
        (3 * 365 + 65, "3 years, 2 months"),
    ],
)
def test_the_time_between_two_entries_in_words(days: float, label: str) -> None:
    lines = made([dated("late", days), dated("early")], TEMPORAL).text.splitlines()
    assert lines[2] == f"   ↓ {label}"
    xml = made([dated("late", days), dated("early")], TEMPORAL, format="sml").text
    assert f'<delta days="{max(int(days), int(label == "1 day"))}" label="{label}"/>' in xml


def test_a_timeline_has_the_undated_first_and_no_gap_beside_them() -> None:
    rows = [dated("c", 3), fact("x"), dated("a"), fact("y"), dated("b")]
    context = made(rows, TEMPORAL, group_by_type=True, ordering="by_entity")
    assert order(context) == ["x", "y", "a", "b", "c"]
    assert context.text.count("↓") == 1


def test_an_entry_of_a_timeline_holds_its_paragraphs_however_wide_its_ordinal() -> None:
    rows = [
        {"grain_type": "event", "fields": {"content": f"one\n\ntwo {n}"}, "created_at_sec": n}
        for n in range(1, 11)
    ]
    text = made(rows, TEMPORAL, format="markdown").text
    assert "9. 1970-01-01: - one\n\n   two 9" in text
    assert "10. 1970-01-01: - one\n\n    two 10" in text
    assert MarkdownIt("commonmark").render(text).count("<li>") == 10


def test_a_timeline_shows_no_updates() -> None:
    context = made([{**OLD, "created_at": NOON - DAY}, NEW], TEMPORAL, metadata="full")
    assert [o.reason for o in context.outcomes] == ["full", "full"]


ORDERINGS = {
    "as_given": ["c", "a", "x", "b", "y"],
    "by_relevance": ["c", "a", "x", "b", "y"],
    "chronological": ["x", "y", "a", "b", "c"],
    "reverse_chronological": ["c", "a", "b", "x", "y"],
    "by_entity": ["x", "b", "c", "a", "y"],
}


@pytest.mark.parametrize(("ordering", "expected"), ORDERINGS.items())
@pytest.mark.parametrize("form", ["plain_text", "sml", "markdown", "json"])
def test_orderings_are_stable(ordering: str, expected: list[str], form: str) -> None:
    rows = [
        dated("c", 2, score=0.5, fields={"subject": "bo"}),
        dated("a", 1, score=0.5, fields={"subject": "bo"}),
        fact("x", score=0.1, fields={"subject": 7}),  # no text, no entity
        dated("b", 1, score=0.2),
        fact("y", score=0.4, fields={"subject": "bo"}),
    ]
    assert order(made(rows, format=form, ordering=ordering)) == expected


def test_by_relevance_is_an_older_name_of_as_given() -> None:
    assert Ordering.BY_RELEVANCE is Ordering.AS_GIVEN is Ordering("by_relevance")
    policy = FormatPolicy(ordering="by_relevance", highlight_over=2)
    for loaded in (
        policy,
        policy.replace(ordering=Ordering.BY_RELEVANCE),
        FormatPolicy.model_validate({"ordering": "by_relevance", "highlight_over": 2}),
        FormatPolicy.model_validate_json('{"ordering": "by_relevance", "highlight_over": 2}'),
    ):
        assert loaded == FormatPolicy(ordering="as_given", highlight_over=2)
        assert loaded.model_dump(mode="json")["ordering"] == "as_given"
        assert FormatPolicy.model_validate_json(loaded.model_dump_json()) == loaded
    for other in ("relevance", "BY_RELEVANCE", None, 7):
        with pytest.raises(ValidationError):
            FormatPolicy.model_validate({"ordering": other})


@pytest.mark.parametrize("form", list(OutputFormat))
def test_both_names_give_the_same_bytes(form: str) -> None:
    rows = [dated(name, at) for at, name in enumerate("dbeca")]
    given, by_relevance = (
        made(rows, format=form, ordering=ordering, highlight_over=2)
        for ordering in ("as_given", "by_relevance")
    )
    assert given.model_dump_json() == by_relevance.model_dump_json()
    assert given.mode == ("default" if form == "json" else "highlight")


def test_sections_come_in_the_order_of_their_types() -> None:
    types = [
        "zebra", "document", "recommendation", "skill", "consent", "consensus", "workflow",
        "trigger", "reasoning", "observation", "event", "tool", "fact", "goal", "state", "alpaca",
    ]  # fmt: skip
    rows = [{"grain_type": kind, "hash": kind, "fields": {"content": "text"}} for kind in types]
    standard = [
        "state", "goal", "fact", "tool", "event", "observation", "reasoning", "workflow",
        "consensus", "consent", "skill", "recommendation",
    ]  # fmt: skip
    grouped = {"group_by_type": True, "highlight_over": None}
    rest = ["zebra", "document", "trigger", "alpaca"]
    assert order(made(rows, **grouped)) == [*standard, *rest]
    custom = order(made(rows, **grouped, type_order=("alpaca", "event", "unheard of")))
    assert custom[:3] == ["alpaca", "event", "state"]
    assert sorted(custom) == sorted(types)


def test_the_five_best_come_first_and_flat() -> None:
    rows = [*MANY[:7], {"grain_type": "goal", "hash": "goal", "fields": {"description": "go"}}]
    context = made(rows, highlight_over=7, group_by_type=True)
    assert context.text.splitlines()[:2] == ["=== Most Relevant ===", "ada owns 00"]
    assert order(context) == ["00", "01", "02", "03", "04", "goal", "05", "06"]


def test_with_five_hits_there_is_no_rest() -> None:
    context = made(MANY[:5], highlight_over=4)
    assert "Additional Context" not in context.text
    assert order(context) == ["00", "01", "02", "03", "04"]


def test_the_five_best_are_those_shown() -> None:
    context = made([OLD, NEW, *MANY[:6]], highlight_over=3)
    best = context.text.split("=== Most Relevant ===\n")[1].split("\n\n")[0]
    assert best.splitlines() == [f"ada owns {n:02}" for n in range(5)]


@pytest.mark.parametrize("hints", [{}, {"entity_count": 1}, TEMPORAL])
@pytest.mark.parametrize("form", ["plain_text", "sml", "markdown", "toon", "json"])
def test_with_no_room_there_is_no_heading(hints: Row, form: str) -> None:
    options = {"token_budget": 0, "grain_type_diversity": None, "highlight_over": 1}
    context = made([dated("a"), dated("b")], hints, format=form, **options)
    assert context.text == ("[]" if form == "json" else "")
    assert context.omitted_count == 2


def test_a_grouped_json_of_nothing_is_an_object() -> None:
    assert made([], format="json", group_by_type=True).text == "{}"


def test_the_expansion_stays_flat() -> None:
    rows = [
        fact("e1", **EXPANSION),
        {"grain_type": "goal", "hash": "g", "fields": {"description": "go"}, **EXPANSION},
        fact("m"),
        dated("e2", **EXPANSION),
    ]
    context = made(rows, group_by_type=True, ordering="reverse_chronological")
    assert order(context) == ["m", "e2", "e1", "g"]
    assert context.text.count("===") == 4


def test_other_sessions_come_last_and_flat() -> None:
    rows = [
        fact("c1", **CENSUS),
        fact("e", **EXPANSION),
        {"grain_type": "goal", "hash": "c2", "fields": {"description": "go"}, **CENSUS},
        fact("m", recall_source="primary"),
    ]
    context = made(rows, group_by_type=True)
    assert order(context) == ["m", "e", "c1", "c2"]
    assert made([OLD, NEW, *rows], metadata="full").text.count("ada owns") == 5  # no updates


def census_forms(form: str) -> str:
    """Facts of twelve tokens each: five of the session, three of others, and room for a hundred."""
    rows = [
        fact(f"{n:04}", fields={"relation": "lives in"}, **(CENSUS if n > 4 else {}))
        for n in range(8)
    ]
    options = {"metadata": "none", "token_budget": 100, "grain_type_diversity": None}
    options["allocation"] = "reference"
    outcomes = made(rows, format=form, **options).outcomes
    assert {outcome.full_tokens for outcome in outcomes} == {12}
    return " ".join(str(outcome.allocation) for outcome in outcomes)


def test_other_sessions_have_a_fifth_of_the_budget() -> None:
    assert census_forms("plain_text") == "full full full full summary full summary omit"
    assert census_forms("toon") == "full full full full omit full omit omit"


def test_json_has_one_budget() -> None:
    assert census_forms("json") == "full full full full full omit omit omit"


def test_entities_come_in_order_of_first_appearance() -> None:
    rows = [
        {"grain_type": "event", "hash": "e", "fields": {"content": "hello"}},
        fact("b", fields={"subject": "bo"}),
        {"grain_type": "consent", "hash": "c", "fields": {"subject_did": "ada"}},
        fact("n", fields={"subject": None, "subject_did": "bo"}),
        fact("a"),
        fact("x", fields={"subject": ""}),
    ]
    context = made(rows, {"entity_count": 2})
    assert order(context) == ["b", "n", "c", "a", "e", "x"]
    assert context.text.splitlines()[0] == "2 entities: bo, ada"
    headings = [line for line in context.text.splitlines() if line.startswith("===")]
    assert headings == ["=== Entity: bo ===", "=== Entity: ada ===", "=== Entity: Other ==="]


def test_the_entities_named_by_the_caller_are_listed() -> None:
    hints = {"entity_count": 3, "entities": ("bo\x00", "cy")}
    assert made([fact("a")], hints).text.splitlines()[0] == "3 entities: bo, cy"


def test_a_count_of_none_is_shown() -> None:
    assert made([fact("a")], {"entity_count": 0}).text.splitlines()[0] == "0 entities: ada"


def test_an_entity_called_other_is_one_of_its_own() -> None:
    rows = [fact("o", fields={"subject": "Other"}), fact("x", fields={"subject": ""})]
    hints = {"entity_count": 1}
    assert made(rows, hints).text.count("=== Entity: Other ===") == 2
    assert made(rows, hints, format="toon").text.splitlines()[1:] == [
        "by_entity:",
        "  Other:",
        "    facts[2]{subject,content,confidence}:",
        "      Other,owns o,null",
        '      "",owns x,null',
    ]


def test_entities_show_updates_first() -> None:
    context = made([OLD, NEW, fact("a")], {"entity_count": 1})
    assert context.text.startswith("=== Knowledge Updates ===\n")
    assert order(context) == ["new", "a"]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"group_by_type": True},
        {"highlight_over": 2},
        {"hints": {"entity_count": 2}},
        {"hints": {"has_time_range": True}},
    ],
    ids=["flat", "grouped", "highlight", "aggregation", "timeline"],
)
def test_the_numbers_of_toon_follow_its_rows(options: dict[str, Any]) -> None:
    chosen = dict(options)
    hints = RenderingHints(**chosen.pop("hints", {}))
    kinds = ["fact", "event", "fact", "goal", "event", "fact"]
    rows = [
        {
            "grain_type": kind,
            "hash": f"{n}",
            "created_at": 86_400 * (9 - n),
            "fields": {"subject": f"s{n % 2}", "object": f"o{n}", "content": f"c{n}"},
        }
        for n, kind in enumerate(kinds)
    ]
    policy = FormatPolicy(format="toon", numbered=True, **chosen)
    context = ContextAssembler().format(rows, policy, hints)
    shown = re.findall(r"^ +(\d+),", context.text, re.MULTILINE)
    assert shown == ["1", "2", "3", "4", "5", "6"]
    assert [source.number for source in context.sources] == [1, 2, 3, 4, 5, 6]


NUMBERS = {
    "sml": r' id="(\d+)"',
    "toon": r"^ +(\d+),",
    "json": r'"id":(\d+)',
    "markdown": r"^(?:- \[(\d+)\] |(\d+)\. )",
    "plain_text": r"^(?:\[(\d+)\] |(\d+)\. )",
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", NUMBERS)
def test_the_numbers_of_every_page_rise_from_the_first(form: str, mode: str) -> None:
    lead = LEADS[mode]
    rows = led([fact(f"{n}") for n in range(4)], lead)
    options = {"format": form, "numbered": True, "first_number": 41, **lead.policy}
    context = ContextAssembler().format(rows, FormatPolicy(**options), RenderingHints(**lead.hints))
    found = re.findall(NUMBERS[form], context.text, re.MULTILINE)
    shown = [int("".join(groups)) for groups in found]
    assert shown == [41, 42, 43, 44]
    assert [source.number for source in context.sources] == shown
    assert sorted(outcome.number or 0 for outcome in context.outcomes) == shown
