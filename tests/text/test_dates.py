"""Moments as databases, loaders and people write them."""

import datetime as dt
import decimal
from typing import Any

import numpy
import pytest

from areev_context.text.dates import UNKNOWN, Moment, clock, day, read_moment

AT = 1_721_518_200  # 2024-07-20T23:30:00Z
DAY = 1_721_433_600  # 2024-07-20
WEST = -7 * 3600

UTC = {
    "seconds": AT,
    "float": float(AT) + 0.5,
    "milliseconds": AT * 10**3,
    "microseconds": AT * 10**6,
    "nanoseconds": AT * 10**9,
    "text of seconds": str(AT),
    "text of a float": f" {AT}.25 ",
    "text of milliseconds": f"{AT}123",
    "text of microseconds": f"{AT}123456",
    "text of nanoseconds": f"{AT}123456789",
    "Decimal": decimal.Decimal(AT),
    "numpy whole": numpy.int64(AT),
    "numpy short": numpy.int32(AT),
    "numpy float": numpy.float64(AT),
    "numpy date in seconds": numpy.datetime64("2024-07-20T23:30:00"),
    "numpy date in milliseconds": numpy.datetime64("2024-07-20T23:30:00.123"),
    "numpy date in nanoseconds": numpy.datetime64("2024-07-20T23:30:00.123456789"),
    "naive": dt.datetime(2024, 7, 20, 23, 30),
    "ISO without a zone": "2024-07-20T23:30:00",
    "ISO with a blank": "2024-07-20 23:30:00.123456",
    "ISO basic": "20240720T233000",
}
ZONED = {
    "aware": dt.datetime(2024, 7, 20, 23, 30, tzinfo=dt.UTC),
    "ISO": "2024-07-20T23:30:00Z",
    "a blank before the zone": "2024-07-20 23:30:00 +0000",
    "Go": "2024-07-20 23:30:00.123456789 +0000 UTC",
    "Go with a clock": "2024-07-20 23:30:00 +0000 UTC m=+0.001",
    "UTC": "2024-07-20 23:30:00 UTC",
    "GMT": "2024-07-20 23:30 GMT",
    "slashes": "2024/07/20 23:30:00 UTC",
    "RFC 2822": "Sat, 20 Jul 2024 23:30:00 GMT",
    "RFC 2822 without a weekday": "20 Jul 2024 23:30:00 +0000",
    "PDF": "D:20240720233000Z",
    "PDF with zeros": "D:20240720233000+00'00'",
}
DAYS = {
    "date": dt.date(2024, 7, 20),
    "ISO day": "2024-07-20",
    "ISO basic day": "20240720",
    "slashes": "2024/7/20",
    "day first": "20 July 2024",
    "German order": "20. Jul 2024",
    "month first": "July 20, 2024",
    "short month": "Jul. 20th 2024",
    "PDF day": "D:20240720",
    "numpy day": numpy.datetime64("2024-07-20"),
}


@pytest.mark.parametrize("value", UTC.values(), ids=UTC)
def test_a_moment_without_a_zone(value: Any) -> None:
    assert read_moment(value) == Moment(AT)


@pytest.mark.parametrize("value", ZONED.values(), ids=ZONED)
def test_a_moment_in_utc(value: Any) -> None:
    assert read_moment(value) == Moment(AT, 0)


@pytest.mark.parametrize("value", DAYS.values(), ids=DAYS)
def test_a_day(value: Any) -> None:
    assert read_moment(value) == Moment(DAY)
    assert day(*read_moment(value)) == "2024-07-20"
    assert clock(*read_moment(value)) == ""


@pytest.mark.parametrize(
    "value",
    [
        "2024-07-20T23:30:00-07:00",
        "2024-07-20 23:30:00 -0700",
        "2024-07-20 23:30:00 -0700 MST",
        "Sat, 20 Jul 2024 23:30:00 -0700",
        "D:20240720233000-07'00'",
        dt.datetime(2024, 7, 20, 23, 30, tzinfo=dt.timezone(dt.timedelta(hours=-7))),
    ],
)
def test_the_day_is_that_of_the_place(value: Any) -> None:
    found = read_moment(value)
    assert found == Moment(AT - WEST, WEST)
    assert day(*found) == "2024-07-20"
    assert clock(*found) == "23:30"
    assert day(found.seconds) == "2024-07-21"


@pytest.mark.parametrize(
    "value",
    [
        None, "", "soon", "2024", "07/08/2024", "8.7.2024", "20-07-2024", "2024-13-01",
        "2024-02-30", "1" * 30, -5, 0, 10**30, float("nan"), float("inf"), True, [], {},
        "32 July 2024",
        "D:2024133", "July 2024", "x" * 1_000_000, "1 2 3 4", "Sat, 99 Jul 2024 23:30:00 GMT",
        dt.timedelta(days=1), b"2024-07-20", "12345678", "1e9",
    ],
)  # fmt: skip
def test_what_is_no_date_is_unknown(value: Any) -> None:
    assert read_moment(value) == UNKNOWN


def test_milliseconds_of_the_engine_are_what_they_are() -> None:
    assert read_moment(5_000, milliseconds=True) == Moment(5)
    assert read_moment(AT * 1000, milliseconds=True) == Moment(AT)


def test_unknown_has_no_day() -> None:
    assert (day(0), day(0, 3600), clock(0)) == ("", "", "")
