"""Keep a budget with a counter that is asked a few times only: estimate between its answers.

A first call counts the hits, which shows how the counter's tokens relate to estimates. Pages are
then made with estimates, and each further call counts the texts of some pages. So the last answer
decides, and the budget is a ceiling.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from areev_context.budget.draft import Draft
from areev_context.budget.finished_page import Page
from areev_context.layout.outline import Entry, entries_of
from areev_context.selection.item import Allocation
from areev_context.tokens import Counter
from areev_context.tokens.approximate import approximate_tokens

__all__ = ["batched_page"]

Pack = Callable[[Counter, int], Page]
"""A function that makes the page of a draft with a counter and a budget."""

_CALLS = 3  # that count pages, after the one that counts hits
_MARGINS = (1.0, 1.02, 1.06)  # of the pages that one call counts
_MARGIN = 1.03  # of the one page that it counts, where it takes no more
_LAST_MARGIN = 1.2
_USED = 0.93  # of the budget: near enough to stop
_SAMPLE = 100_000  # characters that are counted where one call takes one text


class _Estimate:
    """A counter by estimates that an application's counter has corrected."""

    def __init__(self, name: str, known: Mapping[str, int], factor: float) -> None:
        self.name = name
        self._known = known
        self._factor = factor

    def __call__(self, text: str) -> int:
        known = self._known.get(text)
        return math.ceil(self._factor * approximate_tokens(text)) if known is None else known


class _Task(NamedTuple):
    """What is to be packed, and what counts it."""

    draft: Draft
    count: Counter
    budget: int
    pack: Pack


class _Tried(NamedTuple):
    """A page and its counted tokens; these are `error` times as many as were estimated."""

    page: Page
    tokens: int
    error: float


def batched_page(draft: Draft, count: Counter, budget: int, pack: Pack) -> Page:
    """Return a page that keeps the budget, after at most four calls of the counter.

    Args:
        draft: The draft.
        count: The application's counter, which takes many texts in one call.
        budget: The ceiling.
        pack: Makes the page of the draft.
    """
    task, wholes = _Task(draft, count, budget, pack), _wholes(draft)
    many = count.batch_size is None or count.batch_size >= len(wholes) + len(_MARGINS)
    known, factor = _known(wholes, count, many=many)
    best: _Tried | None = None
    for call in range(_CALLS):
        margins = _MARGINS if many else (_MARGIN if call < _CALLS - 1 else _LAST_MARGIN,)
        tried = _tried(task, known, [factor * each for each in margins])
        for each in tried:
            if each.tokens <= budget and (best is None or each.tokens > best.tokens):
                best = each
        if best is not None and (best.tokens >= _USED * budget or _shows_all(best.page)):
            break
        factor *= max(each.error for each in tried)
    if best is None:
        return pack(Counter(_Estimate(count.name, {}, 1.0)), 0)
    return best.page._replace(tokens=best.tokens)


def _wholes(draft: Draft) -> list[str]:
    entries = [draft.entry(item, Allocation.FULL) for item in draft.selection.body]
    return list(dict.fromkeys(map(draft.text_of, entries)))


def _known(wholes: list[str], count: Counter, *, many: bool) -> tuple[dict[str, int], float]:
    """Return the counts of the texts, and the counter's tokens for each that is estimated."""
    texts = wholes if many else ["\n".join(wholes)[:_SAMPLE]]
    counts = count.count_all(texts)
    estimated = sum(map(approximate_tokens, texts))
    factor = sum(counts) / estimated if estimated and sum(counts) else 1.0
    return (dict(zip(texts, counts, strict=True)) if many else {}), factor


def _tried(task: _Task, known: Mapping[str, int], factors: Sequence[float]) -> list[_Tried]:
    """Return the pages of several factors, each counted; all in one call."""
    pages: dict[str, Page] = {}
    for factor in factors:
        page = task.pack(Counter(_Estimate(task.count.name, known, factor)), task.budget)
        pages.setdefault(page.text, page)
    parts = {text: _parts(page) for text, page in pages.items()} if len(factors) > 1 else {}
    texts = [*pages, *(text for of in parts.values() for text in of.values())]
    counts = dict(zip(texts, task.count.count_all(texts), strict=True))
    return [
        _Tried(
            _with_counts(page, {n: counts[part] for n, part in parts.get(text, {}).items()}, task),
            counts[text],
            counts[text] / max(1, page.tokens or 0) if text else 1.0,
        )
        for text, page in pages.items()
    ]


def _parts(page: Page) -> dict[int, str]:
    """Return the texts of the entries in part, by the index of their hit."""
    return {
        node.index: node.text
        for node in entries_of(page.outline.nodes)
        if isinstance(node, Entry) and node.form is Allocation.SUMMARY and node.text is not None
    }


def _with_counts(page: Page, counts: Mapping[int, int], task: _Task) -> Page:
    """Return a page whose grants have the counted tokens of the entries in part."""
    body = zip(task.draft.selection.body, page.body, strict=True)
    grants = tuple([g._replace(shown=counts.get(item.index, g.shown)) for item, g in body])
    return page._replace(body=grants)


def _shows_all(page: Page) -> bool:
    return all(grant.form is Allocation.FULL for grant in page.body) and all(page.updates)
