"""The same hits at many budgets: one page with a slider."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from areev_context.assembler import ContextAssembler, contexts_at
from areev_context.errors import InputError
from areev_context.hits.grain_types import section_of
from areev_context.hits.hit import SearchHit
from areev_context.hits.load import checked_hits
from areev_context.inspect.html import colours_of
from areev_context.inspect.report import aligned
from areev_context.inspect.sweep_page import sweep_frame, sweep_page
from areev_context.inspect.view import ShareKind, Span, shares
from areev_context.outcome import HitOutcome
from areev_context.policy import FormatPolicy
from areev_context.result import FormattedContext, view_of_context
from areev_context.text.foreign import shown

__all__ = ["Sweep", "sweep"]

_STEPS = 40  # budgets between two ends
_MOST = 1_000  # budgets: more would take minutes, and no slider has as many places
_GIVE = "give a range or a list of whole numbers, or (low, high)"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The contexts of the same hits at many budgets, under one policy or two.

    `str()` gives a plain-text table, a line per budget.

    Attributes:
        budgets: The budgets in tokens, rising, one or more.
        names: The name of each policy, one or two.
        contexts: The contexts of each policy, one per budget.
    """

    budgets: tuple[int, ...]
    names: tuple[str, ...]
    contexts: tuple[tuple[FormattedContext, ...], ...]

    def __str__(self) -> str:
        """Return a line per budget: the tokens, and the hits shown, under each policy."""
        names = self.names if len(self.names) > 1 else ("",)
        head = [f"{name} {what}".strip() for name in names for what in ("tokens", "shown")]
        rows = [("budget", *head)]
        for budget, *contexts in zip(self.budgets, *self.contexts, strict=True):
            counts = (str(n) for each in contexts for n in (each.tokens, each.included_count))
            rows.append((str(budget), *counts))
        return aligned(rows, range(len(rows[0])))

    def html(self) -> str:
        """Return one self-contained HTML page with a slider over the budgets.

        It shows the text as the model reads it, the entries that enter, grow, shrink and leave, the
        curves of the hits shown and of the tokens, and the tokens of each type of entry. It has no
        text of withheld hits, and of other hits only what some budget shows.

        Raises:
            CounterError: The counter of a context failed on an entry.
        """
        return sweep_page(self.to_dict(), len(self.contexts[0][0].outcomes))

    def _repr_html_(self) -> str:
        """Return the same in a frame, for a cell of a notebook."""
        return sweep_frame(self.html())

    def to_dict(self) -> Json:
        """Return what the page is made of, as JSON has it.

        The keys are ``budgets``; ``hits``, with the label and the type of each hit that some budget
        shows, by its index as text; ``texts``, each distinct text once, where that of a numbered
        entry is two parts, before and after the number; ``colors``, the CSS class of each type; and
        ``policies``, each with its ``name``, its ``format`` and its ``stops``, one per budget. A
        stop has ``budget``, ``tokens``, ``shown``, ``omitted`` and ``withheld``, the ``room`` in
        pairs of a name and tokens, and the ``spans`` of the text: the place of the text in
        ``texts``, the index of the hit or None, the CSS class or None, and the number or None.

        Raises:
            CounterError: The counter of a context failed on an entry.
        """
        hits: dict[str, Json] = {}
        texts: dict[str | tuple[str, str], int] = {}
        runs = [[_Stop.of(each) for each in contexts] for contexts in self.contexts]
        colors = colours_of(
            section_of(each.grain_type or "")
            for stops in runs
            for stop in stops
            for each in stop.entries()
        )
        policies: list[Json] = []
        for name, stops in zip(self.names, runs, strict=True):
            for stop in stops:
                hits.update(stop.hits())
            dumped = [stop.dumped(texts, colors) for stop in stops]
            policies.append({
                "name": name, "format": str(stops[0].context.format), "stops": dumped,
            })  # fmt: skip
        uses = {str(kind): str(kind) for kind in (ShareKind.ENVELOPE, ShareKind.FREE)}
        return {
            "budgets": list(self.budgets),
            "hits": hits,
            "texts": [text if isinstance(text, str) else list(text) for text in texts],
            "colors": {**colors, **uses},
            "policies": policies,
        }


@dataclass(frozen=True, slots=True)
class _Stop:
    """One context of a sweep, its spans, and the outcome of the hit of each span."""

    context: FormattedContext
    spans: tuple[tuple[Span, HitOutcome | None], ...]

    @classmethod
    def of(cls, context: FormattedContext) -> _Stop:
        outcomes = context.outcomes
        return cls(context, tuple(
            (span, outcomes[span.indexes[0]] if span.indexes else None)
            for span in view_of_context(context).spans
        ))  # fmt: skip

    def entries(self) -> Iterator[HitOutcome]:
        return (outcome for _, outcome in self.spans if outcome is not None)

    def hits(self) -> Iterator[tuple[str, Json]]:
        for each in self.entries():
            yield str(each.index), {"label": each.label, "type": each.grain_type or ""}

    def dumped(self, texts: dict[str | tuple[str, str], int], colors: Mapping[str, str]) -> Json:
        context = self.context
        spans = [_dumped(span, outcome, texts, colors) for span, outcome in self.spans]
        return {
            "budget": context.token_budget,
            "tokens": context.tokens,
            "shown": context.included_count,
            "omitted": context.omitted_count,
            "withheld": context.withheld_count,
            "room": [[name, tokens] for _, name, tokens in self._room()],
            "spans": spans,
        }

    def _room(self) -> tuple[Any, ...]:
        """Return the shares by the type of an entry, whatever sections a mode makes."""
        typed = [
            span._replace(section="" if outcome is None else section_of(outcome.grain_type or ""))
            for span, outcome in self.spans
        ]
        return shares(typed, self.context.tokens, self.context.token_budget)


def _dumped(
    span: Span,
    outcome: HitOutcome | None,
    texts: dict[str | tuple[str, str], int],
    colors: Mapping[str, str],
) -> list[Any]:
    if outcome is None:
        return [texts.setdefault(span.text, len(texts)), None, None, None]
    text, number = _unnumbered(span.text, outcome.number)
    color = colors[section_of(outcome.grain_type or "")]
    return [texts.setdefault(text, len(texts)), outcome.index, color, number]


def _unnumbered(text: str, number: int | None) -> tuple[str | tuple[str, str], int | None]:
    """Return an entry before and after its number, which says nothing about the entry itself."""
    found = None if number is None else re.search(rf"(?<!\d){number}(?!\d)", text)
    if found is None:
        return text, None
    return (text[: found.start()], text[found.end() :]), number


def sweep(
    hits: Iterable[SearchHit | Mapping[str, Any]],
    policy: FormatPolicy | None = None,
    *,
    budgets: Iterable[int] = (200, 4_000),
    query: str = "",
    against: FormatPolicy | None = None,
    assembler: ContextAssembler | None = None,
    names: Sequence[object] | None = None,
) -> Sweep:
    """Format the same hits at many budgets.

    ::

        Path("sweep.html").write_text(sweep(hits, policy, budgets=(200, 4000)).html())

    Args:
        hits: Hits or flat rows, the best first; rows are validated. May be empty.
        policy: The shape; its own budget does not count. None = `FormatPolicy()`.
        budgets: A range or a list of budgets in tokens, each 0 or more; or a pair, the lowest and
            the highest, between which 40 budgets are taken. A tuple of two numbers is such a pair,
            a list of two is two budgets.
        query: The user's question.
        against: A second policy, shown beside the first; None = one policy.
        assembler: The assembler, with its counter and its decider, which is asked once for
            each policy; None = `ContextAssembler()`.
        names: A name for each policy, converted by `str`; None = the formats, or where they are
            the same, ``policy`` and ``against``.

    Raises:
        pydantic.ValidationError: A row is no hit.
        InputError: There is no budget or there are more than 1,000, a budget is no whole number of
            0 or more, or the names are not as many as the policies.
        AreevContextError: An argument is of the wrong kind, or a host's renderer or counter failed.
    """
    places = _budgets(budgets)
    policies = [FormatPolicy() if policy is None else policy]
    policies += [] if against is None else [against]
    called = _names(policies, names)
    made = ContextAssembler() if assembler is None else assembler
    checked = checked_hits(hits)
    contexts = (tuple(contexts_at(made, places, checked, each, query)) for each in policies)
    return Sweep(places, called, tuple(contexts))


def _names(policies: Sequence[FormatPolicy], names: Sequence[object] | None) -> tuple[str, ...]:
    if names is not None:
        if len(names) != len(policies):
            raise InputError(f"{len(names)} names for {len(policies)} policies: give one for each")
        return tuple(map(str, names))
    formats = tuple(str(policy.format) for policy in policies)
    return formats if len(set(formats)) == len(formats) else ("policy", "against")


def _budgets(given: Iterable[int]) -> tuple[int, ...]:
    """Return budgets in rising order, each once."""
    if not isinstance(given, Iterable):
        raise InputError(f"budgets is {shown(given)}: {_GIVE}")
    found = list(_few(given))
    if not found:
        raise InputError(f"there is no budget: {_GIVE}")
    for each in found:
        if type(each) is not int or each < 0:
            raise InputError(f"a budget is {shown(each)}: give whole numbers of tokens, 0 or more")
    if isinstance(given, tuple) and len(found) == 2:
        low, high = sorted(found)
        found = [low + (high - low) * n // (_STEPS - 1) for n in range(_STEPS)]
    return tuple(sorted(set(found)))


def _few(given: Iterable[int]) -> Iterator[int]:
    for n, each in enumerate(given):
        if n == _MOST:
            raise InputError(f"there are more than {_MOST} budgets: give a longer step")
        yield each
