"""Turn passages of any retriever, text and metadata, into hits; other metadata are not read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from areev_context.errors import InputError
from areev_context.hits.contents import content_text
from areev_context.hits.fields import NOT_SHOWN
from areev_context.hits.grain_types import GRAIN_TYPES
from areev_context.hits.hit import SearchHit, finite, grain_hash, identifier
from areev_context.hits.links import linked
from areev_context.hits.loaders import DETAILS, arranged, details_in, last_part
from areev_context.hits.position import position_in
from areev_context.hits.trust import statements, status, strictest
from areev_context.text.dates import UNKNOWN, Moment, is_stated, read_moment
from areev_context.text.foreign import is_a, is_list, items, named, some_items, type_name
from areev_context.text.json_values import plain

__all__ = ["Passage", "PassageMapper"]

_LONGEST = 64  # items a list may have before it is shown as its length

_OF_RECALL = (
    "supersession_status", "conflict_status", "recall_source", "source_namespace", "pinned",
)  # fmt: skip
_OF_GRAIN = ("confidence", "namespace")


@dataclass(frozen=True, slots=True)
class Passage:
    """One result of a retriever.

    Attributes:
        text: Its text; None counts as empty.
        metadata: The retriever's metadata; any keys and values.
        score: The score, in any unit; None is unknown.
        id: The retriever's own id; only outcomes and sources show it.
        excluded: Metadata keys that are not shown for this passage, unless the mapper names them.
            Reserved keys that decide whether and where it is shown are still read, and so are the
            details that a `Source` names.
        position: Where in its source it stands, as `SearchHit` has it; what it states replaces what
            the metadata state: ``start_index``, ``chunk_index``, ``parent_id`` and so on.
    """

    text: str | None
    metadata: Mapping[Any, Any] = field(default_factory=dict)
    score: Any = None
    id: str | None = None
    excluded: Iterable[str] = ()
    position: Mapping[str, Any] | None = None


class PassageMapper(BaseModel):
    """Turns passages into hits: documents, or other grains if the metadata name a grain type.

    Only the shown details and the reserved keys are read; no other metadata reach a hit. Reserved
    are ``grain_type`` with a known type and the fields of that type, and
    ``verification_status``, ``confidence``, ``namespace``, ``created_at`` (when it was recorded),
    ``event_at``, ``timestamp``, ``date``, ``published``, ``valid_at`` (when it happened),
    ``supersession_status``, ``superseded_by`` or ``superseded_by_hash``, ``conflict_status``,
    ``recall_source``, ``source_namespace``, ``pinned``.

    Attributes:
        shown: The metadata keys to show, in order; a dotted path reads inside objects. The names
            ``title``, ``source``, ``file_name``, ``page``, ``section``, ``author`` and ``url``
            also read what loaders write in their place: ``page_label``, ``Header 1`` and so on.
            None = these seven, but for the keys that a passage excludes.
        full_paths: Whether a source that is a path of files is shown whole; if not, its last part.
            A `Source` has the whole path.
        score_key: The metadata key that holds the score; None = the passage's own.
        higher_is_better: False for distances.
        scores: What the scores are. ``retriever``: they order a list, and falling ones from 0 to 1
            enter the priority. ``reranker``: a reranker read query and passage, so they decide
            which passages a budget shows, whatever words these share with the query. They are 0..1,
            or logits, which the logistic function brings there.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    shown: tuple[str, ...] | None = Field(
        default=None,
        description="The metadata keys to show, in order; none means what loaders write",
    )
    full_paths: bool = Field(
        default=False, description="Whether a source that is a path of files is shown whole"
    )
    score_key: str | None = Field(
        default=None, description="The metadata key of the score; none means the passage's own"
    )
    higher_is_better: bool = Field(default=True, description="Off for distances")
    scores: Literal["retriever", "reranker"] = Field(
        default="retriever", description="What wrote the scores: a retriever or a reranker"
    )

    def hits(self, passages: Iterable[Passage]) -> list[SearchHit]:
        """Return one hit per passage, in order; never raises because of a passage's content.

        Scores outside of 0..1, or that rise down the list, do not show relevance and are ignored;
        the rank in the list counts instead. Scores of retracted passages are not read.

        Raises:
            InputError: The argument is no list of `Passage`.
        """
        found = _listed(passages)
        scores = [self._score(passage) for passage in found]
        hits = [self._hit(passage) for passage in found]
        if self.scores == "reranker":
            rated = _relevances(scores, higher_is_better=self.higher_is_better)
            hits = [
                hit if relevance is None else hit.model_copy(update={"relevance": relevance})
                for hit, relevance in zip(hits, rated, strict=True)
            ]
        return linked(hits, named=True, scores=scores, higher_is_better=self.higher_is_better)

    def _score(self, passage: Passage) -> Any:
        return (
            passage.score
            if self.score_key is None
            else _at(named(passage.metadata), self.score_key)
        )

    def _hit(self, passage: Passage) -> SearchHit:
        metadata, text = named(passage.metadata), _content(passage.text)
        excluded = _excluded(passage)
        grain_type = _grain_type(metadata)
        origin = None
        if grain_type == "document":
            own = details_in(metadata)
            details = self._details(metadata, excluded, own)
            fields = {"content": text, **details}
            origin = _origin(own, details)
        else:
            fields = _typed(grain_type, text, metadata, excluded)
        identity = grain_hash(grain_type, fields)
        fields |= _of_grain(metadata, excluded)
        newer = _newer(metadata)
        if newer:
            fields["superseded_by"] = True  # that there is one; which one it is enters no text
        dated = _dated(metadata, excluded, is_document=grain_type == "document")
        row = {name: metadata.get(name) for name in _OF_RECALL if name not in excluded}
        return SearchHit.model_validate({
            **row,
            "grain_type": grain_type,
            "fields": fields,
            "hash": identity,
            **dated,
            "superseded_by_hash": newer,
            "id": passage.id,
            "origin": origin,
            "position": _position(passage, metadata),
        })  # fmt: skip

    def _details(
        self, metadata: Mapping[str, Any], excluded: frozenset[str], own: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return what a document shows beside its text; `own` are those that are read."""
        read = own
        if self.shown is None:
            read = arranged(details_in(metadata, excluded) if excluded else own)
        elif "source" not in own and "file_name" in own:
            read = {**own, "source": own["file_name"]}
        found: dict[str, Any] = {}
        for key in DETAILS if self.shown is None else self.shown:
            given = read.get(key) if key in DETAILS else _at(metadata, key)
            value = given if type(given) is str else plain(given, longest=_LONGEST)
            if value is None or value == "":
                continue
            if type(value) is str and key in _PATHS and not self.full_paths:
                value = last_part(value)
            found[f"meta-{key}" if key in NOT_SHOWN else key] = value
        return found


_PATHS = ("source", "file_name")


def _position(passage: Passage, metadata: Mapping[str, Any]) -> Mapping[str, Any] | None:
    own = position_in(metadata)
    given = passage.position
    return own or None if given is None else {**own, **named(given)}


_HAPPENED = (
    "event_at", "timestamp", "date", "published", "published_at", "publish_date", "Published",
    "valid_at",
)  # fmt: skip


def _dated(
    metadata: Mapping[str, Any], excluded: frozenset[str], *, is_document: bool
) -> dict[str, Any]:
    """Return when what a passage tells happened, and when it was recorded."""

    def stated(names: Iterable[str]) -> tuple[Moment, bool]:
        given = [n for n in names if is_stated(metadata.get(n)) and n not in excluded]
        found = (read_moment(metadata[name]) for name in given)
        return next((moment for moment in found if moment.seconds), UNKNOWN), bool(given)

    happened, has_event = stated(_HAPPENED)
    recorded, has_record = stated(("created_at",))
    shown = happened if happened.seconds else recorded
    dated: dict[str, Any] = {
        "created_at_sec": recorded.seconds or happened.seconds,
        "utc_offset": shown.offset,
        "undated": (has_event or has_record) and not shown.seconds,
    }
    if happened.seconds or is_document:
        dated["event_at_sec"] = happened.seconds
    return dated


def _origin(own: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the details that a source names and that the text does not show in this way."""
    own = arranged(own)
    found = {key: own[key] for key in _OF_SOURCES if key in own and own[key] is not shown.get(key)}
    return found or None


_OF_SOURCES = ("title", "source", "page", "url")


def _relevances(scores: Iterable[Any], *, higher_is_better: bool) -> list[float | None]:
    """Return the scores of a reranker, or its distances, as relevances from 0 to 1."""
    known = [finite(score) for score in scores]
    if all(0.0 <= score <= 1.0 for score in known if score is not None):
        return [score if score is None or higher_is_better else 1.0 - score for score in known]
    sign = 1.0 if higher_is_better else -1.0
    return [None if score is None else _logistic(sign * score) for score in known]


def _logistic(logit: float) -> float:
    return 0.5 * (1.0 + math.tanh(0.5 * logit))


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


def _content(value: object) -> str:
    """Return the text of a passage; some retrievers return a number, or blocks of content."""
    if type(value) is str:
        return value
    return content_text(plain(value)) if is_a(value, _VALUES) else _string(value)


_VALUES = (int, float, list, dict)


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
        for name in GRAIN_TYPES[grain_type].fields
        if name not in excluded and metadata.get(name) is not None
    }
    if grain_type == "state":
        context = fields.get("context", {})
        own = context if isinstance(context, dict) else {"context": context}
        fields["context"] = {**own, "label": text} if _is_absent(own.get("label")) else own
    elif grain_type == "recommendation":
        fields.setdefault("summary", {"args": {"text": text}})
    else:
        name = GRAIN_TYPES[grain_type].text_field
        if name is not None and _is_absent(fields.get(name)):
            fields[name] = text
    return fields


def _is_absent(value: object) -> bool:
    return value in (None, [], {})


def _of_grain(metadata: Mapping[Any, Any], excluded: frozenset[str]) -> dict[str, Any]:
    found = {
        name: plain(metadata[name], longest=_LONGEST)
        for name in _OF_GRAIN
        if metadata.get(name) is not None and name not in excluded
    }
    stated = strictest(statements(metadata))
    return found if stated is None else {**found, "verification_status": status(stated)}


def _newer(metadata: Mapping[Any, Any]) -> str | None:
    named = identifier(metadata.get("superseded_by_hash"))
    return named or identifier(metadata.get("superseded_by"))
