"""One section of a number format that shows digits (ECMA-376 part 1, 18.8.31): decimals, thousands, percent, exponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import Final

from fumehood.loaders.shared.format_sections import Token
from fumehood.loaders.shared.number_general import number

Show = Callable[[float], str]
"""The text of a number that is not negative."""

# Enough for the longest double with as many decimals as a code may ask for.
_CONTEXT: Final = Context(prec=700, rounding=ROUND_HALF_UP)
_EXACT: Final = 15
_MOST_DENOMINATOR_DIGITS: Final = 7


def shown_digits(tokens: Sequence[Token]) -> Show:
    """How the section's tokens show a number."""
    if any(token.kind == "slash" for token in tokens):
        fraction = _fraction(tokens)
        if fraction is not None:
            return fraction
    return _Digits(tokens).show


def plain(tokens: Sequence[Token]) -> Callable[[str], str] | None:
    """How the section shows the text of a number, where one format of Python's does: most do, and are many in a sheet."""
    kinds = {token.kind for token in tokens}
    if "digit" not in kinds or not kinds <= {"digit", "comma", "point", "percent", "literal"}:
        return None
    digits = _Digits(tokens)
    if digits.around is None:
        return None
    before, spec, behind = digits.around
    power, unit = digits.power, digits.unit

    def show(raw: str) -> str:
        # Of so few characters each is one that a spreadsheet knows.
        if len(raw) <= _EXACT and raw.isascii() and "e" not in raw and "E" not in raw:
            try:
                size = Decimal(raw)
            except InvalidOperation:
                return raw
            if not size.is_finite():
                return raw
        elif (value := number(raw)) is not None:
            size = exact(value)
        else:
            return raw
        if power:
            size = size.scaleb(power)
        figures = f"{_CONTEXT.quantize(size, unit):{spec}}"
        if figures[0] != "-":
            return f"{before}{figures}{behind}".strip()
        sign = "-" if figures.strip("-0.,") else ""
        return f"{sign}{before}{figures[1:]}{behind}".strip()

    return show


def exact(value: float) -> Decimal:
    """The number as a spreadsheet knows it: to 15 significant digits, which hides what binary fractions cannot hold."""
    return Decimal(f"{value:.15g}")


class _Digits:
    """Before the point, behind it, and in the exponent: placeholders, with literals anywhere between them."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._whole: list[Token] = []
        self._decimals: list[Token] = []
        self._exponent: list[Token] = []
        self._sign = ""
        self._has_point = False
        self._groups = False
        self._thousands = 0
        self._percents = sum(token.kind == "percent" for token in tokens)
        self._sort(tokens)
        self._places = sum(token.kind == "digit" for token in self._decimals)
        self._wholes = sum(token.kind == "digit" for token in self._whole)
        self.unit = Decimal(1).scaleb(-self._places)
        self.power = 2 * self._percents - 3 * self._thousands
        self.around = None if self._sign else self._plain()

    def _plain(self) -> tuple[str, str, str] | None:
        """What most codes are: figures in one piece, shown by a format of Python's own between two literals."""
        whole = "".join("\0" if token.kind != "digit" else token.text for token in self._whole)
        decimals = "".join("\0" if token.kind != "digit" else token.text for token in self._decimals)
        figures = whole.strip("\0")
        if figures.lstrip("#") != "0" or decimals.strip("\0").strip("0") or decimals.startswith("\0"):
            return None
        if self._has_point and not self._places:
            return None
        cut = len(whole.rstrip("\0"))
        before, between = _texts(self._whole[:cut]), _texts(self._whole[cut:])
        if self._has_point and between:
            return None
        return before, ",f" if self._groups else "f", between + _texts(self._decimals)

    def _sort(self, tokens: Sequence[Token]) -> None:
        part = self._whole
        commas = 0
        for token in tokens:
            if token.kind == "comma":
                commas += 1
                continue
            if token.kind == "digit" and commas:
                self._groups = self._groups or part is self._whole
                commas = 0
            if token.kind == "point" and not self._has_point:
                self._has_point, part = True, self._decimals
            elif token.kind == "exponent" and not self._sign:
                self._sign, part = token.text, self._exponent
            else:
                part.append(token)
            if token.kind in ("point", "exponent"):
                self._thousands, commas = self._thousands + commas, 0
        self._thousands += commas

    def show(self, value: float) -> str:
        size = exact(value)
        if self.power:
            size = size.scaleb(self.power)
        if self.around is not None:
            before, spec, behind = self.around
            return f"{before}{_CONTEXT.quantize(size, self.unit):{spec}}{behind}"
        power = 0
        if self._sign:
            size, power = self._mantissa(size)
        digits = f"{_CONTEXT.quantize(size, self.unit):f}"
        whole, _, decimals = digits.partition(".")
        text = self._before(whole.lstrip("0"))
        if self._has_point:
            text += "." + _behind(self._decimals, decimals)
        if self._sign:
            shown_sign = "-" if power < 0 else "+" if self._sign[1] == "+" else ""
            text += self._sign[0] + shown_sign + _filled(self._exponent, str(abs(power)))
        return text

    def _mantissa(self, size: Decimal) -> tuple[Decimal, int]:
        """`##0.0E+0` counts in steps of as many powers as there are placeholders before the point."""
        if not size:
            return size, 0
        step = max(1, self._wholes)
        power = size.adjusted() // step * step if step > 1 else size.adjusted()
        mantissa = size.scaleb(-power)
        if _CONTEXT.quantize(mantissa, self.unit) >= Decimal(10) ** step:
            power += step
            mantissa = size.scaleb(-power)
        return mantissa, power

    def _before(self, digits: str) -> str:
        return _filled(self._whole, digits, groups=self._groups)


def _texts(tokens: Sequence[Token]) -> str:
    return "".join(token.text for token in tokens if token.kind != "digit")


def _filled(tokens: Sequence[Token], digits: str, *, groups: bool = False) -> str:
    """`digits` in the placeholders from the last one on; the first takes all that are left."""
    pieces: list[str] = []
    left = sum(token.kind == "digit" for token in tokens)
    at = len(digits)
    count = 0
    for token in reversed(tokens):
        if token.kind != "digit":
            pieces.append(token.text)
            continue
        left -= 1
        first = 0 if left == 0 else max(0, at - 1)
        taken = digits[first:at] or {"0": "0", "?": " "}.get(token.text, "")
        at = first
        for digit in reversed(taken):
            if groups and count and count % 3 == 0:
                pieces.append("," if digit != " " else " ")
            pieces.append(digit)
            count += 1
    return "".join(reversed(pieces))


def _behind(tokens: Sequence[Token], digits: str) -> str:
    """Decimals in their placeholders; zeros at the end are shown by `0` only."""
    significant = len(digits.rstrip("0"))
    pieces: list[str] = []
    at = 0
    for token in tokens:
        if token.kind != "digit":
            pieces.append(token.text)
            continue
        if at < significant or token.text == "0":
            pieces.append(digits[at : at + 1])
        elif token.text == "?":
            pieces.append(" ")
        at += 1
    return "".join(pieces)


def _fraction(tokens: Sequence[Token]) -> Show | None:
    """`# ?/?`, `0 ??/16`: placeholders left of the slash, with a space before the last of them if there is a whole part."""
    slash = next(at for at, token in enumerate(tokens) if token.kind == "slash")
    before, behind = tokens[:slash], tokens[slash + 1 :]
    length = next((at for at, token in enumerate(behind) if not _is_denominator(token)), len(behind))
    written = "".join(token.text for token in behind[:length])
    start = len(before)
    while start and before[start - 1].kind == "digit":
        start -= 1
    if start == len(before) or not written:
        return None
    whole = before[:start]
    has_whole = any(token.kind == "digit" for token in whole)
    fixed = int(written) if written.isdigit() and int(written) else None
    largest = 10 ** min(len(written), _MOST_DENOMINATOR_DIGITS) - 1
    tail = "".join(token.text for token in behind[length:])

    def show(value: float) -> str:
        exactly = Fraction(exact(value))
        units = int(exactly) if has_whole else 0
        rest = exactly - units
        near = Fraction(round(rest * fixed), fixed) if fixed else rest.limit_denominator(largest)
        if has_whole and near == 1:
            units, near = units + 1, Fraction(0)
        numerator, denominator = (int(near * fixed), fixed) if fixed else (near.numerator, near.denominator)
        if has_whole and not numerator:
            return _filled(whole, str(units)).rstrip() + tail
        lead = _filled(whole, str(units) if units else "")
        return f"{lead}{numerator}/{denominator}{tail}"

    return show


def _is_denominator(token: Token) -> bool:
    return token.kind == "digit" or (token.kind == "literal" and token.text.isdigit())
