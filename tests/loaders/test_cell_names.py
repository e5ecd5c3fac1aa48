"""Names of cells and columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.cell_names import LAST_COLUMN, LAST_ROW, Area, area, column_name, column_number


def test_columns() -> None:
    assert [column_name(column) for column in (1, 26, 27, 702, 703, LAST_COLUMN)] == [
        "A",
        "Z",
        "AA",
        "ZZ",
        "AAA",
        "XFD",
    ]
    assert column_name(LAST_COLUMN + 1) == "XFD"


@given(st.integers(1, LAST_COLUMN))
def test_columns_by_name(column: int) -> None:
    assert column_number(column_name(column)) == column
    assert column_number(column_name(column).lower()) == column


@pytest.mark.parametrize("name", ["", "XFE", "ZZZ", "AAAA", "A1", "é", "\u212a", " A"])
def test_what_is_no_column(name: str) -> None:
    assert column_number(name) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("B3", Area(3, 2, 3, 2)),
        ("$B$3:d9", Area(3, 2, 9, 4)),
        ("D9:B3", Area(3, 2, 9, 4)),
        ("A1:XFD1048576", Area(1, 1, LAST_ROW, LAST_COLUMN)),
        ("A0", None),
        ("A1048577", None),
        ("XFE1", None),
        ("A1:", None),
        ("A:B", None),
        ("A1 B2", None),
        ("A" * 1000, None),
        ("A1:B2:C3", None),
    ],
)
def test_areas(name: str, expected: Area | None) -> None:
    assert area(name) == expected


def test_names_of_areas() -> None:
    assert Area(3, 2, 3, 2).name == "B3"
    assert Area(3, 2, 9, 4).name == "B3:D9"
