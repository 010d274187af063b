"""The rule for passages and turns: within a counted budget, keep what answers the query.

Each document and each event is shown whole, in part, or not at all, by what its sentences should
tell; other grains whole or not. The plan is measured on the whole text and mended until it keeps
the budget; what room is left is used by the ceiling's own rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from areev_context.budget.draft import Draft
from areev_context.budget.extract import Choice, Shelf, Text, extract_of
from areev_context.budget.relevance import Passage, part_of, sentence_values
from areev_context.formats.lines import plain_line
from areev_context.hits import fields as reading
from areev_context.hits.grain_types import GRAIN_TYPES
from areev_context.layout.outline import Entry
from areev_context.selection.item import Allocation, Item
from areev_context.text.splitting import sentence_parts

__all__ = ["Packed", "is_divided", "pack_passages"]


_ROUNDS = 4  # plans that are counted
_TYPE = 2.0  # how much the priority of a grain that is no text weighs against the words it shares
_TEXT_PRIORITY = 0.70  # the priority at which it weighs nothing
_JUDGED = 6.0  # how much a judge's relevance, 0..1, weighs: all of it more than ten shared words
_CHARACTERS = 3.0  # a token of markup has about so many
_CUT_CHARACTERS = 80  # a summary is not cut to fewer
_SURE = 0.7  # of an estimate of tokens: less it is hardly ever
_NEAR = 0.98  # of the budget: near enough to stop


class Packed(NamedTuple):
    """A plan that keeps the budget.

    Attributes:
        forms: The form of each hit of the body, in its order.
        parts: The entry of each that is shown in part, by its place in the body.
        trimmed: Those of them that leave out only what another entry shows.
        order: The places in the body, first what is worth most.
        least: The tokens of what stands about each, whatever is shown of it.
        tokens: The count of the whole text.
    """

    forms: tuple[Allocation, ...]
    parts: Mapping[int, Entry]
    trimmed: frozenset[int]
    order: tuple[int, ...]
    least: tuple[int, ...]
    tokens: int


def pack_passages(
    draft: Draft,
    wholes: Sequence[tuple[int, str]],
    whole: frozenset[int],
    budget: int,
    count: Callable[[Sequence[Allocation], Mapping[int, Entry]], int],
) -> Packed | None:
    """Return a plan for a draft's body, or None where none was found that keeps the budget.

    Args:
        draft: The draft.
        wholes: Each hit of the body shown whole: its counted tokens and its text.
        whole: The places in the body of what is shown whole in any case.
        budget: The ceiling.
        count: The tokens of the whole text of a plan, given its entries in part.
    """
    texts = _texts(draft, wholes)
    order = tuple(sorted(range(len(texts)), key=lambda n: -max(texts[n].values)))
    least = tuple(map(_least, texts))
    shelf, best, last = Shelf(texts, whole), None, None
    room = float(budget)
    for _ in range(_ROUNDS):
        choice, used = shelf.chosen(room, join=1.0)
        if choice == last:
            break
        last = choice
        forms, parts, trimmed = _forms(draft, texts, choice)
        tokens = count(forms, parts)
        if tokens <= budget and (best is None or tokens > best.tokens):
            best = Packed(forms, parts, trimmed, order, least, tokens)
        if _NEAR * budget <= tokens <= budget:
            break
        room = used - (tokens - budget) - 1 if tokens > budget else room + budget - tokens
    return best if best is not None and best.tokens else None


def _least(text: Text) -> int:
    """Return tokens that no summary of a text can well do without: about it, and a sentence."""
    cut = _CUT_CHARACTERS * sum(text.tokens) / sum(len(s) + 1 for s in text.sentences)
    return int(text.head + _SURE * min(cut, *text.tokens))


def is_divided(item: Item, hosted: Mapping[str, object]) -> bool:
    """Return whether a hit's text can be shown in part."""
    grain = item.grain
    if not _in_part(grain.grain_type) or grain.grain_type in hosted:
        return False
    return bool(reading.text(grain.fields, "content").strip())


def _in_part(grain_type: str) -> bool:
    row = GRAIN_TYPES.get(grain_type)
    return row is not None and row.in_part


def _texts(draft: Draft, wholes: Sequence[tuple[int, str]]) -> list[Text]:
    body = draft.selection.body
    passages = [_passage(item, draft) for item in body]
    values = _values(draft, passages)
    texts = []
    for item, passage, worth, (tokens, whole) in zip(body, passages, values, wholes, strict=True):
        sizes = [len(sentence) + 1 for sentence in passage.sentences]
        head = min(tokens / 2, max(0, len(whole) - sum(sizes)) / _CHARACTERS)
        each = (tokens - head) / sum(sizes)
        bonus = math.exp(_TYPE * (item.priority - _TEXT_PRIORITY))
        if _in_part(item.grain.grain_type):
            bonus = 1.0
        bonus *= math.exp(_JUDGED * draft.advice.scores.get(item.index, 0.0))
        texts.append(
            Text(
                passage.sentences,
                [value * bonus for value in worth],
                [size * each for size in sizes],
                head,
                passage.part,
                item.at_least is Allocation.FULL,
            )
        )
    return texts


def _values(draft: Draft, passages: Sequence[Passage]) -> list[Sequence[float]]:
    """Return the values of each passage's sentences; a judge's order is that of the passages."""
    scores, body = draft.advice.scores, draft.selection.body
    order = sorted(range(len(body)), key=lambda n: -scores.get(body[n].index, 0.0))
    query = draft.renderers.policy.query_text or ""
    found = dict(zip(order, sentence_values(query, [passages[n] for n in order]), strict=True))
    return [found[n] for n in range(len(body))]


def _passage(item: Item, draft: Draft) -> Passage:
    hit, grain = item.hit, item.grain
    fields = grain.fields
    if not is_divided(item, draft.renderers.hosted):
        line = plain_line(grain.grain_type, grain.hash, fields, str)
        return Passage([" ".join(line.split()) or line], "", "", None)
    content = reading.text(fields, "content")
    by = reading.speaker(fields) if grain.grain_type == "event" else ""
    title = "" if by else " ".join(v for _, v in reading.document_details(fields))
    return Passage(sentence_parts(content), by, title, part_of(hit.id))


def _forms(
    draft: Draft, texts: Sequence[Text], choice: Mapping[int, Choice]
) -> tuple[tuple[Allocation, ...], dict[int, Entry], frozenset[int]]:
    forms = [Allocation.OMIT] * len(texts)
    parts: dict[int, Entry] = {}
    trimmed = set()
    for n, (shown, elsewhere) in choice.items():
        if len(shown) == len(texts[n].sentences):
            forms[n] = Allocation.FULL
            continue
        forms[n] = Allocation.SUMMARY
        parts[n] = in_part(draft, draft.selection.body[n], extract_of(texts[n], shown))
        if len(shown | elsewhere) == len(texts[n].sentences):
            trimmed.add(n)
    return tuple(forms), parts, frozenset(trimmed)


def in_part(draft: Draft, item: Item, content: str) -> Entry:
    """Return an entry with other content; all that stands about it stays."""
    grain = item.grain
    shorter = grain._replace(fields={**grain.fields, "content": content})
    text = draft.format.render(shorter, draft.policy.metadata)
    return Entry(item, Allocation.SUMMARY, text)
