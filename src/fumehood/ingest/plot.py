"""A plot of points on two logarithmic axes with the caps drawn in, as SVG that needs no script and no network."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from fumehood.ingest.markup import Markup, element

WIDTH: Final = 720
HEIGHT: Final = 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 18, 22, 44
_SMALLEST: Final = 2.5
_GROWTH: Final = 1.7
"""A point's radius, and what each factor of ten sources adds to it."""


@dataclass(frozen=True, slots=True)
class Axis:
    """`least` to `most` in steps of a factor `step`; `cap` is the limit, drawn in; `show` makes a value readable."""

    label: str
    least: float
    most: float
    step: float
    cap: float
    cap_name: str
    show: Callable[[float], str]

    def share(self, value: float) -> float:
        """Where a value lies between the ends, 0 to 1."""
        along = math.log(max(value, self.least) / self.least) / math.log(self.most / self.least)
        return min(max(along, 0.0), 1.0)

    def ticks(self) -> list[float]:
        count = int(math.log(self.most / self.least, self.step) + 1e-9) + 1
        return [self.least * self.step**number for number in range(count)]


def axis(
    label: str, least: float, step: float, cap: float, cap_name: str, show: Callable[[float], str], largest: float
) -> Axis:
    """An axis that holds its cap and the `largest` value, with some room beyond."""
    return Axis(label, least, max(cap, largest, least * step) * 2, step, cap, cap_name, show)


def plot(title: str, across: Axis, up: Axis, points: Sequence[tuple[float, float, bool, int]]) -> Markup:
    """`points`: across, up, whether refused, and how many sources one stands for."""
    return element(
        "svg",
        element("title", title),
        _grid(across, up),
        _caps(across, up),
        element("g", *(_point(across, up, point) for point in points)),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
    )


def _x(across: Axis, value: float) -> str:
    return f"{_LEFT + across.share(value) * (WIDTH - _LEFT - _RIGHT):.1f}"


def _y(up: Axis, value: float) -> str:
    return f"{HEIGHT - _BOTTOM - up.share(value) * (HEIGHT - _TOP - _BOTTOM):.1f}"


def _grid(across: Axis, up: Axis) -> Markup:
    bottom, right = str(HEIGHT - _BOTTOM), str(WIDTH - _RIGHT)
    parts = []
    for value in across.ticks():
        x = _x(across, value)
        parts.append(element("line", x1=x, x2=x, y1=str(_TOP), y2=bottom))
        parts.append(element("text", across.show(value), x=x, y=str(HEIGHT - _BOTTOM + 16), text_anchor="middle"))
    for value in up.ticks():
        y = _y(up, value)
        parts.append(element("line", x1=str(_LEFT), x2=right, y1=y, y2=y))
        parts.append(element("text", up.show(value), x=str(_LEFT - 6), y=y, dy="4", text_anchor="end"))
    parts.append(element("text", across.label, x=right, y=str(HEIGHT - 8), text_anchor="end"))
    parts.append(element("text", up.label, x="4", y="12"))
    return element("g", *parts, class_="grid")


def _caps(across: Axis, up: Axis) -> Markup:
    x, y = _x(across, across.cap), _y(up, up.cap)
    return element(
        "g",
        element("line", x1=x, x2=x, y1=str(_TOP), y2=str(HEIGHT - _BOTTOM)),
        element("line", x1=str(_LEFT), x2=str(WIDTH - _RIGHT), y1=y, y2=y),
        element("text", _said(across), x=x, y=str(HEIGHT - _BOTTOM - 6), dx="-5", text_anchor="end"),
        element("text", _said(up), x=str(_LEFT + 6), y=y, dy="-5"),
        class_="cap",
    )


def _said(of: Axis) -> str:
    return f"{of.cap_name}: {of.show(of.cap)}"


def _point(across: Axis, up: Axis, point: tuple[float, float, bool, int]) -> Markup:
    size, measured, refused, count = point
    said = f"{count:,} {'refused' if refused else 'read'}: {across.show(size)}, {up.show(measured)}"
    return element(
        "circle",
        element("title", said),
        cx=_x(across, size),
        cy=_y(up, measured),
        r=f"{_SMALLEST + _GROWTH * math.log10(count):.1f}",
        class_="refused" if refused else "read",
    )
