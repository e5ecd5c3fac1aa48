"""The style sheets that lie beside a document, in the same archive: each is read once, behind those it imports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared import css_rules
from fumehood.loaders.shared.css_rules import Sheet
from fumehood.loaders.shared.html_sheets import Find
from fumehood.loaders.shared.tally import Tally

Resolve = Callable[[str, str], str]
"""The name of the sheet at an address, seen from what is named so; empty for one that lies elsewhere."""
Read = Callable[[str], bytes | None]
"""The sheet of that name; None, with a notice, for what cannot be read."""

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_EMPTY: Final = Sheet((), ())


class Library:
    """Sheets by their names. Those elsewhere are counted in `tally`, as `external-target`; each read one in `parts`."""

    def __init__(self, resolve: Resolve, read: Read, tally: Tally, budget: Budget) -> None:
        self._resolve = resolve
        self._read = read
        self._tally = tally
        self._budget = budget
        self._sheets: dict[str, Sheet] = {}
        self._with_imports: dict[str, tuple[Sheet, ...]] = {}

    def finder(self, page: str) -> Find:
        """For the addresses that the page of that name has."""
        return partial(self._find, page)

    def _find(self, page: str, address: str) -> Sequence[Sheet] | None:
        name = self._resolve(address, page)
        if not name:
            return None
        if name not in self._with_imports:
            self._with_imports[name] = tuple(self._sheet(each) for each in self._order(name))
        return self._with_imports[name]

    def _order(self, name: str) -> list[str]:
        """The sheet and all that it imports, those first, each once; a cycle ends where it is closed."""
        order: list[str] = []
        seen: set[str] = set()
        waiting = [(name, False)]
        while waiting:
            at, is_done = waiting.pop()
            if is_done:
                order.append(at)
            elif at not in seen:
                seen.add(at)
                imports = [self._resolve(address, at) for address in self._sheet(at).imports]
                self._budget.spend("nodes", 1 + len(imports))
                waiting += [(at, True), *((each, False) for each in reversed(imports) if each)]
        return order

    def _sheet(self, name: str) -> Sheet:
        if name not in self._sheets:
            self._sheets[name] = self._parsed(name)
        return self._sheets[name]

    def _parsed(self, name: str) -> Sheet:
        self._budget.spend("parts")
        data = self._read(name)
        if data is None:
            return _EMPTY
        sheet = css_rules.read(_decoded(data), self._budget)
        for address in sheet.imports:
            if not self._resolve(address, name):
                self._tally.add("external-target")
        return sheet


def _decoded(data: bytes) -> str:
    """UTF-8, or UTF-16 with its mark (EPUB 3.3, 6.3.2). Of other encodings what counts, names of rules, is ASCII."""
    return data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig", "replace")
