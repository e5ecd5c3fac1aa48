"""Acts on files. Each does what its name says, and returns only if nothing stopped it."""

from __future__ import annotations

import fcntl
import os
import struct
from pathlib import Path

from tests.attacks.calls import call, room

_AT_FDCWD = -100


def _read(descriptor: int) -> str:
    words = os.read(descriptor, 64 * 1024)
    os.close(descriptor)
    return words.decode("ascii", "replace")


def read_file(path: str) -> str:
    """What stands in it, as all the acts that read: the reply is where it would come out."""
    return _read(os.open(path, os.O_RDONLY))


def read_own_source() -> str:
    return read_file(__file__)


def read_environment(pid: int, **_of_the_stranger: int) -> str:
    return read_file(f"/proc/{pid}/environ").replace("\0", " ")


def read_memory_file(pid: int, address: int, size: int, **_of_the_stranger: int) -> str:
    """Another process's memory by way of a path (proc_pid_mem(5))."""
    memory = os.open(f"/proc/{pid}/mem", os.O_RDONLY)
    return os.pread(memory, size, address).decode("ascii", "replace")


def read_descriptor_of(pid: int, descriptor: int, **_of_the_stranger: int) -> str:
    """A file that has no name any more, by the number it has elsewhere (proc_pid_fd(5))."""
    return read_file(f"/proc/{pid}/fd/{descriptor}")


def read_by_old_number(path: str) -> str:
    return _read(call("open", path.encode(), os.O_RDONLY, 0))


def read_by_new_number(path: str) -> str:
    """openat2(2): `struct open_how` is flags, mode, resolve."""
    how = struct.pack("=QQQ", os.O_RDONLY, 0, 0)
    return _read(call("openat2", _AT_FDCWD, path.encode(), how, len(how)))


def stat_file(path: str) -> str:
    return str(os.stat(path).st_size)


def list_directory(path: str) -> str:
    return " ".join(os.listdir(path))


def read_link(path: str) -> str:
    return os.readlink(path)


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


def file_handle(path: str) -> str:
    """A handle stays good across mount namespaces (name_to_handle_at(2)). What is in it, in hexadecimal."""
    handle, mount = room(8 + 128), room(4)
    struct.pack_into("=I", handle, 0, 128)
    call("name_to_handle_at", _AT_FDCWD, path.encode(), handle, mount, 0)
    return handle.raw.hex()


def memory_file() -> None:
    os.close(call("memfd_create", b"fumehood-attack", 0))


def secret_memory_file() -> None:
    os.close(call("memfd_secret", 0))


_TOUCH = Path("/usr/bin/touch").read_bytes()
"""A program, read before the lock."""


def execute_memory(path: str, argument: str) -> None:
    """A program that was never a file: memfd_create(2), write, execveat(2)."""
    program = call("memfd_create", b"fumehood-attack", 0)
    view = memoryview(_TOUCH)
    while view:
        view = view[os.write(program, view) :]
    arguments = [path.encode(), argument.encode()]
    os.execve(program, arguments, {})


def fill_disk(path: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    os.write(descriptor, b"x" * 4096)


def change_root() -> None:
    os.chroot("/")


def mount_over(path: str) -> None:
    """An empty file system in place of a directory (mount(2))."""
    call("mount", b"fumehood", path.encode(), b"tmpfs", 0, None)


def unmount(path: str) -> None:
    call("umount2", path.encode(), 0)


def pivot_root(path: str) -> None:
    call("pivot_root", path.encode(), path.encode())


def open_tree() -> None:
    """A copy of the whole tree of mounts, detached (open_tree(2), OPEN_TREE_CLONE)."""
    os.close(call("open_tree", _AT_FDCWD, b"/", 1))


def write_to_input() -> None:
    """The document's own descriptor, closed before the loader runs, and sealed before that."""
    os.write(3, b"x")


def read_standard_input() -> None:
    os.read(0, 1)


def duplicate_descriptor() -> None:
    os.close(fcntl.fcntl(2, fcntl.F_DUPFD, 100))


def new_file_system() -> None:
    os.close(call("fsopen", b"tmpfs", 0))
