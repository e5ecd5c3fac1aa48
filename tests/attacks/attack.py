"""What an attack is: an act, what it must meet in the jail, what it meets outside, and a witness to its success."""

from __future__ import annotations

import os
import select
import signal
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from fumehood import Limits
from tests.attacks.calls import NUMBERS
from tests.attacks.hostile import DONE, Order

MIB: Final = 1024 * 1024
LIMITS: Final = Limits(heap_bytes=64 * MIB, wall_seconds=20.0, cpu_seconds=10)
"""Room enough for a slow machine. Attacks on time or memory bring their own."""

LARGE: Final = LIMITS.replace(heap_bytes=512 * MIB)
"""For documents near the cap on output."""

RUNNING: Final = "running"
"""How an endless act ends outside: it does not, until its time is up."""
POLICY: Final = "policy-violation"


class Witness:
    """Something outside the jail that an attack reaches for. `arguments` tell the act where it is."""

    def __init__(self, arguments: Mapping[str, Any], reached: Callable[[], bool]) -> None:
        self.arguments = dict(arguments)
        self.reached = reached


Setting = Callable[[Path], AbstractContextManager[Witness]]
"""Makes a witness in an empty directory, and takes it down again."""


@dataclass(frozen=True)
class Attack:
    """One attack.

    - `act`: `module.function` of tests/attacks/acts, with `arguments`.
    - `must`: how the read ends: a refusal's code, or the text the loader gives: an errno's name.
    - `outside`: how the act ends without the jail, `done` unless said otherwise. None where it must not be
      tried there; `why` then says the reason.
    - `outside_arguments`: what makes the control harmless, where the act itself is not.
    - `unless`: other ends outside which mean that this machine or user cannot do the act anyway: the control
      is then skipped, since it shows nothing.
    - `witness`: what sees from outside whether the act took effect.
    - `needs`: system calls that not every architecture has.
    """

    act: str
    must: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = LIMITS
    outside: str | None = DONE
    outside_arguments: Mapping[str, Any] = field(default_factory=dict)
    unless: tuple[str, ...] = ()
    witness: Setting | None = None
    needs: tuple[str, ...] = ()
    why: str = ""
    name: str = ""

    def __str__(self) -> str:
        return self.name or self.act.partition(".")[2]

    def order(self, more: Mapping[str, Any]) -> Order:
        return Order(self.act, {**self.arguments, **more})

    @property
    def endless(self) -> bool:
        return self.outside == RUNNING

    @property
    def possible(self) -> bool:
        return all(name in NUMBERS for name in self.needs)


# ---- witnesses -------------------------------------------------------------------------------------------


@contextmanager
def absent_file(place: Path) -> Iterator[Witness]:
    """A path where nothing is. Reached: something is."""
    path = place / "fumehood-attack"
    yield Witness({"path": str(path)}, lambda: os.path.lexists(path))


@contextmanager
def present_file(place: Path) -> Iterator[Witness]:
    """A file. Reached: it, or its directory, is not as it was."""
    path = place / "fumehood-attack"
    path.write_bytes(b"as it was")
    path.chmod(0o644)
    before = _state(place)
    yield Witness({"path": str(path)}, lambda: _state(place) != before)


def _state(place: Path) -> list[tuple[object, ...]]:
    return [
        (
            entry.name,
            stat.S_IMODE(entry.stat().st_mode),
            entry.stat().st_mtime_ns,
            entry.stat().st_size,
            os.listxattr(entry),
        )
        for entry in sorted(place.iterdir())
    ]


@contextmanager
def touched_file(place: Path) -> Iterator[Witness]:
    """For programs that take a path: `touch` and the like. Reached: the file is there."""
    path = place / "fumehood-attack"
    yield Witness({"path": "/usr/bin/touch", "argument": str(path)}, path.exists)


@contextmanager
def _listener(made: socket.socket, arguments: Mapping[str, Any]) -> Iterator[Witness]:
    with made:
        yield Witness(arguments, lambda: bool(select.select([made], [], [], 0)[0]))


@contextmanager
def tcp4(_place: Path) -> Iterator[Witness]:
    with _bound(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)) as witness:
        yield witness


@contextmanager
def tcp6(_place: Path) -> Iterator[Witness]:
    with _bound(socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)) as witness:
        yield witness


@contextmanager
def udp(_place: Path) -> Iterator[Witness]:
    with _bound(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)) as witness:
        yield witness


@contextmanager
def _bound(family: int, kind: int, where: tuple[str, int]) -> Iterator[Witness]:
    made = socket.socket(family, kind)
    made.bind(where)
    if kind == socket.SOCK_STREAM:
        made.listen()
    host, port = made.getsockname()[:2]
    with _listener(made, {"host": host, "port": port}) as witness:
        yield witness


@contextmanager
def unix_path(place: Path) -> Iterator[Witness]:
    with _named(str(place / "s"), str(place / "s")) as witness:
        yield witness


@contextmanager
def unix_abstract(_place: Path) -> Iterator[Witness]:
    name = f"fumehood-attack-{os.getpid()}"
    with _named("\0" + name, "@" + name) as witness:
        yield witness


@contextmanager
def _named(address: str, name: str) -> Iterator[Witness]:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.bind(address)
    made.listen()
    with _listener(made, {"name": name}) as witness:
        yield witness


@contextmanager
def victim(_place: Path) -> Iterator[Witness]:
    """A process of the same user. Reached: it is gone."""
    process = subprocess.Popen(["/bin/sleep", "60"])
    try:
        yield Witness({"pid": process.pid}, lambda: _is_gone(process))
    finally:
        process.kill()
        process.wait()


def _is_gone(process: subprocess.Popen[bytes]) -> bool:
    try:
        return process.wait(0.1) == -signal.SIGKILL
    except subprocess.TimeoutExpired:
        return False
