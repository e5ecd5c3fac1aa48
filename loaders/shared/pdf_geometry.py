"""Transformation matrices (ISO 32000-2, 8.3.4), and coordinates turned so that text runs to the right."""

from __future__ import annotations

import math
from typing import Any, Final

import msgspec
from pdfminer.pdftypes import resolve1

from fumehood.loaders.shared.pdf_file import array_of
from fumehood.loaders.shared.pdf_glyphs import Rectangle

Matrix = tuple[float, float, float, float, float, float]

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
FAR: Final = 1e6
"""Coordinates beyond are no place on any page."""
_SKEW: Final = 5
"""Degrees by which a scanned page's lines may lean and still be upright."""


def multiplied(first: Matrix, second: Matrix) -> Matrix:
    """The transformation that is `first`, then `second`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def bounds(matrix: Matrix, box: Rectangle) -> Rectangle:
    """The upright rectangle around `box` transformed."""
    a, b, c, d, e, f = matrix
    left, bottom, right, top = box
    if b or c:
        across = (a * left + c * bottom, a * left + c * top, a * right + c * bottom, a * right + c * top)
        up = (b * left + d * bottom, b * left + d * top, b * right + d * bottom, b * right + d * top)
        return (min(across) + e, min(up) + f, max(across) + e, max(up) + f)
    left, right, bottom, top = a * left + e, a * right + e, d * bottom + f, d * top + f
    return (min(left, right), min(bottom, top), max(left, right), max(bottom, top))


def matrix_of(value: Any) -> Matrix:
    """Six numbers as a matrix; the identity for anything else."""
    numbers = [resolve1(part) for part in array_of(value)[:6]]
    if len(numbers) != 6 or not all(isinstance(number, int | float) for number in numbers):
        return IDENTITY
    a, b, c, d, e, f = (float(number) for number in numbers)
    return (a, b, c, d, e, f)


class Frame(msgspec.Struct, frozen=True, gc=False):
    """Coordinates turned so that text runs to the right: `x_along` is how far a text unit goes along, and so on."""

    degrees: int
    cosine: float
    sine: float
    x_along: float
    x_across: float
    y_along: float
    y_across: float
    is_nowhere: bool

    @classmethod
    def of(cls, matrix: Matrix, is_mirrored: bool, *, is_vertical: bool) -> Frame:
        """The frame of text shown by `matrix`; `is_mirrored`: by a font of negative size."""
        a, b, c, d, _, _ = matrix
        if not all(abs(value) < FAR for value in matrix):
            return cls(0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, True)
        x, y = (-c, -d) if is_vertical else (a, b)
        if is_mirrored:
            x, y = -x, -y
        degrees = 0 if y == 0 and x > 0 else direction(x, y)
        if not degrees:
            return cls(0, 1.0, 0.0, a, b, c, d, False)
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        return cls(
            degrees,
            cosine,
            sine,
            a * cosine + b * sine,
            b * cosine - a * sine,
            c * cosine + d * sine,
            d * cosine - c * sine,
            False,
        )

    @property
    def lean(self) -> float:
        """How far the base line rises for each point along it."""
        return self.x_across / self.x_along if self.x_across and self.x_along else 0.0

    def along(self, x: float, y: float) -> float:
        return 0.0 if self.is_nowhere else x * self.cosine + y * self.sine

    def across(self, x: float, y: float) -> float:
        return 0.0 if self.is_nowhere else y * self.cosine - x * self.sine


def direction(x: float, y: float) -> int:
    """Whole degrees from the right, counter-clockwise; what leans a little is upright, level or upside down."""
    degrees = round(math.degrees(math.atan2(y, x))) % 360
    if (degrees + _SKEW) % 90 <= 2 * _SKEW:
        return (degrees + _SKEW) // 90 * 90 % 360
    return degrees
