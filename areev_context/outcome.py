"""What became of each hit, and where what is shown comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from areev_context.budget.plan import Decision
from areev_context.hits import fields as reading
from areev_context.hits.hit import Grain
from areev_context.layout.outline import Outline, Update, entries_of
from areev_context.selection.item import Allocation, Item
from areev_context.selection.screening import Reason, Screened
from areev_context.selection.select import Selection
from areev_context.tokens import estimate_tokens

__all__ = ["HitOutcome", "Source", "outcomes_of", "sources_of"]


@dataclass(frozen=True, slots=True)
class HitOutcome:
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
        tokens: Tokens of its text as shown, 0 where it is not; counted where a counter and a budget
            are given, else estimated from its fields.
        full_tokens: The same, shown whole; None where it was never weighed.
        priority: 0..1, higher first; None where nothing was weighed.
        number: Its number in the text, from 1, where numbers were asked for.
    """

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


@dataclass(frozen=True, slots=True)
class Source:
    """Where an entry that is shown comes from; a duplicate is listed after the hit it doubles.

    Attributes:
        number: The entry's number, where numbers were asked for.
        id: The retriever's own id, else the hash.
        title: A document's title, else the hit in a few words.
        source: The source, else the session or namespace, where one is known.
    """

    number: int | None
    id: str
    title: str
    source: str | None


def outcomes_of(
    outline: Outline,
    screened: Screened,
    selection: Selection,
    decisions: Sequence[Decision],
    label: Callable[[Grain], str],
) -> tuple[HitOutcome, ...]:
    """Return one outcome per hit that came in, in input order; `label` says a grain in words."""
    numbers = outline.numbers
    out = {}
    for item, decision in zip(selection.body, decisions, strict=True):
        index, grain = item.index, item.grain
        out[index] = _weighed(item, decision, label(grain), numbers.get(index))
    shown = _update_tokens(outline) if selection.pairs else {}
    for index, given in selection.reasons.items():
        aside = screened.trusted.get(index)
        if aside is None:
            out[index] = HitOutcome(index, given)
            continue
        reason = Reason.OMITTED_BUDGET if given is Reason.UPDATE and index not in shown else given
        tokens, number = shown.get(index, 0), numbers.get(index)
        out[index] = _set_aside(aside, reason, label(aside.grain), tokens, number)
    return tuple(out[index] for index in range(len(out)))


def _weighed(item: Item, decision: Decision, label: str, number: int | None) -> HitOutcome:
    grain = item.grain
    form, reason, whole, shown = decision
    return HitOutcome(
        item.index, reason, grain.grain_type, grain.hash, item.hit.id, label,
        form, shown, whole, round(item.priority, 6), number,
    )  # fmt: skip


def _set_aside(
    item: Item, reason: Reason, label: str, tokens: int, number: int | None
) -> HitOutcome:
    return HitOutcome(
        index=item.index,
        reason=reason,
        grain_type=item.grain.grain_type,
        hash=item.grain.hash,
        id=item.hit.id,
        label=label,
        allocation=Allocation.FULL if reason is Reason.UPDATE else Allocation.OMIT,
        tokens=tokens,
        number=number,
    )


def _update_tokens(outline: Outline) -> dict[int, int]:
    """Return the estimated tokens of the values that updates show, by the place of their hit."""
    tokens: dict[int, int] = {}
    for node in entries_of(outline.nodes):
        if isinstance(node, Update):
            tokens[node.index] = estimate_tokens(node.new)
            tokens[node.old_index] = estimate_tokens(node.old or "")
    return tokens


def sources_of(
    outline: Outline, screened: Screened, outcomes: Sequence[HitOutcome]
) -> tuple[Source, ...]:
    """Return one source per hit shown, in reading order, a duplicate after the hit it doubles.

    Of an update it is the newest hit, which the text calls current.
    """
    twins: dict[int, list[int]] = {}
    for twin, first in screened.twins.items():
        twins.setdefault(first, []).append(twin)
    numbers = outline.numbers
    shown = list(dict.fromkeys(node.index for node in entries_of(outline.nodes)))
    if numbers:  # a page of tables reads otherwise than its nodes follow
        shown.sort(key=numbers.__getitem__)
    return tuple(
        _source(screened.trusted[each], outcomes[each].label or "", outcomes[index].number)
        for index in shown
        for each in (index, *twins.get(index, ()))
    )


def _source(item: Item, label: str, number: int | None) -> Source:
    fields, hit = item.grain.fields, item.hit
    title = reading.detail(fields, "title") or label
    source = reading.detail(fields, "source") or hit.source_namespace
    source = source or reading.first(fields, "namespace") or None
    return Source(number, hit.id or item.grain.hash, title, source)
