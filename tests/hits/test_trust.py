"""What counts as retracted: every spelling, every place; and what only looks like it."""

import dataclasses
import enum
import re
import weakref
from collections import UserDict, deque
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from areev_context import ContextAssembler, FormatPolicy, Passage, PassageMapper, SearchHit
from areev_context.hits.grain_types import GRAIN_TYPES
from areev_context.hits.retraction import withholds
from areev_context.hits.trust import is_withheld, statements, status, strictest


def named(value: object) -> str:
    """Return a test's id: every worker must collect the same, so no address is in it."""
    return re.sub(r"(?: object)? at 0x\w+", "", ascii(value))


class Status(enum.Enum):
    RETRACTED = 3
    OK = "retracted"
    NOT_RETRACTED = 1


class Flags(enum.Flag):
    RETRACTED = 1
    OTHER = 2


@dataclasses.dataclass(slots=True)
class Slotted:
    value: object


OneSlot = type("OneSlot", (), {"__slots__": "value"})
one_slot = OneSlot()
one_slot.value = "retracted"


class Open:
    def __init__(self, **attributes: object) -> None:
        self.__dict__ |= attributes


class Named:
    @property
    def name(self) -> str:
        return "RETRACTED"

    @property
    def value(self) -> str:
        raise RuntimeError("no")


class Printed:
    def __str__(self) -> str:
        return "retracted"


class Array:
    def __init__(self, *items: object) -> None:
        self.items = items

    def tolist(self) -> list[object]:
        return list(self.items)


SAYS: list[Any] = [
    "retracted\u202c", "\u2066retracted\u2069", "ret\u180eracted", "retracted\ufe0f",
    "retracted\U000e0001", "ret\u034fracted", "r\u0336e\u0336tracted", "retr\u3164acted",
    "\uff52\uff45\uff54\uff52\uff41\uff43\uff54\uff45\uff44", "\ud83d\ude00 retracted", "reTracted",
    '"retracted"', "retracted.", "!!retracted!!", "«retracted»", "[[retracted]]", "retracted2",
    "Status/RETRACTED", "<Status.RETRACTED: 3>", "<S.RETRACTED: 0>", "<S.RETRACTED: False>",
    "<S.X: 'retracted'>", "VERIFICATION_STATUS_RETRACTED", "StatusRetracted", "isRetracted",
    "urn:trust:rejected", "https://x/retracted", "retracted: by admin", "retracted, contested",
    "not verified, retracted", "not only contested but retracted", "retracted: no reason given",
    '{"retracted": true}', '{"retracted": false, "rejected": true}', "not/retracted",
    b"retracted", "retracted".encode("utf-16"), "retracted".encode("utf-16-le"), b"\xffREJECTED",
    bytearray(b"RETRACTED"), memoryview(b"retracted"), type("Text", (str,), {})("retracted"),
    Status.RETRACTED, Status.OK, repr(Status.RETRACTED), str(Status.RETRACTED),
    Flags.RETRACTED | Flags.OTHER,
    Slotted("retracted"), one_slot, Open(retracted=True), Open(x="rejected"), Named(),
    Printed(), Array("verified", b"retracted"),
    {"value": "retracted"}, {"value": {"value": [b"retracted"]}}, {"value": Status.RETRACTED},
    UserDict({"value": "retracted"}), deque([("verified", {"rejected"})]),
    {"retracted": True}, {"retracted": "true"}, {"retracted": 1}, {"retracted": [True]},
    {"Retracted ": {"at": 3}}, {"retracted_at": "2024"}, {Status.RETRACTED: True},
    {b"retracted": True}, {"not_retracted": False}, {"not_retracted": "no"},
    {"retracted": False, "status": "rejected"},
]  # fmt: skip

DOES_NOT: list[Any] = [
    "verified", "unretracted", "nonrejected", "retraction", "retract", "retractedness",
    "not_retracted", "not retracted", "NOT-RETRACTED", "notRetracted", "NotRetracted",
    "not 'retracted'", "never been retracted", "no longer retracted", "isn't retracted",
    "isn’t rejected", "has not yet been retracted", "neither retracted nor rejected",
    "not retracted or rejected", "un-retracted", "non-rejected",
    "retracted: false", "retracted=no", "retracted = none", "is_retracted=false",
    "retracted=false rejected=false", '{"retracted": false}',
    '{"retracted": false, "rejected": null}',
    "", b"", None, True, False, 7, 0.5, [], {}, "\u200b", int, Status, object(), print,
    {"retracted": False}, {"retracted": None}, {"retracted": ""}, {"retracted": "false"},
    {"retracted": "No."}, {"retracted": b"false"}, {"retracted": 0}, {"retracted": {}},
    {"retracted": {"value": False}}, {"retracted_at": None}, {"is_retracted": [False]},
    {"not_retracted": True}, {"not_retracted": None}, {"unretracted": True},
    {"not_retracted": {"value": False}}, {3: "verified", None: 1},
    Status.NOT_RETRACTED, Flags.OTHER, Slotted("verified"), Open(other=object()), Array(1),
]  # fmt: skip


@pytest.mark.parametrize("stated", SAYS, ids=named)
def test_what_says_retracted(stated: object) -> None:
    assert withholds(stated)
    assert withholds(status(stated))


@pytest.mark.parametrize("stated", DOES_NOT, ids=named)
def test_what_does_not(stated: object) -> None:
    assert not withholds(stated)


class Hostile(Mapping[str, Any]):
    """A mapping that cannot list itself."""

    def __init__(self, **inside: object) -> None:
        self.inside = inside

    def __getitem__(self, name: str) -> Any:
        if not self.inside:
            raise RuntimeError("no")
        return self.inside[name]

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("no")

    def __len__(self) -> int:
        raise RuntimeError("no")


class Endless:
    def tolist(self) -> object:
        return Endless()


class Broken(bytes):
    def __bytes__(self) -> bytes:
        raise RuntimeError("no")


def test_what_cannot_be_read_says_nothing_and_what_has_no_end_is_withheld() -> None:
    around: list[object] = []
    around.append(around)
    gone = Printed()
    dead = weakref.proxy(gone)
    del gone
    for stated in (around, Hostile(), dead, Broken(b"retracted"), [dead]):
        assert not withholds(stated)
    assert withholds(Endless())
    deep: Any = "retracted"
    for _ in range(5000):
        deep = [deep]
    assert withholds(deep)


def test_a_long_status_takes_no_time() -> None:
    for text in (
        "not or " * 100_000 + "retracted",
        "retracted: no " * 100_000,
        "retracted" * 99_999,
    ):
        withholds(text)
    assert not withholds("not " + "retracted or " * 100_000)


def test_statements_are_found_wherever_they_stand() -> None:
    around: dict[str, Any] = {"vstatus": 1}
    around["context"] = around
    gone = Printed()
    around["metadata"] = weakref.proxy(gone)
    del gone
    assert statements(around) == [1]
    row = {
        "Verification Status": 1,
        b"vstatus": 2,
        3: "retracted",
        "context": {"vstatus": 3, "metadata": UserDict({"verification_status\x00": 4})},
        "fields": Hostile(vstatus=5),
        "metadata": Hostile(),
        "other": {"vstatus": "retracted"},
        "status": "retracted",
    }
    found = statements(row)
    assert {1, 2, 3, 4, 5} <= set(found)
    assert "retracted" not in found


def test_the_strictest_counts() -> None:
    assert strictest([None, "verified", b"Contested!", "unverified"]) == b"Contested!"
    assert strictest(["contested", ["rejected"], "retracted"]) == ["rejected"]
    assert strictest(["verified", "unverified"]) == "verified"
    assert strictest([None]) is None
    assert is_withheld({"metadata": {"vstatus": "retracted"}})


@pytest.mark.parametrize(
    ("row", "level"),
    [
        ({"verification_status": b"contested", "fields": {"verification_status": "verified"}}, 1),
        ({"fields": {"verification_status": "verified", "context": {"vstatus": "contested"}}}, 1),
        ({"fields": {"context": {"vstatus": "contested"}}}, 1),
        ({"verification_status": "contested", "fields": {}}, 1),
        ({"verification_status": "verified", "fields": {"verification_status": "contested"}}, 1),
        ({"verification_status": "verified", "fields": {"verification_status": None}}, 0),
    ],
)
def test_the_stricter_status_is_shown(row: dict[str, Any], level: int) -> None:
    policy = FormatPolicy(format="sml", metadata="full")
    context = ContextAssembler().format([{"grain_type": "goal", "hash": "h", **row}], policy)
    assert f'status="{["verified", "contested"][level]}"' in context.text
    assert context.outcomes[0].priority == pytest.approx(0.95 - 0.15 * level + 0.05)


def test_on_request_the_status_of_the_row_is_shown() -> None:
    row = {"grain_type": "goal", "verification_status": Status.RETRACTED, "fields": {"vstatus": 1}}
    policy = FormatPolicy(format="sml", metadata="full", include_retracted=True)
    assert 'status="retracted"' in ContextAssembler().format([row], policy).text
    assert SearchHit.model_validate(row).fields == {
        "vstatus": 1,
        "verification_status": "retracted",
    }


@pytest.mark.parametrize("key", ["verification_status", "vstatus", "Verification-Status"])
def test_metadata_are_read_as_rows_are(key: str) -> None:
    for metadata in ({key: b"retracted"}, {"metadata": {key: {"retracted": True}}}):
        hits = PassageMapper().hits([Passage("text", metadata, excluded=(key,))])
        assert ContextAssembler().format(hits).withheld_count == 1


@pytest.mark.parametrize("name", ["verification_status", "vstatus", "Verification-Status"])
def test_a_statement_beside_the_usual_fields_of_any_type_is_read(name: str) -> None:
    for row in GRAIN_TYPES.values():
        fields = {**dict.fromkeys(row.fields, "text"), name: "contested"}
        assert statements({"grain_type": row.name, "fields": fields}) == ["contested"]
    for inner in ("context", "metadata", "fields"):
        assert statements({inner: {name: "contested"}}) == ["contested"]
