"""The receipt of an assembly: counts, outcomes, sources, the table; to JSON and back."""

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    FormattedContext,
    HitOutcome,
    Reason,
    SearchHit,
    Source,
)

Row = dict[str, Any]


def fact(name: str, **known: Any) -> Row:
    fields = {"subject": "ada", "relation": "owns", "object": name, **known.pop("fields", {})}
    return {"grain_type": "fact", "hash": name, "fields": fields, **known}


def document(name: str, content: str, **fields: Any) -> Row:
    return {"grain_type": "document", "hash": name, "fields": {"content": content, **fields}}


def made(rows: list[Row], **options: Any) -> FormattedContext:
    return ContextAssembler().format(rows, FormatPolicy(**options))


# One of each kind: an update and what stood in between, a duplicate, an empty, a withheld hit.
ROWS: list[Row] = [
    fact("v0", supersession_status="superseded", superseded_by_hash="v1"),
    fact("v1", supersession_status="superseded", superseded_by_hash="v2"),
    fact("v2", supersession_status="current", created_at="2024-03-01"),
    fact("lamp", score=0.5),
    fact("lamp"),
    {"grain_type": "event", "hash": "e", "fields": {"content": ""}},
    fact("secret", fields={"verification_status": "retracted"}),
    {"grain_type": "goal", "hash": "g", "fields": {"description": "buy a lamp"}},
]
OPTIONS: Row = {"grain_overrides": {"goal": {"max_count": 0}}, "numbered": True}


def test_every_hit_has_its_outcome() -> None:
    context = made(ROWS, **OPTIONS)
    assert [outcome.reason for outcome in context.outcomes] == [
        "update", "superseded", "update", "full", "duplicate", "empty", "withheld",
        "over_max_count",
    ]  # fmt: skip
    counts = (context.included_count, context.omitted_count, context.withheld_count)
    assert counts == (3, 0, 1)
    assert [outcome.number for outcome in context.outcomes] == [
        None, None, 1, 2, None, None, None, None,
    ]  # fmt: skip


def test_what_an_outcome_says() -> None:
    outcome = made(ROWS, **OPTIONS).outcomes[3]
    assert outcome == HitOutcome(
        index=3,
        reason=Reason.FULL,
        grain_type="fact",
        hash="lamp",
        label="ada owns lamp",
        allocation="full",
        tokens=18,
        full_tokens=18,  # (14 + 16 + 14 + 30) // 4
        priority=0.825,
        number=2,
    )


def test_what_the_outcomes_of_an_update_say() -> None:
    old, between, new = made(ROWS, **OPTIONS).outcomes[:3]
    assert (old.allocation, old.tokens, old.full_tokens) == ("full", 0, None)
    assert (between.allocation, between.tokens) == ("omit", 0)
    assert (new.allocation, new.priority, new.number) == ("full", None, 1)


def test_an_omission_truncates() -> None:
    tight = {"grain_type_diversity": None, "allocation": "reference"}
    context = made([fact("a"), fact("b")], token_budget=8, **tight)
    assert [outcome.reason for outcome in context.outcomes] == ["summary", "omitted_budget"]
    assert [outcome.tokens for outcome in context.outcomes] == [5, 0]
    assert (context.omitted_count, context.truncated, context.token_budget) == (1, True, 8)


def test_summaries_truncate_nothing() -> None:
    tight = {"grain_type_diversity": None, "allocation": "reference"}
    context = made([fact("a")], token_budget=12, **tight)
    assert (context.included_count, context.truncated) == (1, False)


def test_str_is_the_text() -> None:
    context = made([fact("a")])
    assert str(context) == context.text == "ada owns a"


def test_estimated_tokens_are_those_of_the_text() -> None:
    assert made([fact("a")]).estimated_tokens == 2
    assert made([]).estimated_tokens == 0


@pytest.mark.parametrize("form", ["sml", "toon", "markdown", "plain_text", "json"])
def test_the_way_to_json_and_back(form: str) -> None:
    context = made(ROWS, format=form, **OPTIONS)
    text = context.model_dump_json()
    assert FormattedContext.model_validate_json(text) == context
    assert FormattedContext.model_validate(context.model_dump()) == context
    assert json.loads(text)["outcomes"][6]["reason"] == "withheld"


def test_a_result_is_frozen_and_reads_past_what_a_store_adds() -> None:
    context = made([fact("a")])
    with pytest.raises(ValidationError):
        context.text = "other"  # type: ignore[misc]
    assert FormattedContext.model_validate({**context.model_dump(), "extra": 1}) == context


def test_the_table_of_the_outcomes() -> None:
    assert (
        made(ROWS, **OPTIONS).report()
        == """\
#  reason          shown  whole  priority  no.  type   label
0  update              0      -         -    -  fact   ada owns v0
1  superseded          0      -         -    -  fact   ada owns v1
2  update              0      -         -    1  fact   ada owns v2
3  full               18     18     0.825    2  fact   ada owns lamp
4  duplicate           0      -         -    -  fact   ada owns lamp
5  empty               0      -         -    -  event
6  withheld            -      -         -    -  -      -
7  over_max_count      0      -         -    -  goal   [medium/active] buy a lamp

3 shown, 0 omitted, 1 withheld of 8 hits; about 22 tokens, no limit; plain_text, mode default"""
    )


def test_the_table_of_nothing() -> None:
    assert (
        made([], format="json", token_budget=7).report()
        == """\
#  reason  shown  whole  priority  no.  type  label

0 shown, 0 omitted, 0 withheld of 0 hits; about 0 tokens, budget 7; json, mode default"""
    )


def test_the_text_of_what_is_withheld_is_nowhere() -> None:
    context = made(ROWS)
    assert "secret" not in context.model_dump_json()
    assert "secret" not in context.report()
    assert "secret" not in repr(context)


@pytest.mark.parametrize(
    ("row", "label"),
    [
        (fact("two\nlines"), "ada owns two lines"),
        (fact("x" * 100), "ada owns " + "x" * 48 + "…"),
        (fact("é" * 40), "ada owns " + "é" * 24 + "…"),
        (document("d", "The text. More.", title="A title"), "A title"),
        (document("d", "The text. More."), "The text. More."),
        ({"grain_type": "ticket", "hash": "0123456789", "fields": {}}, "[ticket: 01234567]"),
        ({"grain_type": "a\nb", "fields": {"content": "text"}}, "text"),
    ],
)
def test_a_label_is_one_short_line(row: Row, label: str) -> None:
    context = made([row])
    assert context.outcomes[0].label == label
    assert len(label.encode()) <= 60
    assert len(context.report().splitlines()) == 4


SOURCES = {
    "a fact": (fact("a1"), Source(number=None, id="a1", title="ada owns a1", source=None)),
    "of a namespace": (
        fact("a1", fields={"namespace": "desk"}),
        Source(number=None, id="a1", title="ada owns a1", source="desk"),
    ),
    "of a session": (
        fact("a1", source_namespace="chat 17", fields={"namespace": "desk"}),
        Source(number=None, id="a1", title="ada owns a1", source="chat 17"),
    ),
    "a document": (
        document("d1", "text", title="Manual", source="m.pdf", namespace="desk"),
        Source(number=None, id="d1", title="Manual", source="m.pdf"),
    ),
    "with an id of the retriever": (
        {**document("d1", "text"), "id": 7},
        Source(number=None, id="7", title="text", source=None),
    ),
}


@pytest.mark.parametrize(("row", "source"), SOURCES.values(), ids=SOURCES)
def test_where_an_entry_comes_from(row: Row, source: Source) -> None:
    [found] = made([row]).sources
    assert replace(found, index=None, span=None) == source
    assert (found.index, found.span is None) == (0, False)


def test_sources_are_in_reading_order_with_duplicates_after_what_they_double() -> None:
    rows = [
        {**document("d1", "same  text", source="one.md"), "id": "p1"},
        *ROWS[:5],
        {**document("d2", "same text", source="two.md"), "id": "p2"},
    ]
    sources = made(rows, group_by_type=True, numbered=True).sources
    assert [(source.number, source.id) for source in sources] == [
        (1, "v2"),  # of an update, what the text calls current
        (2, "lamp"),
        (2, "lamp"),
        (3, "p1"),
        (3, "p2"),
    ]
    assert [source.source for source in sources[-2:]] == ["one.md", "two.md"]


def test_what_is_omitted_has_no_source() -> None:
    assert made([fact("a")], token_budget=0, grain_type_diversity=None).sources == ()


def test_two_updates_of_one_newest_share_their_number() -> None:
    rows = [
        fact("a", supersession_status="superseded", superseded_by_hash="c"),
        fact("b", supersession_status="superseded", superseded_by_hash="c"),
        fact("c", supersession_status="current"),
        fact("d"),
    ]
    context = made(rows, numbered=True)
    assert context.text.count("[1] ada: ") == 2
    assert [(source.number, source.id) for source in context.sources] == [(1, "c"), (2, "d")]
    assert context.included_count == 4


def test_what_was_cleaned_is_counted() -> None:
    rows = [
        fact("a\x00b\rc", source_namespace="s\x01", fields={"k\x02": ["\x03"]}),
        fact("c\x00", fields={"verification_status": "retracted"}),
    ]
    context = made(rows)
    assert context.cleaned_characters == 2 + 2 + 1 + 1 + 1  # object, hash, session, key, value
    assert context.text == "ada owns ab\n  c"


def test_the_inputs_stay_as_they_are() -> None:
    rows = [fact("a\x00b"), *ROWS]
    before = json.dumps(rows)
    hits = [SearchHit.model_validate(row) for row in rows]
    dumped = [hit.model_dump() for hit in hits]
    made(rows)
    ContextAssembler().format(hits)
    assert json.dumps(rows) == before
    assert [hit.model_dump() for hit in hits] == dumped


def test_any_iterable_of_hits_will_do() -> None:
    hits = (SearchHit.model_validate(row) for row in ROWS)
    assert ContextAssembler().format(hits).text == made(ROWS).text


def test_one_long_type_does_not_widen_every_line() -> None:
    rows = [{"grain_type": "t" * 10_000, "fields": {"a": 1}}] * 2 + [fact("a")]
    first, _, last = ContextAssembler().format(rows, FormatPolicy()).report().splitlines()[1:4]
    assert "t" * 10_000 in first
    assert f"{'fact':40}  a" in last
    assert len(last) < 150
