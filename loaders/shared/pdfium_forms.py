"""How much a page draws, counted before PDFium draws it, which counts nothing.

A form that draws a form ten times, which draws another ten times, is small in the file and without end on the page.
"""

from __future__ import annotations

import re
from typing import Any, Final

from pdfminer.pdftypes import PDFStream, resolve1

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.pdf_content import Drawer
from fumehood.loaders.shared.pdf_file import dictionary
from fumehood.loaders.shared.pdf_pages import Page
from fumehood.loaders.shared.pdf_syntax import name
from fumehood.loaders.shared.pdfium_library import Unsure

_DRAWN: Final = re.compile(rb"/([^\0\t\n\f\r ()<>\[\]{}/%]{1,127})[\0\t\n\f\r ]{1,8}Do(?![A-Za-z0-9])")
_BYTES_PER_NODE: Final = 32
_NODES_PER_FORM: Final = 8
_MOST_NODES: Final = 500_000
"""16 MB of operators on one page: who draws more is followed step by step."""
_DEEPEST: Final = 16
"""Forms within each other; honest ones are three deep."""


class FormWeights:
    """Weighs the forms of a document, each once."""

    def __init__(self, drawer: Drawer, budget: Budget) -> None:
        self._drawer = drawer
        self._budget = budget
        self._known: dict[int, int] = {}

    def check(self, page: Page) -> None:
        """Spends `nodes` for what the page draws. Raises `Unsure` for a page that draws too much, or forms in circles."""
        weight = self._of_data(self._drawer.contents(page), page.resources, ())
        if weight > _MOST_NODES:
            raise Unsure
        self._budget.spend("nodes", weight)

    def _of_data(self, data: bytes, resources: dict[str, Any], inside: tuple[int, ...]) -> int:
        weight = 1 + len(data) // _BYTES_PER_NODE
        objects = dictionary(resources.get("XObject"))
        if objects:
            for drawn in _DRAWN.finditer(data):
                weight += 1 + self._of_object(objects.get(name(drawn[1]).name), resources, inside)
                if weight > _MOST_NODES:
                    break
        return weight

    def _of_object(self, reference: Any, resources: dict[str, Any], inside: tuple[int, ...]) -> int:
        form = resolve1(reference)
        if not isinstance(form, PDFStream) or form.objid is None:
            return 0
        if getattr(resolve1(form.attrs.get("Subtype")), "name", "") != "Form":
            return 0
        known = self._known.get(form.objid)
        if known is not None:
            return known
        if form.objid in inside or len(inside) >= _DEEPEST:
            raise Unsure
        own = dictionary(form.attrs.get("Resources")) or resources
        weight = _NODES_PER_FORM + self._of_data(self._drawer.form_data(form), own, (*inside, form.objid))
        self._known[form.objid] = weight
        return weight
