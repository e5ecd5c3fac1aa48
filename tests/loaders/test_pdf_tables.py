"""Tables that we set, with rules and without, and how much of their cells comes back."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from fumehood.kinds import get
from fumehood.loaders.shared.pdf_glyphs import Rectangle
from fumehood.loaders.shared.pdf_tables import Grid, grids, level_rules, upright_rules
from fumehood.sandbox.loading import read_in_process
from tests.loaders.pdf_typesetter import broken, prose, rule, ruled, width
from tests.loaders.pdf_writer import document, text

pytestmark = pytest.mark.usefixtures("either_engine")

KIND = get("pdf")
WORDS = (
    "apple",
    "pear",
    "quince",
    "medlar",
    "plum",
    "cherry",
    "fig",
    "date",
    "lemon",
    "lime",
    "orange",
    "melon",
    "grape",
)
FORMS = ("ruled", "level", "bare", "head")
"""All rules; one below each row; none; three, as in books."""


def cell(chance: random.Random, column: int) -> str:
    if column and chance.random() < 0.6:
        return chance.choice(["{:.2f}", "{:,.0f}", "{:.1f}%"]).format(chance.uniform(1, 9_999))
    return " ".join(chance.choices(WORDS, k=chance.randint(1, 3))).capitalize()


def generated(seed: int) -> tuple[bytes, list[list[str]]]:
    """A page with a table between two paragraphs, and its rows."""
    chance = random.Random(seed)
    form = FORMS[seed % len(FORMS)]
    columns, count = chance.randint(2, 6), chance.randint(3, 12)
    rows = [[cell(chance, column) for column in range(columns)] for _ in range(count)]
    rows[0] = [chance.choice(WORDS).capitalize() for _ in range(columns)]
    size = chance.choice([8, 9, 10])
    wraps = form in ("ruled", "level") and chance.random() < 0.6
    measure = [55 if wraps else max(width(row[at], size) for row in rows) for at in range(columns)]
    padding = chance.uniform(6, 12)
    xs = [50.0]
    for one in measure:
        xs.append(xs[-1] + one + 2 * padding)
    y = 680.0
    shown, ys = [], [y]
    right_aligned = chance.random() < 0.5
    for row in rows:
        parts = [broken(one, measure[at], size) for at, one in enumerate(row)]
        height = max(map(len, parts)) * 1.2 * size + chance.choice([4, 6])
        for at, part in enumerate(parts):
            for number, line in enumerate(part):
                is_number = line[-1:].isdigit() or line.endswith("%")
                shift = measure[at] - width(line, size) if right_aligned and is_number else 0
                shown.append(text(line, xs[at] + padding + shift, y - size - 1 - 1.2 * size * number, size))
        y -= height
        ys.append(y)
    rules = {
        "ruled": ruled(xs, ys),
        "level": b"".join(rule(xs[0], at, xs[-1], at) for at in ys),
        "head": b"".join(rule(xs[0], at, xs[-1], at) for at in (ys[0], ys[1], ys[-1])),
        "bare": b"",
    }[form]
    chance.shuffle(shown)
    above = text(prose("Above it", 12), 50, 710, 10)
    return above + rules + b"".join(shown) + text(prose("Below it", 12), 50, y - 30, 10), rows


def found_cells(page: bytes) -> Counter[tuple[int, int, str]]:
    """Row, column and text of each cell of the page's tables, rows counted through."""
    found: Counter[tuple[int, int, str]] = Counter()
    read = read_in_process(KIND, document([page]))
    rows = [read.text[block.start : block.end] for block in read.blocks if block.role == "table-row"]
    for number, row in enumerate(rows):
        parts = row.split("\n")[0].strip("|").split("|")
        found.update((number, at, part.strip().replace("<br>", " ")) for at, part in enumerate(parts) if part.strip())
    return found


def f1(found: Counter[tuple[int, int, str]], rows: list[list[str]]) -> float:
    true = Counter((number, at, part) for number, row in enumerate(rows) for at, part in enumerate(row))
    return 2 * (found & true).total() / (found.total() + true.total())


def test_most_cells_of_generated_tables_come_back() -> None:
    scores = {}
    for seed in range(20):
        page, rows = generated(seed)
        scores[seed, FORMS[seed % len(FORMS)]] = round(f1(found_cells(page), rows), 2)
    assert sum(scores.values()) / len(scores) >= 0.9, scores
    assert min(scores.values()) > 0.5, scores


def found_grids(rules: Sequence[Rectangle]) -> tuple[list[Grid], bool]:
    return grids(level_rules(rules), upright_rules(rules))


def test_a_grid_knows_its_cells() -> None:
    rules = [(0.0, y, 90.0, y) for y in (0.0, 20.0, 40.0)] + [(x, 0.0, x, 40.0) for x in (0.0, 30.0, 90.0)]
    (grid,), are_too_many = found_grids(rules)
    assert not are_too_many
    assert (grid.rows, grid.columns) == (2, 2)
    assert [grid.cell_at(x, y) for x, y in ((10, 30), (50, 30), (10, 10), (50, 10), (95, 10), (10, 50))] == [
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
        None,
        None,
    ]


def test_cells_that_no_rule_parts_are_one() -> None:
    rules = (
        [(0.0, y, 90.0, y) for y in (0.0, 20.0, 40.0)] + [(x, 0.0, x, 40.0) for x in (0.0, 90.0)] + [(30, 0, 30, 20)]
    )
    (grid,), _ = found_grids(rules)
    assert grid.cell_at(50, 30) == grid.cell_at(10, 30) == (0, 0)
    assert grid.right_of(0, 0) == 90


def test_borders_drawn_cell_by_cell_and_as_thin_areas() -> None:
    rules = [(30.0 * x, 20.0 * y, 30.0 * x + 30, 20.0 * y + 0.5) for x in range(3) for y in range(4)]
    rules += [(30.0 * x, 20.0 * y, 30.0 * x + 0.5, 20.0 * y + 20) for x in range(4) for y in range(3)]
    (grid,), _ = found_grids(rules)
    assert (grid.rows, grid.columns) == (3, 3)


@pytest.mark.parametrize("count", [2_500, 8_000])
def test_too_many_rules_are_not_looked_at(count: int) -> None:
    rules = [(0.0, 5.0 * y, 90.0, 5.0 * y) for y in range(count)] + [(x, 0.0, x, 5.0 * count) for x in (0.0, 90.0)]
    assert found_grids(rules) == ([], True)


def test_a_frame_around_a_page_makes_no_table_of_its_text() -> None:
    page = ruled([40, 560], [40, 780]) + rule(40, 700, 560, 700) + text(prose("Framed", 10), 50, 650, 10)
    assert not found_cells(page)


def test_numbers_below_one_another_between_two_rules_are_rows() -> None:
    def cell(lines: list[str], x: float, y: float) -> bytes:
        return b"".join(text(line, x, y - 12 * at, 10) for at, line in enumerate(lines))

    head = [["Layers"], ["Kind of language"], ["Simple"], ["All"]]
    body = [["6"], ["OTSL", "HTML"], ["0.965", "0.969"], ["0.934", "0.927"]]
    words = [["4"], ["one", "two"], ["not far", "from it"], ["0.9", "0.8"]]
    content = ruled([50, 120, 230, 300, 370], [700, 680, 650, 620])
    for row, y in ((head, 686), (body, 668), (words, 638)):
        for lines, x in zip(row, (55, 125, 235, 305), strict=True):
            content += cell(lines, x, y - 6 if len(lines) == 1 and y < 680 else y)
    found = read_in_process(KIND, document([content]))
    assert [found.text[block.start : block.end].split("\n")[0] for block in found.blocks] == [
        "| Layers | Kind of language | Simple | All |",
        "| 6 | OTSL | 0.965 | 0.934 |",
        "|  | HTML | 0.969 | 0.927 |",
        "| 4 | one<br>two | not far<br>from it | 0.9<br>0.8 |",
    ]


def test_heads_that_span_columns_hide_none() -> None:
    head = text("2023", 215, 680, 10) + text("2024", 375, 680, 10)
    rows = [
        ("Region", "Sales", "Costs", "Sales", "Costs"),
        *((f"Land {n}", *(f"{n}{m}0.5" for m in range(4))) for n in range(4)),
    ]
    body = b"".join(
        text(cell, x, 665 - 15 * at, 10)
        for at, row in enumerate(rows)
        for cell, x in zip(row, (50, 180, 250, 340, 410), strict=True)
    )
    found = read_in_process(KIND, document([head + body]))
    shown = [found.text[block.start : block.end].split("\n")[0] for block in found.blocks]
    assert shown == ["|  | 2023 |  | 2024 |  |", *(f"| {' | '.join(row)} |" for row in rows)]


def test_heads_of_narrow_columns_that_run_upwards_are_cells() -> None:
    xs, ys = [50, 150, 180, 210], [700, 620, 600, 580]
    heads = b"".join(
        b"BT /F1 10 Tf 0 1 -1 0 %d 630 Tm (%s) Tj ET\n" % (x, head) for x, head in ((168, b"Portable"), (198, b"Quiet"))
    )
    rows = b"".join(
        text(string, x, y, 10)
        for y, row in ((606, ("Saw", "yes", "no")), (586, ("Drill", "no", "no")))
        for string, x in zip(row, (55, 155, 185), strict=True)
    )
    found = read_in_process(get("pdf"), document([ruled(xs, ys) + text("Tool", 55, 630, 10) + heads + rows]))
    assert found.text == ("| Tool | Portable | Quiet |\n| --- | --- | --- |\n| Saw | yes | no |\n| Drill | no | no |")
