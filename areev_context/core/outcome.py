"""What became of each hit, and where what is shown comes from."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from areev_context.core import reading
from areev_context.core.budget import Allocation
from areev_context.core.lines import summary_line
from areev_context.core.outline import Outline, Update, entries_of
from areev_context.core.screen import Kept, Reason, Screened
from areev_context.core.select import Candidate, Selection
from areev_context.core.text import clip, fold
from areev_context.core.tokens import estimate_summary, estimate_tokens

__all__ = ["HitOutcome", "Source", "outcomes_of", "sources_of"]

_LABEL_BYTES = 60


class HitOutcome(BaseModel):
    """What became of one hit that came in.

    A withheld hit, or one of an excluded type, has its index and its reason only.

    Attributes:
        index: Place among the hits that came in, from 0.
        reason: Why it is shown as it is, or not.
        grain_type: Its type.
        hash: Its content address.
        id: The retriever's own id of a passage.
        label: The hit in a few words, on one line.
        allocation: At what length it is shown.
        tokens: Estimated tokens as shown, 0 where it is not.
        full_tokens: Estimated tokens shown whole.
        priority: 0..1, higher first; None where nothing was weighed.
        number: Its number in the text, from 1, where numbers were asked for.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    index: int
    reason: Reason
    grain_type: str | None = None
    hash: str | None = None
    id: str | None = None
    label: str | None = None
    allocation: Allocation | None = None
    tokens: int | None = None
    full_tokens: int | None = None
    priority: float | None = None
    number: int | None = None


class Source(BaseModel):
    """Where an entry that is shown comes from; a duplicate is listed after the hit it doubles.

    Attributes:
        number: The entry's number, where numbers were asked for.
        id: The retriever's own id, else the hash.
        title: A document's title, else the hit in a few words.
        source: The source, else the session or namespace, where one is known.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int | None
    id: str
    title: str
    source: str | None


def outcomes_of(
    outline: Outline, screened: Screened, selection: Selection, forms: Sequence[Allocation]
) -> tuple[HitOutcome, ...]:
    """Return one outcome per hit that came in, in input order."""
    shown = dict(zip((c.kept.index for c in selection.body), forms, strict=True))
    weighed = {candidate.kept.index: candidate for candidate in selection.body}
    updates = _update_tokens(outline)
    out = []
    for index in range(len(screened.trusted) + _withheld_count(screened)):
        kept = screened.trusted.get(index)
        if kept is None:
            out.append(HitOutcome(index=index, reason=screened.fates[index]))
        elif index in weighed:
            out.append(_weighed(weighed[index], shown[index], outline.numbers.get(index)))
        else:
            out.append(_set_aside(kept, selection.fates[index], updates, outline))
    return tuple(out)


def _withheld_count(screened: Screened) -> int:
    return sum(1 for index in screened.fates if index not in screened.trusted)


def _weighed(candidate: Candidate, form: Allocation, number: int | None) -> HitOutcome:
    kept, whole = candidate.kept, candidate.tokens
    tokens = {Allocation.FULL: whole, Allocation.SUMMARY: estimate_summary(whole)}.get(form, 0)
    return HitOutcome(
        index=kept.index,
        reason=_REASONS[form],
        grain_type=kept.grain.grain_type,
        hash=kept.grain.hash,
        id=kept.hit.id,
        label=_label(kept),
        allocation=form,
        tokens=tokens,
        full_tokens=whole,
        priority=round(candidate.priority, 6),
        number=number,
    )


_REASONS = {
    Allocation.FULL: Reason.FULL,
    Allocation.SUMMARY: Reason.SUMMARY,
    Allocation.OMIT: Reason.OMITTED_BUDGET,
}


def _set_aside(kept: Kept, reason: Reason, updates: dict[int, int], outline: Outline) -> HitOutcome:
    is_update = reason is Reason.UPDATE
    return HitOutcome(
        index=kept.index,
        reason=reason,
        grain_type=kept.grain.grain_type,
        hash=kept.grain.hash,
        id=kept.hit.id,
        label=_label(kept),
        allocation=Allocation.FULL if is_update else Allocation.OMIT,
        tokens=updates.get(kept.index, 0),
        number=outline.numbers.get(kept.index),
    )


def _update_tokens(outline: Outline) -> dict[int, int]:
    """Return the estimated tokens of the values that updates show, by the place of their hit."""
    tokens: dict[int, int] = {}
    for node in entries_of(outline.nodes):
        if isinstance(node, Update):
            tokens[node.index] = estimate_tokens(node.new)
            tokens[node.old_index] = estimate_tokens(node.old or "")
    return tokens


def sources_of(outline: Outline, screened: Screened) -> tuple[Source, ...]:
    """Return one source per hit shown, in reading order, a duplicate after the hit it doubles.

    Of an update it is the newest hit, which the text calls current.
    """
    twins: dict[int, list[int]] = {}
    for twin, first in screened.twins.items():
        twins.setdefault(first, []).append(twin)
    shown = dict.fromkeys(node.index for node in entries_of(outline.nodes))
    return tuple(
        _source(screened.trusted[each], outline.numbers.get(index))
        for index in shown
        for each in (index, *twins.get(index, ()))
    )


def _source(kept: Kept, number: int | None) -> Source:
    hit, fields = kept.hit, kept.hit.fields
    source = reading.first(fields, "source") or hit.source_namespace
    return Source(
        number=number,
        id=hit.id or hit.hash,
        title=reading.first(fields, "title") or _label(kept),
        source=source or reading.first(fields, "namespace") or None,
    )


def _label(kept: Kept) -> str:
    """Return a grain in a few words: a title, or its summary within 60 bytes, on one line."""
    grain = kept.grain
    if grain.grain_type == "document":
        words = _short(reading.first(grain.fields, "title", "content"))
    else:
        words = summary_line(grain.grain_type, grain.hash, grain.fields, _short)
    return clip(fold(words), _LABEL_BYTES)


def _short(value: str) -> str:
    return value[: 4 * _LABEL_BYTES]
