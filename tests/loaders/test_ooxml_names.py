"""Names in every class of conformance, and the branches of alternate content."""

from __future__ import annotations

import pytest
from lxml import etree

from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.ooxml_names import attribute, by_name, chosen, names
from tests.loaders.docx_writer import NAMESPACES, STRICT

W = NAMESPACES["w"]


def test_a_short_name_stands_for_both_classes() -> None:
    assert names("w:p", "v:shape") == (f"{{{W}}}p", f"{{{STRICT[W]}}}p", f"{{{NAMESPACES['v']}}}shape")
    assert by_name({"w:p": 1}) == {f"{{{W}}}p": 1, f"{{{STRICT[W]}}}p": 1}


def test_the_first_of_some_attributes() -> None:
    element = etree.fromstring(f'<w:a xmlns:w="{STRICT[W]}" w:val="x"/>')
    assert attribute(element, names("w:val")) == "x"
    assert attribute(element, names("w:id")) is None


def alternates(*branches: str, declared: str = "") -> str | None:
    prefixes = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    element = etree.fromstring(f"<mc:AlternateContent {prefixes} {declared}>{''.join(branches)}</mc:AlternateContent>")
    found = chosen(element, Budget(Limits(nodes=1_000)))
    return None if found is None else found.text


def choice(requires: str, text: str) -> str:
    return f'<mc:Choice Requires="{requires}">{text}</mc:Choice>'


FALLBACK = "<mc:Fallback>fallback</mc:Fallback>"


@pytest.mark.parametrize(
    ("branches", "expected"),
    [
        ([choice("wps", "a"), choice("w14", "b"), FALLBACK], "a"),
        ([choice("x", "a"), choice("w14", "b"), FALLBACK], "b"),
        ([choice("w14 x", "a"), FALLBACK], "fallback"),
        ([choice("undeclared", "a"), FALLBACK], "fallback"),
        ([choice("x", "a"), choice("x", "b")], "a"),
        ([choice("", "a"), FALLBACK], "a"),
        ([], None),
    ],
)
def test_the_branch_to_read(branches: list[str], expected: str | None) -> None:
    assert alternates(*branches) == expected


def test_namespaces_in_scope_are_counted() -> None:
    many = " ".join(f'xmlns:n{at}="u"' for at in range(2_000))
    with pytest.raises(Refusal):
        alternates(choice("x", "a"), declared=many)
