"""A mode with sections of its own: a board with one lane for each half of the entries."""

from __future__ import annotations

from collections.abc import Sequence

from areev_context.layout.mode import Mode, Situation, one_pool
from areev_context.layout.outline import Entry, Node, Section
from areev_context.policy import FormatPolicy, RenderingHints

__all__ = ["MODE"]


def _applies(situation: Situation) -> bool:
    return "on the board" in (situation.hints.query_text or "")


def _arrange(
    entries: Sequence[Entry], policy: FormatPolicy, hints: RenderingHints
) -> tuple[Node, ...]:
    half = (len(entries) + 1) // 2
    lanes = (("to do", entries[:half]), ("done", entries[half:]))
    sections = tuple(Section("lane", "Lane", tuple(of), name) for name, of in lanes if of)
    return (Section("board", "Board", sections),) if sections else ()


MODE = Mode("board", _applies, _arrange, one_pool, updates=False)
