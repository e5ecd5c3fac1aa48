"""Witnesses: what stands outside the jail, and sees whether an attack took effect."""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fumehood.sandbox import spawn
from fumehood.sandbox.descriptors import CONTROL
from tests.attacks.attack import Scene, Witness
from tests.attacks.calls import OFFSPRING

_LOOKS, _LOOK_SECONDS = 5, 0.02


# ---- files ---------------------------------------------------------------------------------------------


@contextmanager
def absent_file(scene: Scene) -> Iterator[Witness]:
    """A path where nothing is. Reached: something is."""
    path = scene.place / "fumehood-attack"
    yield Witness({"path": str(path)}, lambda _said: os.path.lexists(path))


@contextmanager
def present_file(scene: Scene) -> Iterator[Witness]:
    """A file. Reached: it, or its directory, is not as it was."""
    path = scene.place / "fumehood-attack"
    path.write_bytes(b"as it was")
    path.chmod(0o644)
    before = _state(scene.place)
    yield Witness({"path": str(path)}, lambda _said: _state(scene.place) != before)


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
def touched_file(scene: Scene) -> Iterator[Witness]:
    """For programs that take a path: `touch` and the like. Reached: the file is there."""
    path = scene.place / "fumehood-attack"
    yield Witness({"path": "/usr/bin/touch", "argument": str(path)}, lambda _said: path.exists())


@contextmanager
def root_file(_scene: Scene) -> Iterator[Witness]:
    """A name in the working directory of a zygote, which is the root. Reached: the host's root has it."""
    path = Path("/fumehood-attack")
    try:
        yield Witness({"path": path.name}, lambda _said: path.exists())
    finally:
        path.unlink(missing_ok=True)


@contextmanager
def shared_memory_file(_scene: Scene) -> Iterator[Witness]:
    """A name where POSIX shared memory lives (shm_overview(7)). Reached: it is there."""
    path = Path(f"/dev/shm/fumehood-attack-{os.getpid()}")
    try:
        yield Witness({"path": str(path)}, lambda _said: path.exists())
    finally:
        path.unlink(missing_ok=True)


@contextmanager
def secret_file(scene: Scene) -> Iterator[Witness]:
    """A file. Reached: what stands in it is in the reply."""
    path, secret = scene.place / "secret", secrets.token_hex(16)
    path.write_text(secret)
    yield Witness({"path": str(path)}, lambda said: secret in said)


@contextmanager
def own_source(_scene: Scene) -> Iterator[Witness]:
    """The attacker's own module. Reached: the reply begins as it does."""
    begins = (Path(__file__).parent / "acts" / "files.py").read_text()[:80]
    yield Witness({}, lambda said: begins in said)


@contextmanager
def secret_size(scene: Scene) -> Iterator[Witness]:
    """A file. Reached: its size, which is random, is in the reply."""
    path, size = scene.place / "sized", 10**6 + secrets.randbelow(10**9)
    path.touch()
    os.truncate(path, size)
    yield Witness({"path": str(path)}, lambda said: str(size) in said)


@contextmanager
def secret_entry(scene: Scene) -> Iterator[Witness]:
    """A directory. Reached: the name of what is in it is in the reply."""
    name = secrets.token_hex(16)
    (scene.place / name).touch()
    yield Witness({"path": str(scene.place)}, lambda said: name in said)


@contextmanager
def secret_link(scene: Scene) -> Iterator[Witness]:
    """A symbolic link. Reached: where it leads is in the reply."""
    path, target = scene.place / "link", secrets.token_hex(16)
    path.symlink_to(target)
    yield Witness({"path": str(path)}, lambda said: target in said)


@contextmanager
def handle(scene: Scene) -> Iterator[Witness]:
    """A file. Reached: its inode, which a file handle holds (name_to_handle_at(2)), is in the reply."""
    path = scene.place / "handled"
    path.touch()
    inode = path.stat().st_ino.to_bytes(8, sys.byteorder).rstrip(b"\0").hex()
    yield Witness({"path": str(path)}, lambda said: inode in said)


# ---- the network ---------------------------------------------------------------------------------------


@contextmanager
def _listener(made: socket.socket, arguments: Mapping[str, Any]) -> Iterator[Witness]:
    with made:
        yield Witness(arguments, lambda _said: bool(select.select([made], [], [], 0)[0]))


@contextmanager
def tcp4(_scene: Scene) -> Iterator[Witness]:
    with _bound(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)) as witness:
        yield witness


@contextmanager
def tcp6(_scene: Scene) -> Iterator[Witness]:
    with _bound(socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)) as witness:
        yield witness


@contextmanager
def udp(_scene: Scene) -> Iterator[Witness]:
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
def unix_path(scene: Scene) -> Iterator[Witness]:
    with _named(str(scene.place / "s"), str(scene.place / "s")) as witness:
        yield witness


@contextmanager
def unix_abstract(_scene: Scene) -> Iterator[Witness]:
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


# ---- processes -----------------------------------------------------------------------------------------


@contextmanager
def victim(_scene: Scene) -> Iterator[Witness]:
    """A process of the same user. Reached: it is gone."""
    process = subprocess.Popen(["/bin/sleep", "60"])
    try:
        yield Witness({"pid": process.pid}, lambda _said: _is_gone(process))
    finally:
        process.kill()
        process.wait()


def _is_gone(process: subprocess.Popen[bytes]) -> bool:
    try:
        return process.wait(0.1) == -signal.SIGKILL
    except subprocess.TimeoutExpired:
        return False


@contextmanager
def offspring(_scene: Scene) -> Iterator[Witness]:
    """Reached: a process that the attack made goes on after its document has been read. It is ended."""
    yield Witness({}, lambda _said: bool(_end_offspring()))


def _end_offspring() -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and _name_of(entry) == OFFSPRING and not _is_dead(entry):
            found.append(int(entry.name))
            os.kill(found[-1], signal.SIGKILL)
    return found


def _is_dead(process: Path) -> bool:
    """Ended already, and waiting for whoever adopted it to notice, which may take a while (proc_pid_stat(5))."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def _name_of(process: Path) -> str:
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return ""


_STRANGER = """
import ctypes, os, sys
secret = ctypes.create_string_buffer(sys.stdin.buffer.readline().strip())
held = os.memfd_create("secret")
os.write(held, secret.value)
print(ctypes.addressof(secret), len(secret.value), held, flush=True)
sys.stdin.readline()
print(secret.value.decode(), flush=True)
sys.stdin.readline()
"""


@contextmanager
def stranger(_scene: Scene) -> Iterator[Witness]:
    """A process of the same user with a secret in its environment, its memory and a file that only it has open.

    Reached: the secret is in the reply, or its memory is not as it was.
    """
    secret = secrets.token_hex(16)
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _STRANGER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"SECRET": secret},
        text=True,
    )
    with process:
        try:
            address, size, descriptor = map(int, _ask(process, secret).split())
            arguments = {"pid": process.pid, "address": address, "size": size, "descriptor": descriptor}
            yield Witness(arguments, lambda said: secret in said or _ask(process, "") != secret)
        finally:
            process.kill()


def _ask(process: subprocess.Popen[str], line: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    print(line, file=process.stdin, flush=True)
    return process.stdout.readline().strip()


# ---- the zygote ----------------------------------------------------------------------------------------


@contextmanager
def zygote_alive(scene: Scene) -> Iterator[Witness]:
    """Reached: the process that forked the attacker is gone, stopped or traced."""
    before = scene.zygote()
    try:
        yield Witness({}, lambda _said: _falls_ill(before))
    finally:
        if not is_well(before):  # One that was stopped would outlast its reader.
            with contextlib.suppress(ProcessLookupError):
                os.kill(before, signal.SIGKILL)


def is_well(pid: int) -> bool:
    try:
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    except (OSError, ValueError):
        return False
    return status["State"][0] not in "TtZX" and status["TracerPid"] == "0"


def _falls_ill(pid: int) -> bool:
    """A signal takes effect when its process runs next, which may be a little later."""
    for _ in range(_LOOKS):
        if not is_well(pid):
            return True
        time.sleep(_LOOK_SECONDS)
    return False


@contextmanager
def zygote_memory(scene: Scene) -> Iterator[Witness]:
    """Reached: what it holds is in the reply, or the documents read after have been given something else."""
    vacant = "vacant"
    yield Witness({}, lambda said: said == vacant or any(text != vacant for text in scene.ask("zygote.look")))


@contextmanager
def zygote_environment(_scene: Scene) -> Iterator[Witness]:
    """Reached: what every zygote is started with is in the reply. Only root may look at the zygote's own."""
    name, value = next(iter(spawn._ENVIRONMENT.items()))
    yield Witness({}, lambda said: f"{name}={value}" in said)


@contextmanager
def zygote_layout(_scene: Scene) -> Iterator[Witness]:
    """Reached: a mapping that every process has, among the first, is in the reply."""
    yield Witness({}, lambda said: "[heap]" in said)


@contextmanager
def zygote_sockets(scene: Scene) -> Iterator[Witness]:
    """The socket by which it takes orders. Reached: the attacker could say which it is."""
    pid = scene.zygote()

    def reached(said: str) -> bool:
        try:
            return f"socket:[{said}]" == os.readlink(f"/proc/{pid}/fd/{CONTROL}")
        except PermissionError:  # A zygote that is not dumpable shows it to root alone: any number is one too many.
            return said.isdigit()

    yield Witness({"descriptor": CONTROL}, reached)
