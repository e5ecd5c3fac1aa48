"""Elements of structure trees, read by their pattern as the parser reads them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pdfminer.pdftypes import PDFObjRef

from fumehood import Limits
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_elements import Content, element
from fumehood.loaders.shared.pdf_syntax import Reference, parsed

_PARTS = (
    *("<<", ">>", "[", "]", "(", ")", "<", ">", "/", " ", "\n", "\\", "%", "#", "{"),
    *("/S", "/Pg", "/K", "/P", "/Alt", "/MCID", "/Type", "/C", "/Kx", "/S#41", "/#4B", "/A", "/H1", "/MCR", "/OBJR"),
    *(" 7", " 12 0 R", " 0 R", "R", "5", "12345678901", "-1", "+.5", "1.", " true", " null", " stream", "(a)", "(\\))"),
    *("<</MCID 3/Pg 4 0 R/Type/MCR>>", "<</Obj 5 0 R/Type /OBJR>>", "<</O/Layout/B[0 1]>>", "/K[ 1 2 0 R]", "/K 3 0 R"),
)
_WRITTEN = st.lists(st.sampled_from(_PARTS), max_size=14).map("".join)


def _by_parser(data: bytes) -> tuple[Any, ...]:
    """The element as the parser has it, which must be one that the pattern may read."""
    node, end = parsed(data, 0, None, Budget(Limits()))
    assert isinstance(node, dict)
    assert not {"Alt", "MCID"} & set(node)
    kids = node.get("K", [])
    page = node.get("Pg")
    assert page is None or isinstance(page, PDFObjRef)
    found = [_kid(kid) for kid in (kids if isinstance(kids, list) else [kids])]
    return getattr(node.get("S"), "name", ""), page and page.objid, found, end


def _kid(kid: Any) -> tuple[Any, ...]:
    if isinstance(kid, PDFObjRef):
        return Reference, kid.objid
    if isinstance(kid, dict):
        assert set(kid) <= {"Type", "MCID", "Pg", "Obj", "Stm", "StmOwn"}
        return Content, kid["Pg"].objid if "Pg" in kid else None, kid.get("MCID")
    assert type(kid) is int
    return int, kid


def _by_pattern(data: bytes) -> tuple[Any, ...] | None:
    found = element(data, 0)
    if found is None:
        return None
    kids = [
        (Content, *kid) if isinstance(kid, Content) else (Reference if isinstance(kid, Reference) else int, int(kid))
        for kid in found.kids
    ]
    return found.kind, found.page, kids, found.end


@pytest.mark.parametrize(
    "written",
    [
        "<</Pg 588 0 R/S/H4/P 4083 0 R/K 187/C[/CM33/CM105]>>",
        "<</A[<</TextAlign/Start/O/Layout/BorderColor[0.0 0.0 0.0]/EndIndent 8.5>>]/K 1096 0 R/P 1106 0 R/S/LI>>",
        "<</P 96 0 R/S/P/Type/StructElem/K[ 1] /Pg 75 0 R>>",
        "<< /K [ 919 0 R 922 0 R 938 ] /P 917 0 R /S /TBody /Type /StructElem >>",
        "\n<</Type /StructElem\n/S /Link\n/P 2 0 R\n/K [3 0 R <</Type /OBJR\n/Obj 7 0 R\n/Pg 2 0 R>>]\n/ID (node)>>",
        "\r<</K[0 1<</MCID 0/Pg 278 0 R/Type/MCR>>]/Lang(EN\\(GB\\))/S/Article>>",
        "<</K<</MCID 19/Pg 3 0 R/Stm 2 0 R/Type/MCR>>/P 26 0 R/S/Span>>",
        "<</C/Pa0/P 943 0 R/S/_4._Body>>",
        "<</S/\u00dcberschrift/K 3>>",
    ],
)
def test_what_programs_write_is_read_by_the_pattern(written: str) -> None:
    found = _by_pattern(written.encode())
    assert found is not None
    assert found == _by_parser(written.encode())


@pytest.mark.parametrize(
    "written",
    [
        "<</S/Figure/Alt(A picture)/K 1>>",
        "<</S/Figure/#41lt(A picture)/K 1>>",
        "<</S/P/K 1/K[2]>>",
        "<</S/P/K 1.5>>",
        "<</S/P/K -1>>",
        "<</S/P/K null>>",
        "<</S/P/Pg null/K 1>>",
        "<</S(P)/K 1>>",
        "<</S/P/K 1",
        "<</S/P/K[1 R]>>",
        "<</S/P/K 1>> stream\n",
        "[1 0 R]",
        "5",
    ],
)
def test_what_is_written_otherwise_is_left_to_the_parser(written: str) -> None:
    assert element(written.encode(), 0) is None


@given(_WRITTEN)
@example("/S/H1/K[ 1 2 0 R]/Pg 12 0 R")
@example("/S /H1/K 12 0 R/K 3 0 R")
@example("/K 3 0 R/Kx")
@example("/Pg 3 0 R/Pg 12345678901")
def test_pattern_and_parser_agree(written: str) -> None:
    data = f"<<{written}>>".encode()
    found = _by_pattern(data)
    assert found is None or found == _by_parser(data)
