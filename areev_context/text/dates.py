"""Moments in time, as databases, loaders and people write them."""

from __future__ import annotations

import datetime as dt
import email.utils
import math
import re
import zoneinfo
from functools import lru_cache
from typing import Any, NamedTuple

from areev_context.text.foreign import has_digits, iso, number

__all__ = [
    "UNKNOWN",
    "Moment",
    "ahead_in",
    "clock",
    "day",
    "is_stated",
    "read_moment",
    "zone_of",
]

_LAST = 253_402_300_799  # 9999-12-31T23:59:59Z
_DAY = 86_400
# A number below each of these is in seconds, milliseconds, microseconds; above, in nanoseconds.
_SIZES = ((10**11, 1), (10**14, 10**3), (10**17, 10**6))


class Moment(NamedTuple):
    """A moment, and the place it was stated for.

    Attributes:
        seconds: Whole seconds since the epoch, UTC; 0 is unknown.
        offset: Seconds that the stated local time is ahead of UTC; None = no zone was stated.
    """

    seconds: int
    offset: int | None = None


UNKNOWN = Moment(0)
"""No moment in the years 1970 to 9999."""


def is_stated(value: Any) -> bool:
    """Return whether a value is there to be read as a date: not None, 0 or the empty text."""
    return value is not None and not (type(value) in _PLAIN and not value)


_PLAIN = (str, int, float)


def read_moment(value: Any, *, milliseconds: bool = False) -> Moment:
    """Return the moment that a value states; `UNKNOWN` for all else. Never raises.

    Read are `datetime` and `date` objects, and objects of other libraries that can be converted to
    one; numbers since the epoch, also as text; ISO 8601, RFC 2822, the dates of PDF files,
    ``2024-07-20 23:30:00 +0000 UTC``, ``2024/07/20``, ``20 July 2024`` and ``July 20, 2024``. Naive
    times count as UTC. A day and a month in figures alone are read only after the year.

    Args:
        value: Anything.
        milliseconds: Whether a number is in milliseconds. If not, its size decides: a number below
            10^11 is in seconds, then come milliseconds, microseconds and nanoseconds.
    """
    if value is None:
        return UNKNOWN
    try:
        found = _moment(value, milliseconds)
    except Exception:  # no date, a zone that leads out of years 1..9999, an object of others
        return UNKNOWN
    return found if 0 < found.seconds <= _LAST else UNKNOWN


def _moment(value: Any, milliseconds: bool) -> Moment:
    kind = type(value)
    if kind is int:
        return Moment(_seconds(value, milliseconds))
    if issubclass(kind, dt.date):
        return _of_date(value)
    if issubclass(kind, str):
        return _of_text(str.__str__(value).strip(), milliseconds)
    found = number(value)
    if found is None:
        return _of_date(_date(value))
    return Moment(_seconds(found, milliseconds))


def _seconds(found: float, milliseconds: bool) -> int:
    if milliseconds:
        return math.floor(found // 1000)
    unit = next((unit for size, unit in _SIZES if abs(found) < size), 10**9)
    return math.floor(found // unit)


_NUMBER = re.compile(r"\d{9,20}(?:\.\d+)?")
_SPACED = re.compile(
    r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})"
    r"(?:[T\s]\s*(\d{1,2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s*"
    r"(Z|UTC|GMT|[+-]\d{2}:?\d{2})?(?:\s*(?:UTC|GMT|[A-Z]{3,5}))?(?:\s+m=\S+)?)?",
    re.IGNORECASE,
)
_PDF = re.compile(
    r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d'?(?:\d\d)?'?)?(?:00'?)?",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY_FIRST = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?\.?\s+{_MONTH},?\s+(\d{{4}})", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})", re.IGNORECASE)
_RFC_2822 = re.compile(r"(?:[A-Za-z]{3},?\s+)?\d{1,2}\s+[A-Za-z]{3,9}\s+\d{4}\s+\d{1,2}:\d{2}.*")


def _of_text(text: str, milliseconds: bool) -> Moment:
    if len(text) > _LONGEST:
        return UNKNOWN
    if _NUMBER.fullmatch(text):
        found = float(text) if "." in text else int(text)
        return Moment(_seconds(found, milliseconds)) if has_digits(int(found)) else UNKNOWN
    try:
        return _of_date(dt.datetime.fromisoformat(text))
    except ValueError:
        return _of_date(_written(text))


_LONGEST = 80  # characters of a date


def _written(text: str) -> dt.datetime:
    """Return a date that is written in another way than ISO 8601; raises if it is none."""
    if found := _SPACED.fullmatch(text):
        return _spaced(*found.groups())
    if found := _PDF.fullmatch(text):
        parts = [int(part) for part in found.groups()[:6] if part is not None]
        zone = (found[7] or "").replace("'", "").upper()
        moment = dt.datetime(*(parts + [1, 1][max(0, len(parts) - 1) :]))  # type: ignore[arg-type]
        return moment.replace(tzinfo=_zone(zone))
    if found := _DAY_FIRST.fullmatch(text):
        return _named(found[3], found[2], found[1])
    if found := _MONTH_FIRST.fullmatch(text):
        return _named(found[3], found[1], found[2])
    if _RFC_2822.fullmatch(text):
        return email.utils.parsedate_to_datetime(text)
    raise ValueError("no date")


def _spaced(year: str, month: str, date: str, time: str | None, zone: str | None) -> dt.datetime:
    stamp = f"{year}-{int(month):02}-{int(date):02}"
    if time is not None:
        hour, rest = time.split(":", 1)
        stamp += f"T{int(hour):02}:{rest}"
        if zone is not None:
            stamp += zone if zone[0] in "+-" else "+00:00"
    return dt.datetime.fromisoformat(stamp)


def _named(year: str, month: str, date: str) -> dt.datetime:
    return dt.datetime(int(year), _MONTHS.index(month[:3].lower()) + 1, int(date))


def _zone(zone: str) -> dt.tzinfo | None:
    if not zone:
        return None
    if zone == "Z":
        return dt.UTC
    sign = -1 if zone[0] == "-" else 1
    return dt.timezone(sign * dt.timedelta(hours=int(zone[1:3]), minutes=int(zone[3:5] or 0)))


def _of_date(value: dt.date) -> Moment:
    try:
        seconds, offset = _stamp(value)
    except Exception:  # a class of somebody's own; else it is no date either way
        seconds, offset = _stamp(dt.datetime.fromisoformat(iso(value)))
    return Moment(math.floor(float(seconds)), offset)


def _stamp(value: dt.date) -> tuple[float, int | None]:
    moment = value if isinstance(value, dt.datetime) else dt.datetime(*value.timetuple()[:3])
    if moment.tzinfo is None:
        return moment.replace(tzinfo=dt.UTC).timestamp(), None
    ahead = moment.utcoffset()
    return moment.timestamp(), None if ahead is None else int(ahead.total_seconds())


def _date(value: Any) -> Any:
    """Return a date of another library's as one of Python's; raises where it is none."""
    if getattr(getattr(value, "dtype", None), "kind", None) == "M":  # finer ones give a number
        return value.astype("datetime64[s]").item()
    if callable(getattr(value, "isoformat", None)):
        return dt.datetime.fromisoformat(value.isoformat())
    return value.item()


def zone_of(name: str) -> zoneinfo.ZoneInfo | None:
    """Return the time zone of a name; None if there is none."""
    try:
        return zoneinfo.ZoneInfo(name)
    except Exception:  # a path, a directory of zones, a system without zones
        return None


def ahead_in(zone: dt.tzinfo, moment: Moment) -> int | None:
    """Return the seconds that a zone is ahead of UTC at a moment; of a mere day, as it was stated.

    A day without a time and a zone is the same day everywhere.
    """
    seconds, offset = moment
    if not seconds or (offset is None and seconds % _DAY == 0):
        return offset
    ahead = zone.utcoffset(dt.datetime.fromtimestamp(seconds, zone))
    return offset if ahead is None else int(ahead.total_seconds())


def day(seconds: int, offset: int | None = None) -> str:
    """Return ``YYYY-MM-DD`` where it was stated, or the empty string for 0, which is unknown.

    Args:
        seconds: Whole seconds since the epoch, UTC.
        offset: Seconds that the place is ahead of UTC; None = UTC.
    """
    return _day((seconds + (offset or 0)) // _DAY) if seconds else ""


def clock(seconds: int, offset: int | None = None) -> str:
    """Return ``HH:MM`` where it was stated, or the empty string for a day without a time."""
    within = (seconds + (offset or 0)) % _DAY
    return f"{within // 3600:02}:{within % 3600 // 60:02}" if seconds and within else ""


@lru_cache(maxsize=4096)
def _day(days: int) -> str:
    return (dt.date(1970, 1, 1) + dt.timedelta(days=days)).isoformat()
