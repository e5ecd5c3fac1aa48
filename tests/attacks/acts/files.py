"""Acts on files. Each does what its name says, and returns only if nothing stopped it."""

from __future__ import annotations

import os
import struct

from tests.attacks.calls import call, room

_AT_FDCWD = -100


def read_file(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.read(descriptor, 1)
    os.close(descriptor)


def read_own_source() -> None:
    read_file(__file__)


def read_by_old_number(path: str) -> None:
    os.close(call("open", path.encode(), os.O_RDONLY, 0))


def read_by_new_number(path: str) -> None:
    """openat2(2): `struct open_how` is flags, mode, resolve."""
    how = struct.pack("=QQQ", os.O_RDONLY, 0, 0)
    os.close(call("openat2", _AT_FDCWD, path.encode(), how, len(how)))


def stat_file(path: str) -> None:
    os.stat(path)


def list_directory(path: str) -> None:
    os.listdir(path)


def read_link(path: str) -> None:
    os.readlink(path)


def create_file(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def create_by_old_number(path: str) -> None:
    os.close(call("creat", path.encode(), 0o600))


def unlink(path: str) -> None:
    os.unlink(path)


def rename(path: str) -> None:
    os.rename(path, path + ".renamed")


def change_mode(path: str) -> None:
    os.chmod(path, 0o777)


def change_times(path: str) -> None:
    os.utime(path, (0, 0))


def truncate(path: str) -> None:
    call("truncate", path.encode(), 0)


def make_symlink(path: str) -> None:
    os.symlink("/etc/passwd", path)


def make_hard_link(path: str) -> None:
    os.link(path, path + ".linked")


def make_directory(path: str) -> None:
    os.mkdir(path)


def set_attribute(path: str) -> None:
    call("setxattr", path.encode(), b"user.fumehood", b"x", 1, 0)


def write_own_memory() -> None:
    """/proc/self/mem ignores page protections (proc_pid_mem(5)): the way around `PROT_EXEC` masks."""
    os.close(os.open("/proc/self/mem", os.O_RDWR))


def file_handle(path: str) -> None:
    """A handle stays good across mount namespaces (name_to_handle_at(2)); the first call only asks its size."""
    handle, mount = room(8 + 128), room(4)
    struct.pack_into("=I", handle, 0, 128)
    call("name_to_handle_at", _AT_FDCWD, path.encode(), handle, mount, 0)


def memory_file() -> None:
    os.close(call("memfd_create", b"fumehood-attack", 0))


def change_root() -> None:
    os.chroot("/")


def write_to_input() -> None:
    """The document's own descriptor, closed before the loader runs, and sealed before that."""
    os.write(3, b"x")


def new_file_system() -> None:
    os.close(call("fsopen", b"tmpfs", 0))
