"""Addresses and dates of mail."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.mail_addresses import date, shown


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # RFC 5322, appendix A.
        ("Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T09:55:06-06:00"),
        ("Tue, 1 Jul 2003 10:52:37 +0200", "2003-07-01T10:52:37+02:00"),
        (
            "Thu,\r\n      13\r\n        Feb\r\n          1969\r\n      23:32\r\n               -0330 (Newfoundland Time)",
            "1969-02-13T23:32:00-03:30",
        ),
        ("21 Nov 97 09:55:06 GMT", "1997-11-21T09:55:06Z"),
        ("Fri, 21 Nov 1997 09(comment):   55  :  06 -0600", "1997-11-21T09:55:06-06:00"),
        # Years of two and three digits, zones that say nothing, zones nobody knows, leap seconds.
        ("1 Jan 49 00:00 EST", "2049-01-01T00:00:00-05:00"),
        ("1 Jan 50 00:00 UT", "1950-01-01T00:00:00Z"),
        ("1 Jan 105 00:00 +0000", "2005-01-01T00:00:00+00:00"),
        ("1 Jan 2005 00:00:00 -0000", "2005-01-01T00:00:00-00:00"),
        ("1 Jan 2005 00:00:00 CET", "2005-01-01T00:00:00"),
        ("1 Jan 2005 00:00:00", "2005-01-01T00:00:00"),
        ("1 Jan 2005 23:59:60 Z", "2005-01-01T23:59:59Z"),
        ("Saturday, 1-Jan-2005 00:00:00 +0100", "2005-01-01T00:00:00+01:00"),
        ("1 Jan 2005 00:00:00 +9999", "2005-01-01T00:00:00"),
        ("31 Feb 2005 00:00:00 Z", None),
        ("1 Foo 2005 00:00:00 Z", None),
        ("<HR>", None),
        ("", None),
    ],
)
def test_dates(text: str, wanted: str | None) -> None:
    assert date(text) == wanted


@given(st.text(st.sampled_from("0123456789 JanMonZ:+-,()")))
def test_any_text_is_a_date_or_none(text: str) -> None:
    date(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('"Joe Q. Public" <john.q.public@example.com>', "Joe Q. Public <john.q.public@example.com>"),
        ('<boss@nil.test>, "Giant; \\"Big\\" Box" <a@b>', '<boss@nil.test>, "Giant; \\"Big\\" Box" <a@b>'),
        ('"Doe, J." <a@b>', '"Doe, J." <a@b>'),
        ('"a@b" <c@d>', '"a@b" <c@d>'),
        ('"never closed <a@b>', '"never closed <a@b>'),
        ("A Group:Ed Jones <c@a.test>,joe@where.test;", "A Group:Ed Jones <c@a.test>,joe@where.test;"),
    ],
)
def test_names_stand_without_quotes_where_they_need_none(text: str, wanted: str) -> None:
    assert shown(text) == wanted


@pytest.mark.parametrize("piece", ['"', '\\"', '"a\\', "("])
def test_time_grows_with_length_alone(piece: str) -> None:
    def seconds(count: int) -> float:
        started = time.process_time()
        shown('"' + piece * count)
        return time.process_time() - started

    assert seconds(100_000) < 0.2 + 20 * seconds(10_000)
