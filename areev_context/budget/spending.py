"""Spend the budget of a draft: choose what the page shows, and write its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from areev_context.budget.batches import batched_page
from areev_context.budget.draft import Draft
from areev_context.budget.finished_page import Page
from areev_context.budget.meter import TokenMeter
from areev_context.budget.plan import Plan, estimated_plan, grants_of, plan_within
from areev_context.hits.hit import Grain
from areev_context.layout.outline import Entry, Outline
from areev_context.policy import Allocator
from areev_context.selection.item import Allocation, Item
from areev_context.selection.screening import Reason
from areev_context.text.truncate import cut_to_fit
from areev_context.tokens import Counter, estimate_tokens

__all__ = ["page_of"]

_CUT_TRIES = 8  # entries that are tried, best first, where nothing fits in any form
_MOST = 10**200  # tokens; sums of more are too large for a float
_FIELD_TRIES = 2  # fields of an entry that are tried, longest first


def page_of(draft: Draft, count: Counter | None) -> Page:
    """Return the page of a draft.

    A budget is a ceiling, `count(text) <= budget`, and the page uses the room; without a counter
    the estimator counts. The reference's rule without a counter adds up estimates of single hits,
    so its text may exceed the budget. Without a budget every entry is whole.
    """
    budget = draft.policy.token_budget
    if budget is None or (count is None and draft.policy.allocation is Allocator.REFERENCE):
        return _estimated(draft)
    return _within(draft, count or Counter(estimate_tokens), budget)


def _estimated(draft: Draft) -> Page:
    grants = estimated_plan(draft)
    entries = [
        draft.entry(item, grant.form)
        for item, grant in zip(draft.selection.body, grants, strict=True)
        if grant.form is not Allocation.OMIT
    ]
    outline = draft.outline(entries, draft.updates)
    shown = (True,) * len(draft.updates)
    return Page(outline, draft.format.write(outline), grants, shown, None)


def _within(draft: Draft, count: Counter, budget: int) -> Page:
    """Return a page that keeps a counted budget.

    Where nothing fits, the line of entities goes; then one entry is cut; then the text is empty.
    """
    count, budget = count.up_to(2 * _MOST), min(budget, _MOST)
    if count.in_batches:
        return batched_page(draft, count, budget, lambda other, room: _within(draft, other, room))
    plan = plan_within(TokenMeter(draft, count), budget)
    if _shows_nothing(plan) and draft.hints.entity_count is not None:
        plan = plan_within(TokenMeter(draft, count, entity_line=False), budget)
    if _shows_nothing(plan):
        return _with_one_cut(plan, budget) or _empty(plan, budget)
    outline, tokens = plan.meter.outline(plan.forms), plan.meter.whole(plan.forms)
    return _page(plan, outline, draft.format.write(outline), tokens)


def _shows_nothing(plan: Plan) -> bool:
    return all(form is Allocation.OMIT for form in plan.forms)


def _page(plan: Plan, outline: Outline, text: str, tokens: int) -> Page:
    grants = grants_of(plan)
    shown = tuple(form is not Allocation.OMIT for form in plan.forms[len(grants) :])
    return Page(outline, text, grants, shown, tokens)


def _empty(plan: Plan, budget: int) -> Page:
    outline = plan.meter.outline(plan.forms)
    text = plan.meter.draft.format.write(outline)
    tokens = plan.meter.count(text)
    fits = tokens <= budget
    return _page(plan, outline, text if fits else "", tokens if fits else 0)


def _with_one_cut(plan: Plan, budget: int) -> Page | None:
    """Return a page of one entry cut to what fits, the best that can be; None where none can."""
    draft = plan.meter.draft
    if not draft.shortens or budget == 0:
        return None
    body = draft.selection.body
    for slot in [slot for slot in plan.wish.order if slot < len(body)][:_CUT_TRIES]:
        grain = _alone(body[slot]).grain
        if grain.grain_type in draft.renderers.hosted:
            continue  # a host's text is finished
        for name in islice(_texts(draft, grain), _FIELD_TRIES):
            page = _cut(plan, slot, name, budget)
            if page is not None:
                return page
    return None


def _texts(draft: Draft, grain: Grain) -> Iterator[str]:
    """Yield the names of the fields whose text the format shows, the longest first."""
    names = [name for name, value in grain.fields.items() if isinstance(value, str)]
    names.sort(key=lambda name: -len(grain.fields[name]))
    whole = draft.format.render(grain, draft.policy.metadata)

    def shown(names: Sequence[str]) -> Iterator[str]:
        """Yield those of the names that are shown, by halves: a format passes over most fields."""
        emptied = grain._replace(fields={**grain.fields, **dict.fromkeys(names, "")})
        if draft.format.render(emptied, draft.policy.metadata) == whole:
            return
        if len(names) == 1:
            yield names[0]
        else:
            yield from shown(names[: len(names) // 2])
            yield from shown(names[len(names) // 2 :])

    return shown(names)


def _alone(item: Item) -> Item:
    """Return the best hit of a joined entry, else the hit itself."""
    return next((each for each in item.hits if each.index == item.index), item)


def _with(grain: Grain, name: str, value: str) -> Grain:
    return grain._replace(fields={**grain.fields, name: value})


def _cut(plan: Plan, slot: int, name: str, budget: int) -> Page | None:
    draft, meter = plan.meter.draft, plan.meter
    item = _alone(draft.selection.body[slot])
    grain = item.grain

    def shown(value: str) -> Entry:
        text = draft.format.render(_with(grain, name, value), draft.policy.metadata)
        return Entry(item, Allocation.SUMMARY, text)

    def outline(value: str) -> Outline:
        return draft.outline([shown(value)], [], entity_line=False)

    def tokens(value: str) -> int:
        return meter.count(draft.format.write(outline(value)))

    found = cut_to_fit(grain.fields[name], lambda tried: tokens(tried) <= budget)
    if found is None:
        return None
    page = _page(plan, outline(found), draft.format.write(outline(found)), tokens(found))
    piece = meter.count(draft.text_of(shown(found)))
    grant = page.body[slot]._replace(form=Allocation.SUMMARY, reason=Reason.CUT, shown=piece)
    return page._replace(body=(*page.body[:slot], grant, *page.body[slot + 1 :]))
