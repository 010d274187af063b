"""The rule for passages and turns: within a counted budget, show what answers the query.

Each document and each event, and each long text of another type, is shown whole, in part, or not
at all, by what its parts should tell; other grains whole or not. The plan is measured on the whole
text and mended until it keeps the budget; what room is left is used by the ceiling's own rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from areev_context.budget.draft import Draft
from areev_context.budget.extract import Extract, Extracts
from areev_context.budget.parted import TEXT_TYPES, Parted, divided_field, parted
from areev_context.budget.relevance import part_values
from areev_context.budget.slices import shown_text
from areev_context.layout.outline import Entry
from areev_context.selection.item import Allocation, Item
from areev_context.text.words import asked_by, shared_with

__all__ = ["Packed", "PassagePacking"]

_ROUNDS = 4  # plans that are counted
_TYPE = 2.0  # how much the priority of a grain that is no text weighs against the words it shares
_TEXT_PRIORITY = 0.70  # the priority at which it weighs nothing
_RATED = 6.0  # how much a decider's relevance, 0..1, weighs: all of it more than ten shared words
_SURE = 0.7  # of an estimate of tokens: less it is hardly ever
_NEAR = 0.98  # of the budget: near enough to stop
_SHORT = 40  # tokens up to which the first hit comes first, whatever it says


class Packed(NamedTuple):
    """A plan that keeps the budget.

    Attributes:
        forms: The form of each hit of the body, in its order.
        parts: The entry of each that is shown in part, by its slot.
        trimmed: The slots whose entries leave out only what another entry shows.
        tokens: The count of the whole text.
    """

    forms: tuple[Allocation, ...]
    parts: Mapping[int, Entry]
    trimmed: frozenset[int]
    tokens: int


class PassagePacking:
    """The hits of a draft's body, read once, to be packed by what their parts tell.

    Args:
        draft: The draft.
        wholes: Each hit of the body shown whole: its counted tokens and its text.
        whole: The slots of what is shown whole in any case.
        budget: The ceiling.

    Attributes:
        order: The slots of the body, first what is worth most.
        least: The tokens that no form of each can do without, about.
    """

    def __init__(
        self,
        draft: Draft,
        wholes: Sequence[tuple[int, str]],
        whole: frozenset[int],
        budget: int,
    ) -> None:
        self._draft = draft
        self._budget = budget
        self._all = sum(tokens for tokens, _ in wholes)
        passages = self._passages = parted(draft, wholes, budget)
        values = _values(draft, passages, wholes)
        self._extracts = Extracts(passages, values, whole)
        best = [-max(of) for of in values]
        self.order = tuple(sorted(range(len(passages)), key=best.__getitem__))
        self.least = tuple([int(p.head + _SURE * min(p.tokens)) for p in passages])

    def summary(self, slot: int) -> Entry:
        """Return the shortest entry of a hit of the body: its best part and what belongs to it."""
        return self._in_part(slot, self._extracts.best(slot))

    def plan(
        self, count: Callable[[Sequence[Allocation], Mapping[int, Entry]], int]
    ) -> Packed | None:
        """Return a plan, or None where none was found that keeps the budget.

        Args:
            count: The tokens of the whole text of a plan, given its entries in part.
        """
        if self._all <= self._budget:
            forms = (Allocation.FULL,) * len(self._passages)
            tokens = count(forms, {})
            if 0 < tokens <= self._budget:
                return Packed(forms, {}, frozenset(), tokens)
        best, last, room = None, None, float(self._budget)
        for _ in range(_ROUNDS):
            chosen, used = self._extracts.chosen(room, join=1.0)
            if chosen == last:
                break
            last = chosen
            forms, parts, trimmed = self._forms(chosen)
            tokens = count(forms, parts)
            if tokens <= self._budget and (best is None or tokens > best.tokens):
                best = Packed(forms, parts, trimmed, tokens)
            if _NEAR * self._budget <= tokens <= self._budget:
                break
            over = tokens - self._budget
            room = used - over - 1 if over > 0 else room - over
        return best if best is not None and best.tokens else None

    def _forms(
        self, chosen: Mapping[int, Extract]
    ) -> tuple[tuple[Allocation, ...], dict[int, Entry], frozenset[int]]:
        forms = [Allocation.OMIT] * len(self._passages)
        parts: dict[int, Entry] = {}
        trimmed = set()
        for slot, extract in chosen.items():
            if len(extract.shown) == len(self._passages[slot].parts):
                forms[slot] = Allocation.FULL
                continue
            forms[slot] = Allocation.SUMMARY
            parts[slot] = self._in_part(slot, extract.shown)
            if extract.elsewhere:
                trimmed.add(slot)
        return tuple(forms), parts, frozenset(trimmed)

    def _in_part(self, slot: int, shown: Sequence[int]) -> Entry:
        of, item = self._passages[slot], self._draft.selection.body[slot]
        field = of.field or divided_field(item) or "content"
        return _in_part(self._draft, item, field, shown_text(of.text, of.parts, shown))


def _in_part(draft: Draft, item: Item, field: str, content: str) -> Entry:
    """Return an entry with other content; all that stands about it stays."""
    grain = item.grain
    shorter = grain._replace(fields={**grain.fields, field: content})
    text = draft.format.render(shorter, draft.policy.metadata)
    return Entry(item, Allocation.SUMMARY, text)


def _values(
    draft: Draft, passages: Sequence[Parted], wholes: Sequence[tuple[int, str]]
) -> list[list[float]]:
    """Return the values of each passage's parts; a decider's order is that of the passages."""
    scores, body = draft.advice.scores, draft.selection.body
    order = sorted(range(len(body)), key=lambda n: -scores.get(body[n].index, 0.0))
    query = draft.renderers.policy.query_text or ""
    found = dict(zip(order, part_values(query, [passages[n] for n in order]), strict=True))
    values = []
    for n, item in enumerate(body):
        bonus = _RATED * scores.get(item.index, 0.0)
        if item.grain.grain_type not in TEXT_TYPES:
            bonus += _TYPE * (item.priority - _TEXT_PRIORITY)
        values.append([value + bonus for value in found[n]])
    first = order[0] if order else -1
    short = first >= 0 and wholes[first][0] <= _SHORT
    if short and (scores or _shares_most(query, passages, first)):
        # else it could go because it is short
        top = max(max(of) for of in values)
        values[first] = [top + 1.0] * len(values[first])
    return values


def _shares_most(query: str, passages: Sequence[Parted], first: int) -> bool:
    """Return whether no passage has more of the query's words than the first one."""
    asked = asked_by(query)
    shared = [len(shared_with(passage.text, asked)) for passage in passages]
    return max(shared) == shared[first]
