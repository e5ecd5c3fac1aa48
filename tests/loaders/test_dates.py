"""Dates of metadata, by the W3C's profile of ISO 8601."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.dates import date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2013-12-23T23:15:00Z", "2013-12-23T23:15:00Z"),
        (" 2013-12-23T23:15:00.5+01:00 ", "2013-12-23T23:15:00.5+01:00"),
        ("2013-12-23T23:15", "2013-12-23T23:15:00"),
        ("2013-12-23", "2013-12-23"),
        ("2013-12", None),
        ("2013-13-01", None),
        ("2013-12-23T25:00:00Z", None),
        ("2013-12-23T23:15:00Z; drop", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates(text: str, expected: str | None) -> None:
    assert date(text) == expected
