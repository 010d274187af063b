"""A result as a table."""

from __future__ import annotations

from collections.abc import Sequence

from areev_context.core.outcome import HitOutcome

__all__ = ["outcome_table"]

_HEAD = ("#", "reason", "shown", "whole", "priority", "no.", "type", "label")
_TO_THE_RIGHT = frozenset({"#", "shown", "whole", "priority", "no."})


def _cells(outcome: HitOutcome) -> tuple[str, ...]:
    def spoken(value: object) -> str:
        return "-" if value is None else str(value)

    priority = outcome.priority
    return (
        str(outcome.index),
        outcome.reason,
        spoken(outcome.tokens),
        spoken(outcome.full_tokens),
        "-" if priority is None else f"{priority:.3f}",
        spoken(outcome.number),
        # a type is a host's or a stranger's word: it stays on its line
        spoken(outcome.grain_type and " ".join(outcome.grain_type.split())),
        spoken(outcome.label),
    )


def outcome_table(outcomes: Sequence[HitOutcome]) -> str:
    """Return one line per hit, in input order, under one line of column names.

    Tokens are estimates. A withheld hit shows its place and its reason only.
    """
    rows = [_HEAD, *map(_cells, outcomes)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(_HEAD))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if name in _TO_THE_RIGHT else cell.ljust(width)
            for name, cell, width in zip(_HEAD, row, widths, strict=True)
        ).rstrip()
        for row in rows
    )
