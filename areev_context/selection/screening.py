"""The first step: withhold retracted and excluded hits, set empty hits and duplicates aside.

No later step sees a withheld hit: no mode, no count, no text, no decider.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter

from areev_context.hits import fields as reading
from areev_context.hits.copies import withheld_places
from areev_context.hits.hit import Grain, SearchHit
from areev_context.hits.links import without
from areev_context.hits.values import readable_fields
from areev_context.policy import FormatPolicy
from areev_context.selection.item import Item
from areev_context.text.clean import clean, clean_json, fold, is_clean
from areev_context.text.dates import Moment, ahead_in, zone_of

__all__ = ["Reason", "Screened", "in_zone", "screen"]


class Reason(StrEnum):
    """The reason of an outcome; a closed list."""

    FULL = "full"
    SUMMARY = "summary"
    UPDATE = "update"
    CUT = "cut"
    OMITTED_BUDGET = "omitted_budget"
    FLOOR_UNAFFORDABLE = "floor_unaffordable"
    OMITTED_DECIDER = "omitted_decider"
    TRIMMED = "trimmed"
    OVER_SOURCE_CAP = "over_source_cap"
    WITHHELD = "withheld"
    EXCLUDED_TYPE = "excluded_type"
    OVER_MAX_COUNT = "over_max_count"
    SUPERSEDED = "superseded"
    DUPLICATE = "duplicate"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Screened:
    """The result of screening.

    Attributes:
        trusted: Index -> hit, for all hits that are not withheld.
        items: The hits that may be shown, in input order.
        reasons: Index -> reason, for the hits that may not be shown.
        twins: Index of a duplicate -> index of the hit that is shown instead.
        cleaned: The number of invalid characters replaced in hits that are not withheld.
        originals: Index -> hit as it came in, for the hits in which some were replaced.
    """

    trusted: dict[int, Item]
    items: tuple[Item, ...]
    reasons: dict[int, Reason]
    twins: dict[int, int]
    cleaned: int
    originals: dict[int, SearchHit]

    @property
    def withheld(self) -> int:
        """The number of hits that are withheld."""
        return sum(index not in self.trusted for index in self.reasons)


def screen(hits: Sequence[SearchHit], policy: FormatPolicy) -> Screened:
    """Withhold retracted and excluded hits; set empty hits and duplicates aside."""
    trusted, reasons, mended = _sifted(hits, policy)
    originals = {index: hits[index] for index in mended}
    alike, twins = _alike(trusted), dict[int, int]()
    seen: dict[tuple[str, str], int] = {}
    for index, each in trusted.items():
        grain = each.grain
        if not reading.has_text(grain.grain_type, grain.fields):
            reasons[index] = Reason.EMPTY
            continue
        first = seen.setdefault((grain.grain_type, grain.hash), index)
        if grain.grain_type == "document" and index in alike:
            first = _first_of_text(each, first, seen)
        if first != index:
            reasons[index], twins[index] = Reason.DUPLICATE, first
    items = tuple(each for index, each in trusted.items() if index not in reasons)
    return Screened(trusted, items, reasons, twins, sum(mended.values()), originals)


def _alike(trusted: Mapping[int, Item]) -> frozenset[int]:
    """Return the documents that begin with another's three words: no other need be folded."""
    begun: dict[tuple[str, ...], list[int]] = {}
    for index, each in trusted.items():
        if each.grain.grain_type == "document":
            words = reading.text(each.grain.fields, "content").split(None, 3)[:3]
            begun.setdefault(tuple(words), []).append(index)
    return frozenset(n for same in begun.values() if len(same) > 1 for n in same)


def _first_of_text(each: Item, first: int, seen: dict[tuple[str, str], int]) -> int:
    """Return the first of the documents that share a hash or a text with this one."""
    text = ("", fold(reading.text(each.grain.fields, "content")))
    first = min(first, seen.get(text, first))
    seen[text] = seen["document", each.grain.hash] = first
    return first


def _sifted(
    hits: Sequence[SearchHit], policy: FormatPolicy
) -> tuple[dict[int, Item], dict[int, Reason], dict[int, int]]:
    """Return the hits that are not withheld, cleaned; why the others are; the mended places."""
    cleaned = [_cleaned(hit) for hit in hits]
    reasons = _withheld(hits, [hit for hit, _ in cleaned], policy)
    excluded = _excluded(policy)
    if reasons or excluded:  # nor may a hit keep what its recall gave it because of them
        alone = without(hits, reasons, lambda kind: clean(kind)[0] in excluded)
        for index, hit in alone.items():
            cleaned[index] = _cleaned(hit)
    passed = [index for index in range(len(hits)) if index not in reasons]
    trusted = {}
    for rank, index in enumerate(passed):
        hit = cleaned[index][0]
        score = hit.score
        if score is None or not 0.0 <= score <= 1.0:
            score = 1.0 - rank / len(passed)
        kind = hit.grain_type
        fields, unread = readable_fields(kind, hit.fields)
        at, ahead = hit.event_at_sec or hit.created_at_sec, hit.utc_offset or 0
        grain = Grain(kind, fields, hit.hash, at, ahead)
        trusted[index] = Item(index, hit, grain, score)
        if unread:
            trusted[index] = trusted[index]._replace(unread=unread)
    mended = {index: cleaned[index][1] for index in passed if cleaned[index][1]}
    return trusted, reasons, mended


def in_zone(screened: Screened, name: str | None) -> Screened:
    """Return screened hits whose dates are those of one time zone; None = as they were stated."""
    zone = None if name is None else zone_of(name)
    if zone is None:
        return screened
    moved = {index: _moved(item, zone) for index, item in screened.trusted.items()}
    items = tuple([moved[item.index] for item in screened.items])
    return replace(screened, trusted=moved, items=items)


def _moved(item: Item, zone: dt.tzinfo) -> Item:
    ahead = ahead_in(zone, Moment(item.grain.created_at, item.hit.utc_offset))
    return item._replace(grain=item.grain._replace(utc_offset=ahead or 0))


def _withheld(
    hits: Sequence[SearchHit], cleaned: Sequence[SearchHit], policy: FormatPolicy
) -> dict[int, Reason]:
    reasons: dict[int, Reason] = {}
    excluded = _excluded(policy)
    if excluded:
        reasons = {
            n: Reason.EXCLUDED_TYPE for n, h in enumerate(cleaned) if h.grain_type in excluded
        }
    if not policy.include_retracted:
        reasons |= dict.fromkeys(withheld_places(hits, cleaned), Reason.WITHHELD)
    return reasons


def _excluded(policy: FormatPolicy) -> frozenset[str]:
    """Return the types that a policy keeps out."""
    overrides = policy.grain_overrides
    return frozenset(name for name, override in overrides.items() if not override.include)


def _cleaned(hit: SearchHit) -> tuple[SearchHit, int]:
    if is_clean(hit.fields) and is_clean("".join(filter(None, _names(hit)))):
        return hit, 0
    mended = {name: clean_json(getattr(hit, name)) for name in _SHOWN}
    update = {name: value for name, (value, _) in mended.items()}
    return hit.model_copy(update=update), sum(count for _, count in mended.values())


_SHOWN = ("fields", "grain_type", "hash", "id", "source_namespace", "superseded_by_hash")
_names = attrgetter(*_SHOWN[1:])
