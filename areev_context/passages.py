"""Passages of any retriever, text and metadata, as hits; what is not listed stays outside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, ConfigDict

from areev_context.core.dates import read_moment
from areev_context.core.errors import InputError
from areev_context.core.foreign import is_a, is_list, items, named, some_items, type_name
from areev_context.core.grains import GRAIN_TYPES, SearchHit, finite, grain_hash, identifier, status
from areev_context.core.plain import plain
from areev_context.core.reading import NOT_SHOWN
from areev_context.core.screen import is_retracted, withholds
from areev_context.rows import linked

__all__ = ["Passage", "PassageMapper"]

_LONGEST = 64  # items a list may have before it is shown as its length

# The fields that each type's tables name: what metadata beside a grain_type may fill in.
_FIELDS: dict[str, tuple[str, ...]] = {
    "fact": ("subject", "relation", "object"),
    "event": ("relation", "role", "speaker", "content", "content_blocks"),
    "state": ("context",),
    "workflow": ("name", "trigger", "nodes", "edges", "bindings"),
    "tool": ("tool_name", "tool_content", "content", "is_error", "error", "duration_ms"),
    "observation": ("observer_id", "subject", "object"),
    "goal": ("subject", "description", "goal_state", "state", "priority", "criteria", "progress"),
    "reasoning": ("conclusion", "premises", "inference_method"),
    "consensus": ("agreed_content", "agreement_count", "dissent_count", "threshold"),
    "consent": ("subject_did", "is_withdrawal", "scope", "grantee_did"),
    "skill": ("name", "domain", "description", "proficiency", "practice_count"),
    "recommendation": ("target_ref", "severity", "summary"),
    "trigger": ("kind", "scope", "description", "name", "connector", "cron", "workflow"),
}

# The field that a passage's text fills where the metadata leave it out.
_TEXT_FIELD = {
    "fact": "object",
    "observation": "object",
    "event": "content",
    "tool": "tool_content",
    "goal": "description",
    "skill": "description",
    "reasoning": "conclusion",
    "consensus": "agreed_content",
    "trigger": "description",
    "workflow": "name",
    "consent": "scope",
}

_OF_RECALL = ("supersession_status", "conflict_status", "recall_source", "source_namespace")
_OF_GRAIN = ("confidence", "namespace")


@dataclass(frozen=True, slots=True)
class Passage:
    """One result of a retriever.

    Attributes:
        text: Its text; None counts as empty.
        metadata: What the retriever knows of it; any keys and values.
        score: Its score, in whatever unit; None is unknown.
        id: The retriever's own id; it stands in outcomes and sources only.
        excluded: Metadata keys that this passage keeps from the model; what decides whether and
            where it is shown is read all the same.
    """

    text: str | None
    metadata: Mapping[Any, Any] = field(default_factory=dict)
    score: Any = None
    id: str | None = None
    excluded: Iterable[str] = ()


class PassageMapper(BaseModel):
    """Turns passages into hits: by default documents, other grains where the metadata say so.

    Only the keys of `shown` and the reserved ones are read; nothing else of the metadata reaches a
    hit. Reserved are ``grain_type`` of a known type with the fields its tables name, and
    ``verification_status``, ``confidence``, ``created_at``, ``namespace``,
    ``supersession_status``, ``superseded_by`` or ``superseded_by_hash``, ``conflict_status``,
    ``recall_source``, ``source_namespace``.

    Attributes:
        shown: The metadata keys to show, in order; a dotted path reads inside objects.
        score_key: The metadata key that holds the score; None = the passage's own.
        higher_is_better: False for distances.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    shown: tuple[str, ...] = ("title", "source", "page", "section", "author", "url")
    score_key: str | None = None
    higher_is_better: bool = True

    def hits(self, passages: Iterable[Passage]) -> list[SearchHit]:
        """Return one hit per passage, in order; never raises for what a passage holds.

        Scores that leave 0..1, or rise further down the list, say nothing about relevance and
        are left out; the place in the list counts instead. Retracted passages are not asked.

        Raises:
            InputError: It is no list of `Passage`.
        """
        found = _listed(passages)
        hits = [self._hit(passage) for passage in found]
        trusted = [n for n, hit in enumerate(hits) if not is_retracted(hit)]
        scores = _scores([self._score(found[n]) for n in trusted], self.higher_is_better)
        for n, score in zip(trusted, scores, strict=True):
            if score is not None:
                hits[n] = hits[n].model_copy(update={"score": score})
        return linked(_by_own_id(hits, trusted))

    def _score(self, passage: Passage) -> Any:
        return (
            passage.score
            if self.score_key is None
            else _at(named(passage.metadata), self.score_key)
        )

    def _hit(self, passage: Passage) -> SearchHit:
        metadata, text = named(passage.metadata), _string(passage.text)
        excluded = _excluded(passage)
        grain_type = _grain_type(metadata)
        if grain_type == "document":
            fields = self._document(text, metadata, excluded)
        else:
            fields = _typed(grain_type, text, metadata, excluded)
        identity = grain_hash(grain_type, fields)
        fields |= _of_grain(metadata, excluded)
        created_at = None if "created_at" in excluded else metadata.get("created_at")
        row = {name: metadata.get(name) for name in _OF_RECALL if name not in excluded}
        return SearchHit.model_validate({
            **row,
            "grain_type": grain_type,
            "fields": fields,
            "hash": identity,
            "created_at_sec": read_moment(created_at, milliseconds=None),
            "superseded_by_hash": _newer(metadata),
            "id": passage.id,
        })  # fmt: skip

    def _document(
        self, text: str, metadata: Mapping[Any, Any], excluded: frozenset[str]
    ) -> dict[str, Any]:
        fields: dict[str, Any] = {"content": text}
        for key in self.shown:
            if key in excluded or key.split(".", 1)[0] in excluded:
                continue
            value = plain(_at(metadata, key), longest=_LONGEST)
            if value is None or value == "":
                continue
            fields[f"meta-{key}" if key in NOT_SHOWN else key] = value
        return fields


def _listed(passages: object) -> list[Passage]:
    if not is_list(passages):
        raise InputError(f"passages is of type {type_name(passages)}: give a list of Passage")
    found = items(passages)
    for place, passage in enumerate(found):
        if not is_a(passage, Passage):
            kind = type_name(passage)
            raise InputError(f"passage {place} is of type {kind}: give a Passage", row=place)
    return found


def _at(metadata: Mapping[Any, Any], path: str) -> Any:
    """Return what a key, or a dotted path into objects, leads to; None where it leads nowhere."""
    if path in metadata or "." not in path:
        return metadata.get(path)
    found: Any = metadata
    for step in path.split("."):
        found = named(found).get(step)
    return found


def _grain_type(metadata: Mapping[Any, Any]) -> str:
    name = _string(metadata.get("grain_type"))
    return name if name in GRAIN_TYPES else "document"


def _string(value: object) -> str:
    return str.__str__(value) if issubclass(type(value), str) else ""


def _excluded(passage: Passage) -> frozenset[str]:
    """Return the keys that a passage keeps from the model: all, where it cannot be read which."""
    given: Any = passage.excluded
    if given is None or (type(given) is tuple and not given):
        return frozenset()
    try:
        return frozenset(map(_string, some_items(given)))
    except Exception:
        return frozenset(named(passage.metadata))


def _typed(
    grain_type: str, text: str, metadata: Mapping[Any, Any], excluded: frozenset[str]
) -> dict[str, Any]:
    fields = {
        name: plain(metadata[name], longest=_LONGEST)
        for name in _FIELDS[grain_type]
        if name not in excluded and metadata.get(name) is not None
    }
    if grain_type == "state":
        context = fields.get("context")
        own = context if isinstance(context, dict) else {}
        fields["context"] = own if isinstance(own.get("label"), str) else {**own, "label": text}
    elif grain_type == "recommendation":
        fields.setdefault("summary", {"args": {"text": text}})
    elif not isinstance(fields.get(_TEXT_FIELD[grain_type]), str):
        fields[_TEXT_FIELD[grain_type]] = text
    return fields


def _of_grain(metadata: Mapping[Any, Any], excluded: frozenset[str]) -> dict[str, Any]:
    found = {
        name: plain(metadata[name], longest=_LONGEST)
        for name in _OF_GRAIN
        if metadata.get(name) is not None and name not in excluded
    }
    context = named(metadata.get("context"))  # the other shape in which trust is said
    given = (metadata.get("verification_status"), context.get("vstatus"))
    said = [status(value) for value in given if value is not None]
    said.sort(key=withholds, reverse=True)
    return {**found, "verification_status": said[0]} if said else found


def _newer(metadata: Mapping[Any, Any]) -> str | None:
    named = identifier(metadata.get("superseded_by_hash"))
    return named or identifier(metadata.get("superseded_by"))


def _by_own_id(hits: list[SearchHit], trusted: Iterable[int]) -> list[SearchHit]:
    """Let passages name the one that replaced them by its own id as well as by its hash."""
    hash_of: dict[str, str] = {}
    for n in trusted:
        if (name := hits[n].id) is not None:
            hash_of.setdefault(name, hits[n].hash)
    return [_replaced(hit, hash_of) if hit.superseded_by_hash else hit for hit in hits]


def _replaced(hit: SearchHit, hash_of: Mapping[str, str]) -> SearchHit:
    """Name the newer passage by its hash; in the fields stands only that there is one."""
    newer = hit.superseded_by_hash or ""
    fields = {**hit.fields, "superseded_by": True}
    return hit.model_copy(
        update={"superseded_by_hash": hash_of.get(newer, newer), "fields": fields}
    )


def _scores(found: Sequence[Any], higher_is_better: bool) -> list[float | None]:
    """Return the scores where they can be compared, else None for each: the rank decides."""
    numbers = [finite(value) for value in found]
    known = [number for number in numbers if number is not None]
    if not all(0.0 <= number <= 1.0 for number in known):
        return [None] * len(numbers)
    if not higher_is_better:
        numbers = [None if number is None else 1.0 - number for number in numbers]
        known = [1.0 - number for number in known]
    falling = all(before >= after for before, after in pairwise(known))
    return numbers if falling else [None] * len(numbers)
