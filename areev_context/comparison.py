"""The same hits under several policies or budgets, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from areev_context.errors import InputError
from areev_context.inspect import html
from areev_context.inspect.report import aligned
from areev_context.inspect.view import ShareKind
from areev_context.outcome import HitOutcome
from areev_context.result import FormattedContext, room_of

__all__ = ["Comparison", "compare"]

_COUNTS = ("tokens", "budget", "shown", "omitted", "withheld")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several contexts of the same hits; `str()` gives two plain-text tables: hits, and counts.

    Attributes:
        contexts: The contexts, one or more, in the order in which they were given.
        names: The name of each context.
    """

    contexts: tuple[FormattedContext, ...]
    names: tuple[str, ...]

    def __str__(self) -> str:
        """Return a line per hit with what became of it in each context, and a line per context."""
        hits: list[tuple[str, ...]] = [("#", *self.names, "type", "label")]
        for outcomes in self._hits():
            known = _known(outcomes)
            described = (known.grain_type or "-", known.label or "-")
            hits.append((str(known.index), *map(_cell, outcomes), *described))
        counts: list[tuple[str, ...]] = [("", *_COUNTS, "format", "mode")]
        counts += [
            (name, *_counts(context), context.format, context.mode)
            for name, context in zip(self.names, self.contexts, strict=True)
        ]
        return f"{aligned(hits, {0})}\n\n{aligned(counts, range(1, len(_COUNTS) + 1))}"

    def to_html(self) -> str:
        """Return one self-contained HTML page: a bar of tokens per context, and the hits.

        Raises:
            CounterError: The counter of a context failed on an entry.
        """
        return html.page(f"{len(self.contexts)} contexts of the same hits", self._picture())

    def _repr_html_(self) -> str:
        """Return the same for a cell of a notebook."""
        return html.fragment(self._picture())

    def _hits(self) -> Iterator[tuple[HitOutcome, ...]]:
        return zip(*(context.outcomes for context in self.contexts), strict=True)

    def _picture(self) -> str:
        heads = "".join(f'<th scope="col">{html.line(name)}</th>' for name in self.names)
        rows = "\n".join(map(_row, self._hits()))
        return f"""\
<div class="title" role="heading" aria-level="1">The same hits, side by side</div>
{"".join(self._bars())}
<div class="halves"><section>
<div class="head" role="heading" aria-level="2">What became of each hit</div>
<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col" class="n">#</th><th scope="col">hit</th>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table></div>
</section></div>"""

    def _bars(self) -> Iterator[str]:
        """Yield the bars on one scale, a section in one colour in all of them."""
        rooms = [room_of(context) for context in self.contexts]
        colours = html.colours_of(
            share.name for room in rooms for share in room if share.kind is ShareKind.SECTION
        )
        sizes = [sum(share.tokens for share in room) for room in rooms]
        widest = max(*sizes, 1)
        named = zip(self.names, self.contexts, rooms, sizes, strict=True)
        for name, context, room, size in named:
            counts = zip(_COUNTS, _counts(context), strict=True)
            described = ", ".join(f"{what} {value}" for what, value in counts)
            yield (
                f'<div class="one"><div class="head">{html.line(name)} <small>{context.format}, '
                f"mode {html.line(context.mode)}; {described}</small></div>\n"
                f"{html.bar(room, colours, width=size / widest)}\n"
                f"{html.legend(room, colours)}</div>\n"
            )


def compare(
    contexts: Iterable[FormattedContext], *, names: Sequence[object] | None = None
) -> Comparison:
    """Compare contexts of the same hits.

    ::

        budgets = (200, 400, 800)
        print(compare(assembler.format(hits, policy.replace(token_budget=n)) for n in budgets))

    Args:
        contexts: One or more, made of the same hits in the same order.
        names: One name per context, converted by `str`; None = the numbers from 1.

    Raises:
        InputError: There is no context, one argument is no context, the contexts are not of the
            same hits, or the names are not as many as the contexts.
    """
    given = tuple(contexts)
    if not given:
        raise InputError("there is nothing to compare: give one context or more")
    for n, context in enumerate(given, start=1):
        _check(n, context, given[0])
    called = tuple(map(str, range(1, len(given) + 1))) if names is None else tuple(map(str, names))
    if len(called) != len(given):
        raise InputError(f"{len(called)} names for {len(given)} contexts: give one for each")
    return Comparison(given, called)


def _check(n: int, context: object, first: FormattedContext) -> None:
    if not isinstance(context, FormattedContext):
        raise InputError(f"context {n} is of type {type(context).__name__}: give FormattedContexts")
    if len(context.outcomes) != len(first.outcomes):
        raise InputError(
            f"context {n} is of {len(context.outcomes)} hits, the first of {len(first.outcomes)}: "
            "give contexts of the same hits"
        )
    for ours, theirs in zip(context.outcomes, first.outcomes, strict=True):
        # what one of them withholds has no hash there
        if ours.hash != theirs.hash and ours.hash is not None and theirs.hash is not None:
            raise InputError(
                f"hit {ours.index} of context {n} has the hash {ours.hash!r}, of the first "
                f"{theirs.hash!r}: give contexts of the same hits, in the same order"
            )


def _known(outcomes: Sequence[HitOutcome]) -> HitOutcome:
    """Return the first outcome that tells what the hit is; where all withhold it, the first."""
    return next((each for each in outcomes if each.grain_type is not None), outcomes[0])


def _cell(outcome: HitOutcome) -> str:
    return f"{outcome.reason} {outcome.tokens}" if outcome.tokens else outcome.reason


def _counts(context: FormattedContext) -> tuple[str, ...]:
    budget = "-" if context.token_budget is None else str(context.token_budget)
    counts = (context.included_count, context.omitted_count, context.withheld_count)
    return str(context.tokens), budget, *map(str, counts)


def _row(outcomes: Sequence[HitOutcome]) -> str:
    known = _known(outcomes)
    cells = "".join(
        f'<td class="reason {html.tone(each.reason)}">{_cell(each)}</td>' for each in outcomes
    )
    return (
        f'<tr><td class="n">{known.index}</td><td class="what">{html.what(known)}</td>{cells}</tr>'
    )
