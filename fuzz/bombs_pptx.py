"""Presentations that cost more than they weigh: depth, repetition, and parts that point to each other."""

from __future__ import annotations

import random

from fumehood.fuzz.archives import archive, entry
from fumehood.fuzz.bomb import READ, Bomb, bomb
from fumehood.fuzz.deflate import filling, packed
from fumehood.fuzz.pptx_files import (
    COMMENTS_2018,
    Arrow,
    Page,
    chart,
    diagram,
    package,
    part,
    placeholder,
    pptx,
    presentation,
    relationships,
    row,
    shape,
    slide,
    table,
    title,
    transform,
    tree,
)

_HELLO = slide(title("Hello."))


def inflating(slides: int, size: int) -> bytes:
    """Slides of `size` bytes of nothing each, none of which is too much by itself."""
    head, closing, _ = slide(title("Hello.")).partition(b"</p:sld>")
    comment = b"<!--" + random.Random(1).randbytes(400).hex().encode() + b" " * 60_000 + b"-->"
    part = packed(head, filling(comment, size), closing)
    return archive(package([Page(part)] * slides))


def deep_groups(depth: int) -> bytes:
    return pptx(slide("<p:grpSp>" * depth + shape("A") + "</p:grpSp>" * depth))


def one_slide(times: int) -> bytes:
    """One slide that is listed so often."""
    return archive(package([Page(_HELLO)], listed=["rId1"] * times))


def one_part(times: int) -> bytes:
    """So many slides, each with a relationship of its own, all of them to one part."""
    arrows = [Arrow(f"rId{at}", "slide", "slides/s1.xml") for at in range(times)]
    head, root, _, _, first = package([Page(_HELLO)])
    main = entry("ppt/presentation.xml", presentation(arrow.id for arrow in arrows))
    return archive([head, root, main, relationships("ppt/presentation.xml", arrows), first])


def many_slides(count: int) -> bytes:
    return archive(package([Page(slide())] * count))


def cycle() -> bytes:
    """A slide that is its own layout, notes, comments, chart and diagram; a layout that is its own master."""
    itself = "../slides/s1.xml"
    kinds = ("notesSlide", "comments", COMMENTS_2018, "chart", "diagramData", "slide")
    arrows = [Arrow(f"rId{at}", kind, itself) for at, kind in enumerate(kinds, start=1)]
    page = Page(
        slide(title("Hello."), chart("rId4"), diagram("rId5")), [*arrows, Arrow("rId9", "slideLayout", "../layout.xml")]
    )
    further = {"ppt/layout.xml": part("p:sldLayout", tree(shape("on it")))}
    own = relationships("ppt/layout.xml", [Arrow("rId1", "slideMaster", "layout.xml")])
    return archive([*package([page], further, arrows=[Arrow("rId7", "authors", "presentation.xml")]), own])


def one_chart(times: int) -> bytes:
    """A chart that is shown so often on a slide."""
    points = '<c:pt idx="0"><c:v>1</c:v></c:pt>'
    drawn = part("c:chartSpace", f"<c:ser><c:val><c:numLit>{points}</c:numLit></c:val></c:ser>")
    page = Page(slide(title("Hello."), chart("rId1") * times), [Arrow("rId1", "chart", "../chart.xml")])
    return archive(package([page], {"ppt/chart.xml": drawn}))


def sparse_chart(series: int) -> bytes:
    """Each series has one value, each at a place of its own: as a table it is the square of them."""
    written = "".join(
        f'<c:ser><c:val><c:numLit><c:pt idx="{at}"><c:v>1</c:v></c:pt></c:numLit></c:val></c:ser>'
        for at in range(series)
    )
    page = Page(slide(title("Hello."), chart("rId1")), [Arrow("rId1", "chart", "../chart.xml")])
    return archive(package([page], {"ppt/chart.xml": part("c:chartSpace", written)}))


def nested_shapes(count: int) -> bytes:
    """Shapes of which every cut parts but one from all others."""
    places = (transform(0, 2**at if at < 60 else 2**60 + at, 1, 1) for at in range(count))
    return pptx(slide(title("Hello."), *(shape("A", place=place) for place in places)))


def static_layout(slides: int, texts: int) -> bytes:
    """A layout with so many texts of its own under each of so many slides."""
    layout = part("p:sldLayout", tree(*(shape(f"text {at}") for at in range(texts))))
    arrows = [Arrow("rId1", "slideLayout", "../layout.xml")]
    return archive(package([Page(_HELLO, arrows)] * slides, {"ppt/layout.xml": layout}))


def wide_table(columns: int, rows: int) -> bytes:
    """One row is as wide as that, and all others hold one cell."""
    return pptx(slide(title("Hello."), table(row(*["<a:tc/>"] * columns), *[row("A")] * rows)))


def placeholders(count: int) -> bytes:
    """Each of another number, to be looked for in the layout."""
    shapes = (shape("A", ph=placeholder("body", str(at))) for at in range(count))
    return pptx(slide(title("Hello."), *shapes))


BOMBS: tuple[Bomb, ...] = (
    bomb(
        "inflating.pptx",
        "20 slides of 24 MiB each",
        lambda: inflating(20, 24 << 20),
        "inflated-too-large",
        spends="inflated_bytes",
    ),
    bomb("deep-groups.pptx", "10,000 groups within each other", lambda: deep_groups(10_000), "nesting"),
    bomb("one-slide.pptx", "one slide listed 100,000 times", lambda: one_slide(100_000), READ, holds="Hello."),
    bomb("one-part.pptx", "100,000 slides that are one part", lambda: one_part(100_000), READ, holds="Hello."),
    bomb("many-slides.pptx", "6,000 slides", lambda: many_slides(6_000), "pages"),
    bomb("cycle.pptx", "a slide that hangs on itself in every way", cycle, READ, holds="Hello."),
    bomb("one-chart.pptx", "one chart shown 5,000 times", lambda: one_chart(5_000), READ, holds="Hello."),
    bomb("sparse-chart.pptx", "3,000 series with a value each", lambda: sparse_chart(3_000), READ, holds="Hello."),
    bomb("cuts.pptx", "5,000 shapes that part one by one", lambda: nested_shapes(5_000), READ, holds="Hello."),
    bomb(
        "static-layout.pptx",
        "1,000 slides on a layout with 10,000 texts",
        lambda: static_layout(1_000, 10_000),
        READ,
        holds="Hello.",
    ),
    bomb("wide-table.pptx", "10,000 rows in 10,000 columns", lambda: wide_table(10_000, 10_000), "output-too-large"),
    bomb("placeholders.pptx", "10,000 placeholders", lambda: placeholders(10_000), READ, holds="Hello."),
)
