"""Values as their data styles show them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared import odf_values
from fumehood.loaders.shared.odf_values import PARTS, DataStyle, Part, condition, shown


def part(kind: str, text: str = "", **attributes: str) -> Part:
    return Part(kind, {name.replace("_", "-"): value for name, value in attributes.items()}, text)


def number(value: str, *parts: Part, kind: str = "number", of: str = "float") -> str:
    return shown(
        {odf_values.VALUE_TYPE: of, odf_values.VALUE: value}, DataStyle(kind, list(parts)) if parts else None, {}
    )


def date(value: str, *parts: Part) -> str:
    return shown(
        {odf_values.VALUE_TYPE: "date", odf_values.DATE: value}, DataStyle("date", list(parts)) if parts else None, {}
    )


def time(value: str, *parts: Part, runs_over: bool = False) -> str:
    style = DataStyle("time", list(parts), runs_over=runs_over) if parts else None
    return shown({odf_values.VALUE_TYPE: "time", odf_values.TIME: value}, style, {})


@pytest.mark.parametrize(
    ("value", "parts", "text"),
    [
        ("1234.5", [part("number", decimal_places="2", grouping="true")], "1,234.50"),
        ("1234.5", [part("number")], "1234.5"),
        ("-0.001", [part("number", decimal_places="2")], "0.00"),
        ("-7", [part("number", decimal_places="0", min_integer_digits="3")], "-007"),
        ("7", [part("number", decimal_places="0", min_integer_digits="3")], "007"),
        ("1.5", [part("number", decimal_places="3", min_decimal_places="1")], "1.5"),
        ("2000", [part("number", decimal_places="1", display_factor="1000"), part("text", " k")], "2.0 k"),
        ("0.75", [part("fraction", min_denominator_digits="1")], "3/4"),
        ("-2.5", [part("fraction", denominator_value="4")], "-2 2/4"),
        ("3", [part("fraction")], "3"),
        ("12345", [part("scientific-number", decimal_places="2")], "1.23E+04"),
        ("5", [part("currency-symbol", "€"), part("text", " "), part("number", decimal_places="2")], "€ 5.00"),
    ],
)
def test_numbers(value: str, parts: list[Part], text: str) -> None:
    assert number(value, *parts) == text


def test_values_without_a_style() -> None:
    assert number("0.30000000000000004") == "0.3"
    assert number("3") == "3"
    assert number("0.5", of="percentage") == "50%"
    assert (
        number("0.5", part("number", decimal_places="1"), part("text", "%"), kind="percentage", of="percentage")
        == "50.0%"
    )
    assert (
        shown({odf_values.VALUE_TYPE: "currency", odf_values.VALUE: "2", odf_values.CURRENCY: "EUR"}, None, {})
        == "2 EUR"
    )
    assert date("2020-02-03T04:05:06") == "2020-02-03 04:05:06"
    assert time("PT26H03M04.5S") == "26:03:04"
    assert shown({}, None, {}) == ""


def test_dates() -> None:
    parts = [
        part("day-of-week", style="long"),
        part("text", ", "),
        part("day"),
        part("text", " "),
        part("month", textual="true"),
        part("text", " "),
        part("year"),
    ]
    assert date("2020-02-03", *parts) == "Monday, 3 Feb 20"
    assert date("2020-05-03", part("quarter"), part("text", " "), part("week-of-year")) == "Q2 18"


def test_times() -> None:
    clock = [
        part("hours", style="long"),
        part("text", ":"),
        part("minutes", style="long"),
        part("text", ":"),
        part("seconds", style="long", decimal_places="1"),
    ]
    assert time("PT14H03M04.56S", *clock) == "14:03:04.5"
    assert time("PT26H03M04S", *clock) == "02:03:04.0"
    assert time("PT26H03M04S", *clock, runs_over=True) == "26:03:04.0"
    assert time("PT14H03M", part("hours"), part("text", " "), part("am-pm")) == "2 PM"
    assert time("-PT1H", part("hours")) == "-1"


def test_a_map_chooses_another_style_and_the_sign_is_its_own() -> None:
    negative = DataStyle("number", [part("text", "("), part("number", decimal_places="0"), part("text", ")")])
    positive = condition("value()>=0")
    assert positive is not None
    negative.maps.append((positive, "P0"))
    styles = {"P0": DataStyle("number", [part("text", "+"), part("number", decimal_places="0")])}
    values = {"5": "+5", "-5": "(5)"}
    for value, text in values.items():
        assert shown({odf_values.VALUE_TYPE: "float", odf_values.VALUE: value}, negative, styles) == text


@pytest.mark.parametrize("text", ["", "is-true-formula(x)", "value()=a", "value()<" + "9" * 500, "cell-content()=1"])
def test_conditions_of_other_kinds_are_none(text: str) -> None:
    assert condition(text) is None


@pytest.mark.parametrize("value", ["9" * 6_000, "nan", "inf", "1e999", "x", "1e308"])
def test_values_that_are_no_numbers_are_shown_as_they_stand(value: str) -> None:
    assert len(number(value, part("number", decimal_places="999999999", min_integer_digits="99999999"))) < 400


@given(
    st.sampled_from(["float", "percentage", "currency", "date", "time", "boolean", "string", "x"]),
    st.one_of(st.text(max_size=30), st.floats().map(str), st.datetimes().map(str), st.just("P9Y9M9DT9H9M9.9S")),
    st.sampled_from(["number", "currency", "percentage", "date", "time", "boolean", "text"]),
    st.lists(st.builds(Part, st.sampled_from(PARTS), st.dictionaries(st.sampled_from(["decimal-places", "style", "denominator-value", "display-factor"]), st.sampled_from(["0", "1", "long", "-1", "x", "9999999999"]))), max_size=4),
)  # fmt: skip
def test_any_value_is_shown_somehow(of: str, value: str, kind: str, parts: list[Part]) -> None:
    names = (odf_values.VALUE, odf_values.DATE, odf_values.TIME, odf_values.BOOLEAN, odf_values.STRING)
    text = shown({odf_values.VALUE_TYPE: of, **dict.fromkeys(names, value)}, DataStyle(kind, parts), {})
    assert len(text) < 2_000
