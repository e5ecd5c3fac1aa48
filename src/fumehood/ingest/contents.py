"""The bytes of a listed file, as far as they may be read."""

from __future__ import annotations

import errno
import os
import stat
from typing import Final

_PIECE: Final = 1024 * 1024


def contents(path: str, most: int) -> bytearray:
    """At most `most` bytes of a regular file. Raises `OSError`.

    What was listed may have been replaced since: a link is not followed, and a pipe neither waits nor is read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file any more")
        data = bytearray()
        while len(data) < most and (piece := os.read(descriptor, min(most - len(data), _PIECE))):
            data += piece
        return data
    finally:
        os.close(descriptor)
