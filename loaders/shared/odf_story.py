"""A stretch of text that stands by itself, and the lists that are open in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fumehood.document import Locator
from fumehood.loaders.shared.lines import Line as Plain
from fumehood.loaders.shared.odf_line import Line
from fumehood.loaders.shared.odf_lists import Counter
from fumehood.loaders.shared.story_items import Item, Paragraph

Emit = Callable[[Item], None]
Where = Callable[[int, int], Locator | None]
"""The locator of paragraphs, by the numbers of the first and the last."""


@dataclass(slots=True)
class OpenList:
    """One `text:list`. `begun`: its open item has had its first paragraph; `is_header`: it has no number."""

    style_name: str | None
    counter: Counter
    level: int
    begun: bool = False
    is_header: bool = False
    start: int = -1


@dataclass(slots=True)
class Story:
    """A stretch of text that stands by itself: the body, a cell, a note, a text box.

    - `line`: its open paragraph; `held`: the list item that its next paragraph may go on in.
    - `passing`: it ends with its paragraph, since no element of its own holds it.
    - `plain`: takes the paragraphs that are nothing but text, where there may be a million; `box`: takes what floats over it.
    """

    emit: Emit
    visible: bool = True
    line: Line | None = None
    lists: list[OpenList] = field(default_factory=list)
    held: Paragraph | None = None
    sections: list[bool] = field(default_factory=list)
    passing: bool = False
    plain: list[Plain] | None = None
    box: Emit | None = None
