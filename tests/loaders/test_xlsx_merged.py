"""Merged cells: one look-up a cell, however many there are."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.cell_names import LAST_COLUMN, LAST_ROW, Area
from fumehood.loaders.shared.sheet_rows import Row
from fumehood.loaders.shared.xlsx_merged import cover

SMALL = 8


def full(rows: int, columns: int) -> list[Row]:
    return [
        Row(row, False, list(range(1, columns + 1)), [f"{row}.{column}" for column in range(1, columns + 1)])
        for row in range(1, rows + 1)
    ]


def areas() -> st.SearchStrategy[Area]:
    span = st.tuples(st.integers(1, SMALL), st.integers(1, SMALL)).map(sorted)
    return st.builds(lambda rows, columns: Area(rows[0], columns[0], rows[1], columns[1]), span, span)


def apart(found: list[Area]) -> list[Area]:
    """Those that overlap none before them, from the top."""
    kept: list[Area] = []
    for one in sorted(found):
        if not any(
            one.top <= other.bottom and other.top <= one.bottom and one.left <= other.right and other.left <= one.right
            for other in kept
        ):
            kept.append(one)
    return kept


@given(st.lists(areas(), max_size=10))
def test_only_first_cells_are_seen(merged: list[Area]) -> None:
    rows = full(SMALL, SMALL)
    spans = cover(rows, merged)
    kept = apart(merged)
    assert sorted(area for found in spans.values() for area in found) == kept
    for row in rows:
        for column in range(1, SMALL + 1):
            covered = any(
                area.top <= row.number <= area.bottom
                and area.left <= column <= area.right
                and (row.number, column) != (area.top, area.left)
                for area in kept
            )
            assert (column in (row.concealed or {})) == covered
            assert (column in row.columns) != covered


def test_many_areas_and_many_rows_take_linear_time() -> None:
    merged = [Area(1, left, LAST_ROW, left + 1) for left in range(1, LAST_COLUMN, 2)]
    merged += [Area(1, 1, LAST_ROW, LAST_COLUMN)] * 20_000
    rows = [Row(number, False, [1, 2, 9], ["a", "b", "c"]) for number in range(1, 20_001)]
    start = time.process_time()
    cover(rows, merged)
    assert time.process_time() - start < 3
