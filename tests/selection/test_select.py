"""What may be shown: screening, duplicates, knowledge updates, limits, replaced values."""

from typing import Any

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    HitOutcome,
    Reason,
    RenderingHints,
)

Row = dict[str, Any]


def fact(name: str, newer: str | None = None, **known: Any) -> Row:
    """A fact whose value is its hash; superseded where a newer one is named."""
    status = {} if newer is None else {"supersession_status": "superseded"}
    fields = {"subject": "ada", "relation": "lives in", "object": name, **known.pop("fields", {})}
    row = {"grain_type": "fact", "hash": name, "superseded_by_hash": newer, "fields": fields}
    return row | status | known


def current(name: str, **known: Any) -> Row:
    return fact(name, supersession_status="current", **known)


def document(name: str, content: str) -> Row:
    return {"grain_type": "document", "hash": name, "fields": {"content": content}}


def event(**fields: Any) -> Row:
    return {"grain_type": "event", "fields": fields}


def shown(rows: list[Row], **options: Any) -> FormattedContext:
    return ContextAssembler().format(rows, FormatPolicy(**options))


def reasons(rows: list[Row], **options: Any) -> list[str]:
    return [outcome.reason for outcome in shown(rows, **options).outcomes]


RETRACTED = {
    "verification_status": {"verification_status": "retracted"},
    "its alias": {"verification_status": "rejected"},
    "any letter case": {"verification_status": "ReTracted"},
    "white space around": {"verification_status": " retracted\n"},
    "the engine's other shape": {"context": {"vstatus": "REJECTED"}},
    "both": {"verification_status": "verified", "context": {"vstatus": "retracted"}},
}


@pytest.mark.parametrize("fields", RETRACTED.values(), ids=RETRACTED)
def test_what_was_retracted_is_never_seen(fields: Row) -> None:
    context = shown([fact("Turin", fields=fields), fact("Basel")])
    assert context.text == "ada lives in Basel"
    assert context.withheld_count == 1
    assert context.outcomes[0] == HitOutcome(index=0, reason=Reason.WITHHELD)


@pytest.mark.parametrize("fields", RETRACTED.values(), ids=RETRACTED)
def test_what_was_retracted_is_shown_on_request(fields: Row) -> None:
    assert reasons([fact("Turin", fields=fields)], include_retracted=True) == [Reason.FULL]


@pytest.mark.parametrize(
    "fields",
    [
        {"verification_status": "contested"},
        {"verification_status": "not retracted"},
        {"verification_status": True},
        {"context": "retracted"},
        {"context": {"vstatus": None}},
        {"status": "retracted"},
    ],
)
def test_other_statuses_are_shown(fields: Row) -> None:
    assert reasons([fact("Turin", fields=fields)]) == [Reason.FULL]


def test_an_excluded_type_is_withheld() -> None:
    rows = [fact("Turin", "Basel"), current("Basel"), event(content="moved")]
    context = shown(rows, grain_overrides={"fact": {"include": False}})
    assert context.text == "moved"
    assert context.withheld_count == 2
    assert [o.reason for o in context.outcomes] == ["excluded_type", "excluded_type", "full"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (event(content=" \n"), "empty"),
        (event(), "empty"),
        (event(content_blocks=[]), "empty"),
        (event(content_blocks=[7]), "empty"),
        (event(content=[]), "empty"),
        (event(content=["", {"type": "text", "text": ""}]), "empty"),
        (event(content_blocks=[{"type": "image"}, "text"]), "full"),
        (event(content=[{"type": "text", "text": "hello"}]), "full"),
        (event(content=0), "full"),
        (event(tool_calls=[{"name": "look", "args": {}}]), "full"),
        (event(content_blocks=[{"type": "text", "text": "hello"}]), "full"),
        (document("d", "\t"), "empty"),
        (document("d", "text"), "full"),
        ({"grain_type": "goal", "fields": {}}, "full"),
    ],
)
def test_an_event_or_document_without_text_is_empty(row: Row, reason: str) -> None:
    assert reasons([row]) == [reason]


def test_of_equal_hits_the_first_stays() -> None:
    rows = [fact("Turin"), fact("Basel"), fact("Turin"), fact("Turin")]
    assert reasons(rows) == ["full", "full", "duplicate", "duplicate"]
    assert [source.id for source in shown(rows).sources] == ["Turin", "Turin", "Turin", "Basel"]


def test_equal_hashes_of_two_types_are_two_hits() -> None:
    rows = [fact("a1"), {"grain_type": "goal", "hash": "a1", "fields": {"description": "go"}}]
    assert reasons(rows) == ["full", "full"]


def test_documents_of_equal_text_are_duplicates() -> None:
    rows = [document("d1", "one  text"), document("d2", " one\ntext "), document("d2", "other")]
    assert reasons(rows) == ["full", "duplicate", "duplicate"]


def test_facts_of_equal_text_are_not() -> None:
    assert reasons([fact("a"), fact("b", fields={"object": "a"})]) == ["full", "full"]


@pytest.mark.parametrize("turned", [False, True])
def test_a_copy_of_a_withheld_hit_is_withheld(turned: bool) -> None:
    rows = [fact("Turin", fields={"verification_status": "retracted"}), fact("Turin")]
    assert reasons(rows[::-1] if turned else rows) == ["withheld", "withheld"]
    assert reasons(rows, include_retracted=True) == ["full", "duplicate"]


def chain(superseded: int) -> list[Row]:
    old = [fact(f"v{n}", f"v{n + 1}") for n in range(superseded)]
    return [*old, current(f"v{superseded}")]


@pytest.mark.parametrize("superseded", [1, 2, 10, 11, 40])
def test_a_chain_shows_its_oldest_and_its_newest(superseded: int) -> None:
    context = shown(chain(superseded))
    assert context.text == (f'=== Knowledge Updates ===\nada: "v0" → "v{superseded}" [CURRENT]')
    between = ["superseded"] * (superseded - 1)
    assert [o.reason for o in context.outcomes] == ["update", *between, "update"]
    assert context.included_count == 2


def test_the_order_of_a_chain_in_the_list_does_not_matter() -> None:
    assert shown(chain(3)[::-1]).text == shown(chain(3)).text


@pytest.mark.parametrize(
    "rows",
    [
        [fact("a", "b"), fact("b", "a")],
        [fact("a", "a")],
        [fact("x", "a"), fact("a", "b"), fact("b", "a")],
    ],
    ids=["two", "itself", "a tail into a cycle"],
)
def test_a_cycle_is_no_chain(rows: list[Row]) -> None:
    assert reasons(rows) == ["full"] * len(rows)


def test_branches_are_one_update_each() -> None:
    rows = [fact("Turin", "Bern"), fact("Milan", "Bern"), fact("Bern", "Basel"), current("Basel")]
    context = shown(rows)
    assert context.text.splitlines()[1:] == [
        'ada: "Turin" → "Basel" [CURRENT]',
        'ada: "Milan" → "Basel" [CURRENT]',
    ]
    assert [o.reason for o in context.outcomes] == ["update", "update", "superseded", "update"]
    assert context.included_count == 3


@pytest.mark.parametrize(
    "newest",
    [
        [],
        [fact("Basel")],
        [fact("Basel", supersession_status="unheard of")],
        [fact("Basel", conflict_status="current")],
    ],
    ids=["not in the set", "of unknown status", "of no known status", "of another status"],
)
def test_without_a_current_end_there_is_no_update(newest: list[Row]) -> None:
    context = shown([fact("Turin", "Basel"), *newest])
    assert {o.reason for o in context.outcomes} == {Reason.FULL}
    assert context.text.splitlines()[0] == "[OUTDATED] ada lives in Turin"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_where_a_chain_lost_a_hit_there_is_no_pair(place: int) -> None:
    rows = chain(2)
    rows[place]["fields"]["verification_status"] = "retracted"
    without = shown([row for n, row in enumerate(rows) if n != place])
    context = shown(rows)
    assert context.text == without.text
    assert context.outcomes[place].reason is Reason.WITHHELD


def test_a_chain_broken_in_the_middle_stays_in_the_main_body() -> None:
    rows = chain(2)
    rows[1]["fields"]["verification_status"] = "retracted"
    assert shown(rows).text == "[OUTDATED] ada lives in v0\n[CURRENT] ada lives in v2"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ({"subject": "s", "object": "1"}, {"object": "2"}, 's: "1" → "2" [CURRENT]'),
        ({"description": "d", "content": "1"}, {"content": "2"}, 'd: "1" → "2" [CURRENT]'),
        ({"context": "1"}, {"context": "2"}, ': "1" → "2" [CURRENT]'),
        ({"subject": "s", "object": 1}, {"context": {}}, 's: "1" → "" [CURRENT]'),
        ({"subject": 7, "object": ["x"]}, {"object": True}, '7: "[\\"x\\"]" → "true" [CURRENT]'),
        ({"context": {"label": "1"}}, {"context": {"title": "2"}}, ': "1" → "2" [CURRENT]'),
        ({"subject": "", "description": "d"}, {"object": "2"}, ': "" → "2" [CURRENT]'),
    ],
)
def test_what_an_update_says(old: Row, new: Row, line: str) -> None:
    rows = [fact("a", "b") | {"fields": old}, current("b") | {"fields": new}]
    assert shown(rows).text.splitlines()[1] == line


def test_max_count_keeps_the_first_of_a_type() -> None:
    rows = [fact("a"), event(content="hi"), fact("b"), fact("c")]
    limited = {"fact": {"max_count": 2}, "goal": {"max_count": 0}, "tool": {}}
    assert reasons(rows, grain_overrides=limited) == ["full", "full", "full", "over_max_count"]
    none = {"fact": {"max_count": 0}}
    assert reasons(rows, grain_overrides=none)[0] == Reason.OVER_MAX_COUNT


def test_updates_do_not_count_towards_max_count() -> None:
    rows = [*chain(1), fact("a"), fact("b")]
    limited = {"fact": {"max_count": 1}}
    assert reasons(rows, grain_overrides=limited) == ["update", "update", "full", "over_max_count"]


def test_a_limit_is_no_omission() -> None:
    context = shown([fact("a"), fact("b")], grain_overrides={"fact": {"max_count": 1}})
    assert (context.included_count, context.omitted_count, context.truncated) == (1, 0, False)


def in_timeline(rows: list[Row], **options: Any) -> FormattedContext:
    """Where no updates are shown, so that both ends of a chain stand in the main body."""
    dated = [{"created_at": 1_700_000_000 + n, **row} for n, row in enumerate(rows)]
    hints = RenderingHints(has_temporal_expr=True)
    return ContextAssembler().format(dated, FormatPolicy(**options), hints)


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("none", ["superseded", "full"]),
        ("minimal", ["superseded", "full"]),
        ("full", ["full", "full"]),
    ],
)
def test_a_replaced_value_goes_but_at_full(level: str, expected: list[str]) -> None:
    context = in_timeline(chain(1), metadata=level)
    assert [o.reason for o in context.outcomes] == expected


def test_a_replaced_value_stays_where_its_successor_went() -> None:
    rows = [fact("old", "new"), fact("other"), current("new")]
    context = in_timeline(rows, grain_overrides={"fact": {"max_count": 2}})
    assert [o.reason for o in context.outcomes] == ["full", "full", "over_max_count"]


@pytest.mark.parametrize(
    ("score", "place", "priority"),
    [
        (1.0, 0, 0.90),
        (0.0, 0, 0.75),
        (None, 0, 0.90),  # 1 - 0 / 4
        (None, 1, 0.8625),
        (1.5, 2, 0.825),  # out of range counts as unknown
        (-0.1, 3, 0.7875),
        ("high", 3, 0.7875),
        (float("nan"), 3, 0.7875),
    ],
)
def test_an_unknown_score_counts_as_its_place(score: Any, place: int, priority: float) -> None:
    rows = [fact(str(n)) for n in range(4)]
    rows[place]["score"] = score
    withheld = fact("first", fields={"verification_status": "retracted"})
    outcomes = shown([withheld, *rows]).outcomes
    assert outcomes[place + 1].priority == pytest.approx(priority)


def test_the_place_is_the_one_among_what_is_not_withheld() -> None:
    rows = [event(content=""), fact("a"), fact("a"), fact("b")]  # 1 - 3 / 4
    assert shown(rows).outcomes[3].priority == pytest.approx(0.7 + 0.15 / 4 + 0.05)


@pytest.mark.parametrize(
    "row",
    [
        {"grain_type": "fact\x01", "fields": {"object": "x"}},
        {"grain_type": "goal", "fields": {"verification_status\x00": "retracted"}},
        {"grain_type": "goal", "fields": {"verification_status": "re\x00tracted"}},
    ],
)
def test_rules_are_asked_of_the_cleaned_hit(row: dict[str, Any]) -> None:
    policy = FormatPolicy(grain_overrides={"fact": {"include": False}})
    context = ContextAssembler().format([row], policy)
    assert (context.text, context.withheld_count, context.cleaned_characters) == ("", 1, 0)


@pytest.mark.parametrize("level", ["none", "minimal"])
def test_a_value_whose_successor_was_replaced_itself_stays_and_has_its_mark(level: str) -> None:
    context = in_timeline(chain(3), metadata=level)
    assert [o.reason for o in context.outcomes] == ["full", "full", "superseded", "full"]
    assert context.text.count("[OUTDATED] ada lives in v") == 2
    assert "[OUTDATED] ada lives in v3" not in context.text
