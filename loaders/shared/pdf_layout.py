"""From what a page shows to its pieces in reading order: paragraphs, items of lists, tables.

Text that runs in different directions is laid out direction by direction, each turned upright first. What
nobody sees is laid out apart from what is seen, and stands behind what is next to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final, TypeVar

from msgspec.structs import replace

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_boxes, pdf_notes
from fumehood.loaders.shared.pdf_boxes import Box, Framed
from fumehood.loaders.shared.pdf_carried import NOTHING, Carried, mirrored, running_key
from fumehood.loaders.shared.pdf_cells import Part, parted
from fumehood.loaders.shared.pdf_columns import Item, in_order
from fumehood.loaders.shared.pdf_glyphs import Canvas, GlyphRun, Ink, LinkArea, Rectangle
from fumehood.loaders.shared.pdf_joining import compounds, joined
from fumehood.loaders.shared.pdf_lines import Line, Links, lines_of, runs_backward
from fumehood.loaders.shared.pdf_paragraphs import Piece, pieces_of
from fumehood.loaders.shared.pdf_tables import (
    Cell,
    Grid,
    InCells,
    Interval,
    Place,
    Rule,
    Table,
    frames,
    grids,
    level_rules,
    shared_out,
    upright_rules,
)
from fumehood.loaders.shared.pdf_turning import Turn, set_upright

_Mirrored = TypeVar("_Mirrored", bound=Item)

_SEEN: Final = Ink.SEEN
"""By itself: attributes of enumerations are looked up slowly, and this one for each word."""
_RUNS_PER_NODE: Final = 2
MOST_LINES: Final = 20_000
"""Lines of one direction that are parted into columns; more are read from the top."""
_LOWEST_WALL: Final = 36.0
"""Points that an upright rule is high at least that parts two texts."""
_MOST_WALLS: Final = 8
_MOST_LOOKED_UP: Final = 5_000_000
"""Grids times runs: a page of many small grids, each looked at for each word."""
_MOST_COMPARED: Final = 100_000
"""Pairs of hidden and seen pieces that are looked at for which are next to each other."""


@dataclass(slots=True)
class PageLayout:
    """A page of this height, in pieces. Pieces that are not upright stand in the middle of it."""

    height: float
    pieces: list[Piece] = field(default_factory=list)
    is_simplified: bool = False
    repeated: int = 0
    """Parts of the page that say what another says, and were left out."""
    recognised: int = 0
    """Words not painted that lie over a picture: someone's recognition of what it shows."""


def layout(canvas: Canvas, budget: Budget, carried: Carried = NOTHING) -> PageLayout:
    """The page in reading order: the direction of most text first. Spends `nodes`.

    `carried`: the table that the page before ends with, which may go on.
    """
    page = PageLayout(canvas.height)
    left = dict(sorted(set_upright(canvas.runs).items(), key=lambda item: (-len(item[1]), item[0])))
    for degrees in list(left):
        runs = left.pop(degrees)
        budget.spend("nodes", len(runs) // _RUNS_PER_NODE)
        turn = Turn(degrees)
        seen, hidden = _parted(runs, turn, canvas, page)
        pieces = _seen_pieces(seen, turn, canvas, budget, page, left if not degrees else {}, carried)
        pieces = pdf_notes.with_roles(pieces)
        if hidden:
            pieces = _with_hidden(pieces, hidden, budget)
        for piece in pieces:
            piece.is_aside = bool(page.pieces)
            if degrees:
                piece.low = piece.high = canvas.height / 2
        page.pieces += pieces
    return page


def _parted(
    runs: Sequence[GlyphRun], turn: Turn, canvas: Canvas, page: PageLayout
) -> tuple[list[GlyphRun], list[GlyphRun]]:
    """Runs that are seen and runs that are not. What is not painted is, over a picture, what someone read in it."""
    are_seen = [run.style.ink is _SEEN for run in runs]
    if all(are_seen):
        return list(runs), []
    seen: list[GlyphRun] = []
    hidden: list[GlyphRun] = []
    for run in runs:
        ink = run.style.ink
        if ink is Ink.SEEN:
            seen.append(run)
        elif ink is Ink.UNPAINTED and _is_over_image(run, turn, canvas):
            seen.append(run)
            page.recognised += 1
        else:
            hidden.append(run)
    return seen, hidden


def _is_over_image(run: GlyphRun, turn: Turn, canvas: Canvas) -> bool:
    x, y = turn.middle(run)
    return any(left <= x <= right and bottom <= y <= top for left, bottom, right, top in canvas.images)


def _seen_pieces(
    runs: Sequence[GlyphRun],
    turn: Turn,
    canvas: Canvas,
    budget: Budget,
    page: PageLayout,
    others: dict[int, list[GlyphRun]],
    carried: Carried,
) -> list[Piece]:
    """Of one direction. From `others`, runs of other directions on the same page, what stands in cells is taken."""
    links = Links(LinkArea(turn.place(place), target) for place, target in canvas.links)
    is_backward = runs_backward(runs)
    ruled = _Ruled(runs)
    if canvas.rules and turn.is_square:
        columns = mirrored(carried.columns) if is_backward else carried.columns
        ruled = _by_rules(runs, [turn.place(rule) for rule in canvas.rules], columns, canvas, page, others)
    tables = [_table(one, _turned_cells(one, others), links, is_backward) for one in ruled.tables]
    boxes = [
        Box.of(one.place, lines, tables)
        for one in ruled.framed
        if (lines := lines_of(one.runs, links, is_backward=is_backward, items=canvas.items))
    ]
    in_boxes = {id(item) for box in boxes for item in box.items}
    lines = lines_of(ruled.left, links, is_backward=is_backward, items=canvas.items)
    known = compounds([*lines, *(item for box in boxes for item in box.items if isinstance(item, Line))])
    items: list[Item] = [*lines, *(table for table in tables if id(table) not in in_boxes), *boxes]
    floors, walls = ruled.floors, ruled.walls
    if is_backward:
        # What follows asks where lines begin and end: seen in a mirror, these do so as others.
        items = [_mirrored(item) for item in items]
        floors = [rule._replace(start=-rule.end, end=-rule.start) for rule in floors]
        walls = [rule._replace(at=-rule.at) for rule in walls]
    return _in_order(items, known, floors, walls, budget, page, carried)


def _in_order(
    items: list[Item],
    known: AbstractSet[str],
    floors: Sequence[Rule],
    walls: Sequence[Rule],
    budget: Budget,
    page: PageLayout,
    carried: Carried,
) -> list[Piece]:
    for box in items:
        if isinstance(box, Box):
            box.regions = in_order(box.items, budget).regions
    if len(items) > MOST_LINES:
        page.is_simplified = True
        return pieces_of(items, known, floors)
    begun: set[int] = set()
    order = in_order(items, budget, walls)
    page.repeated += order.repeated
    pieces: list[Piece] = []
    for region in order.regions:
        goes_on = all(running_key(piece.text) in carried.running for piece in pieces)
        pieces += pieces_of(region, known, floors, begun, carried if goes_on else NOTHING)
    return pieces


def _mirrored(item: _Mirrored) -> _Mirrored:
    found = replace(item, start=-item.end, end=-item.start)
    if isinstance(found, Table):
        found.rows = [row[::-1] for row in found.rows]
        found.columns = mirrored(found.columns)
    elif isinstance(found, Box):
        found.items = [_mirrored(inner) for inner in found.items]
    return found


@dataclass(slots=True)
class _Ruled:
    """Runs by the rules around them: those of tables and of frames, and what is left. `floors`: the level rules.

    `walls`: upright rules that belong to no table, the longest first.
    """

    left: Sequence[GlyphRun]
    tables: Sequence[InCells] = ()
    framed: Sequence[Framed] = ()
    floors: Sequence[Rule] = ()
    walls: Sequence[Rule] = ()


def _by_rules(
    runs: Sequence[GlyphRun],
    rules: Sequence[Rectangle],
    columns: Sequence[Interval],
    canvas: Canvas,
    page: PageLayout,
    others: dict[int, list[GlyphRun]],
) -> _Ruled:
    """`columns`: those of a table that may go on."""
    level, upright = level_rules(rules), upright_rules(rules)
    found, are_too_many = grids(level, upright, columns)
    if are_too_many:
        page.is_simplified = True
        return _Ruled(runs)
    ruled = _Ruled(runs, floors=level)
    candidates = [grid for grid in found if grid.may_be_table]
    if len(candidates) * (len(runs) + sum(map(len, others.values()))) > _MOST_LOOKED_UP:
        page.is_simplified = True
    elif candidates:
        ruled.left, ruled.tables = shared_out(runs, candidates)
    ruled.left, ruled.framed = pdf_boxes.shared_out(ruled.left, frames(found), canvas.width * canvas.height)
    ruled.walls = _walls(upright, [one.grid for one in ruled.tables])
    return ruled


def _walls(upright: Sequence[Rule], tables: Sequence[Grid]) -> list[Rule]:
    found = [
        rule
        for rule in upright
        if rule.end - rule.start >= _LOWEST_WALL and not any(grid.has_wall(rule) for grid in tables)
    ]
    return sorted(found, key=lambda rule: rule.start - rule.end)[:_MOST_WALLS]


def _turned_cells(found: InCells, others: dict[int, list[GlyphRun]]) -> dict[Place, list[GlyphRun]]:
    """What stands turned in cells that hold nothing upright: heads of narrow columns. It is taken from `others`."""
    grid, cells = found
    taken: dict[Place, list[GlyphRun]] = {}
    for degrees, runs in others.items():
        turn = Turn(degrees)
        left = []
        for run in runs:
            place = grid.cell_at(*turn.middle(run)) if turn.is_square and run.style.ink is Ink.SEEN else None
            if place is None or place in cells:
                left.append(run)
            else:
                taken.setdefault(place, []).append(run)
        runs[:] = left
    return taken


def _table(found: InCells, turned: dict[Place, list[GlyphRun]], links: Links, is_backward: bool) -> Table:
    grid, cells = found
    lines = {place: lines_of(runs, links, is_backward=is_backward) for place, runs in cells.items()}
    sizes = [line.size for some in lines.values() for line in some]
    texts: dict[Part, Cell] = {}
    for part, some in parted(lines).items():
        right = grid.right_of(part.row, part.column)
        if is_backward:
            some, right = [_mirrored(line) for line in some], -grid.xs[part.column]
        texts[part] = Cell(*joined(some, right, _NONE_KNOWN))
    for place, runs in turned.items():
        some = lines_of(runs)
        texts[Part(place[0], 0, place[1])] = Cell(
            *joined(some, max((line.end for line in some), default=0.0), _NONE_KNOWN)
        )
    columns = {column: at for at, column in enumerate(sorted({part.column for part in texts}))}
    rows: dict[tuple[int, int], list[Cell]] = {}
    for part, cell in sorted(texts.items(), key=lambda item: item[0]):
        rows.setdefault((part.row, part.height), [Cell() for _ in columns])[columns[part.column]] = cell
    size = sorted(sizes)[len(sizes) // 2] if sizes else 1.0
    places = [(grid.xs[column], grid.xs[column + 1]) for column in columns]
    return Table(grid.xs[0], grid.xs[-1], grid.ys[-1], grid.ys[0], size, list(rows.values()), places)


# ---- what nobody sees -----------------------------------------------------------------------------------


def _with_hidden(pieces: Sequence[Piece], runs: Sequence[GlyphRun], budget: Budget) -> list[Piece]:
    """The pieces, with hidden ones behind those that they are next to. What is next to one and the same keeps its order."""
    lines = lines_of(runs, is_backward=runs_backward(runs))
    regions = in_order(lines, budget).regions if len(lines) <= MOST_LINES else [list[Item](lines)]
    hidden = [piece for region in regions for piece in pieces_of(region, _NONE_KNOWN)]
    after: dict[int, list[Piece]] = {}
    is_far = len(hidden) * len(pieces) > _MOST_COMPARED
    for piece in hidden:
        piece.is_visible = False
        nearest = len(pieces) - 1
        if not is_far:
            middle = piece.low + piece.high
            nearest = min(
                range(len(pieces)), key=lambda index: abs(pieces[index].low + pieces[index].high - middle), default=-1
            )
        after.setdefault(nearest, []).append(piece)
    found = after.get(-1, [])
    for index, piece in enumerate(pieces):
        found.append(piece)
        found += after.get(index, ())
    return found


_NONE_KNOWN: Final[AbstractSet[str]] = frozenset()
