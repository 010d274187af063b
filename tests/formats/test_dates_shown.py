"""Where an entry shows its date: by format, by type, by the option and by the zone."""

import json
import re
from typing import Any

import pytest
from pydantic import ValidationError

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    Passage,
    PassageMapper,
    RenderingHints,
    SearchHit,
)
from areev_context.extend import GRAIN_TYPES

FORMATS = ("sml", "markdown", "plain_text", "toon", "json")
AT = "2024-07-20T23:30:00-07:00"


def document(text: str = "We moved in.", **metadata: Any) -> SearchHit:
    return PassageMapper().hits([Passage(text, {"title": "Note", **metadata})])[0]


def row(grain_type: str) -> dict[str, Any]:
    fields = {"subject": "ada", "relation": "has", "object": "a lamp", "content": "It hums."}
    return {"grain_type": grain_type, "fields": fields, "created_at": AT}


def text(hits: list[Any], form: str, hints: RenderingHints | None = None, **options: Any) -> str:
    return ContextAssembler().format(hits, FormatPolicy(format=form, **options), hints).text


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("level", ["minimal", "full"])
@pytest.mark.parametrize("key", ["created_at", "event_at", "timestamp", "date", "published"])
def test_a_document_carries_its_date_in_every_format(form: str, level: str, key: str) -> None:
    shown = text([document(**{key: AT})], form, metadata=level)
    assert shown.count("2024-07-20") == 1
    assert "2024-07-21" not in shown


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("level", ["none", "minimal", "full"])
@pytest.mark.parametrize("kind", [*GRAIN_TYPES, "ticket"])
def test_dates_are_in_every_entry_or_in_none(form: str, level: str, kind: str) -> None:
    found = document(created_at=AT) if kind == "document" else row(kind)
    assert text([found], form, metadata=level, dates=True).count("2024-07-20") == 1
    assert "2024-07-20" not in text([found], form, metadata=level, dates=False)
    assert "None" not in text([row(kind) | {"created_at": None}], form, dates=True)


@pytest.mark.parametrize("form", FORMATS)
def test_an_undated_document_shows_no_date_and_says_why(form: str) -> None:
    context = ContextAssembler().format(
        [document(created_at="soon"), document("Other.")], FormatPolicy(format=form, dates=True)
    )
    assert [outcome.undated for outcome in context.outcomes] == [True, False]
    assert "soon" not in context.text
    if form == "json":
        assert all("date" not in each for each in json.loads(context.text))


@pytest.mark.parametrize("value", ["soon", "07/08/2024", [1], "2024-13-01"])
def test_a_row_says_that_its_date_cannot_be_read(value: Any) -> None:
    for given in (
        {**row("fact"), "created_at": value},
        {"type": "fact", "fields": {"created_at": value}},
    ):
        [outcome] = ContextAssembler().format([given]).outcomes
        assert outcome.undated


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("zone", "day"),
    [(None, "2024-07-20"), ("Europe/Zurich", "2024-07-21"), ("America/Los_Angeles", "2024-07-20")],
)
def test_one_zone_for_all(form: str, zone: str | None, day: str) -> None:
    assert day in text([document(created_at=AT)], form, RenderingHints(zone=zone))


def test_a_day_without_a_time_is_the_same_day_everywhere() -> None:
    hints = RenderingHints(zone="America/Los_Angeles")
    assert "2024-07-20" in text([document(created_at="2024-07-20")], "markdown", hints)


@pytest.mark.parametrize("zone", ["Nowhere/Town", "", "../etc/passwd", "/", "x" * 1_000])
def test_an_unknown_zone_is_refused_at_the_door(zone: str) -> None:
    with pytest.raises(ValidationError, match="name of a time zone"):
        RenderingHints(zone=zone)


# --- recorded, happened -----------------------------------------------------------------------

ASKED = RenderingHints(query_text="when did the first steamer reach the town?")


def test_a_document_that_was_only_recorded_stands_in_no_timeline() -> None:
    recorded = [document(f"text {n}", created_at=f"2026-0{n}-01") for n in (3, 1, 2)]
    assert ContextAssembler().format(recorded, hints=ASKED).mode == "default"
    happened = [document(f"text {n}", event_at=f"184{n}-01-01") for n in (7, 8)]
    assert ContextAssembler().format(happened, hints=ASKED).mode == "default"  # before 1970
    late = "2026-01-01"
    dated = [document(f"other {n}", event_at=f"2024-0{n}-01", created_at=late) for n in (2, 1)]
    context = ContextAssembler().format([*recorded, *dated], hints=ASKED)
    assert context.mode == "timeline"
    lines = [line for line in context.text.splitlines() if re.match(r"\d+\. ", line)]
    assert [line.split(": ")[0] for line in lines] == [
        "1. undated", "2. undated", "3. undated", "4. 2024-01-01", "5. 2024-02-01",
    ]  # fmt: skip


@pytest.mark.parametrize("form", FORMATS[:4])
def test_a_query_for_times_gets_times(form: str) -> None:
    hits = [
        {
            "type": "event",
            "fields": {"content": f"Turn {n}."},
            "created_at": f"2024-07-20T{n}:05:00Z",
        }
        for n in (10, 9)
    ]
    asks = RenderingHints(query_text="at what time did the lamp hum?")
    day = RenderingHints(query_text="when did the lamp hum?")
    for hints, wanted in ((asks, True), (day, False)):
        shown = text(hits, form, hints)
        assert ("09:05" in shown and "10:05" in shown) == wanted, shown


def test_two_dates_within_a_minute_may_have_two_days() -> None:
    hits = [
        {"type": "event", "fields": {"content": f"Turn {n}."}, "created_at": f"2024-07-{day}:00Z"}
        for n, day in enumerate(("20T23:59", "21T00:01", "21T00:02"))
    ]
    shown = text(hits, "plain_text", RenderingHints(has_temporal_expr=True))
    assert re.findall(r"↓ (.*)", shown) == ["1 day", "same day"]


@pytest.mark.parametrize("form", FORMATS)
def test_every_shown_detail_is_in_every_format(form: str) -> None:
    metadata = {
        "file_name": "lease.pdf",
        "page_label": "iv",
        "url": "https://a.org/l",
        "id": 7,
    }
    mapper = PassageMapper(shown=("file_name", "page_label", "url", "id"))
    hits = mapper.hits([Passage("Three months.", metadata), Passage("Rent.", {"title": "t"})])
    shown = text(hits, form, numbered=True)
    assert all(value in shown for value in ("lease.pdf", "iv", "https://a.org/l", "7"))
    assert text(hits[1:], form)
