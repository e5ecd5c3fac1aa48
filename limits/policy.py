"""`Limits`: every cap, its unit, its default and the reason for the default."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, Final, Self

KIB: Final = 1024
MIB: Final = 1024 * KIB

_LEAST: Final[dict[str, int | float]] = {
    # What a worker needs before it has read a byte: the interpreter's arenas, the input, the reply's buffers.
    "heap_bytes": 16 * MIB,
    # The kernel counts processor time in whole seconds (setrlimit(2), RLIMIT_CPU).
    "cpu_seconds": 1,
    "wall_seconds": 0.01,
}
_FRACTIONAL: Final = frozenset({"wall_seconds", "inflate_ratio"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one document may cost. Every value is positive and finite; whole numbers but for two.

    Raises `ValueError` for a value that is not, and `TypeError` for one of the wrong type.
    """

    input_bytes: int = 64 * MIB
    """Refused before a worker is taken. Larger uploads are rarely documents."""
    heap_bytes: int = 512 * MIB
    """Memory above the zygote's own, hard, by the kernel. Ten times what an ordinary large document takes."""
    wall_seconds: float = 30.0
    """From dispatch to a worker until its reply is whole, hard, by the parent."""
    cpu_seconds: int = 30
    """Processor time of the worker, hard, by the kernel, which counts whole seconds."""
    inflated_bytes: int = 256 * MIB
    """Over the whole document, counted as bytes come out: ZIP, every PDF filter in a chain, gzip."""
    entry_bytes: int = 128 * MIB
    """The same for one entry or stream."""
    inflate_ratio: float = 200.0
    """Output to input of one entry; only above 4 MiB of output, since small honest parts reach 150."""
    archive_entries: int = 10_000
    xml_elements: int = 2_000_000
    nodes: int = 2_000_000
    """Of other trees: PDF operators, attributes, YAML events, HTML nodes, JSON values, records of CSV."""
    nesting: int = 256
    """Depth of XML, JSON, MIME, RTF groups, HTML, PDF forms and outlines; a document in a document counts for 32."""
    table_cells: int = 1_000_000
    """Cells that hold something; empty repeats cost nothing."""
    pages: int = 5_000
    """Pages, slides, sheets."""
    parts: int = 10_000
    """MIME parts, EPUB items, attachments."""
    image_pixels: int = 100_000_000
    """From the image's header, before any decoding."""
    output_bytes: int = 64 * MIB
    """The text of the reply, in UTF-8, with titles, metadata and names. Honest workbooks reach 57 MB; much more would
    pass `heap_bytes` where one wide character makes all others take four bytes."""
    blocks: int = 500_000
    """Blocks of the reply, and as many links."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            _check(field.name, getattr(self, field.name))

    @classmethod
    def strict(cls) -> Self:
        """For public upload forms: an ordinary letter, report or sheet passes, little else does."""
        return cls(
            input_bytes=16 * MIB,
            heap_bytes=256 * MIB,
            wall_seconds=10.0,
            cpu_seconds=10,
            inflated_bytes=64 * MIB,
            entry_bytes=32 * MIB,
            inflate_ratio=150.0,
            archive_entries=2_000,
            xml_elements=500_000,
            nodes=500_000,
            nesting=128,
            table_cells=250_000,
            pages=1_000,
            parts=1_000,
            image_pixels=40_000_000,
            output_bytes=8 * MIB,
            blocks=100_000,
        )

    @classmethod
    def generous(cls) -> Self:
        """For archives of large documents read overnight."""
        return cls(
            input_bytes=512 * MIB,
            heap_bytes=2_048 * MIB,
            wall_seconds=300.0,
            cpu_seconds=300,
            inflated_bytes=2_048 * MIB,
            entry_bytes=1_024 * MIB,
            inflate_ratio=500.0,
            archive_entries=65_535,
            xml_elements=20_000_000,
            nodes=20_000_000,
            nesting=512,
            table_cells=10_000_000,
            pages=50_000,
            parts=100_000,
            image_pixels=400_000_000,
            output_bytes=128 * MIB,
            blocks=2_000_000,
        )

    def replace(self, **changes: Any) -> Self:
        """A copy with some values changed, checked like a new one."""
        return dataclasses.replace(self, **changes)


def _check(name: str, value: Any) -> None:
    allowed = (int, float) if name in _FRACTIONAL else (int,)
    if isinstance(value, bool) or not isinstance(value, allowed):
        wanted = "a number" if name in _FRACTIONAL else "a whole number"
        raise TypeError(f"Limits.{name} takes {wanted}, not {type(value).__name__}")
    if not math.isfinite(value) or value <= 0:
        raise ValueError(f"Limits.{name} must be positive and finite, not {value!r}")
    least = _LEAST.get(name)
    if least is not None and value < least:
        raise ValueError(f"Limits.{name} must be at least {least:,}, what a worker needs to start; got {value:,}")
    if value > 2**53:
        raise ValueError(f"Limits.{name} must be at most 2**53, got {value!r}")


LIMIT_NAMES: Final = tuple(field.name for field in dataclasses.fields(Limits))


def parse_limit(name: str, text: str) -> int | float:
    """The value of `--limit NAME=VALUE`: a number, with `KiB`, `MiB` or `GiB` for sizes. Raises `ValueError`."""
    if name not in LIMIT_NAMES:
        raise ValueError(f"there is no limit {name!r}; the limits are {', '.join(LIMIT_NAMES)}")
    number, factor = text.strip().replace("_", ""), 1
    for unit, size in (("KiB", KIB), ("MiB", MIB), ("GiB", KIB * MIB)):
        if number.endswith(unit):
            number, factor = number.removesuffix(unit).strip(), size
    try:
        value = float(number) * factor if name in _FRACTIONAL else int(number) * factor
        _check(name, value)
    except (ValueError, OverflowError) as error:
        if str(error).startswith("Limits."):
            raise
        raise ValueError(f"limit {name} takes a number such as 1000 or 64MiB, not {text!r}") from None
    return value
