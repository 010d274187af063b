"""The modes: each is one file, which decides when it applies and how it arranges entries."""

from __future__ import annotations

from areev_context.layout import aggregation, census, default, highlight, timeline
from areev_context.layout.mode import Mode, Situation

__all__ = ["MODES", "choose"]

MODES: dict[str, Mode] = {
    module.MODE.name: module.MODE for module in (aggregation, timeline, census, highlight, default)
}
"""Name -> mode, in the order in which they are tried; the first mode that applies is used."""


def choose(situation: Situation) -> Mode:
    """Return the first mode that applies; the last one always does."""
    return next(mode for mode in MODES.values() if mode.applies(situation))
