"""What of a sheet stands together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.cell_names import Area
from fumehood.loaders.shared.sheet_regions import regions
from fumehood.loaders.shared.sheet_rows import Row
from fumehood.loaders.shared.xlsx_merged import cover


def sheet(*lines: str) -> list[Row]:
    """Rows from 1 on, a character a cell, a dot for none."""
    rows = []
    for number, line in enumerate(lines, start=1):
        columns = [at for at, char in enumerate(line, start=1) if char != "."]
        if columns:
            rows.append(Row(number, False, columns, [line[at - 1] for at in columns]))
    return rows


def names(rows: list[Row], merged: tuple[Area, ...] = (), tables: tuple[Area, ...] = ()) -> list[str]:
    return [region.area.name for region in regions(rows, cover(rows, list(merged)), tables)]


def test_an_empty_row_ends_a_region() -> None:
    assert names(sheet("aa", "aa", "..", "bb")) == ["A1:B2", "A4:B4"]


def test_a_spacer_column_does_not() -> None:
    assert names(sheet("ab.cd", "ab.cd")) == ["A1:E2"]
    assert names(sheet("a..b", "a..b")) == ["A1:D2"]


def test_tables_side_by_side() -> None:
    assert names(sheet("ab..cd", "ab..cd", "ab....")) == ["A1:B3", "E1:F2"]


def test_tables_that_share_a_row_only() -> None:
    assert names(sheet("aaa....", "aaa.bbb", "....bbb", "....bbb")) == ["A1:C2", "E2:G4"]


def test_what_is_below_one_side_is_cut_on_its_own() -> None:
    assert names(sheet("ab..cd", "ab..cd", "....cd", "ab..cd")) == ["A1:B2", "A4:B4", "E1:F4"]


def test_merged_cells_bridge_gaps() -> None:
    assert names(sheet("ab..cd", "ab..cd"), (Area(1, 2, 1, 4),)) == ["A1:F2"]
    assert names(sheet("a.", "..", "b."), (Area(1, 1, 2, 1),)) == ["A1:A3"]
    assert names(sheet("a.", "..", "b.")) == ["A1", "A3"]


def test_a_table_of_the_workbook_is_a_region() -> None:
    assert names(sheet("n.", "hh", "vv", "t."), tables=(Area(2, 1, 3, 2),)) == ["A1", "A2:B3", "A4"]
    assert names(sheet("n..", "hhx", "vv."), tables=(Area(2, 1, 3, 2),)) == ["A1:C3"]


@given(st.lists(st.text(alphabet="ab...", max_size=9), max_size=12))
def test_every_cell_is_in_one_region(lines: list[str]) -> None:
    wanted = sorted((row.number, column) for row in sheet(*lines) for column in row.columns)
    found = sorted(
        (row.number, column)
        for region in regions(sheet(*lines), {}, (Area(3, 2, 5, 4),))
        for row in region.rows
        for column in row.columns
    )
    assert found == wanted
