"""What a paragraph of WordprocessingML says of itself (ECMA-376 part 1, 17.3.1)."""

from __future__ import annotations

from typing import Final, NamedTuple

from fumehood.loaders.shared.docx_looks import VAL, is_shaded
from fumehood.loaders.shared.docx_styles import number, numbering_of
from fumehood.loaders.shared.ooxml_names import Element, attribute, by_name, names

_PPR: Final = names("w:pPr")
_PROPERTIES: Final = by_name(
    {
        "w:pStyle": "style",
        "w:numPr": "numbering",
        "w:outlineLvl": "outline",
        "w:rPr": "mark",
        "w:shd": "shading",
        "w:sectPr": "section",
    }
)
_MARK_DELETED: Final = names("w:del", "w:moveFrom")


class Properties(NamedTuple):
    """A paragraph's own properties. `section`: a section ends with it; `shaded`: something is drawn behind it."""

    style: str | None = None
    num_id: str | None = None
    level: int | None = None
    outline: int | None = None
    mark_deleted: bool = False
    section: Element | None = None
    shaded: bool = False


def read_properties(paragraph: Element) -> Properties:
    """Of a `w:p`."""
    # 17.3.1.26: the properties come first.
    if not len(paragraph) or paragraph[0].tag not in _PPR:
        return NONE
    found = paragraph[0]
    style = num_id = level = outline = section = None
    mark_deleted = shaded = False
    for child in found:
        kind = _PROPERTIES.get(child.tag)
        if kind is None:
            continue
        if kind == "style":
            style = attribute(child, VAL)
        elif kind == "numbering":
            num_id, level = numbering_of(child)
        elif kind == "outline":
            outline = number(child)
        elif kind == "mark":
            mark_deleted = next(child.iterchildren(*_MARK_DELETED), None) is not None
        elif kind == "shading":
            shaded = is_shaded(child)
        else:
            section = child
    return Properties(style, num_id, level, outline, mark_deleted, section, shaded)


NONE: Final = Properties()
