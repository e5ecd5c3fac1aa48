"""Office Math (ECMA-376 part 1, 22.1) as one line of text, near Unicode Technical Note 28's linear format."""

from __future__ import annotations

from typing import Final

from fumehood.loaders.shared.ooxml_names import Element, attribute, by_name, names

MAX_DEPTH: Final = 200
"""Of formulas within each other; no reader could read on, and every level takes two frames of the interpreter."""

_VAL: Final = names("m:val")


class TooDeep(Exception):
    """Formulas nest deeper than `MAX_DEPTH`."""


def linear(element: Element, depth: int = 0) -> str:
    """The text of an `m:oMath`, `m:oMathPara` or anything in it. Raises `TooDeep`."""
    if depth > MAX_DEPTH:
        raise TooDeep
    form = _FORMS.get(element.tag)
    if form is not None:
        return form(_Parts(element, depth))
    if element.tag in _TEXT:
        return element.text or ""
    parts: list[str] = []
    ends_in_form = False
    for child in element:
        if child.tag in _SKIPPED:
            continue
        text = linear(child, depth + 1)
        if ends_in_form and text[:1].isalnum() and parts[-1][-1:].isalnum():
            # What follows an exponent or a denominator is no part of it.
            parts.append(" ")
        parts.append(text)
        ends_in_form = child.tag in _FORMS
    return "".join(parts)


class _Parts:
    """The children of one construct by their short names."""

    def __init__(self, element: Element, depth: int) -> None:
        self._element = element
        self._depth = depth + 1

    def one(self, name: str) -> str:
        """The text of the first child of that name; empty if there is none."""
        child = next(self._element.iterchildren(*names(name)), None)
        return "" if child is None else self._linear(child)

    def all(self, name: str) -> list[str]:
        return [self._linear(child) for child in self._element.iterchildren(*names(name))]

    def rows(self) -> list[list[str]]:
        """A matrix's rows of cells."""
        return [
            [self._linear(cell) for cell in row.iterchildren(*names("m:e"))]
            for row in self._element.iterchildren(*names("m:mr"))
        ]

    def property(self, properties: str, name: str) -> str | None:
        """The value of one property; None if it is not set."""
        for group in self._element.iterchildren(*names(properties)):
            for child in group.iterchildren(*names(name)):
                return attribute(child, _VAL) or ""
        return None

    def _linear(self, element: Element) -> str:
        return linear(element, self._depth)


def _grouped(text: str) -> str:
    """In parentheses where it would otherwise fall apart."""
    text = text.strip()
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _fraction(parts: _Parts) -> str:
    # 22.1.2.37: without a bar it is what stands over each other, as in a binomial coefficient.
    bar = "¦" if parts.property("m:fPr", "m:type") == "noBar" else "/"
    return f"{_grouped(parts.one('m:num'))}{bar}{_grouped(parts.one('m:den'))}"


def _scripts(parts: _Parts) -> str:
    sub, sup = parts.one("m:sub"), parts.one("m:sup")
    return parts.one("m:e") + _low(sub) + _high(sup)


def _before(parts: _Parts) -> str:
    sub, sup = parts.one("m:sub"), parts.one("m:sup")
    return _low(sub) + _high(sup) + parts.one("m:e")


def _low(text: str) -> str:
    return f"_{_grouped(text)}" if text.strip() else ""


def _high(text: str) -> str:
    return f"^{_grouped(text)}" if text.strip() else ""


def _radical(parts: _Parts) -> str:
    degree = parts.one("m:deg").strip()
    root = {"": "√", "3": "∛", "4": "∜"}.get(degree)
    radicand = f"({parts.one('m:e').strip()})"
    return f"{root}{radicand}" if root else f"√[{degree}]{radicand}"


def _nary(parts: _Parts) -> str:
    # 22.1.2.70: without a character it is the integral.
    sign = parts.property("m:naryPr", "m:chr")
    return f"{'∫' if sign is None else sign}{_low(parts.one('m:sub'))}{_high(parts.one('m:sup'))} {parts.one('m:e')}"


def _delimited(parts: _Parts) -> str:
    begin, separator, end = (
        default if (given := parts.property("m:dPr", name)) is None else given
        for name, default in (("m:begChr", "("), ("m:sepChr", "|"), ("m:endChr", ")"))
    )
    return f"{begin}{separator.join(parts.all('m:e'))}{end}"


def _function(parts: _Parts) -> str:
    return f"{parts.one('m:fName')} {parts.one('m:e')}"


def _accent(parts: _Parts) -> str:
    # 22.1.2.20: without a character it is a circumflex; a combining mark stands behind its base.
    mark = parts.property("m:accPr", "m:chr")
    base = parts.one("m:e")
    return (base if len(base) == 1 else _grouped(base)) + ("\u0302" if mark is None else mark)


def _matrix(parts: _Parts) -> str:
    return "[" + "; ".join(", ".join(row) for row in parts.rows()) + "]"


def _equations(parts: _Parts) -> str:
    return "\n".join(parts.all("m:e"))


def _lower_limit(parts: _Parts) -> str:
    return parts.one("m:e") + _low(parts.one("m:lim"))


def _upper_limit(parts: _Parts) -> str:
    return parts.one("m:e") + _high(parts.one("m:lim"))


def _paragraph(parts: _Parts) -> str:
    return "\n".join(text for text in parts.all("m:oMath") if text.strip())


_FORMS: Final = by_name(
    {
        "m:f": _fraction,
        "m:sSub": _scripts,
        "m:sSup": _scripts,
        "m:sSubSup": _scripts,
        "m:sPre": _before,
        "m:rad": _radical,
        "m:nary": _nary,
        "m:d": _delimited,
        "m:func": _function,
        "m:acc": _accent,
        "m:m": _matrix,
        "m:eqArr": _equations,
        "m:limLow": _lower_limit,
        "m:limUpp": _upper_limit,
        "m:oMathPara": _paragraph,
    }
)
_TEXT: Final = frozenset(names("m:t", "w:t"))
_SKIPPED: Final = frozenset(names("w:del", "w:moveFrom"))
