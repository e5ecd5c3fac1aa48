"""Acts on the network and on channels between processes."""

from __future__ import annotations

import encodings.idna as encodings_idna  # noqa: F401  # Host names are looked up by way of it.
import fcntl
import os
import socket
import struct

from tests.attacks.calls import call, libc, room

_WORD = b"fumehood-attack"
KEY = 0x46554D45
"""Of System V objects, so that one left behind is found."""
_IPC_RMID = 0
_IPC_CREAT_EXCLUSIVE = 0o1000 | 0o2000 | 0o600
_KEY_SPEC_PROCESS_KEYRING = -2
_KEYCTL_GET_KEYRING_ID = 0
_F_OFD_SETLK = 37


def connect_tcp(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.connect((host, port))


def send_udp(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(_WORD, (host, port))


def connect_unix(name: str) -> None:
    """`name`: a path, or an abstract name that starts with `@`."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect("\0" + name[1:] if name.startswith("@") else name)


def make_socket(family: int, kind: int, protocol: int = 0) -> None:
    socket.socket(family, kind, protocol).close()


def socket_pair() -> None:
    first, second = socket.socketpair()
    first.close()
    second.close()


def connect_by_number() -> None:
    call("connect", 4, room(16), 16)


def send_message(descriptor: int) -> None:
    """sendmsg(2) on a descriptor that is open already, with an empty header."""
    call("sendmsg", descriptor, room(56), 0)


def resolve_name() -> None:
    socket.getaddrinfo("localhost", 80)


def shared_memory() -> None:
    # Made and removed in one act: the control must leave nothing behind either.
    libc.shmctl(call("shmget", KEY, 4096, _IPC_CREAT_EXCLUSIVE), _IPC_RMID, None)


def semaphore() -> None:
    libc.semctl(call("semget", KEY, 1, _IPC_CREAT_EXCLUSIVE), 0, _IPC_RMID)


def message_queue() -> None:
    libc.msgctl(call("msgget", KEY, _IPC_CREAT_EXCLUSIVE), _IPC_RMID, None)


def posix_queue() -> None:
    """Opens what does not exist; nothing is made (mq_open(3))."""
    call("mq_open", _WORD, os.O_RDWR, 0, None)


def add_key(description: str) -> None:
    """Into the process's own keyring, which goes with the process (keyrings(7))."""
    call("add_key", b"user", description.encode(), b"x", 1, _KEY_SPEC_PROCESS_KEYRING)


def ask_keyring() -> None:
    call("keyctl", _KEYCTL_GET_KEYRING_ID, _KEY_SPEC_PROCESS_KEYRING, 1)


def request_key() -> None:
    call("request_key", b"user", _WORD, None, 0)


def lock_file(descriptor: int) -> None:
    """A lock on something two workers share is a channel between them."""
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_record(descriptor: int) -> None:
    fcntl.lockf(descriptor, fcntl.LOCK_UN)


def lock_open_file(descriptor: int) -> None:
    """A lock of the open file, which every holder of it shares (fcntl(2), F_OFD_SETLK): type, whence, start, length, pid."""
    fcntl.fcntl(descriptor, _F_OFD_SETLK, struct.pack("=hhxxxxqqixxxx", fcntl.F_UNLCK, 0, 0, 0, 0))


def lease_file(descriptor: int) -> None:
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
