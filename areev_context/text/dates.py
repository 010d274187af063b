"""Moments: seconds since the epoch, in UTC, 0 where unknown."""

from __future__ import annotations

import datetime as dt
import math
from functools import lru_cache
from typing import Any

__all__ = ["day", "read_moment"]

_LAST = 253_402_300_799  # 9999-12-31T23:59:59Z
_MILLISECONDS_FROM = 10**11


def read_moment(value: Any, *, milliseconds: bool | None = False) -> int:
    """Return whole seconds since the epoch, or 0 for what is no moment in 1970..9999.

    Numbers, ISO 8601 text, `datetime` and `date` objects are read; naive ones count as UTC.

    Args:
        value: Anything.
        milliseconds: The unit of a number; None decides by size: 10^11 or more is milliseconds.
    """
    if isinstance(value, dt.date):
        return _from_date(value)
    if isinstance(value, str):
        try:
            return _from_date(dt.datetime.fromisoformat(value.strip()))
        except ValueError:
            return 0
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    if isinstance(value, float) and not math.isfinite(value):
        return 0
    if milliseconds or (milliseconds is None and value >= _MILLISECONDS_FROM):
        value = value // 1000
    seconds = math.floor(value)
    return seconds if 0 < seconds <= _LAST else 0


def _from_date(value: dt.date) -> int:
    moment = value if isinstance(value, dt.datetime) else dt.datetime(*value.timetuple()[:3])
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    try:
        seconds = math.floor(moment.timestamp())
    except Exception:  # a zone that leads out of years 1..9999, or a time zone of somebody's own
        return 0
    return seconds if 0 < seconds <= _LAST else 0


def day(created_at: int) -> str:
    """Return ``YYYY-MM-DD`` (UTC), or the empty string for 0, which stands for unknown."""
    return _day(created_at // 86_400) if created_at else ""


@lru_cache(maxsize=4096)
def _day(days: int) -> str:
    return (dt.date(1970, 1, 1) + dt.timedelta(days=days)).isoformat()
