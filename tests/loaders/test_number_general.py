"""The format General, as Excel shows it in a wide column."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.number_general import general


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("7", "7"),
        ("007", "7"),
        ("0.1", "0.1"),
        ("3.3000000000000004", "3.3"),
        ("0.333333333333", "0.333333333"),
        ("1234567.891234", "1234567.891"),
        ("12345678901", "12345678901"),
        ("123456789012", "1.23457E+11"),
        ("99999999999.9", "1E+11"),
        ("0.000123456789", "0.000123457"),
        ("0.00001", "0.00001"),
        ("0.0000123456", "1.23456E-05"),
        ("1E+20", "1E+20"),
        ("1e-300", "1E-300"),
        ("1.182105e155", "1.1821E+155"),
        ("-0.5", "-0.5"),
        ("nan", "nan"),
        ("1e999", "1e999"),
        ("text", "text"),
        ("9" * 401, "9" * 401),
    ],
)
def test_general(raw: str, shown: str) -> None:
    assert general(raw) == shown


@given(st.floats(-1e300, 1e300))
def test_it_is_short_and_near_the_number(value: float) -> None:
    shown = general(repr(value))
    assert len(shown.lstrip("-")) <= 11
    assert math.isclose(float(shown), value, rel_tol=1e-4, abs_tol=1e-300)
