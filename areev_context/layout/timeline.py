"""Oldest first, with the time between entries, for questions about an order in time."""

from __future__ import annotations

from collections.abc import Sequence

from areev_context.layout.mode import Mode, Situation, one_pool
from areev_context.layout.outline import Entry, Gap, Node, Section
from areev_context.policy import FormatPolicy, RenderingHints
from areev_context.selection.advice import Intent
from areev_context.text.dates import clock

__all__ = ["MODE", "TEMPORAL_PHRASES"]

_DAY = 86_400
_MONTH_DAYS = 30
_YEAR_DAYS = 365
_MONTHS_FROM_DAYS = 90

TEMPORAL_PHRASES: tuple[str, ...] = (
    "order of", "in what order", "sequence of", "from earliest", "from latest", "from first",
    "from last", "how many days", "how long between", "time between", "which came first",
    "which came last", "which was earlier", "which was later", "before or after",
    "earlier or later", "when did", "what date", "what time", "chronolog",
)  # fmt: skip
"""Phrases, in lower case, of queries that ask for an order in time."""


def _applies(situation: Situation) -> bool:
    hints = situation.hints
    dated = sum(1 for item in situation.items if item.happened)
    if dated < 2:
        return False
    if hints.has_temporal_expr or hints.has_time_range:
        return True
    if situation.intent is not None:
        return situation.intent is Intent.TIMELINE
    query = (hints.query_text or "").lower()
    return any(phrase in query for phrase in TEMPORAL_PHRASES)


def _asks_for_times(hints: RenderingHints) -> bool:
    query = (hints.query_text or "").lower()
    return any(phrase in query for phrase in _TIMES_OF_DAY)


_TIMES_OF_DAY = ("what time", "which time", "at which hour", "what hour", "o'clock", "o’clock")


def _times(amount: int, unit: str) -> str:
    return f"{amount} {unit}" if amount == 1 else f"{amount} {unit}s"


def _label(days: int) -> str:
    if days < 1:
        return "same day"
    if days < _MONTHS_FROM_DAYS:
        return _times(days, "day")
    if days < _YEAR_DAYS:
        return _times(days // _MONTH_DAYS, "month")
    years, months = days // _YEAR_DAYS, days % _YEAR_DAYS // _MONTH_DAYS
    return ", ".join([_times(years, "year"), *([_times(months, "month")] if months else [])])


def _arrange(
    entries: Sequence[Entry], policy: FormatPolicy, hints: RenderingHints
) -> tuple[Node, ...]:
    nodes: list[Node] = []
    before, last_day = 0, ""
    timed = _asks_for_times(hints)
    for entry in sorted(entries, key=lambda e: e.item.happened):
        now = entry.item.happened
        if before and now != before:
            days = max((now - before) // _DAY, int(entry.item.grain.day != last_day))
            nodes.append(Gap(days, _label(days)))
        if timed and now:
            entry = entry._replace(time=clock(now, entry.item.grain.utc_offset))  # noqa: PLW2901
        nodes.append(entry)
        before, last_day = now, entry.item.grain.day
    if not nodes:
        return ()
    return (Section("timeline", "Timeline (earliest to latest)", tuple(nodes), ordered=True),)


MODE = Mode("timeline", _applies, _arrange, one_pool, updates=False, ordered=True)
