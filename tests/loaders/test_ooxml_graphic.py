"""Charts and diagrams as blocks."""

from __future__ import annotations

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.ooxml_graphic import Graphic, write_graphic

PLACE = Locator(slide=3)


def test_captions_tables_and_items_in_this_order() -> None:
    out = Builder(Budget(Limits()))
    graphic = Graphic(["Ducks", "Year"], [[["", "Fresh"], ["2019", "120", "1"]], [["A"], ["1"]]], [(1, "a"), (2, "b")])
    write_graphic(graphic, out, PLACE, visible=False)
    assert out.text() == (
        "Ducks\n\nYear\n\n|  | Fresh |  |\n| --- | --- | --- |\n| 2019 | 120 | 1 |\n\n| A |\n| --- |\n| 1 |\n\n- a\n  - b"
    )
    assert [block.role for block in out.blocks] == ["caption"] * 2 + ["table-row"] * 4 + ["list-item"] * 2
    assert [block.group for block in out.blocks] == [None, None, 1, 1, 2, 2, 3, 3]
    assert all(block.locator == PLACE and not block.visible for block in out.blocks)


def test_nothing_says_nothing() -> None:
    out = Builder(Budget(Limits()))
    write_graphic(Graphic(), out, None)
    assert Graphic().is_empty
    assert out.blocks == []
