"""Diagrams by their data models."""

from __future__ import annotations

import time

from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.ooxml_diagram import read_diagram
from fumehood.loaders.shared.ooxml_graphic import Graphic
from fumehood.loaders.shared.tally import Tally
from tests.loaders.drawing_writer import ap, cxn, diagram, part, pt


def read(data: bytes) -> Graphic:
    return read_diagram(data, Budget(Limits()), Tally())


def test_order_and_depth_are_those_of_the_connections() -> None:
    points = (
        pt("3", "third") + pt("doc", kind="doc") + pt("1", "first") + pt("2", "second") + pt("11", "below the first")
    )
    connections = cxn("doc", "3", 2) + cxn("doc", "2", 1) + cxn("doc", "1", 0) + cxn("1", "11")
    found = read(diagram(points, connections))
    assert found.items == [(1, "first"), (2, "below the first"), (1, "second"), (1, "third")]
    assert not found.broken


def test_assistants_are_read_and_points_of_presentation_are_not() -> None:
    points = pt("doc", kind="doc") + pt("1", "boss") + pt("2", "assistant", "asst") + pt("3", "drawn again", "pres")
    connections = cxn("doc", "1") + cxn("1", "2") + cxn("1", "3", 0, "presOf")
    assert read(diagram(points, connections)).items == [(1, "boss"), (2, "assistant")]


def test_what_hangs_on_nothing_is_read_all_the_same() -> None:
    points = pt("doc", kind="doc") + pt("1", "a") + pt("t", "on the arrow", "sibTrans") + pt("lost", "b")
    assert read(diagram(points, cxn("doc", "1"))).items == [(1, "a"), (1, "on the arrow"), (1, "b")]


def test_circles_are_walked_once() -> None:
    points = pt("1", "a") + pt("2", "b")
    connections = cxn("1", "2") + cxn("2", "1") + cxn("2", "2")
    assert read(diagram(points, connections)).items == [(1, "a"), (2, "b")]


def test_points_of_one_identifier_are_both_read() -> None:
    assert read(diagram(pt("1", "a") + pt("1", "b"))).items == [(1, "a"), (1, "b")]


def test_paragraphs_of_a_point_are_its_lines() -> None:
    two = f'<dgm:pt modelId="1"><dgm:t>{ap("a")}{ap("b")}</dgm:t></dgm:pt>'
    assert read(diagram(two)).items == [(1, "a\nb")]


def test_strict_diagrams_say_the_same() -> None:
    data = diagram(pt("doc", kind="doc") + pt("1", "a"), cxn("doc", "1", "none"))
    strict = data.replace(
        b"http://schemas.openxmlformats.org/drawingml/2006/", b"http://purl.oclc.org/ooxml/drawingml/"
    )
    assert read(strict).items == read(data).items == [(1, "a")]


def test_what_comes_before_a_break_is_kept() -> None:
    found = read(diagram(pt("1", "a") + pt("2", "b"))[:-30])
    assert found.broken
    assert found.items == [(1, "a"), (1, "b")]


def test_depth_and_width_take_linear_time() -> None:
    many = 10_000
    chain = "".join(cxn(str(at), str(at + 1)) for at in range(many))
    star = "".join(cxn(str(at % 10), str(many - at)) for at in range(many))
    points = "".join(pt(str(at), "x") for at in range(many))
    for connections in (chain, star, chain + star):
        started = time.process_time()
        assert len(read(diagram(points, connections)).items) == many
        assert time.process_time() - started < 3


def test_another_part_holds_no_points() -> None:
    assert read(part("dgm:layoutDef", "<dgm:title/>")).is_empty
