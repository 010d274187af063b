"""The first step: withhold what is not to be seen, set aside what is empty or there twice.

What is withheld here reaches nothing further on: no mode, no count, no text, no judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from areev_context.core import reading
from areev_context.core.grains import Grain, SearchHit
from areev_context.core.policy import FormatPolicy
from areev_context.core.text import clean, clean_json, fold

__all__ = ["Kept", "Reason", "Screened", "screen"]

_WITHHELD = frozenset({"retracted", "rejected"})


class Reason(StrEnum):
    """What became of a hit; a closed list."""

    FULL = "full"
    SUMMARY = "summary"
    UPDATE = "update"
    CUT = "cut"
    OMITTED_BUDGET = "omitted_budget"
    FLOOR_UNAFFORDABLE = "floor_unaffordable"
    OMITTED_JUDGE = "omitted_judge"
    TRIMMED = "trimmed"
    OVER_SOURCE_CAP = "over_source_cap"
    WITHHELD = "withheld"
    EXCLUDED_TYPE = "excluded_type"
    OVER_MAX_COUNT = "over_max_count"
    SUPERSEDED = "superseded"
    DUPLICATE = "duplicate"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Kept:
    """A hit that may be shown: its place among those that came in, and its cleaned self.

    Attributes:
        index: Place among the hits that came in, from 0.
        hit: The hit, its strings cleaned.
        grain: The hit's grain.
        score: Its score, 0..1; where that is unknown its place, `1 - place / n`.
    """

    index: int
    hit: SearchHit
    grain: Grain
    score: float


@dataclass(frozen=True, slots=True)
class Screened:
    """What the first step leaves.

    Attributes:
        kept: The hits that may be shown, in input order.
        fates: Reasons of those that may not, by index.
        twins: Index of a duplicate -> index of the hit that stands for it.
        cleaned: Places mended in the strings of all hits but the withheld ones.
    """

    trusted: dict[int, Kept]
    kept: tuple[Kept, ...]
    fates: dict[int, Reason]
    twins: dict[int, int]
    cleaned: int


def screen(hits: Sequence[SearchHit], policy: FormatPolicy) -> Screened:
    """Withhold what is not to be seen; set aside what is empty or there twice."""
    fates: dict[int, Reason] = {}
    for index, hit in enumerate(hits):
        reason = _withheld(hit, policy)
        if reason is not None:
            fates[index] = reason
    trusted, mended = _trusted(hits, fates)
    twins: dict[int, int] = {}
    seen: dict[tuple[str, str, str], int] = {}
    for index, each in trusted.items():
        if not reading.has_text(each.grain.grain_type, each.grain.fields):
            fates[index] = Reason.EMPTY
            continue
        first = min([seen.setdefault(key, index) for key in _identities(each.hit)])
        if first != index:
            fates[index], twins[index] = Reason.DUPLICATE, first
    kept = tuple(each for index, each in trusted.items() if index not in fates)
    return Screened(trusted, kept, fates, twins, mended)


def _trusted(hits: Sequence[SearchHit], withheld: dict[int, Reason]) -> tuple[dict[int, Kept], int]:
    """Return the hits that are not withheld, cleaned and with a score, and the places mended."""
    out: dict[int, Kept] = {}
    mended, total = 0, len(hits) - len(withheld)
    for index, dirty in enumerate(hits):
        if index in withheld:
            continue
        hit, count = _cleaned(dirty)
        mended += count
        score = hit.score
        if score is None or not 0.0 <= score <= 1.0:
            score = 1.0 - len(out) / total
        out[index] = Kept(index, hit, hit.grain, score)
    return out, mended


def _withheld(hit: SearchHit, policy: FormatPolicy) -> Reason | None:
    if not policy.include_retracted and _retracted(hit):
        return Reason.WITHHELD
    override = policy.grain_overrides.get(hit.grain_type) if policy.grain_overrides else None
    return Reason.EXCLUDED_TYPE if override is not None and not override.include else None


def _retracted(hit: SearchHit) -> bool:
    fields = hit.fields
    context = fields.get("context")
    spoken = (
        fields.get("verification_status"),
        context.get("vstatus") if isinstance(context, dict) else None,
    )
    return any(
        isinstance(status, str) and clean(status)[0].strip().casefold() in _WITHHELD
        for status in spoken
    )


def _cleaned(hit: SearchHit) -> tuple[SearchHit, int]:
    fields, mended = clean_json(hit.fields)
    update: dict[str, object] = {"fields": fields} if mended else {}
    for name in ("grain_type", "hash", "id", "source_namespace", "superseded_by_hash"):
        value = getattr(hit, name)
        if value is not None and not value.isprintable():
            update[name], count = clean(value)
            mended += count
    return (hit.model_copy(update=update) if mended else hit), mended


def _identities(hit: SearchHit) -> list[tuple[str, str, str]]:
    same = [(hit.grain_type, "hash", hit.hash)]
    if hit.grain_type == "document":
        same.append(("document", "text", fold(reading.text(hit.fields, "content"))))
    return same
