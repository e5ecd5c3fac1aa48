"""Where in its source a chunk stands, in a few words for people: `p. 4`, `pp. 4-6`, `sheet 2 A1:F40`, `line 12`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fumehood.document import Locator


def place(locators: Sequence[Locator]) -> str:
    """The first and the last locator of a chunk as one phrase; empty if its source has no places."""
    if not locators:
        return ""
    return " ".join(_parts(locators[0], locators[-1]))


def _parts(first: Locator, last: Locator) -> Iterator[str]:
    if first.page is not None:
        yield _counted("p.", "pp.", first.page, last.page)
    if first.slide is not None:
        yield _counted("slide", "slides", first.slide, last.slide)
    if first.sheet is not None:
        yield _counted("sheet", "sheets", first.sheet, last.sheet)
    if first.cells is not None:
        yield _cells(first.cells, last.cells if last.sheet == first.sheet else None)
    if first.path is not None:
        yield first.path if last.path in (None, first.path) else f"{first.path} to {last.path}"
    if first.part is not None:
        yield first.part
    if first.line is not None:
        yield _counted("line", "lines", first.line, last.line_end or last.line)
    elif first.paragraph is not None:
        yield _counted("par.", "pars.", first.paragraph, last.paragraph_end or last.paragraph)


def _counted(one: str, several: str, first: int, last: int | None) -> str:
    return f"{one} {first}" if last is None or last <= first else f"{several} {first}-{last}"


def _cells(first: str, last: str | None) -> str:
    """The corners of two ranges in A1 notation (ECMA-376 part 1, 18.18.62) that follow one another."""
    if last is None or last == first:
        return first
    return f"{first.partition(':')[0]}:{last.rpartition(':')[2]}"
