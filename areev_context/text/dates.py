"""Moments in time: seconds since the epoch, in UTC; 0 is unknown."""

from __future__ import annotations

import datetime as dt
import math
from functools import lru_cache
from typing import Any

from areev_context.text.foreign import iso, number

__all__ = ["day", "read_moment"]

_LAST = 253_402_300_799  # 9999-12-31T23:59:59Z
_MILLISECONDS_FROM = 10**11


def read_moment(value: Any, *, milliseconds: bool | None = False) -> int:
    """Return whole seconds since the epoch; 0 for a value that is no moment in 1970..9999.

    Numbers, ISO 8601 text, `datetime` and `date` objects are read, and objects of other libraries
    that can be converted to one of these; naive times count as UTC. Never raises.

    Args:
        value: Anything.
        milliseconds: The unit of a number; None decides by size: 10^11 or more is milliseconds.
    """
    if value is None:
        return 0
    try:
        seconds = _seconds(value, milliseconds)
    except Exception:  # no date, a zone that leads out of years 1..9999, an object of others
        return 0
    return seconds if 0 < seconds <= _LAST else 0


def _seconds(value: Any, milliseconds: bool | None) -> int:
    kind = type(value)
    if issubclass(kind, dt.date):
        return _of_date(value)
    if issubclass(kind, str):
        return _of_date(dt.datetime.fromisoformat(str.__str__(value).strip()))
    found = number(value)
    if found is None:
        return _of_date(_date(value))
    if milliseconds or (milliseconds is None and found >= _MILLISECONDS_FROM):
        found = found // 1000
    return math.floor(found)


def _of_date(value: dt.date) -> int:
    try:
        seconds: Any = _timestamp(value)
    except Exception:  # a class of somebody's own; else it is no date either way
        seconds = _timestamp(dt.datetime.fromisoformat(iso(value)))
    return math.floor(float(seconds))


def _timestamp(value: dt.date) -> float:
    moment = value if isinstance(value, dt.datetime) else dt.datetime(*value.timetuple()[:3])
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=dt.UTC)
    return moment.timestamp()


def _date(value: Any) -> Any:
    """Return a date of another library's as one of Python's; raises where it is none."""
    if getattr(getattr(value, "dtype", None), "kind", None) == "M":  # finer ones give a number
        return value.astype("datetime64[s]").item()
    if callable(getattr(value, "isoformat", None)):
        return dt.datetime.fromisoformat(value.isoformat())
    return value.item()


def day(created_at: int) -> str:
    """Return ``YYYY-MM-DD`` (UTC), or the empty string for 0, which means unknown."""
    return _day(created_at // 86_400) if created_at else ""


@lru_cache(maxsize=4096)
def _day(days: int) -> str:
    return (dt.date(1970, 1, 1) + dt.timedelta(days=days)).isoformat()
