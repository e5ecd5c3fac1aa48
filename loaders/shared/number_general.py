"""The number format General (ECMA-376 part 1, 18.8.30), as a column that is wide enough shows it: at most 11 characters."""

from __future__ import annotations

from typing import Final

_MOST_DIGITS: Final = 11
_SMALLEST_FIXED: Final = 1e-4
_LONGEST: Final = 400
"""Characters of a number's text: converting one takes quadratic time, and the longest double has 309 digits."""


def number(raw: str) -> float | None:
    """The finite number that a cell's value is the text of, or None."""
    if len(raw) > _LONGEST:
        return None
    try:
        value = float(raw)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def general(raw: str) -> str:
    """The number as it is shown; what is none, as it is written."""
    if raw.isdigit() and len(raw) <= _MOST_DIGITS and raw[0] != "0":
        return raw
    value = number(raw)
    return raw if value is None else general_number(value)


def general_number(value: float) -> str:
    """Up to 11 characters without the sign, the last digit rounded; in scientific notation where that shows more."""
    size = abs(value)
    if size == 0:
        return "0"
    text = ""
    if size < 10**_MOST_DIGITS:
        whole = len(str(int(size)))
        text = f"{size:.{max(0, _MOST_DIGITS - 1 - whole)}f}"
        if "." in text:
            text = text.rstrip("0").rstrip(".")
        # A small number would lose most of its digits, unless these few are all that it has.
        if len(text) > _MOST_DIGITS or (size < _SMALLEST_FIXED and f"{float(text):.6g}" != f"{size:.6g}"):
            text = ""
    return ("-" if value < 0 else "") + (text or _scientific(size))


def _scientific(size: float) -> str:
    text = _exponential(size, 5)
    return text if len(text) <= _MOST_DIGITS else _exponential(size, 4)


def _exponential(size: float, decimals: int) -> str:
    mantissa, _, exponent = f"{size:.{decimals}E}".partition("E")
    return f"{mantissa.rstrip('0').rstrip('.')}E{exponent}"
