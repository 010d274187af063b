"""One item: a hit on its way from selection to receipt."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Allocation"]


class Allocation(StrEnum):
    """At what length an entry is shown."""

    FULL = "full"
    SUMMARY = "summary"
    OMIT = "omit"
