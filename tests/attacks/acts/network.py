"""Acts on the network and on channels between processes."""

from __future__ import annotations

import array
import fcntl
import os
import socket

from tests.attacks.calls import call, room

_WORD = b"fumehood-attack"
KEY = 0x46554D45
"""Of System V objects, so that one left behind is found."""
_IPC_CREAT_EXCLUSIVE = 0o1000 | 0o2000 | 0o600
_KEY_SPEC_PROCESS_KEYRING = -2
_KEYCTL_GET_KEYRING_ID = 0


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


def pass_descriptor(descriptor: int) -> None:
    """SCM_RIGHTS through the reply (unix(7)), as if it were a socket."""
    with socket.socket(fileno=os.dup(descriptor)) as channel:
        channel.sendmsg([_WORD], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))])


def send_message(descriptor: int) -> None:
    """sendmsg(2) on a descriptor that is open already, with an empty header."""
    call("sendmsg", descriptor, room(56), 0)


def resolve_name() -> None:
    socket.getaddrinfo("localhost", 80)


def shared_memory() -> None:
    identifier = call("shmget", KEY, 4096, _IPC_CREAT_EXCLUSIVE)
    # The control must leave nothing either.
    _remove_shared_memory(identifier)


def _remove_shared_memory(identifier: int) -> None:
    from tests.attacks.calls import libc

    libc.shmctl(identifier, 0, None)


def semaphore() -> None:
    from tests.attacks.calls import libc

    libc.semctl(call("semget", KEY, 1, _IPC_CREAT_EXCLUSIVE), 0, 0)


def message_queue() -> None:
    from tests.attacks.calls import libc

    libc.msgctl(call("msgget", KEY, _IPC_CREAT_EXCLUSIVE), 0, None)


def posix_queue() -> None:
    from tests.attacks.calls import libc

    os.close(call("mq_open", _WORD, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600, None))
    libc.syscall(0)


def add_key() -> None:
    """Into the process's own keyring, which goes with the process (keyrings(7))."""
    call("add_key", b"user", _WORD, b"x", 1, _KEY_SPEC_PROCESS_KEYRING)


def ask_keyring() -> None:
    call("keyctl", _KEYCTL_GET_KEYRING_ID, _KEY_SPEC_PROCESS_KEYRING, 1)


def request_key() -> None:
    call("request_key", b"user", _WORD, None, 0)


def lock_file(descriptor: int) -> None:
    """A lock on something two workers share is a channel between them."""
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_record(descriptor: int) -> None:
    fcntl.lockf(descriptor, fcntl.LOCK_UN)
