"""One forked worker, as the parent holds it: told apart, waited for, killed and closed, whatever becomes of it."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import signal
import socket
from collections.abc import Callable
from typing import Final, NamedTuple

import anyio

from fumehood.hygiene import printable
from fumehood.sandbox import held, messages

log: Final = logging.getLogger("fumehood")

STDERR_BYTES: Final = 16 * 1024
"""What is kept of a worker's stderr: the size of its pipe. Past that its writes fail, and nobody waits."""
_ANSWER_SECONDS: Final = 10.0
"""A zygote forks and reaps in a few milliseconds; one that is stuck for so long is given up."""


class ZygoteFailed(Exception):
    """A zygote of `family` could not start, or went away while it was needed. The text is from trusted code.

    `in_loader`: what it was starting with, a loader or the library of one, is the likeliest cause.
    """

    def __init__(self, family: str, what: str, *, in_loader: bool = False) -> None:
        super().__init__(f"the zygote for {family} {what}")
        self.family = family
        self.what = what
        self.in_loader = in_loader


class Ends(NamedTuple):
    """One side of a worker's job socket, reply pipe and stderr; to be closed by the owner."""

    channel: socket.socket
    reply: int
    stderr: int

    def close(self) -> None:
        self.channel.close()
        messages.close(self.reply, self.stderr)


def open_ends() -> tuple[Ends, Ends]:
    """Ours and the worker's. Raises `OSError` when out of descriptors, with none of them left open."""
    with contextlib.ExitStack() as undo:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        undo.callback(ours.close)
        undo.callback(theirs.close)
        reply_read, reply_write = os.pipe()
        undo.callback(messages.close, reply_read, reply_write)
        stderr_read, stderr_write = os.pipe()
        undo.callback(messages.close, stderr_read, stderr_write)
        # A flood fills the pipe and then fails at the writer; nobody has to drain it. A user who has very many
        # pipes is given smaller ones already, and may not make them larger (pipe(7), pipe-user-pages-soft).
        with contextlib.suppress(PermissionError):
            fcntl.fcntl(stderr_write, fcntl.F_SETPIPE_SZ, STDERR_BYTES)
        for descriptor in (reply_read, stderr_read, stderr_write):
            os.set_blocking(descriptor, False)
        ours.setblocking(False)
        undo.pop_all()
    return Ends(ours, reply_read, stderr_read), Ends(theirs, reply_write, stderr_write)


class Worker:
    """A job socket, a reply pipe, its stderr, and a pidfd. `give_up` ends a zygote that does not answer."""

    def __init__(self, family: str, number: int, ends: Ends, give_up: Callable[[], None]) -> None:
        self.number = number
        self.channel, self.reply, self._stderr = ends
        self._family = family
        self._give_up = give_up
        self._pidfd = -1
        self._arrived = anyio.Event()
        self._ended = anyio.Event()
        self._closed = False
        self.exited: messages.Exited | None = None
        held.hold_socket(self.channel)
        held.hold(self.reply)
        held.hold(self._stderr)

    @property
    def pidfd(self) -> int:
        return self._pidfd

    def arrived(self, pidfd: int) -> None:
        self._pidfd = held.hold(pidfd)
        self._arrived.set()

    def ended(self, exited: messages.Exited | None) -> None:
        """The kernel's word on its end, or None if the zygote went away and took it along."""
        self.exited = exited
        self._arrived.set()
        self._ended.set()

    @property
    def alive(self) -> bool:
        return not self._ended.is_set()

    async def wait_arrived(self) -> None:
        """Raises `ZygoteFailed` if it never came to be."""
        if not self._arrived.is_set():
            with anyio.move_on_after(_ANSWER_SECONDS) as scope:
                await self._arrived.wait()
            if scope.cancelled_caught:
                self._give_up()
        if self._pidfd < 0:
            raise ZygoteFailed(self._family, "could not fork a worker")

    async def wait_ended(self) -> messages.Exited | None:
        await self._ended.wait()
        return self.exited

    async def wait_reaped(self) -> None:
        """Waits for the end of a worker that was killed; a zygote that does not tell of it is stuck, and killed too."""
        if self._ended.is_set():
            return  # Waiting for what has happened would still go once around the event loop.
        with anyio.CancelScope(shield=True):
            with anyio.move_on_after(_ANSWER_SECONDS) as scope:
                await self._ended.wait()
            if scope.cancelled_caught:
                self._give_up()
                await self._ended.wait()

    def kill(self) -> None:
        """SIGKILL by pidfd, which cannot hit another process that got the same number."""
        if self._pidfd >= 0 and self.alive and not self._closed:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def close_channel(self) -> None:
        if self.channel.fileno() >= 0:
            held.release(self.channel.detach())

    def close(self) -> None:
        """Closes every descriptor; what the worker said on stderr goes to the log, escaped."""
        if self._closed:
            return
        self._closed = True
        self.close_channel()
        self._log_stderr()
        held.release(self.reply, self._stderr)
        if self._pidfd >= 0:
            held.release(self._pidfd)

    def _log_stderr(self) -> None:
        if not log.isEnabledFor(logging.DEBUG):
            return
        with contextlib.suppress(OSError):
            untrusted_words = os.read(self._stderr, STDERR_BYTES).decode("utf-8", "replace")
            if untrusted_words:
                log.debug("worker %d said: %s", self.number, printable(untrusted_words))
