"""Page labels (ISO 32000-2, 12.4.2): what is printed on a page as its number, where that is not its place in the file."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, Final, NamedTuple

from pdfminer.pdftypes import resolve1

from fumehood.hygiene import clean_line
from fumehood.limits.budget import Budget
from fumehood.loaders.shared import pdf_trees
from fumehood.loaders.shared.numerals import written
from fumehood.loaders.shared.pdf_file import dictionary
from fumehood.loaders.shared.pdf_strings import text_string

_FORMS: Final = {
    "D": "decimal",
    "R": "upperRoman",
    "r": "lowerRoman",
    "A": "upperLetter",
    "a": "lowerLetter",
}
"""Table 161, by the names that :mod:`numerals` has for them."""
_LONGEST_PREFIX: Final = 64


class _Range(NamedTuple):
    prefix: str
    form: str | None
    start: int


class Labels:
    """The labels of a document's pages."""

    def __init__(self, catalog: dict[str, Any], budget: Budget) -> None:
        self._ranges: dict[int, _Range] = {}
        for key, value in pdf_trees.entries(catalog.get("PageLabels"), "Nums", budget):
            first, label = resolve1(key), dictionary(value)
            if isinstance(first, int):
                start = resolve1(label.get("St"))
                self._ranges[first] = _Range(
                    clean_line(text_string(label.get("P")))[:_LONGEST_PREFIX],
                    _FORMS.get(getattr(resolve1(label.get("S")), "name", "")),
                    start if isinstance(start, int) and start > 0 else 1,
                )
        self._firsts = sorted(self._ranges)

    def label(self, page: int) -> str | None:
        """The label of a page, from 1; None where it has none, or it is the number itself."""
        at = bisect_right(self._firsts, page - 1) - 1
        if at < 0:
            return None
        first = self._firsts[at]
        prefix, form, start = self._ranges[first]
        label = prefix + (written(page - 1 - first + start, form) if form else "")
        return label if label and label != str(page) else None
