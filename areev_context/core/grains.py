"""Grains, the hits that carry them, and the table of grain types."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from areev_context.core.dates import read_moment
from areev_context.core.foreign import is_a, is_mapping, named, number, type_name
from areev_context.core.plain import plain
from areev_context.core.text import clean

__all__ = [
    "GRAIN_TYPES",
    "SECTION_ORDER",
    "ConflictStatus",
    "Grain",
    "GrainType",
    "RecallSource",
    "SearchHit",
    "SupersessionStatus",
    "finite",
    "grain_hash",
    "identifier",
    "section_of",
    "status",
]


@dataclass(frozen=True, slots=True)
class GrainType:
    """One row of the table of grain types.

    Attributes:
        name: The type, as a row carries it and as SML's tag says it.
        section: Its plural: SML's section tag, TOON's and JSON's key.
        columns: TOON's columns, in order.
        base: Base priority, 0..1.
    """

    name: str
    section: str
    columns: tuple[str, ...]
    base: float


_TABLE = (
    GrainType("state", "states", ("context", "content"), 0.90),
    GrainType("goal", "goals", ("subject", "content", "state"), 0.80),
    GrainType("fact", "facts", ("subject", "content", "confidence"), 0.70),
    GrainType("tool", "tools", ("tool", "phase", "content"), 0.50),
    GrainType("event", "events", ("role", "time", "content"), 0.60),
    GrainType("observation", "observations", ("observer", "content"), 0.60),
    GrainType("reasoning", "reasoning", ("type", "content"), 0.70),
    GrainType("workflow", "workflows", ("name", "content"), 0.50),
    GrainType("consensus", "consensus", ("threshold", "count", "content"), 0.65),
    GrainType("consent", "consents", ("grantor", "grantee", "action", "content"), 0.95),
    GrainType("skill", "skills", ("name", "domain", "proficiency"), 0.60),
    GrainType("recommendation", "recommendations", ("target_ref", "severity", "content"), 0.70),
    GrainType("trigger", "triggers", ("kind", "content"), 0.55),
    GrainType("document", "documents", ("source", "title", "content"), 0.70),
)

GRAIN_TYPES: Mapping[str, GrainType] = {row.name: row for row in _TABLE}
"""The known grain types by name; the first twelve in the order of their sections."""

SECTION_ORDER: tuple[str, ...] = tuple(row.name for row in _TABLE[:12])
"""The types whose sections have a place of their own; the others follow as they first appear."""

# Keys of our own beside the sections in TOON and JSON. A host's type must not take one of them.
_PREFIX = "other_"
_TAKEN = frozenset(row.section for row in _TABLE) | {
    "by_entity", "census", "context", "entities", "expansion",
    "knowledge_updates", "most_relevant", "additional_context", "timeline",
}  # fmt: skip


def section_of(grain_type: str) -> str:
    """Return the section name of a type: its plural, for an unknown type its name and ``s``.

    An unknown type whose plural is a section or a key of ours gets ``other_`` before it; two
    types never share a section.
    """
    row = GRAIN_TYPES.get(grain_type)
    if row is not None:
        return row.section
    name = bare = f"{grain_type}s"
    while bare.startswith(_PREFIX):
        bare = bare.removeprefix(_PREFIX)
    return _PREFIX + name if bare in _TAKEN else name


class Grain(NamedTuple):
    """One memory, as renderers see it.

    Attributes:
        grain_type: A name of `GRAIN_TYPES`, or any other string.
        fields: A JSON object. Treat it as read-only.
        hash: Content address, lower-case hex where the engine made it.
        created_at: Whole seconds since the epoch, UTC; 0 is unknown.
    """

    grain_type: str
    fields: Mapping[str, Any]
    hash: str
    created_at: int


def grain_hash(grain_type: str, fields: Mapping[str, Any]) -> str:
    """Return the SHA-256, in hex, of the type and the canonical JSON of the fields."""
    return hashlib.sha256(_canonical([grain_type, fields]).encode()).hexdigest()


_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


class ConflictStatus(StrEnum):
    """Whether a hit holds the value that counts, where two hits conflict."""

    CURRENT = "current"
    OUTDATED = "outdated"


class SupersessionStatus(StrEnum):
    """Whether a newer grain replaced the hit's grain."""

    CURRENT = "current"
    SUPERSEDED = "superseded"


class RecallSource(StrEnum):
    """Which step of recall found the hit."""

    PRIMARY = "primary"
    EXPANSION = "expansion"
    CENSUS = "census"


def finite(value: Any) -> float | None:
    """Return a number of any library's as a finite float, else None; never raises."""
    found = number(value)
    try:
        return float(found) if found is not None and math.isfinite(found) else None
    except OverflowError:  # a whole number too large
        return None


def _text(value: Any) -> str | None:
    text = str.__str__(value) if issubclass(type(value), str) else ""
    return text if clean(text)[0] else None


def status(value: Any) -> Any:
    """Return a status as a JSON value; bytes are read as the text that they are elsewhere."""
    if issubclass(type(value), bytes):
        return bytes.decode(value, errors="replace")
    return plain(value)


def identifier(value: Any) -> str | None:
    """Return an id as text: a non-empty string, a number, or what has a plain form; else None."""
    spoken = plain(value)
    if isinstance(spoken, bool) or spoken == "":
        return None
    return str(spoken) if isinstance(spoken, str | int | float) else None


def _one_of(kind: type[StrEnum]) -> BeforeValidator:
    def read(value: Any) -> StrEnum | None:
        try:
            return kind(str.lower(value)) if issubclass(type(value), str) else None
        except ValueError:
            return None

    return BeforeValidator(read)


_Text = Annotated[str | None, BeforeValidator(_text)]


class SearchHit(BaseModel):
    """One result of a recall: a grain, its score, and what the recall knows of it.

    ``SearchHit.model_validate(row)`` reads a flat row: ``grain_type`` (or ``type``) and ``fields``
    are required, the rest is optional and unknown keys are ignored. The engine's own rows validate
    as they are. A row without a type or with fields that are no object raises pydantic's
    ``ValidationError``; an optional value that cannot be read counts as unknown.

    Attributes:
        grain_type: A name of `GRAIN_TYPES`, or any other non-empty string.
        fields: The grain's fields as a JSON object; other Python values are made plain.
        hash: Content address; where a row has none, `grain_hash` of its type and fields.
        created_at_sec: Whole seconds since the epoch, UTC, 0 = unknown. ``created_at_sec``, or
            ``created_at`` in seconds, wins over ``fields.created_at``, which is in milliseconds.
        score: The recall's score, 0..1, higher is better; None, or outside, is unknown.
        id: The retriever's own id of a passage; it stands in outcomes and sources only.
        source_namespace: The session or namespace a census hit comes from.
        recall_source: Which step of recall found the hit; None counts as primary.
        conflict_status: Whether it holds the value that counts.
        supersession_status: Whether a newer grain replaced it.
        superseded_by_hash: The hash of that newer grain.
        relative_time: Kept for a host's renderer, shown nowhere.
        explanation: Kept for a host's renderer, shown nowhere.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    grain_type: str
    fields: dict[str, Any]
    hash: str
    created_at_sec: int = 0
    score: Annotated[float | None, BeforeValidator(finite)] = None
    id: Annotated[str | None, BeforeValidator(identifier)] = None
    source_namespace: _Text = None
    recall_source: Annotated[RecallSource | None, _one_of(RecallSource)] = None
    conflict_status: Annotated[ConflictStatus | None, _one_of(ConflictStatus)] = None
    supersession_status: Annotated[SupersessionStatus | None, _one_of(SupersessionStatus)] = None
    superseded_by_hash: _Text = None
    relative_time: _Text = None
    explanation: _Text = None

    @model_validator(mode="before")
    @classmethod
    def _read_row(cls, row: Any) -> Any:
        if not is_mapping(row):
            return row  # pydantic says what it is and what was expected
        row = named(row)
        grain_type = row.get("grain_type", row.get("type"))
        named_so = str.__str__(grain_type) if issubclass(type(grain_type), str) else ""
        if not clean(named_so)[0].strip():
            found = "missing" if grain_type is None else f"{plain(grain_type)!r}"
            raise PydanticCustomError(
                "grain_type", f"grain_type (or type) is {found}: give a non-empty string"
            )
        given = row.get("fields")
        if not is_mapping(given):
            found = "missing" if given is None else f"of type {type_name(given)}"
            raise PydanticCustomError("fields", f"fields is {found}: give a JSON object")
        made = plain(given)
        fields = made if isinstance(made, dict) else {}  # what cannot be read has no fields
        identity = _text(row.get("hash")) or grain_hash(named_so, fields)
        if row.get("verification_status") is not None:  # a row may say it beside its fields
            fields.setdefault("verification_status", status(row["verification_status"]))
        return {
            **row,
            "grain_type": named_so,
            "fields": fields,
            "hash": identity,
            "created_at_sec": _created_at(row, given, fields),
        }

    @property
    def grain(self) -> Grain:
        """The grain of this hit, as renderers see it."""
        return Grain(self.grain_type, self.fields, self.hash, self.created_at_sec)


def _created_at(row: Mapping[str, Any], given: object, fields: Mapping[str, Any]) -> int:
    for name in ("created_at_sec", "created_at"):
        moment = read_moment(row.get(name))
        if moment:
            return moment
    if fields.get("created_at") is None:
        return 0
    milliseconds = named(given).get("created_at")  # as it came: a decimal number is text by now
    return 0 if is_a(milliseconds, str) else read_moment(milliseconds, milliseconds=True)
