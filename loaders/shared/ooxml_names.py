"""The namespaces of Office Open XML under one short prefix each, whichever class of conformance wrote them.

ISO/IEC 29500-1 (Strict) and -4 (Transitional) give the same elements different namespaces. Names are
written `w:p` here and expand to every namespace that stands for the prefix, so that nothing else needs
to know of the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from lxml import etree

from fumehood.limits.budget import Budget

Element = etree._Element
_Value = TypeVar("_Value")

_TRANSITIONAL: Final = "http://schemas.openxmlformats.org"
_STRICT: Final = "http://purl.oclc.org/ooxml"

NAMESPACES: Final[Mapping[str, tuple[str, ...]]] = {
    "w": (f"{_TRANSITIONAL}/wordprocessingml/2006/main", f"{_STRICT}/wordprocessingml/main"),
    "s": (f"{_TRANSITIONAL}/spreadsheetml/2006/main", f"{_STRICT}/spreadsheetml/main"),
    "xdr": (f"{_TRANSITIONAL}/drawingml/2006/spreadsheetDrawing", f"{_STRICT}/drawingml/spreadsheetDrawing"),
    "tc": ("http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments",),
    "r": (
        f"{_TRANSITIONAL}/officeDocument/2006/relationships",
        f"{_STRICT}/officeDocument/relationships",
    ),
    "a": (f"{_TRANSITIONAL}/drawingml/2006/main", f"{_STRICT}/drawingml/main"),
    "p": (f"{_TRANSITIONAL}/presentationml/2006/main", f"{_STRICT}/presentationml/main"),
    "p15": ("http://schemas.microsoft.com/office/powerpoint/2012/main",),
    "p188": ("http://schemas.microsoft.com/office/powerpoint/2018/8/main",),
    "adec": ("http://schemas.microsoft.com/office/drawing/2017/decorative",),
    "a14": ("http://schemas.microsoft.com/office/drawing/2010/main",),
    "pic": (f"{_TRANSITIONAL}/drawingml/2006/picture", f"{_STRICT}/drawingml/picture"),
    "wp": (
        f"{_TRANSITIONAL}/drawingml/2006/wordprocessingDrawing",
        f"{_STRICT}/drawingml/wordprocessingDrawing",
    ),
    "c": (f"{_TRANSITIONAL}/drawingml/2006/chart", f"{_STRICT}/drawingml/chart"),
    "c15": ("http://schemas.microsoft.com/office/drawing/2012/chart",),
    "cx": ("http://schemas.microsoft.com/office/drawing/2014/chartex",),
    "dgm": (f"{_TRANSITIONAL}/drawingml/2006/diagram", f"{_STRICT}/drawingml/diagram"),
    "m": (f"{_TRANSITIONAL}/officeDocument/2006/math", f"{_STRICT}/officeDocument/math"),
    "ep": (
        f"{_TRANSITIONAL}/officeDocument/2006/extended-properties",
        f"{_STRICT}/officeDocument/extendedProperties",
    ),
    "ct": (f"{_TRANSITIONAL}/package/2006/content-types",),
    "rel": (f"{_TRANSITIONAL}/package/2006/relationships",),
    "cp": (f"{_TRANSITIONAL}/package/2006/metadata/core-properties",),
    "dc": ("http://purl.org/dc/elements/1.1/",),
    "dcterms": ("http://purl.org/dc/terms/",),
    "mc": (f"{_TRANSITIONAL}/markup-compatibility/2006",),
    "v": ("urn:schemas-microsoft-com:vml",),
    "o": ("urn:schemas-microsoft-com:office:office",),
    "w14": ("http://schemas.microsoft.com/office/word/2010/wordml",),
}

UNDERSTOOD: Final = frozenset(
    [
        *(uri for prefix in ("w", "p", "a", "pic", "wp", "m", "v", "o", "w14", "p15") for uri in NAMESPACES[prefix]),
        "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas",
        "http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing",
        "http://schemas.microsoft.com/office/word/2012/wordml",
        "http://schemas.microsoft.com/office/drawing/2010/main",
        "http://schemas.microsoft.com/office/drawing/2014/main",
        "http://schemas.microsoft.com/office/powerpoint/2010/main",
        # Charts of 2014 and later; each wave of new kinds has a namespace of its own (MS-ODRAWXML 2.24).
        "http://schemas.microsoft.com/office/drawing/2014/chartex",
        *(
            f"http://schemas.microsoft.com/office/drawing/{wave}/chartex"
            for wave in ("2015/9/8", "2015/10/21", *(f"2016/5/{day}" for day in range(9, 15)))
        ),
    ]
)
"""Namespaces whose content the loaders find the text of."""


def names(*short: str) -> tuple[str, ...]:
    """All expanded names of `prefix:local` names, Transitional first: `w:p` gives two, `v:shape` one."""
    found: list[str] = []
    for name in short:
        prefix, _, local = name.partition(":")
        found += [f"{{{uri}}}{local}" for uri in NAMESPACES[prefix]]
    return tuple(found)


def by_name(table: Mapping[str, _Value]) -> dict[str, _Value]:
    """`table` with each short key expanded to all its names."""
    return {name: value for short, value in table.items() for name in names(short)}


def attribute(element: Element, wanted: Iterable[str]) -> str | None:
    """The first attribute of `wanted`, as :func:`names` gives them; None if there is none."""
    for name in wanted:
        value = element.get(name)
        if value is not None:
            return value
    return None


def chosen(alternates: Element, budget: Budget) -> Element | None:
    """The branch of an `mc:AlternateContent` to read: ECMA-376 part 3, 7.5 and 7.6.

    The first `mc:Choice` whose `Requires` names only namespaces we understand, else the `mc:Fallback`. Where
    there is no fallback the first choice: what we know of it is better than nothing.
    """
    first: Element | None = None
    for branch in alternates:
        if branch.tag in _CHOICE:
            if understands(branch, budget):
                return branch
            first = branch if first is None else first
        elif branch.tag in _FALLBACK:
            return branch
    return first


def understands(choice: Element, budget: Budget) -> bool:
    """Whether every namespace that the `mc:Choice` requires is understood.

    Looking them up takes as long as there are namespaces in scope, so those beyond what documents have are spent.
    """
    scope = choice.nsmap
    budget.spend("nodes", max(0, len(scope) - _USUAL_SCOPE))
    return all(scope.get(prefix) in UNDERSTOOD for prefix in (choice.get("Requires") or "").split())


_USUAL_SCOPE: Final = 64
_CHOICE: Final = names("mc:Choice")
_FALLBACK: Final = names("mc:Fallback")
