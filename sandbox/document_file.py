"""The input on its way to the worker: a sealed memory file, so that nobody can change it under a parser.

Written and hashed in slices, so that the event loop is not held by a large upload (memfd_create(2)).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from typing import NamedTuple

import anyio.lowlevel

_SLICE = 1024 * 1024


class DocumentFile(NamedTuple):
    """An open descriptor, to be closed by its owner, and what the bytes were."""

    descriptor: int
    size: int
    sha256: str


async def sealed(data: memoryview) -> DocumentFile:
    """A sealed copy of `data`, a flat view of bytes. Raises `OSError` when out of memory or descriptors."""
    descriptor = os.memfd_create("fumehood-document", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        digest = hashlib.sha256()
        at = 0
        while at < len(data):
            piece = data[at : at + _SLICE]
            digest.update(piece)
            while piece:
                written = os.write(descriptor, piece)
                at += written
                piece = piece[written:]
            if at < len(data):
                await anyio.lowlevel.checkpoint()
        seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SEAL
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
    except BaseException:
        os.close(descriptor)
        raise
    return DocumentFile(descriptor, len(data), digest.hexdigest())
