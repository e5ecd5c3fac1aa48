"""Numbers, sizes and times as people read them."""

from __future__ import annotations

from typing import Final

_SIZES: Final = ("KiB", "MiB", "GiB", "TiB")
_KIB: Final = 1024
_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE


def counted(count: int, noun: str) -> str:
    """`1 file`, `1,051 files`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size_text(size: float) -> str:
    """Bytes: `512 B`, `1.5 KiB`, `64 MiB`."""
    if size < _KIB:
        return f"{size:.0f} B"
    for unit in _SIZES:
        size /= _KIB
        if size < _KIB or unit == _SIZES[-1]:
            break
    return f"{size:.0f} {unit}" if size >= 10 or size == int(size) else f"{size:.1f} {unit}"


def time_text(seconds: float) -> str:
    """Seconds: `3 ms`, `1.5 s`, `2 min 05 s`, `1 h 02 min`."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < _MINUTE:
        return f"{seconds:.0f} s" if seconds >= 9.95 or seconds == int(seconds) else f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02} s"
    return f"{whole // _HOUR:,} h {whole % _HOUR // _MINUTE:02} min"
