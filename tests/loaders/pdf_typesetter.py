"""Sets text for PDFs of tests: lines of a width, ragged or justified, and rules. Helvetica, as `pdf_writer` has it."""

from __future__ import annotations

from collections.abc import Sequence

from pdfminer.fontmetrics import FONT_METRICS

from tests.loaders.pdf_writer import text

_WIDTHS = FONT_METRICS["Helvetica"][1]


def width(string: str, size: float = 10) -> float:
    """In points."""
    return sum(_WIDTHS[char] if char in _WIDTHS else _WIDTHS["n"] for char in string) * size / 1000


def broken(string: str, measure: float, size: float = 10, indent: float = 0) -> list[str]:
    """The lines that the text takes; `indent` of the first."""
    lines: list[str] = []
    current = ""
    for word in string.split(" "):
        room = measure - (0 if lines else indent)
        if current and width(f"{current} {word}", size) > room:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}" if current else word
    return [*lines, current]


def column(
    string: str,
    x: float,
    y: float,
    measure: float,
    size: float = 10,
    *,
    leading: float = 1.2,
    indent: float = 0,
    hang: float = 0,
    justified: bool = True,
) -> list[bytes]:
    """The lines of a paragraph whose first base line is at `y`, each an object of its own; but the last one justified."""
    lines = broken(string, measure - hang, size, indent)
    shown = []
    for number, line in enumerate(lines):
        left = x + (indent if number == 0 else hang)
        room = measure - (left - x)
        before = ""
        if justified and number < len(lines) - 1 and " " in line:
            before = f"{(room - width(line, size)) / line.count(' '):.3f} Tw"
        shown.append(text(line, left, y - number * leading * size, size, before + " " if before else "0 Tw "))
    return shown


def rule(left: float, bottom: float, right: float, top: float) -> bytes:
    """A stroked line."""
    return b"%.1f %.1f m %.1f %.1f l S\n" % (left, bottom, right, top)


def box(left: float, bottom: float, right: float, top: float) -> bytes:
    """A stroked rectangle."""
    return b"%.1f %.1f %.1f %.1f re S\n" % (left, bottom, right - left, top - bottom)


def ruled(xs: Sequence[float], ys: Sequence[float]) -> bytes:
    """All lines of a grid."""
    return b"".join(
        [rule(x, min(ys), x, max(ys)) for x in xs] + [rule(min(xs), y, max(xs), y) for y in ys],
    )


def prose(seed: str, words: int) -> str:
    """Text that starts with `seed`, goes on with words that occur nowhere else, and ends in a full stop."""
    following = [
        f"{_SYLLABLES[(index * 7 + len(seed)) % len(_SYLLABLES)]}{seed[-3:].lower()}" for index in range(words)
    ]
    return " ".join([seed, *following]) + "."


_SYLLABLES = ("ba", "rilo", "tu", "ne", "vomi", "ka", "selani", "do", "pira", "u", "mela", "go", "shi", "ar", "wendo")
