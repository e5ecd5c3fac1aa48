"""Everything of the parent's that a forked child must not share: sockets to zygotes, pipes, pidfds, documents.

A web server forks its workers after it has imported, and perhaps used, this library. A child that kept
these descriptors could speak to its parent's zygote, and would keep it alive past its end.
"""

from __future__ import annotations

import contextlib
import os
import socket
import weakref
from typing import Final

_descriptors: Final[set[int]] = set()
_sockets: Final[weakref.WeakSet[socket.socket]] = weakref.WeakSet()


def hold(descriptor: int) -> int:
    """Notes a descriptor as this process's own."""
    _descriptors.add(descriptor)
    return descriptor


def hold_socket(held: socket.socket) -> None:
    """Notes a socket's descriptor, and the socket: its finaliser must not close the same number again in a child."""
    _sockets.add(held)
    hold(held.fileno())


def release(*descriptors: int) -> None:
    """Closes descriptors noted before; those closed already are passed over."""
    for descriptor in descriptors:
        if descriptor in _descriptors:
            _descriptors.discard(descriptor)
            os.close(descriptor)


def count() -> int:
    """How many are open; for tests and telemetry."""
    return len(_descriptors)


def _abandon() -> None:
    for held in list(_sockets):
        held.detach()
    _sockets.clear()
    for descriptor in _descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)
    _descriptors.clear()


os.register_at_fork(after_in_child=_abandon)
