"""The outcome of each hit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from areev_context.budget.hit_grants import HitGrant
from areev_context.hits.hit import Grain
from areev_context.layout.outline import Outline, Update, entries_of
from areev_context.selection.item import Allocation, Item
from areev_context.selection.screening import Reason, Screened
from areev_context.selection.select import Selection
from areev_context.tokens import estimate_tokens

__all__ = ["HitOutcome", "outcomes_of"]


@dataclass(frozen=True, slots=True)
class HitOutcome:
    """The outcome of one hit of the input: whether and how it is shown, and why.

    A withheld hit, or a hit of an excluded type, has only its index and its reason.

    Attributes:
        index: Index of the hit in the input, from 0.
        reason: The reason why it is shown in this way, or not shown.
        grain_type: Its grain type.
        hash: Its content address.
        id: The retriever's own id of a passage.
        label: The hit in a few words, on one line.
        allocation: Whether it is shown whole, as a summary or not at all.
        tokens: The tokens of its text as shown, 0 if it is not shown. They are counted
            if there is a counter, else estimated: from its text with a budget, from its fields
            without.
        full_tokens: The tokens of its text shown whole; None if they were not needed.
        priority: 0..1, higher first; None if it was not needed.
        number: Its number in the text, from 1; None without numbering.
        undated: Whether it states a date that cannot be read.
        unread: The names of its fields whose values were not understood, in the order of its
            fields; texts show such a value in part, or not at all. Empty for most hits.
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
    unread: tuple[str, ...] = ()
    undated: bool = False
    within: int | None = None

    def __post_init__(self) -> None:
        if self.unread.__class__ is not tuple:  # a store has lists
            object.__setattr__(self, "unread", tuple(self.unread))


def outcomes_of(
    outline: Outline,
    screened: Screened,
    selection: Selection,
    grants: Sequence[HitGrant],
    label: Callable[[Grain], str],
) -> tuple[HitOutcome, ...]:
    """Return one outcome per hit of the input, in order.

    Args:
        outline: The page.
        screened: The hits.
        selection: Which of them may be shown, and why the others may not.
        grants: What each hit of the body got.
        label: A function that describes a grain in words.
    """
    numbers = outline.numbers
    out = {}
    for each in grants:
        out[each.item.index] = _weighed(each, label(each.item.grain), numbers)
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


def _weighed(granted: HitGrant, label: str, numbers: Mapping[int, int]) -> HitOutcome:
    item, (form, reason, whole, shown), entry, within, _ = granted
    grain = item.grain
    number = None if form is Allocation.OMIT else numbers.get(entry)
    return HitOutcome(
        item.index, reason, grain.grain_type, grain.hash, item.hit.id, label, form, shown, whole,
        round(item.priority, 6), number, item.unread, item.hit.undated, within,
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
        unread=item.unread,
        undated=item.hit.undated,
    )


def _update_tokens(outline: Outline) -> dict[int, int]:
    """Return the estimated tokens of the values that updates show, by the place of their hit."""
    tokens: dict[int, int] = {}
    for node in entries_of(outline.nodes):
        if isinstance(node, Update):
            tokens[node.index] = estimate_tokens(node.new)
            tokens[node.old_index] = estimate_tokens(node.old or "")
    return tokens
