"""The name under which an index knows a file: its absolute path, as text that may be stored and printed."""

from __future__ import annotations

import os
from typing import Final

from fumehood.hygiene import printable

_BACKSLASH: Final = "\\"


def source_name(path: str) -> str:
    r"""`path` with bytes that are no UTF-8, controls and backslashes as escapes (`\udcff`, `\n`, `\\`).

    No two paths have the same name: a file must not be able to take another's place in an index by being called
    what the other is escaped to.
    """
    return printable(path.replace(_BACKSLASH, _BACKSLASH * 2))


def resolved(path: str) -> str:
    """The absolute path of what a person named, with every symbolic link and `..` resolved by the file system.

    Raises `OSError` where there is nothing, or a loop of links.
    """
    return os.path.realpath(path, strict=True)
