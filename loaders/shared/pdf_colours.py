"""Colours (ISO 32000-2, 8.6), as far as needed to tell whether text differs from what is behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pdfminer.pdftypes import PDFStream, resolve1

from fumehood.loaders.shared.pdf_file import array_of, dictionary
from fumehood.loaders.shared.pdf_glyphs import Colour

BLACK: Final[Colour] = (0.0, 0.0, 0.0)

_BY_NAME: Final = {
    "DeviceGray": "gray",
    "CalGray": "gray",
    "G": "gray",
    "DeviceRGB": "rgb",
    "CalRGB": "rgb",
    "RGB": "rgb",
    "DeviceCMYK": "cmyk",
    "CMYK": "cmyk",
    "Lab": "lab",
    "Separation": "tint",
    "DeviceN": "tint",
}
_BY_COMPONENTS: Final = {1: "gray", 3: "rgb", 4: "cmyk"}


def space_of(name: Any, resources: dict[str, Any]) -> str:
    """The family of a colour space: `gray rgb cmyk lab tint`, or `other`, whose colours are not known (8.6.3)."""
    found = _BY_NAME.get(getattr(name, "name", ""))
    if found is not None:
        return found
    value = resolve1(dictionary(resources.get("ColorSpace")).get(getattr(name, "name", "")))
    parts = array_of(value) or [value]
    family = getattr(resolve1(parts[0]), "name", "")
    if family == "ICCBased" and len(parts) > 1:
        profile = resolve1(parts[1])
        count = resolve1(profile.attrs.get("N")) if isinstance(profile, PDFStream) else None
        return _BY_COMPONENTS.get(count, "other") if isinstance(count, int) else "other"
    return _BY_NAME.get(family, "other")


def initial(space: str) -> Colour | None:
    """What a space starts with (8.6.8): black, or full ink."""
    return None if space == "other" else BLACK


def colour(space: str, operands: Sequence[Any]) -> Colour | None:
    """The colour of these components; None where it is not known: patterns, palettes."""
    numbers = [min(1.0, max(0.0, float(value))) for value in operands if isinstance(value, int | float)]
    if not numbers:
        return None
    if space == "rgb" and len(numbers) == 3:
        return numbers[0], numbers[1], numbers[2]
    if space == "cmyk" and len(numbers) == 4:
        cyan, magenta, yellow, black = numbers
        return (1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black)
    if space == "lab":
        return colour("gray", [float(operands[0]) / 100])
    if space == "tint":
        # How the inks look is not asked: no ink at all is the paper, any is to be seen.
        return colour("gray", [1 - max(numbers)])
    return (numbers[0],) * 3 if space == "gray" else None
