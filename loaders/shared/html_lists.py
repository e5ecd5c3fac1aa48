"""How lists of HTML number their items (WHATWG HTML, 4.4.5 and 4.4.8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from fumehood.loaders.shared.numerals import written

_INTEGER: Final = re.compile(r"[\t\n\f\r ]*([+-]?[0-9]{1,9})")
_FORMS: Final = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


@dataclass(slots=True)
class ListState:
    """One list that is open. `depth`: from 1; `ordinal`: of the next item, None in a list without numbers."""

    group: int
    depth: int
    ordinal: int | None = None
    step: int = 1
    form: str = ""

    def marker(self, item: Any) -> str:
        """The mark of the next item, whose `value` may set its number."""
        if self.ordinal is None:
            return "-"
        attributes = item.attrs or {}
        value = integer(attributes.get("value"))
        ordinal = self.ordinal if value is None else value
        self.ordinal = ordinal + self.step
        form = _FORMS.get(attributes.get("type") or "", self.form)
        return f"{written(ordinal, form) if form else ordinal}."


def opened(node: Any, group: int, depth: int) -> ListState:
    """The state of the list that `node` begins."""
    if node.name != "ol":
        return ListState(group, depth)
    attributes = node.attrs or {}
    is_reversed = "reversed" in attributes
    start = integer(attributes.get("start"))
    if start is None:
        start = sum(1 for child in node.children if child.name == "li") if is_reversed else 1
    return ListState(group, depth, start, -1 if is_reversed else 1, _FORMS.get(attributes.get("type") or "", ""))


def integer(text: str | None) -> int | None:
    """An attribute's number by the rules for integers (2.3.4.1), of nine digits at most."""
    match = _INTEGER.match(text or "")
    return None if match is None else int(match[1])
