"""Tables that go on from page to page are one, whatever stands between."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from fumehood import Document
from fumehood.kinds import get
from fumehood.sandbox.loading import read_in_process
from tests.loaders.pdf_typesetter import prose, ruled, width
from tests.loaders.pdf_writer import document, text

pytestmark = pytest.mark.usefixtures("either_engine")

KIND = get("pdf")
HEADS = ("Name", "Amount", "Remark here")
Row = tuple[str, ...]


def rows(first: int, end: int) -> list[Row]:
    return [(f"apple {number}", f"{number * 37}.50", f"as agreed {number}") for number in range(first, end)]


def bare(shown: Sequence[Row], y: float) -> bytes:
    return b"".join(
        text(row[0], 50, y - 16 * at, 10)
        + text(row[1], 250 - width(row[1]), y - 16 * at, 10)
        + (text(row[2], 300, y - 16 * at, 10) if len(row) > 2 else b"")
        for at, row in enumerate(shown)
    )


def with_rules(shown: Sequence[Row], y: float) -> bytes:
    return bare(shown, y) + ruled([45, 150, 260, 420], [y + 11 - 16 * at for at in range(len(shown) + 1)])


def page(number: int, *parts: bytes) -> bytes:
    return text("The Book of Tests", 50, 775, 9) + b"".join(parts) + text(f"Page {number} of 3", 500, 30, 9)


def read(*pages: bytes) -> Document:
    return read_in_process(KIND, document(pages))


def tables(found: Document) -> list[list[tuple[str, int | None]]]:
    """Rows of each table, and their pages."""
    by_group: dict[int | None, list[tuple[str, int | None]]] = {}
    for block in found.blocks:
        if block.role == "table-row":
            row = found.text[block.start : block.end].split("\n")[0], block.locator.page if block.locator else None
            by_group.setdefault(block.group, []).append(row)
    return list(by_group.values())


def written(shown: Sequence[Row]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in shown]


BEFORE = text(prose("Before it", 9), 50, 700, 10)
AFTER = text(prose("After it", 9), 50, 500, 10)


@pytest.mark.parametrize("shown", [bare, with_rules])
@pytest.mark.parametrize("again", [[], [HEADS]])
@pytest.mark.parametrize("last", [41, 46])
def test_a_table_goes_on(shown: Callable[[Sequence[Row], float], bytes], again: list[Row], last: int) -> None:
    found = read(
        page(1, BEFORE, shown([HEADS, *rows(1, 4)], 200)),
        page(2, shown([*again, *rows(4, 40)], 740)),
        page(3, shown([*again, *rows(40, last)], 740), AFTER),
    )
    (table,) = tables(found)
    assert [row for row, _ in table] == written([HEADS, *rows(1, last)])
    assert [number for _, number in table] == [1] * 4 + [2] * 36 + [3] * (last - 40)
    # What is running comes once, and between no rows.
    assert [block.role for block in found.blocks if block.role != "table-row"] == [
        "header",
        "paragraph",
        "footer",
        "paragraph",
    ]


def test_values_that_are_said_again_are_not_left_out() -> None:
    shown = [HEADS, ("rent", "500.00", "as agreed"), ("heating", "80.00", "as before")]
    assert [row for row, _ in tables(read(bare(shown, 300), bare(shown, 740)))[0]] == written([*shown, *shown[1:]])


@pytest.mark.parametrize("shown", [bare, with_rules])
def test_a_cell_that_is_empty_leaves_its_place(shown: Callable[[Sequence[Row], float], bytes]) -> None:
    found = read(page(1, shown([HEADS, *rows(1, 9)], 300)), page(2, shown([("apple 9", "333.50")], 740), AFTER))
    assert [row for row, _ in tables(found)[0]][-1] == "| apple 9 | 333.50 |  |"


@pytest.mark.parametrize(
    "second",
    [
        AFTER + bare([HEADS, *rows(4, 8)], 300),
        text("Another table", 50, 780, 14) + bare([HEADS, *rows(4, 8)], 740),
        b"".join(text(f"{at} kg", x, 740 - 16 * at, 10) for at in range(8) for x in (50, 120, 190, 260, 330)),
        bare([HEADS, *rows(4, 8)], 740).replace(b"/F1 10 Tf", b"/F1 16 Tf"),
    ],
)
def test_what_stands_apart_or_has_other_columns_is_another_table(second: bytes) -> None:
    assert len(tables(read(bare([HEADS, *rows(1, 4)], 200), second))) == 2


@pytest.mark.parametrize(
    "between",
    [
        text(prose("After it", 9), 50, 160, 10),
        text("A remark that goes below.", 50, 130, 10),
        text("All of it", 50, 50, 10),
    ],
)
def test_a_table_above_text_has_ended(between: bytes) -> None:
    assert len(tables(read(BEFORE + bare([HEADS, *rows(1, 4)], 250) + between, bare([HEADS, *rows(4, 8)], 740)))) == 2


def test_a_running_head_is_no_row() -> None:
    def page(number: int, content: bytes) -> bytes:
        return bare([("Tests", f"Page {number}.50")], 775) + content

    found = read(page(1, bare([("Name", "Amount"), *rows(1, 9)], 300)), page(2, AFTER), page(3, AFTER))
    assert [row for row, _ in tables(found)[0]][-1] == written(rows(8, 9))[0]


def test_a_running_head_that_changes_sides_is_no_row() -> None:
    entries = [(f"Chapter {'abcdefghij'[number]}", str(40 + number)) for number in range(10)]
    found = read(
        bare([("Contents", "1")], 775) + bare(entries, 300),
        bare([("2", "Contents")], 775) + text(prose("And", 9), 50, 600),
    )
    assert [row for row, _ in tables(found)[0]][-1] == written(entries)[-1]


def test_comments_stay_with_their_page() -> None:
    data = document(
        [bare([HEADS, *rows(1, 4)], 200), bare(rows(4, 8), 740)],
        page="/Annots[<</Subtype/Text/Rect[1 1 9 9]/Contents(so)>>]",
    )
    found = read_in_process(KIND, data)
    assert [block.locator and block.locator.page for block in found.blocks if block.role == "comment"] == [1, 2]
    assert len(tables(found)) == 2


@pytest.mark.parametrize("shown", [bare, with_rules])
@pytest.mark.parametrize("y", [160, 70])
def test_a_head_alone_at_the_foot_of_a_page_is_its_table_s(
    shown: Callable[[Sequence[Row], float], bytes], y: float
) -> None:
    found = read(page(1, BEFORE, shown([HEADS], y)), page(2, shown(rows(1, 9), 740), AFTER))
    (table,) = tables(found)
    assert table == [(line, 1 if at == 0 else 2) for at, line in enumerate(written([HEADS, *rows(1, 9)]))]


def test_a_head_that_is_said_again_overleaf_comes_once() -> None:
    found = read(page(1, BEFORE, bare([HEADS], 100)), page(2, bare([HEADS, *rows(1, 9)], 740), AFTER))
    (table,) = tables(found)
    assert [row for row, _ in table] == written([HEADS, *rows(1, 9)])


@pytest.mark.parametrize(
    "foot",
    [
        bare([("Signed", "Seen")], 100),
        bare([("apple 0", "17.50", "12")], 100),
        text("Name", 50, 100, 10) + text("Amount", 160, 100, 10) + text("Remark", 440, 100, 10),
        bare([HEADS], 130) + text(prose("Below it", 9), 50, 110, 10),
        text("Name", 50, 100, 16) + text("Amount", 200, 100, 16) + text("Remark", 310, 100, 16),
    ],
    ids=["of two columns", "values", "other columns", "text below", "larger"],
)
def test_what_is_no_head_of_the_table_overleaf_is_none(foot: bytes) -> None:
    found = read(page(1, BEFORE, foot), page(2, bare(rows(1, 9), 740), AFTER))
    (table,) = tables(found)
    assert [row for row, _ in table] == written(rows(1, 9))


def test_a_footer_in_three_parts_is_no_head() -> None:
    foot = bare([("Tests Ltd", "private", "All rights reserved")], 40)
    found = read(*(BEFORE + foot if number == 1 else bare(rows(1, 9), 740) + AFTER + foot for number in (1, 2)))
    (table,) = tables(found)
    assert [row for row, _ in table] == written(rows(1, 9))
