"""Rows as they come, from Python, from JSON text and from the engine, made into hits."""

import collections
import datetime as dt
import decimal
import enum
import hashlib
import json
import math
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from areev_context import ContextAssembler, FormatPolicy, SearchHit, load_hits
from areev_context.extend import GRAIN_TYPES
from areev_context.hits.grain_types import section_of
from awkward import DATES, ENGINE_ROWS, METADATA, NoText

Row = dict[str, Any]
EXAMPLES = Path(__file__).parents[2] / "examples"
FACT: Row = {"grain_type": "fact", "fields": {"subject": "ada", "relation": "is", "object": "in"}}


def hit(**known: Any) -> SearchHit:
    return SearchHit.model_validate({**FACT, **known})


def field(value: Any) -> Any:
    """What a field's value becomes."""
    return hit(fields={"k": value}).fields["k"]


def test_the_least_a_row_needs() -> None:
    canonical = b'["fact",{"object":"in","relation":"is","subject":"ada"}]'
    made = hashlib.sha256(canonical).hexdigest()
    assert hit().model_dump(exclude_defaults=True) == {**FACT, "hash": made}


def test_type_is_another_name_for_grain_type() -> None:
    row = {"type": "goal", "fields": {}}
    assert SearchHit.model_validate(row).grain_type == "goal"
    assert SearchHit.model_validate({**row, "grain_type": "fact"}).grain_type == "fact"


def test_a_row_without_a_hash_gets_one_of_its_type_and_fields() -> None:
    swapped = {"object": "in", "relation": "is", "subject": "ada"}
    assert hit(fields=swapped).hash == hit(hash="").hash == hit(hash=None).hash == hit().hash
    assert hit(score=0.5, created_at=1).hash == hit().hash
    assert hit(grain_type="goal").hash != hit().hash
    assert hit(fields={}).hash != hit().hash
    assert hit(hash="a1").hash == "a1"


UNKNOWN = [None, "", 7, True, ["x"], {"a": 1}, b"x", math.nan, object()]


@pytest.mark.parametrize("value", UNKNOWN, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "name",
    [
        "source_namespace",
        "recall_source",
        "conflict_status",
        "supersession_status",
        "superseded_by_hash",
        "relative_time",
        "explanation",
    ],
)
def test_what_cannot_be_read_is_unknown(name: str, value: Any) -> None:
    assert getattr(hit(**{name: value}), name) is None


def test_unknown_keys_and_values_are_ignored() -> None:
    row = hit(colour="red", recall_source="hearsay", supersession_status="maybe")
    assert row == hit()


@pytest.mark.parametrize("value", ["Current", "CURRENT", "current"])
def test_statuses_are_read_in_any_letter_case(value: str) -> None:
    row = hit(conflict_status=value, supersession_status=value)
    assert (row.conflict_status, row.supersession_status) == ("current", "current")


class Half:
    def __float__(self) -> float:
        return 0.5


@pytest.mark.parametrize(
    ("given", "score"),
    [
        (0.5, 0.5),
        (1, 1.0),
        (-3.5, -3.5),
        (decimal.Decimal("0.25"), 0.25),
        (Half(), 0.5),
        (None, None),
        (True, None),
        ("0.5", None),
        (b"1", None),
        (math.nan, None),
        (math.inf, None),
        ([0.5], None),
        (10**400, None),
    ],
)
def test_a_score_is_a_finite_number(given: Any, score: float | None) -> None:
    assert hit(score=given).score == score


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("p1", "p1"),
        (7, "7"),
        (0, "0"),
        (1.5, "1.5"),
        (uuid.UUID(int=7), "00000000-0000-0000-0000-000000000007"),
        (True, None),
        (None, None),
        ("", None),
        ([], None),
        (math.nan, None),
    ],
)
def test_an_id_is_a_text(given: Any, name: str | None) -> None:
    assert hit(id=given).id == name


NAIVE = dt.datetime(2024, 3, 1, 9)
SECONDS = 1_709_283_600


@pytest.mark.parametrize(
    ("row", "seconds"),
    [
        ({"created_at_sec": SECONDS}, SECONDS),
        ({"created_at": SECONDS}, SECONDS),
        ({"created_at": SECONDS + 0.9}, SECONDS),
        ({"created_at": "2024-03-01T09:00:00Z"}, SECONDS),
        ({"created_at": " 2024-03-01T09:00:00 "}, SECONDS),
        ({"created_at": "2024-03-01T09:00:00+05:30"}, SECONDS - 19_800),
        ({"created_at": "2024-03-01"}, SECONDS - 9 * 3600),
        ({"created_at": NAIVE}, SECONDS),
        ({"created_at": NAIVE.replace(tzinfo=dt.UTC)}, SECONDS),
        ({"created_at": NAIVE.date()}, SECONDS - 9 * 3600),
        ({"fields": {"created_at": SECONDS * 1000}}, SECONDS),
        ({"fields": {"created_at": SECONDS * 1000 + 999.5}}, SECONDS),
        ({"fields": {"created_at": 1000}}, 1),
        ({"fields": {"created_at": "2024-03-01"}}, SECONDS - 9 * 3600),
        ({"created_at": SECONDS * 1000}, SECONDS),  # too large for seconds
        ({"created_at": str(SECONDS)}, SECONDS),
        ({"fields": {"created_at": True}}, 0),
        ({"created_at_sec": 7, "created_at": SECONDS}, 7),
        ({"created_at": SECONDS, "fields": {"created_at": 1000}}, SECONDS),
        ({"created_at": None, "fields": {"created_at": 1000}}, 1),
        ({"created_at": "no date", "fields": {"created_at": 1000}}, 1),
        ({"fields": {"created_at": 253_402_300_799_000}}, 253_402_300_799),
        ({"fields": {"created_at": 253_402_300_800_000}}, 0),  # the year 10000
        ({"created_at": dt.datetime(1969, 12, 31)}, 0),
        ({"created_at": -1}, 0),
        ({"created_at": math.nan}, 0),
        ({"created_at": math.inf}, 0),
        ({"created_at": [SECONDS]}, 0),
    ],
)
def test_when_a_grain_was_made(row: Row, seconds: int) -> None:
    assert hit(**row).created_at_sec == seconds


class NoTime(dt.datetime):
    """What tables hold where a date is missing: a datetime that is none."""

    def timestamp(self) -> float:
        return math.nan


@pytest.mark.parametrize("value", [NoTime(2024, 3, 1), *DATES], ids=repr)
def test_no_date_is_an_error(value: Any) -> None:
    assert 0 <= hit(created_at=value).created_at_sec < 2 * 10**12


def test_a_date_that_is_none_is_unknown() -> None:
    assert hit(created_at=NoTime(2024, 3, 1)).created_at_sec == 0


class Shade(enum.StrEnum):
    DARK = "dark"


class Words(str):
    pass


class Array:
    """Quacks as arrays of numeric libraries do."""

    def __init__(self, *items: Any) -> None:
        self.items, self.size = items, len(items)

    def tolist(self) -> list[Any]:
        return list(self.items)


Point = collections.namedtuple("Point", "x y")
LOOP: list[Any] = []
LOOP.append(LOOP)

VALUES = {
    "text": ("a", "a"),
    "a subclass of text": (Words("a"), "a"),
    "a list": ([1, [None, True, 1.5]], [1, [None, True, 1.5]]),
    "an object": ({"a": {"b": 1}}, {"a": {"b": 1}}),
    "a read-only object": (MappingProxyType({"a": 1}), {"a": 1}),
    "a tuple": ((1, "b"), [1, "b"]),
    "a named tuple": (Point(1, 2), [1, 2]),
    "a set": ({"b", "a", 3, None}, ["a", "b", 3, None]),
    "NaN": (math.nan, None),
    "infinity": ([math.inf, -math.inf], [None, None]),
    "a huge number": (10**5000, "<int>"),
    "an enum": (Shade.DARK, "dark"),
    "a day": (dt.date(2024, 3, 1), "2024-03-01"),
    "a moment": (NAIVE, "2024-03-01T09:00:00"),
    "a moment somewhere": (NAIVE.replace(tzinfo=dt.UTC), "2024-03-01T09:00:00+00:00"),
    "a time of day": (dt.time(9, 30), "09:30:00"),
    "bytes": (b"abc", "<3 bytes>"),
    "a view of bytes": (memoryview(b"abc"), "<3 bytes>"),
    "a UUID": (uuid.UUID(int=7), "00000000-0000-0000-0000-000000000007"),
    "a path": (PurePosixPath("/srv/a b.md"), "/srv/a b.md"),
    "a decimal": (decimal.Decimal("1.10"), "1.10"),
    "an array": (Array(1, math.nan), [1, None]),
    "an array of one": (Array(Array(7)), [[7]]),
    "an object of no form": (SimpleNamespace(a=1), "<SimpleNamespace>"),
    "an object that cannot speak": (NoText(), "<NoText>"),
    "a function": (len, "<builtin_function_or_method>"),
    "what holds itself": (LOOP, ["<list>"]),
    "keys of other kinds": ({3: 1, "3": 2, None: 3, (1, 2): 4, Shade.DARK: 5, Words("w"): 6},
                            {"3": 1, "3_": 2, "null": 3, "[1,2]": 4, "dark": 5, "w": 6}),
}  # fmt: skip


@pytest.mark.parametrize(("given", "made"), VALUES.values(), ids=VALUES)
def test_fields_become_json(given: Any, made: Any) -> None:
    assert field(given) == made
    assert type(field(given)) is type(made)
    json.dumps(field(given), allow_nan=False)


@pytest.mark.parametrize("fields", METADATA.values(), ids=METADATA)
def test_awkward_fields_become_json(fields: Row) -> None:
    made = hit(fields=fields).fields
    assert len(made) == len(fields)
    json.dumps(made, allow_nan=False)


def test_what_lies_too_deep_is_named() -> None:
    deep: Any = "bottom"
    for _ in range(100):
        deep = [deep]
    text = json.dumps(field(deep))
    assert text.count("[") == 63  # the fields themselves are the first of 64 levels
    assert '"<list>"' in text


class Sulking(Mapping[str, Any]):
    def __getitem__(self, name: str) -> Any:
        raise KeyError(name)

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("not today")


def test_what_fails_to_describe_itself_is_named() -> None:
    assert field(Sulking()) == "<Sulking>"


def test_a_hit_shares_no_container_with_its_row() -> None:
    fields = {"a": [1], "b": {"c": 2}}
    made = hit(fields=fields)
    fields["a"].append(2)  # type: ignore[attr-defined]
    assert made.fields == {"a": [1], "b": {"c": 2}}


SOURCES: dict[str, Any] = {
    "rows": [FACT],
    "a tuple of hits": (hit(),),
    "any iterable": iter([FACT]),
    "text": json.dumps([FACT]),
    "bytes": json.dumps([FACT]).encode(),
    "a bytearray": bytearray(json.dumps([FACT]).encode()),
    "text with a byte order mark": "\ufeff" + json.dumps([FACT]),
    "bytes with a byte order mark": b"\xef\xbb\xbf" + json.dumps([FACT]).encode(),
    "the engine's answer": {"grains": [FACT], "total_available": 24},
    "the engine's answer as text": json.dumps({"grains": [FACT]}),
    "a read-only object": MappingProxyType({"grains": [FACT]}),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_what_rows_are_read_from(source: Any) -> None:
    assert load_hits(source) == [hit()]


@pytest.mark.parametrize("source", [[], "[]", {"grains": []}])
def test_no_rows_are_no_hits(source: Any) -> None:
    assert load_hits(source) == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_the_answers_of_the_engine_are_read_as_they_are(path: Path) -> None:
    hits = load_hits(path.read_bytes())
    assert {each.grain_type for each in hits} <= set(GRAIN_TYPES)
    assert all(each.created_at_sec > 10**9 for each in hits)
    context = ContextAssembler().format(hits, FormatPolicy.claude())
    assert context.included_count + context.withheld_count == len(hits)


def statuses(rows: list[Row]) -> list[tuple[str | None, str | None]]:
    return [(each.supersession_status, each.superseded_by_hash) for each in load_hits(rows)]


def test_rows_of_the_engine_are_linked() -> None:
    assert statuses(ENGINE_ROWS) == [
        ("superseded", "a2"),
        ("current", None),
        (None, None),
        (None, None),
        (None, None),
        ("superseded", "c2"),
        ("superseded", "c1"),
    ]


def old(name: str, newer: str, **known: Any) -> Row:
    return {**FACT, "hash": name, "fields": {"superseded_by": newer}, **known}


LINKED: dict[str, tuple[list[Row], list[tuple[str | None, str | None]]]] = {
    "by a key of the row": (
        [{**FACT, "hash": "a", "superseded_by_hash": "b"}, {**FACT, "hash": "b"}],
        [("superseded", "b"), ("current", None)],
    ),
    "the key of the row wins": (
        [old("a", "c", superseded_by_hash="b"), {**FACT, "hash": "b"}, {**FACT, "hash": "c"}],
        [("superseded", "b"), ("current", None), (None, None)],
    ),
    "a chain": (
        [old("a", "b"), old("b", "c"), {**FACT, "hash": "c"}],
        [("superseded", "b"), ("superseded", "c"), ("current", None)],
    ),
    "the newer one first": (
        [{**FACT, "hash": "b"}, old("a", "b")],
        [("current", None), ("superseded", "b")],
    ),
    "to what is not in the set": ([old("a", "z")], [("superseded", "z")]),
    "a chain that leads out of the set": (
        [old("a", "b"), old("b", "z")],
        [("superseded", "b"), ("superseded", "z")],
    ),
    "to itself": ([old("a", "a")], [(None, None)]),
    "what a row says of itself stays": (
        [
            old("a", "b", supersession_status="current"),
            {**FACT, "hash": "b", "supersession_status": "superseded"},
        ],
        [("current", "b"), ("superseded", None)],
    ),
}


@pytest.mark.parametrize(("rows", "expected"), LINKED.values(), ids=LINKED)
def test_rows_are_marked_by_what_replaced_them(
    rows: list[Row], expected: list[tuple[str | None, str | None]]
) -> None:
    assert statuses(rows) == expected


def test_hits_that_are_not_marked_come_back_themselves() -> None:
    given = hit()
    assert load_hits([given])[0] is given


@pytest.mark.parametrize(
    ("grain_type", "section"),
    [
        *((name, row.section) for name, row in GRAIN_TYPES.items()),
        ("ticket", "tickets"),
        ("facts", "factss"),
        ("censu", "other_census"),
        ("other_censu", "other_other_census"),
        ("other_thing", "other_things"),
    ],
)
def test_the_section_of_a_type(grain_type: str, section: str) -> None:
    assert section_of(grain_type) == section


def test_no_two_types_share_a_section() -> None:
    names = ["fact", "censu", "other_censu", "other_other_censu", "timelin", "context", "contex"]
    sections = [section_of(name) for name in names]
    assert len(set(sections)) == len(names)
    assert not {"census", "timeline", "context"} & set(sections)


def test_a_retracted_row_marks_no_other_as_current() -> None:
    older = {"grain_type": "fact", "hash": "a", "fields": {"object": "x", "superseded_by": "b"}}
    newer = {"grain_type": "fact", "hash": "b", "fields": {"object": "y"}}
    gone = {"fields": {**older["fields"], "verification_status": "retracted"}}
    assert statuses([{**older, **gone}, newer]) == [(None, None)] * 2


def test_a_row_is_old_though_its_successor_is_retracted_or_absent() -> None:
    older = {"grain_type": "fact", "hash": "a", "fields": {"object": "x", "superseded_by": "b"}}
    gone = {
        "grain_type": "fact",
        "hash": "b",
        "fields": {"object": "y", "verification_status": "retracted"},
    }
    assert statuses([older, gone]) == [("superseded", "b"), (None, None)]
    assert statuses([older]) == [("superseded", "b")]


def test_a_row_that_names_itself_is_not_replaced() -> None:
    row = {"grain_type": "fact", "hash": "a", "fields": {"object": "x", "superseded_by": "a"}}
    assert statuses([row, row]) == [(None, None)] * 2


def test_a_row_may_say_its_trust_beside_its_fields() -> None:
    row = {"grain_type": "fact", "fields": {"object": "x"}, "verification_status": "Retracted"}
    assert ContextAssembler().format([row]).withheld_count == 1
    assert hit(**row).hash == hit(grain_type="fact", fields={"object": "x"}).hash
