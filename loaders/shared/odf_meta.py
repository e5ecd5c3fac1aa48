"""What a document says about itself (ODF 1.3 part 3, 4.3)."""

from __future__ import annotations

from typing import Final

from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.ooxml_properties import checked

_ELEMENTS: Final = {
    qname(short): key
    for short, key in {
        "dc:title": "title",
        "meta:initial-creator": "author",
        "dc:creator": "last-author",
        "dc:subject": "subject",
        "meta:keyword": "keywords",
        "meta:creation-date": "created",
        "dc:date": "modified",
        "dc:language": "language",
        "meta:generator": "generator",
    }.items()
}
_STATISTIC: Final = qname("meta:document-statistic")
_COUNTS: Final = {qname("meta:page-count"): "pages", qname("meta:word-count"): "words"}
_MOST: Final = 1_000
"""Elements that are kept; keywords may be many."""


class MetaReader:
    """Takes what an element `office:meta` holds."""

    def __init__(self) -> None:
        self._found: dict[str, list[list[str]]] = {}
        self._counts: dict[str, str] = {}
        self._text: list[str] | None = None
        self._kept = 0

    def start(self, tag: str, attributes: Attributes) -> None:
        key = _ELEMENTS.get(tag)
        if key is not None and self._kept < _MOST:
            self._kept += 1
            self._text = []
            self._found.setdefault(key, []).append(self._text)
        elif tag == _STATISTIC:
            self._counts = {key: attributes[name] for name, key in _COUNTS.items() if name in attributes}

    def end(self, tag: str) -> None:
        self._text = None

    def data(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def close(self) -> None:
        """Nothing is left to be done at its end."""

    def describe(self, out: Builder) -> None:
        """Sets title and metadata."""
        values = {key: ", ".join(filter(None, map(_joined, texts))) for key, texts in self._found.items()}
        out.set_title(values.pop("title", None))
        last_author = values.pop("last-author", "")
        values["author"] = values.get("author") or last_author
        for key, value in (values | self._counts).items():
            good = checked(key, value)
            if good:
                out.set_metadata(key, good)


def _joined(pieces: list[str]) -> str:
    return "".join(pieces).strip()
