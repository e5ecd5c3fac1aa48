"""One pass over a part, element by element."""

from __future__ import annotations

import pytest

from fumehood import Limits, Refusal
from fumehood.fuzz.odf_files import DECLARED
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.odf_math import Formula
from fumehood.loaders.shared.odf_names import Attributes
from fumehood.loaders.shared.odf_xml import Dispatcher, read
from fumehood.loaders.shared.ooxml_xml import BrokenXml


def seen(inner: str, limits: Limits | None = None) -> list[str]:
    """What is said of `text:p`, with `text:span` skipped and `math:math` diverted."""
    budget = Budget(limits or Limits())
    dispatcher = Dispatcher(budget)
    found: list[str] = []

    def start(attributes: Attributes) -> None:
        found.append(f"<{len(attributes)}")
        dispatcher.sink = found.append

    def end() -> None:
        found.append(">")
        dispatcher.sink = None

    dispatcher.on("text:p", start, end)
    dispatcher.skip_all("text:span")
    dispatcher.on("math:math", lambda attributes: dispatcher.divert(Formula(lambda text: found.append(f"={text}"))))
    read(f"<r {DECLARED}>{inner}</r>".encode(), dispatcher, budget)
    return found


def test_elements_are_given_to_who_asked_for_them() -> None:
    assert seen("no<text:p text:style-name='a'>yes</text:p>no<text:p/>") == ["<1", "yes", ">", "<0", ">"]


def test_unknown_elements_are_looked_into_and_skipped_ones_are_not() -> None:
    assert seen("<text:p>a<x>b</x><text:span>c<text:p>d</text:p></text:span>e</text:p>") == ["<0", "a", "b", "e", ">"]


def test_a_subtree_goes_elsewhere() -> None:
    assert seen("<text:p>a<math:math><math:mi>x</math:mi><text:p>y</text:p></math:math>b</text:p>") == [
        "<0",
        "a",
        "=x y",
        "b",
        ">",
    ]


def test_nothing_is_no_fault_and_half_is() -> None:
    read(b" \n", Dispatcher(Budget(Limits())), Budget(Limits()))
    with pytest.raises(BrokenXml):
        seen("<text:p>")


@pytest.mark.parametrize(
    ("inner", "limits", "code"),
    [
        ("<x>" * 30 + "</x>" * 30, Limits(nesting=30), "nesting"),
        ("<text:span>" * 30 + "</text:span>" * 30, Limits(nesting=30), "nesting"),
        ("<x/>" * 30, Limits(xml_elements=30), "xml-elements"),
    ],
)
def test_depth_and_elements_are_counted_where_nothing_is_read_as_well(inner: str, limits: Limits, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        seen(inner, limits)
    assert refused.value.code == code
    assert seen("<x>" * 28 + "</x>" * 28, Limits(nesting=30)) == []
