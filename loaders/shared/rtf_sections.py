r"""Headers and footers of RTF, once for each section that brings its own (RTF 1.9.1, "Headers and Footers")."""

from __future__ import annotations

from typing import Final, NamedTuple

from fumehood.document import Locator, Role
from fumehood.loaders.shared.story_items import Item, Lines, as_lines
from fumehood.loaders.shared.story_writer import Writer
from fumehood.loaders.shared.tally import Tally

HEADERS: Final[dict[bytes, Role]] = {
    b"header": "header",
    b"headerr": "header",
    b"headerl": "header",
    b"headerf": "header",
    b"footer": "footer",
    b"footerr": "footer",
    b"footerl": "footer",
    b"footerf": "footer",
}
_FIRST_PAGE: Final = (b"headerf", b"footerf")


class _PageText(NamedTuple):
    role: Role
    of_first_page: bool
    items: list[Item]


class Sections:
    """Writes the text with the headers of each section before it and the footers behind it."""

    def __init__(self, writer: Writer, tally: Tally) -> None:
        self._writer = writer
        self._tally = tally
        self._waiting: dict[Role, list[_PageText]] = {"header": [], "footer": []}
        self.title_page = False
        """Whether the section at hand has a first page with a header and footer of its own."""

    def add(self, word: bytes, items: list[Item]) -> None:
        r"""The text of a destination such as `\headerf`, of the section at hand."""
        page_text = _PageText(HEADERS[word], word in _FIRST_PAGE, items)
        self._waiting[page_text.role].append(page_text)

    def write(self, item: Item) -> None:
        """An item of the text."""
        if self._waiting["header"]:
            self._write_all("header")
        self._writer.write(item)

    def end(self) -> None:
        """The section ends, and so do its headers and footers."""
        self._write_all("header")
        self._write_all("footer")

    def _write_all(self, role: Role) -> None:
        due, self._waiting[role] = self._waiting[role], []
        for page_text in sorted(due, key=lambda one: not one.of_first_page):
            self._write_page_text(page_text)

    def _write_page_text(self, page_text: _PageText) -> None:
        shown = self.title_page or not page_text.of_first_page
        for item in page_text.items:
            lines: Lines = as_lines([item])
            if lines.text and not shown:
                self._tally.add("hidden-text", Locator())
            self._writer.lines(lines, page_text.role, visible=shown, locator=None)
