"""The encoding of a body of mail, whose label is often missing, unknown or wrong."""

from __future__ import annotations

from typing import Final

from fumehood.charsets import charset as charset_name

# Labels that programs write without having looked.
_CARELESS: Final = frozenset({"cp1252", "utf-8"})


def declared(label: str, data: bytes) -> str | None:
    """The encoding to read `data` in by its `label`, or None where it says nothing that can be true: it is to be found out.

    `us-ascii` and `iso-8859-1` are written on everything, so UTF-8 under them is UTF-8; it is next to never something
    else by chance.
    """
    name = known(label)
    if name is None or data.isascii():
        return name
    if name in _CARELESS:
        is_utf8 = _decodes(data, "utf-8")
        is_labelled = is_utf8 if name == "utf-8" else not is_utf8 and "ascii" not in label.lower()
        return name if is_labelled else None
    return name if _decodes(data, name) or not _decodes(data, "utf-8") else None


def known(label: str) -> str | None:
    """The encoding that `label` means, None if nobody knows."""
    try:
        return charset_name(label) if label.isascii() and label else None
    except ValueError:
        return None


def _decodes(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return False
    return True
