from __future__ import annotations

import pytest

from fumehood import Locator
from fumehood.index.places import place


@pytest.mark.parametrize(
    ("locators", "said"),
    [
        ((), ""),
        ((Locator(),), ""),
        ((Locator(page=4),), "p. 4"),
        ((Locator(page=4), Locator(page=6)), "pp. 4-6"),
        ((Locator(slide=2),), "slide 2"),
        ((Locator(sheet=2, cells="A1:F1"), Locator(sheet=2, cells="A9:F40")), "sheet 2 A1:F40"),
        ((Locator(sheet=2, cells="A1"), Locator(sheet=3, cells="B2")), "sheets 2-3 A1"),
        ((Locator(line=3), Locator(line=9, line_end=12)), "lines 3-12"),
        ((Locator(line=3, line_end=4),), "lines 3-4"),
        ((Locator(paragraph=7),), "par. 7"),
        ((Locator(path="/a/0"), Locator(path="/a/9")), "/a/0 to /a/9"),
        ((Locator(path="ch1.xhtml", paragraph=2),), "ch1.xhtml par. 2"),
        ((Locator(part="footnotes"),), "footnotes"),
        ((Locator(page=2, paragraph=3),), "p. 2 par. 3"),
    ],
)
def test_places(locators: tuple[Locator, ...], said: str) -> None:
    assert place(locators) == said
