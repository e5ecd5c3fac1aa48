"""Findings as files: the input, and beside it what it does and how to see it again."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Final

from fumehood.fuzz.causes import digest
from fumehood.fuzz.reports import Found

_INPUT: Final = ".bin"
_NOTE: Final = ".txt"
_COLON: Final = "."
"""In place of the colon in a target's name: file systems and archives of other systems forbid it."""


def path_of(folder: Path, found: Found) -> Path:
    """`load.json-1a2b3c4d.bin` for the target `load:json`; the same for every input of one cause."""
    return folder / f"{found.target.replace(':', _COLON, 1)}-{digest(found.cause)}{_INPUT}"


def target_of(path: Path) -> str:
    """The target that a finding's file name says. Raises `ValueError` for any other file."""
    name, dash, _ = path.name.removesuffix(_INPUT).rpartition("-")
    if not dash or path.suffix != _INPUT:
        raise ValueError(f"{path.name} does not say which target it is for; name it with --target")
    return name.replace(_COLON, ":", 1)


def can_be_saved(folder: Path) -> bool:
    """Whether `folder`, or the nearest one above it that there is, can be written to."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def save(folder: Path, found: Found, modules: tuple[str, ...] = ()) -> Path:
    """Writes both files, unless a smaller input of that cause is there. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = path_of(folder, found)
    if not path.exists() or path.stat().st_size > len(found.data):
        path.write_bytes(found.data)
        note = f"{found.cause}\n\n{command(path, modules)}\n\n{found.what}"
        path.with_suffix(_NOTE).write_text(note, encoding="utf-8", errors="backslashreplace")
    return path


def command(path: Path, modules: tuple[str, ...] = ()) -> str:
    """The line that reproduces a finding."""
    imports = [word for module in modules for word in ("--import", module)]
    return shlex.join(["fumehood", "fuzz", *imports, "--reproduce", str(path)])
