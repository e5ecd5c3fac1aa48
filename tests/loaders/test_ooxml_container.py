"""What all Office documents have around them: what a file is that is no package at all."""

from __future__ import annotations

import pytest

from fumehood import kinds
from fumehood.errors import Refusal
from fumehood.sandbox.loading import read_in_process

_ENCRYPTED = [
    ("EncryptionInfo", "EncryptedPackage"),
    ("ENCRYPTEDPACKAGE",),
    ("encryptedpackage ",),
    ("EncryptionInfo",),
]
_BINARY = {"docx": ("doc", "WordDocument"), "xlsx": ("xls", "Workbook"), "pptx": ("ppt", "PowerPoint Document")}


def compound(*streams: str) -> bytes:
    """An OLE file whose directory has the streams, in a chain (MS-CFB, 2.2 and 2.6)."""
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    header[24:34] = b"\x3e\0\x03\0\xfe\xff\x09\0\x06\0"
    header[48:52] = (0).to_bytes(4, "little")
    entries = b""
    for at, name in enumerate(("Root Entry", *streams)):
        raw = name.encode("utf-16-le")
        following = at + 1 if 0 < at < len(streams) else 0xFFFFFFFF
        child = 1 if at == 0 and streams else 0xFFFFFFFF
        links = b"".join(n.to_bytes(4, "little") for n in (0xFFFFFFFF, following, child))
        kind = b"\x05" if at == 0 else b"\x02"
        entries += (raw.ljust(64, b"\0") + (len(raw) + 2).to_bytes(2, "little") + kind + b"\0" + links).ljust(
            128, b"\0"
        )
    return bytes(header) + entries.ljust(512, b"\0") + b"\xff" * 512


def refusal_of(kind: str, data: bytes) -> tuple[str, str | None]:
    with pytest.raises(Refusal) as caught:
        read_in_process(kinds.get(kind), data)
    return caught.value.code, caught.value.detail


@pytest.mark.parametrize("kind", _BINARY)
@pytest.mark.parametrize("streams", _ENCRYPTED)
def test_a_package_that_needs_a_password_is_said_to_be_encrypted(kind: str, streams: tuple[str, ...]) -> None:
    assert refusal_of(kind, compound(*streams)) == ("encrypted", None)


@pytest.mark.parametrize("kind", _BINARY)
def test_the_same_programs_older_format_has_its_name(kind: str) -> None:
    named, stream = _BINARY[kind]
    assert refusal_of(kind, compound(stream)) == ("unsupported-kind", named)
    for other, (_, another) in _BINARY.items():
        if other != kind:
            assert refusal_of(kind, compound(another)) == ("kind-mismatch", None)
    assert refusal_of(kind, compound()) == ("kind-mismatch", None)
