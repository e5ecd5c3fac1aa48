"""Whether bytes are text at all. One rule for every kind of text, and for the sniffer."""

from __future__ import annotations

from typing import Final

_HEAD: Final = 32_768
_LATER: Final = 8_192

_MAGIC: Final = (
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"\x1f\x8b\x08",
)
"""What is most often handed over as text by mistake: some such files start with pages of printable characters."""

# No encoding gives C0 controls to letters. Those that stand in real files are white space, backspace, the
# escape of ECMA-35 and ECMA-48, the shifts of ISO 2022 and the end-of-file mark of CP/M.
_TEXT_CONTROLS: Final = b"\t\n\v\f\r\b\x0e\x0f\x1a\x1b"
_CONTROLS: Final = bytes(set(range(0x20)) - set(_TEXT_CONTROLS))

_FEW: Final = 4
_MAX_SHARE: Final = 0.05
"""Evenly spread bytes, as compressed or encrypted data are, have 8.6 % of these controls."""


def has_binary_magic(data: bytes) -> bool:
    return data.startswith(_MAGIC)


def is_binary(data: bytes) -> bool:
    """Whether `data`, of an encoding that has ASCII's controls, is no text. A few stray controls do not make it so.

    Looks at a bounded sample: 48 KiB.
    """
    return has_binary_magic(data) or any(_is_noise(sample) for sample in _samples(data))


def _samples(data: bytes) -> list[bytes]:
    middle = len(data) // 2
    return [data[:_HEAD], data[middle : middle + _LATER], data[-_LATER:]]


def _is_noise(sample: bytes) -> bool:
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls >= _FEW and controls > len(sample) * _MAX_SHARE
