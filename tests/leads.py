"""What leads to each mode: the one table of it, for every test that walks the modes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

DAY = 86_400


@dataclass(frozen=True)
class Lead:
    """What leads to a mode: options, hints, and what the first rows know of themselves."""

    policy: dict[str, Any] = field(default_factory=dict)
    hints: dict[str, Any] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)


LEADS: dict[str, Lead] = {
    "aggregation": Lead(hints={"entity_count": 2}),
    "timeline": Lead(
        hints={"has_temporal_expr": True},
        rows=[{"created_at_sec": 1_700_000_000 + 40 * place * DAY} for place in range(6)],
    ),
    "census": Lead(
        rows=[{"recall_source": source} for source in ("census", "expansion", "primary", "census")]
    ),
    "highlight": Lead(policy={"highlight_over": 2, "ordering": "as_given"}),
    "default": Lead(rows=[{}, {"recall_source": "expansion"}]),
}
"""What leads to a mode, by its name; the tests that walk the modes ask that it is reached."""


def led(rows: Sequence[dict[str, Any]], lead: Lead) -> list[dict[str, Any]]:
    """Return the rows with what the first of them know of themselves."""
    known = [*lead.rows, *({} for _ in rows)]
    return [{**row, **more} for row, more in zip(rows, known, strict=False)]
