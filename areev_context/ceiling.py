"""The ceiling: the page of a draft whose whole text keeps the budget in counted tokens."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from areev_context.core.budget import Allocation
from areev_context.core.counter import Counter
from areev_context.core.cut import cut_to_fit
from areev_context.core.grains import Grain
from areev_context.core.outline import Entry, Outline
from areev_context.core.plan import Decision, Plan
from areev_context.core.screen import Reason
from areev_context.draft import Draft
from areev_context.sheet import Sheet

__all__ = ["Page", "page_within"]

_CUT_TRIES = 8  # entries that are tried, best first, where nothing fits in any form
_FIELD_TRIES = 2  # fields of an entry that are tried, longest first


class Page(NamedTuple):
    """A page with its plan and its text.

    Attributes:
        plan: What each hit got.
        outline: The page.
        text: Its text.
        tokens: The count of the text; None where it was not counted.
    """

    plan: Plan
    outline: Outline
    text: str
    tokens: int | None


def page_within(draft: Draft, count: Counter, budget: int) -> Page:
    """Return a page of the draft with `count(text) <= budget`, the room used.

    Where nothing fits, the line of entities goes; then one entry is cut; then the text is empty.
    """
    sheet = Sheet(draft, count, roster=True)
    page = _settled(sheet, budget)
    if page is None and draft.hints.entity_count is not None:
        sheet = Sheet(draft, count, roster=False)
        page = _settled(sheet, budget)
    return page or _with_one_cut(sheet, budget) or _empty(sheet, budget)


def _settled(sheet: Sheet, budget: int) -> Page | None:
    forms = sheet.plan_within(budget)
    if all(form is Allocation.OMIT for form in forms):
        return None
    outline, tokens = sheet.outline(forms), sheet.whole(forms)
    return Page(sheet.plan(forms), outline, sheet.draft.written.write(outline), tokens)


def _empty(sheet: Sheet, budget: int) -> Page:
    nothing = [Allocation.OMIT] * len(sheet.units)
    outline = sheet.outline(nothing)
    text = sheet.draft.written.write(outline)
    tokens = sheet.count(text)
    fits = tokens <= budget
    return Page(sheet.plan(nothing), outline, text if fits else "", tokens if fits else 0)


def _with_one_cut(sheet: Sheet, budget: int) -> Page | None:
    """Return a page of one entry cut to what fits, the best that can be; None where none can."""
    if not sheet.draft.shortens or budget == 0:
        return None
    for unit in [unit for unit in sheet.order if unit < len(sheet.body)][:_CUT_TRIES]:
        grain = sheet.body[unit].kept.grain
        if grain.grain_type in sheet.draft.voice.renderers:
            continue  # a host's text is finished
        for name in islice(_texts(sheet.draft, grain), _FIELD_TRIES):
            page = _cut(sheet, unit, name, budget)
            if page is not None:
                return page
    return None


def _texts(draft: Draft, grain: Grain) -> Iterator[str]:
    """Yield the names of the fields whose text the format shows, the longest first."""
    names = [name for name, value in grain.fields.items() if isinstance(value, str)]
    whole = draft.written.render(grain, draft.policy.metadata)
    for name in sorted(names, key=lambda name: -len(grain.fields[name])):
        if draft.written.render(_with(grain, name, ""), draft.policy.metadata) != whole:
            yield name


def _with(grain: Grain, name: str, value: str) -> Grain:
    return grain._replace(fields={**grain.fields, name: value})


def _cut(sheet: Sheet, unit: int, name: str, budget: int) -> Page | None:
    draft, candidate = sheet.draft, sheet.body[unit]
    grain = candidate.kept.grain

    def shown(value: str) -> Entry:
        text = draft.written.render(_with(grain, name, value), draft.policy.metadata)
        return Entry(candidate, Allocation.SUMMARY, text)

    def page(value: str) -> tuple[Outline, str, int]:
        outline = draft.outline([shown(value)], [], roster=False)
        text = draft.written.write(outline)
        return outline, text, sheet.count(text)

    found = cut_to_fit(grain.fields[name], lambda tried: page(tried)[2] <= budget)
    if found is None:
        return None
    body = list(sheet.plan([Allocation.OMIT] * len(sheet.units)).body)
    tokens = sheet.tokens_of(shown(found))
    body[unit] = Decision(Allocation.SUMMARY, Reason.CUT, body[unit].whole, tokens)
    return Page(Plan(tuple(body), (False,) * len(draft.updates)), *page(found))
