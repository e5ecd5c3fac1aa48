"""The controls: the same acts in an ordinary process, without the jail.

A server of its own, because a test process has threads and must not be forked. It forks for every order, so
an act may take its process down. One order a line on standard input; one outcome a line on standard output.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, Final

import msgspec

from tests.attacks.attack import RUNNING, Scene
from tests.attacks.hostile import Order, encode, perform

_PATIENCE_SECONDS: Final = 0.3
_LONGEST_PATIENCE_SECONDS: Final = 20.0
_REPLY: Final = 4
_FAR: Final = 500
_BOOT: Final = "import sys; sys.path[:0] = sys.argv[1:]; from tests.attacks.control import serve; serve()"


class Outside:
    """Runs acts outside the jail. Close it."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-c", _BOOT, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",  # As a zygote's.
        )

    def perform(self, order: Order, *, endless: bool = False) -> str:
        """`done`, an errno, words, `exit N`, a signal's name, or `running` where `endless`."""
        asked, answered = self._pipes()
        asked.write(b"%d %s\n" % (endless, encode(order)))
        asked.flush()
        return msgspec.json.decode(answered.readline(), type=str)

    def scene(self, place: Path) -> Scene:
        """No zygote, and nobody to ask."""
        return Scene(place, lambda: self._server.pid, lambda _act: ())

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        return self._server.stdin, self._server.stdout

    def close(self) -> None:
        for pipe in self._pipes():
            pipe.close()
        self._server.wait(5)


def serve() -> None:
    """The server's own end: until end-of-file on standard input."""
    for line in sys.stdin.buffer:
        endless, _, order = line.partition(b" ")
        patience = _PATIENCE_SECONDS if int(endless) else _LONGEST_PATIENCE_SECONDS
        print(msgspec.json.encode(_outcome(msgspec.json.decode(order, type=Order), patience)).decode(), flush=True)


def _outcome(order: Order, patience: float) -> str:
    said, say = os.pipe()
    pid = os.fork()
    if pid == 0:
        _be_subject(order, say)
    os.close(say)
    ended = bool(select.select([said], [], [], patience)[0])
    if not ended:
        os.kill(pid, signal.SIGKILL)
    words = os.read(said, 64 * 1024).decode("ascii", "replace")
    os.close(said)
    _, status = os.waitpid(pid, 0)
    if not ended:
        return RUNNING
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return words or f"exit {os.waitstatus_to_exitcode(status)}"


def _open_pipe(place: int) -> None:
    """A pipe that is written to at `place` and has a reader who never reads."""
    _reading, writing = (fcntl.fcntl(end, fcntl.F_DUPFD, _FAR + 2) for end in os.pipe())
    os.dup2(writing, place)


def _be_subject(order: Order, say: int) -> None:
    """The forked child. Where a worker has its reply it has a pipe too, and another's at a number far off."""
    try:
        own = os.dup2(say, _FAR + 1, inheritable=False)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(0, 1)
        for place in (_REPLY, _FAR):
            _open_pipe(place)
        os.write(own, perform(order).encode("ascii", "replace"))
    except BaseException as error:
        os.write(_FAR + 1, type(error).__name__.encode("ascii"))
    finally:
        os._exit(0)
