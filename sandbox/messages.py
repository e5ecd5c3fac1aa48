"""What the parent and a zygote, and the parent and a waiting worker, say to each other.

One MessagePack message a packet on a UNIX socket that keeps packets apart; descriptors travel beside it
(unix(7), SCM_RIGHTS). Only trusted code is ever at the other end: a worker closes its socket before it
touches a document.
"""

from __future__ import annotations

import array
import os
import socket
from typing import Final

import msgspec

from fumehood.kinds import Kind, ReadOptions
from fumehood.limits.policy import Limits
from fumehood.sandbox.layers import Layer, LayerName

MAX_MESSAGE: Final = 160 * 1024
"""Below the kernel's default send buffer (socket(7), wmem_default), so that a packet is never refused for its size."""
MAX_DESCRIPTORS: Final = 4


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=True):
    """One message. Every subclass is one kind of it."""


# ---- to a zygote -----------------------------------------------------------------------------------------


class Boot(Message, frozen=True, forbid_unknown_fields=True):
    """The first message. `parent` is the process id of the application."""

    family: str
    parent: int
    kinds: tuple[Kind, ...]


class Spawn(Message, frozen=True, forbid_unknown_fields=True):
    """Fork a worker; its job socket, reply pipe and stderr travel along. `canary` only before the seal."""

    number: int
    canary: bool = False


class Witness(Message, frozen=True, forbid_unknown_fields=True):
    """Try every layer, one at a time; only before the seal."""


class Seal(Message, frozen=True, forbid_unknown_fields=True):
    """From here on only production workers. Cannot be taken back."""


# ---- from a zygote ---------------------------------------------------------------------------------------


class Hello(Message, frozen=True, forbid_unknown_fields=True):
    """Its first message, before it takes any; see :mod:`fumehood.sandbox.identity`.

    Stays as it is for ever: a process of any other version must understand it.
    """

    identity: bytes


class Ready(Message, frozen=True, forbid_unknown_fields=True):
    """Warm and locked. `absent`: why a layer could not be installed. `engines`: by kind, every engine, default first."""

    absent: dict[LayerName, str]
    engines: dict[str, tuple[str, ...]]
    host_name: str


class BootFailed(Message, frozen=True, forbid_unknown_fields=True):
    """The zygote is of no use; `why` is for the developer, from trusted code only."""

    why: str


class Witnessed(Message, frozen=True, forbid_unknown_fields=True):
    layers: tuple[Layer, ...]


class Spawned(Message, frozen=True, forbid_unknown_fields=True):
    """A worker waits; its pidfd travels along."""

    number: int


class SpawnFailed(Message, frozen=True, forbid_unknown_fields=True):
    number: int
    errno: int


class Exited(Message, frozen=True, forbid_unknown_fields=True):
    """What the kernel said of a worker's end: wait status and resource usage (wait4(2), getrusage(2))."""

    number: int
    status: int
    cpu_seconds: float
    peak_bytes: int


# ---- to a waiting worker -----------------------------------------------------------------------------------


class Job(Message, frozen=True, forbid_unknown_fields=True):
    """Read the document whose sealed descriptor travels along, or name its kind if `sniff`.

    `must`: the layers that were witnessed; a worker that cannot install one of them reads nothing.
    """

    kind: str
    sniff: bool
    hint: str | None
    limits: Limits
    options: ReadOptions
    must: tuple[LayerName, ...]


AnyMessage = (
    Boot | Spawn | Witness | Seal | Hello | Ready | BootFailed | Witnessed | Spawned | SpawnFailed | Exited | Job
)
_decoder: Final = msgspec.msgpack.Decoder(AnyMessage)


def encode(message: Message) -> bytes:
    packet = msgspec.msgpack.encode(message)
    if len(packet) > MAX_MESSAGE:
        raise ValueError(
            f"a message of {len(packet):,} bytes does not fit a packet of {MAX_MESSAGE:,}; a kind's specimen may be too large"
        )
    return packet


def send(channel: socket.socket, message: Message, descriptors: tuple[int, ...] = ()) -> None:
    """Sends one message. Raises `OSError`; `BlockingIOError` on a non-blocking socket whose buffer is full."""
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
    channel.sendmsg([encode(message)], ancillary, socket.MSG_NOSIGNAL)


def receive(channel: socket.socket) -> tuple[Message | None, list[int]]:
    """One message and its descriptors; `(None, [])` at end-of-file. Raises `OSError` or `msgspec.ValidationError`."""
    room = socket.CMSG_SPACE(MAX_DESCRIPTORS * array.array("i").itemsize)
    packet, ancillary, _flags, _address = channel.recvmsg(MAX_MESSAGE, room, socket.MSG_CMSG_CLOEXEC)
    descriptors = array.array("i")
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
    if not packet:
        close(*descriptors)
        return None, []
    try:
        return _decoder.decode(packet), list(descriptors)
    except BaseException:
        close(*descriptors)
        raise


def close(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
