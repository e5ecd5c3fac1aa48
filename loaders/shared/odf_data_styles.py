"""Reads data styles (ODF 1.3 part 3, 16.29) wherever they stand among other styles."""

from __future__ import annotations

from typing import Final

from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.odf_values import PARTS, DataStyle, Part, condition
from fumehood.loaders.shared.odf_xml import Dispatcher, Start

KINDS: Final = ("number", "currency", "percentage", "date", "time", "boolean", "text")
MAX_PARTS: Final = 32
"""Of one style. What goes beyond is no format that anybody reads."""
_LONGEST: Final = 200

_NAME: Final = qname("style:name")
_TRUNCATE: Final = qname("number:truncate-on-overflow")
_CONDITION: Final = qname("style:condition")
_APPLY: Final = qname("style:apply-style-name")


class DataStyleReader:
    """Adds each data style to `found`, by its name."""

    def __init__(self, dispatcher: Dispatcher, found: dict[str, DataStyle]) -> None:
        self.found = found
        self._dispatcher = dispatcher
        self._style: DataStyle | None = None
        for kind in KINDS:
            dispatcher.on(f"number:{kind}-style", self._starter(kind), self._end)
        for kind in PARTS:
            dispatcher.on(f"number:{kind}", self._part_starter(kind), self._end_part)
        dispatcher.on("style:map", self._map)

    def _starter(self, kind: str) -> Start:
        def start(attributes: Attributes) -> None:
            self._style = self.found[attributes.get(_NAME, "")] = DataStyle(
                kind, runs_over=attributes.get(_TRUNCATE) == "false"
            )

        return start

    def _end(self) -> None:
        self._style = None

    def _part_starter(self, kind: str) -> Start:
        def start(attributes: Attributes) -> None:
            style = self._style
            if style is not None and len(style.parts) < MAX_PARTS:
                local = {name.rpartition("}")[2]: value[:_LONGEST] for name, value in attributes.items()}
                style.parts.append(Part(kind, local))
                self._dispatcher.sink = self._text

        return start

    def _text(self, text: str) -> None:
        """The characters of a part, which may come in pieces."""
        if self._style is not None and self._style.parts:
            part = self._style.parts[-1]
            part.text = (part.text + text)[:_LONGEST]

    def _end_part(self) -> None:
        self._dispatcher.sink = None

    def _map(self, attributes: Attributes) -> None:
        test = condition(attributes.get(_CONDITION, ""))
        if self._style is not None and test is not None and len(self._style.maps) < MAX_PARTS:
            self._style.maps.append((test, attributes.get(_APPLY, "")))
