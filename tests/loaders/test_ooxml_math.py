"""Office Math as a line of text."""

from __future__ import annotations

import pytest
from lxml import etree

from fumehood.loaders.shared.ooxml_math import TooDeep, linear
from tests.loaders.docx_writer import NAMESPACES


def shown(content: str) -> str:
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    return linear(etree.fromstring(f"<m:oMath {declared}>{content}</m:oMath>"))


def t(text: str) -> str:
    return f"<m:r><w:rPr><w:b/></w:rPr><m:t>{text}</m:t></m:r>"


def part(name: str, content: str) -> str:
    return f"<m:{name}>{content}</m:{name}>"


def e(text: str) -> str:
    return part("e", t(text))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (t("a") + t("+b"), "a+b"),
        (part("f", part("num", t("a+1")) + part("den", t("b"))), "(a+1)/b"),
        (part("f", '<m:fPr><m:type m:val="noBar"/></m:fPr>' + part("num", t("n")) + part("den", t("k"))), "n¦k"),
        (part("sSup", e("x") + part("sup", t("2"))), "x^2"),
        (
            part("sSub", e("a") + part("sub", t("n")))
            + t("cos")
            + part("sSup", e("c") + part("sup", t("2")))
            + t("+1"),
            "a_n cosc^2+1",
        ),
        (part("sSub", e("x") + part("sub", t("i,j"))), "x_(i,j)"),
        (part("sSubSup", e("x") + part("sub", t("i")) + part("sup", t("n"))), "x_i^n"),
        (part("sPre", part("sub", t("1")) + part("sup", t("2")) + e("H")), "_1^2H"),
        (part("rad", "<m:deg/>" + e("x")), "√(x)"),
        (part("rad", part("deg", t("3")) + e("x")), "∛(x)"),
        (part("rad", part("deg", t("n")) + e("x")), "√[n](x)"),
        (part("nary", part("sub", t("0")) + part("sup", t("1")) + e("x")), "∫_0^1 x"),
        (part("nary", '<m:naryPr><m:chr m:val="∑"/></m:naryPr>' + part("sub", t("i=1")) + e("x")), "∑_(i=1) x"),
        (part("d", e("x")), "(x)"),
        (part("d", '<m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr>' + e("x") + e("y")), "[x|y"),
        (part("func", part("fName", t("sin")) + e("x")), "sin x"),
        (part("acc", e("x")), "x\u0302"),
        (part("acc", '<m:accPr><m:chr m:val="\u20d7"/></m:accPr>' + e("ab+c")), "(ab+c)\u20d7"),
        (part("m", part("mr", e("a") + e("b")) + part("mr", e("c") + e("d"))), "[a, b; c, d]"),
        (part("eqArr", e("a=1") + e("b=2")), "a=1\nb=2"),
        (part("func", part("fName", part("limLow", e("lim") + part("lim", t("n→∞")))) + e("x")), "lim_(n→∞) x"),
        (part("limUpp", e("x") + part("lim", t("a"))), "x^a"),
        (part("box", e("x")) + part("bar", e("y")), "xy"),
        ("<w:ins>" + t("new") + "</w:ins><w:del>" + t("old") + "</w:del><w:r><w:t>word</w:t></w:r>", "newword"),
    ],
)
def test_forms(content: str, expected: str) -> None:
    assert shown(content) == expected


def test_formulas_stand_a_line_each() -> None:
    declared = f'xmlns:m="{NAMESPACES["m"]}"'
    content = "".join(f"<m:oMath><m:r><m:t>{text}</m:t></m:r></m:oMath>" for text in ("a", "", "b"))
    assert linear(etree.fromstring(f"<m:oMathPara {declared}>{content}</m:oMathPara>")) == "a\nb"


def test_depth_is_bounded() -> None:
    with pytest.raises(TooDeep):
        shown("<m:box><m:e>" * 110 + t("x") + "</m:e></m:box>" * 110)
