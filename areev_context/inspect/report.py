"""A result as a table."""

from __future__ import annotations

from collections.abc import Container, Sequence

from areev_context.outcome import HitOutcome

__all__ = ["aligned", "outcome_table"]

_HEAD = ("#", "reason", "shown", "whole", "priority", "no.", "type", "label")
_TO_THE_RIGHT = (0, 2, 3, 4, 5)
_WIDEST = 40  # characters of a column: else one long type would widen every line


def _cells(outcome: HitOutcome) -> tuple[str, ...]:
    def as_text(value: object) -> str:
        return "-" if value is None else str(value)

    priority = outcome.priority
    return (
        str(outcome.index),
        outcome.reason,
        as_text(outcome.tokens),
        as_text(outcome.full_tokens),
        "-" if priority is None else f"{priority:.3f}",
        as_text(outcome.number),
        as_text(outcome.grain_type),
        as_text(outcome.label),
    )


def outcome_table(outcomes: Sequence[HitOutcome]) -> str:
    """Return one line per hit, in input order, under one line of column names.

    Tokens are estimates. A withheld hit shows only its index and its reason.
    """
    return aligned([_HEAD, *map(_cells, outcomes)], _TO_THE_RIGHT)


def aligned(rows: Sequence[Sequence[str]], to_the_right: Container[int]) -> str:
    """Return rows as lines, two spaces between columns; white space in a cell is folded.

    A column is at most 40 characters wide; a longer cell moves the cells after it in its row.

    Args:
        rows: The rows, all of one length; one or more.
        to_the_right: The columns, from 0, that are aligned to the right.
    """
    # a type is a host's or a stranger's word: it stays on its line
    folded = [[" ".join(cell.split()) for cell in row] for row in rows]
    widths = [min(_WIDEST, max(map(len, column))) for column in zip(*folded, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if n in to_the_right else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in folded
    )
