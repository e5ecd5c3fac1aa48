"""Dates as numbers of days."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.serial_dates import moment, serial


@given(
    st.datetimes(datetime.datetime(1900, 3, 1), datetime.datetime(9999, 12, 31, 23, 59, 59)).map(
        lambda at: at.replace(microsecond=0)
    )
)
def test_there_and_back(stamp: datetime.datetime) -> None:
    days = serial(stamp.isoformat())
    assert days is not None
    at = moment(days, 0, rounds=True)
    assert at is not None
    assert (at.year, at.month, at.day, at.hour, at.minute, at.second) == stamp.timetuple()[:6]
    assert at.weekday == stamp.isoweekday() % 7


def test_the_day_that_never_was() -> None:
    days = [moment(day, 0, rounds=False) for day in (59, 60, 61)]
    assert [(at.month, at.day, at.weekday) for at in days if at] == [(2, 28, 2), (2, 29, 3), (3, 1, 4)]


@pytest.mark.parametrize("days", [-0.1, 2_958_466, 1e300, float("inf")])
def test_beyond_the_calendar(days: float) -> None:
    assert moment(days, 9, rounds=True) is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("12:00:00", 0.5),
        ("1900-01-01", 1),
        ("1900-03-01T06:00:00Z", 61.25),
        ("2024-03-14", 45365),
        ("soon", None),
        ("", None),
    ],
)
def test_iso_8601(text: str, days: float | None) -> None:
    assert serial(text) == days
