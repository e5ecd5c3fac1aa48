"""Charts and diagrams in a package."""

from __future__ import annotations

from collections.abc import Mapping

from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.ooxml_graphic_parts import GraphicParts
from fumehood.loaders.shared.opc import Package
from fumehood.loaders.shared.tally import Tally
from tests.loaders.docx_writer import archive, content_types, relationship, relationships
from tests.loaders.drawing_writer import ap, chart, diagram, numbers, part, pt, rich, ser


def opened(parts: Mapping[str, str | bytes]) -> tuple[GraphicParts, Builder]:
    budget = Budget(Limits())
    out = Builder(budget)
    package = Package(archive({"[Content_Types].xml": content_types({}), **parts}), out, budget)
    return GraphicParts(package, budget, Tally()), out


def codes(out: Builder) -> list[tuple[str, str | None]]:
    return [(notice.code, notice.locator.part if notice.locator else None) for notice in out.notices]


def test_shapes_over_a_chart_are_read_with_it() -> None:
    shapes = part("c:userShapes", f"<cdr:sp><cdr:txBody>{ap('peak')}{ap('low')}<a:p/></cdr:txBody></cdr:sp>")
    parts, out = opened(
        {
            "x/chart1.xml": chart(ser("A", "", numbers(["1"])), title=rich("T"), after='<c:userShapes r:id="rId1"/>'),
            "x/_rels/chart1.xml.rels": relationships(relationship("rId1", "chartUserShapes", "shapes.xml")),
            "x/shapes.xml": shapes,
        }
    )
    assert parts.chart("x/chart1.xml").captions == ["T", "peak", "low"]
    assert codes(out) == []


def test_what_is_missing_or_broken_is_a_notice() -> None:
    parts, out = opened(
        {
            "chart.xml": chart(title=rich("T"), after='<c:userShapes r:id="rId1"/>')[:-5],
            "_rels/chart.xml.rels": relationships(relationship("rId1", "chartUserShapes", "shapes.xml")),
            "shapes.xml": part("c:userShapes", ap("peak"))[:-5],
            "data.xml": diagram(pt("1", "a"))[:-5],
        }
    )
    assert parts.chart("chart.xml").captions == ["T", "peak"]
    assert parts.diagram("data.xml").items == [(1, "a")]
    assert parts.chart("none.xml").is_empty
    assert parts.diagram("nothing.xml").is_empty
    assert codes(out) == [
        ("part-unreadable", "chart.xml"),
        ("part-unreadable", "shapes.xml"),
        ("part-unreadable", "data.xml"),
        ("part-missing", "none.xml"),
        ("part-missing", "nothing.xml"),
    ]


def test_shapes_of_a_relationship_that_is_none_are_none() -> None:
    parts, _ = opened({"chart.xml": chart(title=rich("T"), after='<c:userShapes r:id="rId1"/>')})
    assert parts.chart("chart.xml").captions == ["T"]
