"""Grains, and the hits that carry them."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from areev_context.hits.position import read_position
from areev_context.hits.refusal import described, refused
from areev_context.hits.trust import statements, status, strictest, strictness, trust_of
from areev_context.text.clean import clean
from areev_context.text.dates import Moment, day, is_stated, read_moment
from areev_context.text.foreign import is_a, is_mapping, named, number
from areev_context.text.json_text import as_text
from areev_context.text.json_values import plain

__all__ = [
    "ConflictStatus",
    "Grain",
    "RecallSource",
    "SearchHit",
    "SupersessionStatus",
    "finite",
    "grain_hash",
    "hit_or_refusal",
    "identifier",
]


class Grain(NamedTuple):
    """One memory, as renderers see it.

    Attributes:
        grain_type: A name of `GRAIN_TYPES`, or any other string.
        fields: A JSON object. Treat it as read-only.
        hash: The content address; the engine makes it of lower-case hexadecimal digits.
        created_at: Whole seconds since the epoch, UTC; 0 is unknown.
        utc_offset: Seconds that the place of the date is ahead of UTC.
    """

    grain_type: str
    fields: Mapping[str, Any]
    hash: str
    created_at: int
    utc_offset: int = 0

    @property
    def day(self) -> str:
        """The date, ``YYYY-MM-DD``, where it was stated; the empty string if it is unknown."""
        return day(self.created_at, self.utc_offset)


def grain_hash(grain_type: str, fields: Mapping[str, Any]) -> str:
    """Return the SHA-256, in hex, of the type and the canonical JSON of the fields."""
    return hashlib.sha256(_canonical([grain_type, fields]).encode()).hexdigest()


_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


class ConflictStatus(StrEnum):
    """Whether a hit holds the current value, when two hits conflict."""

    CURRENT = "current"
    OUTDATED = "outdated"


class SupersessionStatus(StrEnum):
    """Whether a newer grain replaced the hit's grain."""

    CURRENT = "current"
    SUPERSEDED = "superseded"


class RecallSource(StrEnum):
    """The step of the recall that found the hit."""

    PRIMARY = "primary"
    EXPANSION = "expansion"
    CENSUS = "census"


def finite(value: Any) -> float | None:
    """Return a number, of any library, as a finite float, else None; never raises."""
    found = number(value)
    try:
        return float(found) if found is not None and math.isfinite(found) else None
    except OverflowError:  # a whole number too large
        return None


def _whole(value: Any) -> int | None:
    found = finite(value)
    return int(found) if found is not None and 0 <= found < 253_402_300_800 else None


def _ahead(value: Any) -> int | None:
    found = finite(value)
    return int(found) if found is not None and -86_400 < found < 86_400 else None


def _flag(value: Any) -> bool:
    return value is True


def _unit(value: Any) -> float | None:
    found = finite(value)
    return found if found is not None and 0.0 <= found <= 1.0 else None


def _text(value: Any) -> str | None:
    if value is None:
        return None
    text = str.__str__(value) if issubclass(type(value), str) else ""
    return text if clean(text)[0] else None


def identifier(value: Any) -> str | None:
    """Return an id as text: a non-empty string, a number, a UUID or the like; else None."""
    as_text = plain(value)
    if isinstance(as_text, bool) or as_text == "":
        return None
    return str(as_text) if isinstance(as_text, str | int | float) else None


def _texts(value: Any) -> dict[str, str] | None:
    found = {name: clean(as_text(plain(each)))[0] for name, each in named(value).items()}
    return found or None


def _one_of(kind: type[StrEnum]) -> BeforeValidator:
    def read(value: Any) -> StrEnum | None:
        try:
            return kind(str.lower(value)) if issubclass(type(value), str) else None
        except ValueError:
            return None

    return BeforeValidator(read)


_Text = Annotated[str | None, BeforeValidator(_text)]


class SearchHit(BaseModel):
    """One result of a recall: a grain, its score, and its status.

    ``SearchHit.model_validate(row)`` reads a flat row: ``grain_type`` (or ``type``) and ``fields``
    are required, the other keys are optional, and unknown keys are ignored. Rows of the engine are
    valid without changes. A row without a type, or with fields that are no object, raises
    pydantic's ``ValidationError``; an optional value that cannot be read counts as unknown.

    Attributes:
        grain_type: A name of `GRAIN_TYPES`, or any other non-empty string.
        fields: The grain's fields as a JSON object; other Python values are made plain.
        hash: The content address; if a row has none, `grain_hash` of its type and fields.
        created_at_sec: Whole seconds since the epoch, UTC, 0 = unknown. ``created_at_sec``, or
            ``created_at`` in seconds, wins over ``fields.created_at``, which is in milliseconds.
        event_at_sec: When what a document tells happened, in the same way; 0 = it says only when it
            was recorded, so it stands in no timeline; None = ``created_at_sec`` says when.
        utc_offset: Seconds that the place of its date is ahead of UTC; None is unknown. The day
            that is shown is the day there.
        undated: Whether a date was stated that cannot be read.
        score: The recall's score, 0..1, higher is better; None, or outside, is unknown.
        relevance: The score of a reranker, 0..1; None is unknown. Where hits have one, it decides
            which of them a budget shows, as a decider's relevance does.
        id: The retriever's own id of a passage; only outcomes and sources show it.
        origin: Details that only sources name: ``title``, ``source``, ``page`` and ``url`` of a
            passage, as texts, where its fields do not have them or have them shortened.
        position: Where in its source a passage stands: ``start`` and ``end``, indexes of
            characters; ``number``, of the passage; ``parent``, ``previous`` and ``next``, ids. All
            are optional. A number at the end of `id` counts as one, too.
        pinned: Whether it is shown whole and first, whatever its score is.
        source_namespace: The session or namespace a census hit comes from.
        recall_source: The step of the recall that found the hit; None counts as primary.
        conflict_status: Whether it holds the current value.
        supersession_status: Whether a newer grain replaced it.
        superseded_by_hash: The hash of that newer grain.
        relative_time: For renderers of the application; the built-in renderers do not show it.
        explanation: For renderers of the application; the built-in renderers do not show it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    grain_type: str
    fields: dict[str, Any]
    hash: str
    created_at_sec: int = 0
    event_at_sec: Annotated[int | None, BeforeValidator(_whole)] = None
    utc_offset: Annotated[int | None, BeforeValidator(_ahead)] = None
    undated: Annotated[bool, BeforeValidator(_flag)] = False
    score: Annotated[float | None, BeforeValidator(finite)] = None
    relevance: Annotated[float | None, BeforeValidator(_unit)] = None
    id: Annotated[str | None, BeforeValidator(identifier)] = None
    origin: Annotated[dict[str, str] | None, BeforeValidator(_texts)] = None
    position: Annotated[dict[str, int | str] | None, BeforeValidator(read_position)] = None
    pinned: Annotated[bool, BeforeValidator(_flag)] = False
    source_namespace: _Text = None
    recall_source: Annotated[RecallSource | None, _one_of(RecallSource)] = None
    conflict_status: Annotated[ConflictStatus | None, _one_of(ConflictStatus)] = None
    supersession_status: Annotated[SupersessionStatus | None, _one_of(SupersessionStatus)] = None
    superseded_by_hash: _Text = None
    relative_time: _Text = None
    explanation: _Text = None

    if TYPE_CHECKING:  # pydantic writes it; checkers read what a row needs, and what it may have

        def __init__(
            self,
            *,
            grain_type: str,
            fields: Mapping[str, Any],
            hash: str | None = None,
            created_at_sec: int = 0,
            event_at_sec: int | None = None,
            utc_offset: int | None = None,
            undated: bool = False,
            score: float | None = None,
            relevance: float | None = None,
            id: str | int | None = None,
            origin: Mapping[str, str] | None = None,
            position: Mapping[str, int | str] | None = None,
            pinned: bool = False,
            source_namespace: str | None = None,
            recall_source: RecallSource | Literal["primary", "expansion", "census"] | None = None,
            conflict_status: ConflictStatus | Literal["current", "outdated"] | None = None,
            supersession_status: (
                SupersessionStatus | Literal["current", "superseded"] | None
            ) = None,
            superseded_by_hash: str | None = None,
            relative_time: str | None = None,
            explanation: str | None = None,
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _read_row(cls, row: Any) -> Any:
        if not is_mapping(row):
            if is_a(row, SearchHit):
                return row
            why = f"the row is {described(row)}: give an object with grain_type and fields"
            raise refused(None, why)
        row = named(row)
        grain_type = row.get("grain_type", row.get("type"))
        named_so = str.__str__(grain_type) if issubclass(type(grain_type), str) else ""
        if not clean(named_so)[0].strip():
            found = "blank" if issubclass(type(grain_type), str) else described(grain_type)
            raise refused("grain_type", f"grain_type (or type) is {found}: give a non-empty string")
        given = row.get("fields")
        if not is_mapping(given):
            raise refused("fields", f"fields is {described(given)}: give a JSON object")
        made = plain(given)
        fields = made if isinstance(made, dict) else {}  # what cannot be read has no fields
        identity = _text(row.get("hash")) or grain_hash(named_so, fields)
        _state_trust(row, fields)
        return {
            **row,
            "grain_type": named_so,
            "fields": fields,
            "hash": identity,
            **_dated(row, given, fields),
        }

    @property
    def grain(self) -> Grain:
        """The grain of this hit, as renderers see it, with fields of its own."""
        seconds, ahead = self.event_at_sec or self.created_at_sec, self.utc_offset
        return Grain(self.grain_type, {**self.fields}, self.hash, seconds, ahead or 0)


def _state_trust(row: Mapping[str, Any], fields: dict[str, Any]) -> None:
    """Let the fields state what counts, where the row, or what they were made of, is stricter."""
    stated = statements(row)
    if not stated or (len(stated) == 1 and stated[0] is fields.get("verification_status")):
        return
    most, own = strictest(stated), trust_of(fields)
    if strictness(most) > strictness(own):
        fields["verification_status"] = status(most)
    elif own is None and row.get("verification_status") is not None:
        fields["verification_status"] = status(row["verification_status"])


def hit_or_refusal(row: object) -> SearchHit | tuple[str | None, str]:
    """Return a row as a hit, or the name of its invalid field (None = the row) and the reason.

    The reason is returned, not raised, so that the caller can raise an error outside of any
    ``except`` block: a traceback would show the values of the row with the error being handled.
    """
    try:
        return SearchHit.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return (str(first["loc"][0]) if first["loc"] else None), first["msg"]


def _dated(row: Mapping[str, Any], given: object, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return when the grain was created, and whether that was stated and cannot be read."""
    stated = False
    for name in ("created_at_sec", "created_at"):
        value = row.get(name)
        if value is not None and is_stated(value):
            found, stated = read_moment(value), True
            if found.seconds:
                return _at(found, row)
    own = fields.get("created_at")
    if type(own) is int and 1_000 <= own < 10**14:  # most rows
        return {"created_at_sec": own // 1000}
    if own is not None:
        value = named(given).get("created_at")  # as it came: a decimal number is text by now
        found = read_moment(value, milliseconds=True)
        stated = stated or is_stated(value)
        if found.seconds:
            return _at(found, row)
    return {"created_at_sec": 0, "undated": True} if stated else {"created_at_sec": 0}


def _at(found: Moment, row: Mapping[str, Any]) -> dict[str, Any]:
    if found.offset is None or row.get("utc_offset") is not None:
        return {"created_at_sec": found.seconds}
    return {"created_at_sec": found.seconds, "utc_offset": found.offset}
