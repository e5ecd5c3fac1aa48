"""Numbers, dates and texts as spreadsheets show them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.number_format import BUILT_IN, compiled

ACCOUNTING = '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)'
SCALED = '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0'


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("0", "2.5", "3"),
        ("0.00", "1.005", "1.01"),
        ("0.00", "-1.5", "-1.50"),
        ("0.00", "-0.001", "0.00"),
        ("0.00", "0.30000000000000004", "0.30"),
        ("#,##0", "1234567.5", "1,234,568"),
        ("#,##0.00;[Red](#,##0.00)", "-1234.5", "(1,234.50)"),
        ("0.00;0.00", "-3", "3.00"),
        ("0%", "0.256", "26%"),
        ("0.00%", "0.256", "25.60%"),
        ("0.00E+00", "12345", "1.23E+04"),
        ("0.00E+00", "0.00012", "1.20E-04"),
        ("0.00E-00", "12345", "1.23E04"),
        ("##0.0E+0", "12345", "12.3E+3"),
        ("##0.0E+0", "999999", "1.0E+6"),
        ("# ?/?", "1.5", "1 1/2"),
        ("# ?/?", "0.5", "1/2"),
        ("# ?/?", "2", "2"),
        ("?/?", "1.5", "3/2"),
        ("# ?/8", "0.3", "2/8"),
        ("# ??/100", "-1.25", "-1 25/100"),
        ('0.0,,"M"', "12345678", "12.3M"),
        ("#,##0,", "1234567", "1,235"),
        (SCALED, "2500000", "2.5M"),
        (SCALED, "2500", "2.5K"),
        (SCALED, "-25", "-25"),
        ('[<0]"minus "0;0', "-5", "minus 5"),
        ("000-00-0000", "123456789", "123-45-6789"),
        ("(000) 000-0000", "5551234567", "(555) 123-4567"),
        ("00000", "42", "00042"),
        ('0;-0;"zero"', "0", "zero"),
        (";;;", "5", ""),
        ('"abc"', "5", "abc"),
        ('General" kg"', "2.5", "2.5 kg"),
        ("0.###", "1.5", "1.5"),
        ("#.##", "0.5", ".5"),
        ("#", "0", ""),
        (ACCOUNTING, "-5", "(5.00)"),
        (ACCOUNTING, "0", "-"),
        ("\\$#,##0", "5", "$5"),
        ("[$€-2] #,##0.00", "1234.5", "€ 1,234.50"),
        ("#,##0.00 [$€-407]", "1234.5", "1,234.50 €"),
        ("[Blue]0", "5", "5"),
        ("# ##0", "1234567", "1234 567"),
        ("@", "1.50", "1.5"),
        ("", "1.50", "1.5"),
    ],
)
def test_numbers(code: str, value: str, shown: str) -> None:
    assert compiled(code).number(value) == shown


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("yyyy-mm-dd", "45365", "2024-03-14"),
        ("m/d/yy h:mm", "45365.75", "3/14/24 18:00"),
        ("d-mmm-yy", "59", "28-Feb-00"),
        ("d-mmm-yy", "60", "29-Feb-00"),
        ("d-mmm-yy", "61", "1-Mar-00"),
        ("d.m.yyyy", "0", "0.1.1900"),
        ("[h]:mm:ss", "1.5", "36:00:00"),
        ("[h]:mm", "-0.5", "-12:00"),
        ("[mm]:ss", "0.0625", "90:00"),
        ("[ss].00", "0.0001", "08.64"),
        ("h:mm AM/PM", "0.75", "6:00 PM"),
        ("h:mm:ss AM/PM", "0", "12:00:00 AM"),
        ("h:mm A/P", "0.25", "6:00 A"),
        ("hh:mm", "0.99999", "23:59"),
        ("hh:mm:ss.000", "0.123456789", "02:57:46.667"),
        ("mm:ss.0", "0.00001157407", "00:01.0"),
        ('h "h" m "min"', "0.5", "12 h 0 min"),
        ("dddd, mmmm dd, yyyy", "45365", "Thursday, March 14, 2024"),
        ("ddd mmm", "45365", "Thu Mar"),
        ("mmmmm", "45365", "M"),
        ("[$-409]d-mmm", "45365", "14-Mar"),
        ("[$-407]dddd, d. mmmm yyyy", "45365", "Donnerstag, 14. März 2024"),
        ("[$-40C]d mmmm", "45365", "14 mars"),
        ('[$-411]ggge"年"m"月"', "45365", "令和6年3月"),
        ("[$-804]aaaa", "45365", "星期四"),
        ("bbbb", "45365", "2567"),
        ("[$-F800]yyyy/mm/dd", "45365", "2024/03/14"),
        # What a calendar does not show: hashes in a spreadsheet.
        ("yyyy-mm-dd", "-1", "-1"),
        ("yyyy-mm-dd", "2958466", "2958466"),
        ("yyyy-mm-dd", "2958465", "9999-12-31"),
    ],
)
def test_dates_and_times(code: str, value: str, shown: str) -> None:
    assert compiled(code).number(value) == shown


def test_dates_from_1904() -> None:
    assert compiled("yyyy-mm-dd", date1904=True).number("0") == "1904-01-01"
    assert compiled("[h]:mm", date1904=True).number("1") == "24:00"


def test_text_in_a_section_of_its_own() -> None:
    text = compiled('0;-0;0;"Name: "@').text
    assert text is not None
    assert text("x") == "Name: x"
    assert compiled("0.00").text is None
    assert compiled("@").text is None
    assert compiled(ACCOUNTING).text is None
    hidden = compiled(";;;").text
    assert hidden is not None
    assert hidden("x") == ""


@pytest.mark.parametrize("identifier", sorted(BUILT_IN))
def test_every_built_in_format_shows_something(identifier: int) -> None:
    assert compiled(BUILT_IN[identifier]).number("45365.5")


@pytest.mark.parametrize("value", ["", "abc", "nan", "inf", "-Infinity", "1e999", "9" * 401, "١٢", "0x10"])
@pytest.mark.parametrize("code", ["0.00", "General", "yyyy", "# ?/?", "0.0E+0", SCALED])
def test_what_is_no_number_stays_or_is_one_in_other_figures(code: str, value: str) -> None:
    assert compiled(code).number(value) in (value, compiled(code).number("12"))


_CHARS = '0#?.,%;@*_\\"[]/:-+EeyYmMdDhHsSgGbBaAPp$ <>=()1' + "\u20ac\u5e74"


@given(st.text(alphabet=_CHARS, max_size=40), st.floats(allow_nan=False, allow_infinity=False))
def test_any_code_shows_any_number(code: str, value: float) -> None:
    shown = compiled(code, date1904=True)
    assert isinstance(shown.number(repr(value)), str)
    if shown.text is not None:
        assert isinstance(shown.text("x"), str)


@pytest.mark.parametrize(
    "code", ["#" * 255, "?/" * 127, "[" * 255, '"' * 255, "0," * 127, "m" * 255, "0.0E+" * 50, ";" * 255]
)
def test_long_codes_take_no_time(code: str) -> None:
    start = time.process_time()
    show = compiled(code).number
    for value in range(200):
        show(f"{value}.5")
    assert time.process_time() - start < 1


def test_a_code_longer_than_there_are_is_general() -> None:
    assert compiled("0" * 256).number("1.5") == "1.5"
