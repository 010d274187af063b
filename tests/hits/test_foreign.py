"""What a retriever returns is read whatever its objects do, and whatever the program has set."""

import datetime as dt
import decimal
import fractions
import itertools
import json
import locale
import pathlib
import sys
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from areev_context import (
    ContextAssembler,
    FormatPolicy,
    InputError,
    Passage,
    PassageMapper,
    SearchHit,
    SharedRenderer,
    load_hits,
)
from areev_context.formats.registry import FORMATS
from areev_context.hits.hit import finite
from areev_context.hits.load import checked_hits
from areev_context.text.dates import UNKNOWN, read_moment
from areev_context.text.foreign import is_mapping, named, number, shown, type_name
from areev_context.text.json_values import plain
from hostile import HOSTILE, MADE, Array, Lazy, Moment, Nameless, fails, subclass

Row = dict[str, Any]

READ: dict[str, Any] = {
    "str": "text",
    "int": 7,
    "float": 0.5,
    "bytes": "<3 bytes>",
    "bytearray": "<3 bytes>",
    "list": ["a"],
    "tuple": ["a"],
    "dict": {"a": 1},
    "set": ["a"],
    "frozenset": ["a"],
    "Decimal": "1.10",
    "date": "2024-03-01",
    "datetime": "2024-03-01T09:00:00",
    "time": "09:30:00",
}
"""What an object of a class made from one of these is, whatever the class overrides."""

NAMED = {
    "a dead reference": "<ProxyType>",
    "a nameless object": "<Nameless>",
    "a nameless class": "<_Nobody>",
    "an object of no class": "<Denying>",
    "an object of no origin": "<Rootless>",
    "an object in disguise": "<Masked>",
    "an enum": 1,
    "a mapping with a bad value": {"good": 1, "bad": "<Lazy>"},
    "a mapping without keys": "<Lazy>",
    "an endless set": "<Endless>",
    "an array that cannot be read": "<Array>",
    "an array of arrays of it": "<Array>",
    "a date that is none": "<Moment>",
    "a date that says no text": "<Moment>",
    "what is no attribute": "<Dim>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_one_bad_value_costs_that_value(name: str) -> None:
    expected = READ[name.split(maxsplit=1)[0]] if name in MADE else NAMED[name]
    made = plain({"before": 1, "bad": HOSTILE[name], "after": [HOSTILE[name], 2]})
    assert made == {"before": 1, "bad": expected, "after": [expected, 2]}
    assert json.loads(json.dumps(made)) == made  # of Python's own types, through and through


@pytest.mark.parametrize("form", FORMATS)
def test_it_costs_no_row_in_any_format(form: str) -> None:
    for bad in HOSTILE.values():
        rows: list[Row] = [
            {"grain_type": "document", "fields": {"content": "neighbour", "title": bad}},
            {"grain_type": "ticket", "fields": {"bad": bad, "good": "neighbour"}},
        ]
        text = ContextAssembler().format(rows, FormatPolicy(format=form)).text
        assert text.count("neighbour") == 2


KNOWN = [name for name in SearchHit.model_fields if name not in ("grain_type", "fields")]
RESERVED = [
    "grain_type", "verification_status", "context", "confidence", "created_at", "namespace",
    "supersession_status", "superseded_by", "superseded_by_hash", "conflict_status",
    "recall_source", "source_namespace", "title", "source", "subject",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_every_key_of_a_row_may_be_bad(name: str) -> None:
    bad = HOSTILE[name]
    fact = {"grain_type": "fact", "fields": {"subject": "a", "created_at": bad}}
    rows = [{**fact, key: bad} for key in [*KNOWN, "created_at", "verification_status", "odd"]]
    assert len(load_hits(rows)) == len(rows)
    assert ContextAssembler().format(rows, FormatPolicy.json_api()).text


@pytest.mark.parametrize("name", HOSTILE)
def test_every_key_of_the_metadata_may_be_bad(name: str) -> None:
    bad = HOSTILE[name]
    passages = [Passage("neighbour", {key: bad}) for key in RESERVED]
    passages += [Passage("neighbour", {"grain_type": "fact", "subject": bad}, bad, bad)]
    passages += [
        Passage("neighbour", bad, id="a"),
        Passage("neighbour", {"title": "t"}, excluded=bad),
    ]
    mapper = PassageMapper(shown=("title", "source.x", "context.label"), score_key="title")
    for each in (PassageMapper(), mapper):
        hits = each.hits(passages)
        assert len(hits) == len(passages)
        context = ContextAssembler().format(hits, FormatPolicy.claude())
        assert "neighbour" in context.text
    assert len(PassageMapper().hits([Passage(bad, {})])) == 1


def test_where_it_is_unknown_which_keys_are_hidden_from_the_model_all_are() -> None:
    [hit] = PassageMapper().hits([Passage("t", {"title": "secret"}, excluded=HOSTILE["an enum"])])
    assert hit.fields == {"content": "t"}
    odd = MADE["str that raises"]
    [hit] = PassageMapper().hits([Passage("t", {"text": 1, "title": "t"}, excluded=[odd])])
    assert hit.fields == {"content": "t", "title": "t"}


class Row0(dict[str, Any]):
    """A row whose every method fails, as those of the rows about it."""

    keys = items = values = get = __getitem__ = __iter__ = __len__ = __contains__ = fails


class Rows(list[Any]):
    __iter__ = __len__ = __getitem__ = fails  # type: ignore[assignment]


def test_rows_and_lists_are_read_past_what_their_classes_override() -> None:
    row = Row0(grain_type="fact", fields=Row0(subject="a"))
    [expected] = load_hits([{"grain_type": "fact", "fields": {"subject": "a"}}])
    assert load_hits(Rows([row])) == load_hits(Row0(grains=Rows([row]))) == [expected]
    assert checked_hits(Rows([row])) == [expected]
    passages = Rows([Passage("t", Row0(title="a"))])
    assert PassageMapper().hits(passages)[0].fields == {"content": "t", "title": "a"}


def test_fields_that_cannot_be_read_are_none() -> None:
    [hit] = load_hits([{"grain_type": "fact", "fields": Lazy(keys=None)}])
    assert hit.fields == {}


NO_ROWS = [
    "a dead reference",
    "a nameless object",
    "an object of no class",
    "an object of no origin",
]


@pytest.mark.parametrize("name", NO_ROWS)
def test_what_is_no_row_at_all_is_a_clear_error(name: str) -> None:
    bad = HOSTILE[name]
    kind = type_name(bad)
    for read in (load_hits, ContextAssembler().format, PassageMapper().hits):
        with pytest.raises(InputError, match=f"0.* of type {kind}"):
            read([bad])
    for read in (load_hits, PassageMapper().hits):
        with pytest.raises(InputError, match=f"of type {kind}"):
            read(bad)
    with pytest.raises(ValueError, match=f"fields is of type {kind}"):
        SearchHit.model_validate({"grain_type": "fact", "fields": bad})
    with pytest.raises(ValueError, match="grain_type"):
        SearchHit.model_validate(Lazy(keys=None))


def test_names_are_texts() -> None:
    assert named({"a": 1, 2: 3}) == {"a": 1}
    assert named([("a", 1)]) == {}
    assert named(Lazy(keys=None)) == {}
    assert not is_mapping(Nameless)


def test_an_ordered_dict_has_its_own_order() -> None:
    ordered = OrderedDict(a=1, b=2)
    ordered.move_to_end("a")
    assert [*plain(ordered)] == ["b", "a"]


def test_texts_of_libraries_are_read_past_what_a_class_overrides() -> None:
    odd_id = type("OddId", (uuid.UUID,), {"__str__": fails})(int=7)
    odd_path = type("OddPath", (pathlib.PurePosixPath,), {"__fspath__": fails})("/a")
    assert plain([odd_id, odd_path]) == ["00000000-0000-0000-0000-000000000007", "/a"]


def test_a_view_of_bytes_that_is_gone_is_named() -> None:
    view = memoryview(b"abc")
    view.release()
    assert plain(view) == "<memoryview>"


def test_a_table_may_miss_a_date() -> None:
    missing = type("NaTType", (dt.datetime,), {"isoformat": lambda self: "NaT"})(1, 1, 1)
    assert plain([missing]) == [None]


class Numpy(Array):
    """A number or an array of numpy's: its dates are nanoseconds where they are finer."""

    def __init__(self, found: Any, dtype: str, kind: str) -> None:
        super().__init__(found, type("dtype", (), {"kind": kind, "__str__": lambda s: dtype})())


FINE = Numpy(1_709_283_600_000_000_000, "datetime64[ns]", "M")


def test_fine_dates_are_dates() -> None:
    assert plain(FINE) == "2024-03-01T09:00:00"
    assert plain(Numpy(5, "timedelta64[ns]", "m")) == 5


class Half:
    def __float__(self) -> float:
        return 0.5


NUMBERS: list[tuple[Any, int | float | None]] = [
    (7, 7),
    (0.5, 0.5),
    (True, None),
    (None, None),
    ("7", None),
    (b"7", None),
    (bytearray(b"7"), None),
    (decimal.Decimal("0.25"), 0.25),
    (decimal.Decimal("1E+999999999"), float("inf")),
    (decimal.Decimal("sNaN"), None),
    (fractions.Fraction(1, 4), 0.25),
    (fractions.Fraction(10**400), None),
    (Half(), 0.5),
    (Array(7), 7),
    (Array([7]), None),
    (Array(True), None),
    (Array(fails), None),
    (FINE, None),
    (object(), None),
    (1j, None),
    (MADE["int that raises"], 7),
    (MADE["float that lies"], 0.5),
    (MADE["Decimal that lies"], 1.1),
    (MADE["str that lies"], None),
]


@pytest.mark.parametrize("place", range(len(NUMBERS)))
def test_numbers_of_any_library_are_numbers(place: int) -> None:
    value, expected = NUMBERS[place]
    assert number(value) == expected
    assert type(number(value)) is type(expected)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_score_is_a_number_or_unknown(name: str) -> None:
    value = HOSTILE[name]
    expected = finite(value)
    [hit] = load_hits([{"grain_type": "fact", "fields": {}, "score": value}])
    assert hit.score == expected
    assert expected is None or type(expected) is float


SECONDS = 1_709_283_600
NOON = "2024-03-01T09:00:00Z"
MOMENTS: dict[str, tuple[Any, int]] = {
    "a decimal": (decimal.Decimal(SECONDS), SECONDS),
    "a number of a library": (Array(SECONDS), SECONDS),
    "a fine date of numpy": (FINE, SECONDS),
    "a date of a library": (Moment(NOON), SECONDS),
    "an array of a date": (Array(dt.datetime(2024, 3, 1, 9)), SECONDS),
    "a class made from int": (subclass(int, fails)(SECONDS), SECONDS),
    "a class made from str": (subclass(str, fails)(f" {NOON} "), SECONDS),
    "no date": (Moment("NaT"), 0),
    "an array of nothing": (Array(None), 0),
    "infinity": (decimal.Decimal("Infinity"), 0),
    "a huge number": (10**400, 0),
    "a huge decimal": (decimal.Decimal("1E+999999999"), 0),
    "a truth": (Array(True), 0),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_dates_of_any_library_are_dates(name: str) -> None:
    value, seconds = MOMENTS[name]
    assert read_moment(value).seconds == seconds
    [hit] = PassageMapper().hits([Passage("t", {"created_at": value})])
    assert hit.created_at_sec == seconds
    row = {"grain_type": "fact", "fields": {}, "created_at": value}
    assert SearchHit.model_validate(row).created_at_sec == seconds


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_date_is_undated(name: str) -> None:
    day = SECONDS - 9 * 3600
    dates = {"int": 7, "Decimal": 1, "date": day, "datetime": SECONDS}
    assert read_moment(HOSTILE[name]).seconds == dates.get(name.split(maxsplit=1)[0], 0)


def test_numbers_of_fields_are_milliseconds_of_whatever_kind() -> None:
    for value in (decimal.Decimal(SECONDS * 1000), Array(SECONDS * 1000)):
        row = {"grain_type": "fact", "fields": {"created_at": value}}
        assert SearchHit.model_validate(row).created_at_sec == SECONDS


def test_numpy_is_read_where_it_is_there() -> None:
    np = pytest.importorskip("numpy")
    fine = np.datetime64("2024-03-01T09:00:00", "ns")
    for value in (np.int64(SECONDS), np.float64(SECONDS), np.array(SECONDS), fine, np.array(fine)):
        assert read_moment(value).seconds == SECONDS
    assert read_moment(np.datetime64("2024-03-01")).seconds == SECONDS - 9 * 3600
    assert read_moment(np.datetime64("NaT")) == read_moment(np.timedelta64(5, "s")) == UNKNOWN
    assert plain(fine) == "2024-03-01T09:00:00"
    assert plain(np.array([fine])) == ["2024-03-01T09:00:00"]
    assert finite(np.float32(0.5)) == 0.5
    assert plain([np.int64(3), np.bool_(True), np.str_("a")]) == [3, True, "a"]


def test_a_value_in_an_error_is_short() -> None:
    values = [1.5, "a\x1b", 10**700, MADE["list that raises"], "x" * 200]
    texts = ["1.5", "'a\\x1b'", "<int>", "<OddList>", f"'{'x' * 98}…"]
    assert list(map(shown, values)) == texts


# --- what a program sets for itself -------------------------------------------------------------


def _decimals() -> Iterator[None]:
    traps = dict.fromkeys(decimal.getcontext().traps, True)
    with decimal.localcontext(decimal.Context(prec=1, capitals=0, Emax=0, Emin=0, traps=traps)):
        yield


def _digits() -> Iterator[None]:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    yield
    sys.set_int_max_str_digits(before)


def _no_digits() -> Iterator[None]:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


def _words() -> Iterator[None]:
    before = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "C")
    yield
    locale.setlocale(locale.LC_ALL, before)


def _zone(name: str) -> Callable[[], Iterator[None]]:
    def zone() -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TZ", name)
            time.tzset()
            yield
        time.tzset()

    return zone


SETTINGS: dict[str, Callable[[], Iterator[None]]] = {
    "decimals": _decimals,
    "few digits": _digits,
    "all digits": _no_digits,
    "a locale": _words,
    "far east": _zone("Pacific/Kiritimati"),
    "far west": _zone("<-11>11"),
}
VALUES: list[Any] = [
    *(10**n for n in (300, 639, 640, 641, 4_299, 4_300, 5_000)),
    -(1 << 13_000),
    decimal.Decimal("1.10"),
    decimal.Decimal("1E+30"),
    decimal.Decimal("1" * 60),
    decimal.Decimal("NaN"),
    {10**700: 1, decimal.Decimal("1E+9"): 2, dt.datetime(2024, 3, 1, 9): 3},
    {10**700, 3, "a"},
    dt.datetime(2024, 3, 1, 9),
    FINE,
    0.1,
]


class Host(SharedRenderer):
    """Writes an object of a number, in JSON."""

    def render(self, grain: Any, policy: Any) -> str:
        return f'{{"n":{grain.fields["n"]}}}'


def everything() -> list[str]:
    """Return the texts of values in every format, and of a budget and a counter of any size."""
    texts = []
    rows: list[Row] = [
        {"grain_type": "note", "fields": {"v": v}, "created_at": v, "score": v, "id": v}
        for v in VALUES
    ]
    passages = [Passage("t", {"title": v, "created_at": v}, score=v) for v in VALUES]
    hits = [*load_hits(rows), *PassageMapper().hits(passages)]
    for form, budget in itertools.product(FORMATS, (None, 400, 10**599)):
        policy = FormatPolicy(format=form, metadata="full", token_budget=budget)
        for counter in (None, len, lambda text: 10**598 + len(text)):
            context = ContextAssembler(counter=counter).format(hits, policy)
            texts += [context.model_dump_json(), context.report(), context.to_html()]
    for digits in ("9" * 640, "9" * 700, "1e400"):
        found = [{"grain_type": "note", "fields": {"n": digits}}]
        host = ContextAssembler([Host("note")]).format(found, FormatPolicy(format="json"))
        texts.append(host.text)
        try:
            texts.append(str(load_hits(f'[{{"type":"n","fields":{{"n":{digits}}}}}]')))
        except InputError as error:
            texts.append(str(error))
    return texts


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_what_a_program_sets_changes_nothing(setting: Callable[[], Iterator[None]]) -> None:
    expected = everything()
    setting_on = setting()
    next(setting_on)
    try:
        made = everything()
    finally:
        next(setting_on, None)
    assert made == expected
