"""Optional content (ISO 32000-2, 8.11): which layers are switched off as the document opens."""

from __future__ import annotations

from typing import Any, Final

from pdfminer.pdftypes import PDFObjRef, resolve1

from fumehood.loaders.shared.pdf_file import array_of, dictionary

_MOST_GROUPS: Final = 10_000


class Layers:
    """The groups of the default configuration (8.11.4.3) that are off, by the numbers of their objects."""

    def __init__(self, catalog: dict[str, Any]) -> None:
        properties = dictionary(catalog.get("OCProperties"))
        default = dictionary(properties.get("D"))
        self._off = _numbers(default.get("OFF"))
        if getattr(resolve1(default.get("BaseState")), "name", "ON") == "OFF":
            self._off |= _numbers(properties.get("OCGs")) - _numbers(default.get("ON"))

    def __bool__(self) -> bool:
        """Whether any is off."""
        return bool(self._off)

    def is_off(self, reference: Any) -> bool:
        """Whether what belongs to a group, or to a membership dictionary (8.11.2.2), is switched off."""
        if not self._off:
            return False
        if isinstance(reference, PDFObjRef) and reference.objid in self._off:
            return True
        membership = dictionary(reference)
        members = membership.get("OCGs")
        if members is None:
            return False
        groups = _numbers(members if isinstance(resolve1(members), list) else [members])
        policy = getattr(resolve1(membership.get("P")), "name", "AnyOn")
        return _is_off_by(policy, len(groups & self._off), len(groups))


def _is_off_by(policy: str, off: int, count: int) -> bool:
    if not count:
        return False
    shown = {"AllOn": off == 0, "AnyOff": off > 0, "AllOff": off == count}
    return not shown.get(policy, off < count)


def _numbers(value: Any) -> set[int]:
    return {part.objid for part in array_of(value)[:_MOST_GROUPS] if isinstance(part, PDFObjRef)}
