"""Landlock alone: what it refuses, and that the same acts succeed without it."""

from __future__ import annotations

import pytest
from children import run

from fumehood.sandbox import landlock

try:
    ABI = landlock.abi()
except OSError as error:
    pytest.skip(f"this kernel has no Landlock: {error}", allow_module_level=True)

ACTS = """
def acts():
    yield outcome(lambda: os.close(os.open("/etc/passwd", os.O_RDONLY)))
    yield outcome(lambda: os.listdir("/"))
    yield outcome(lambda: os.mkdir(target))
    yield outcome(lambda: os.rmdir(folder + "/old"))
"""


def test_files_are_closed_and_were_open() -> None:
    open_, closed = run(
        ACTS
        + """
import tempfile
with tempfile.TemporaryDirectory() as folder:
    target = folder + "/x"
    os.mkdir(folder + "/old")
    before = list(acts())
    os.rmdir(target)
    os.mkdir(folder + "/old")
    pid = os.fork()
    if pid == 0:
        privileges.no_new_privileges()
        landlock.install()
        print(*before, flush=True)
        print(*acts(), flush=True)
        os._exit(0)
    os.waitpid(pid, 0)
"""
    )
    assert open_ == "done done done done"
    assert closed == "EACCES EACCES EACCES EACCES"


@pytest.mark.skipif(ABI < 4, reason="network rights are of ABI 4")
def test_connecting_and_binding_are_refused() -> None:
    lines = run(
        """
        listener = socket.create_server(("127.0.0.1", 0))
        address = listener.getsockname()
        def connect():
            with socket.socket() as client:
                client.connect(address)
        def bind():
            with socket.socket() as server:
                server.bind(("127.0.0.1", 0))
        print(outcome(connect), outcome(bind))
        privileges.no_new_privileges()
        landlock.install()
        print(outcome(connect), outcome(bind))
        """
    )
    assert lines == ["done done", "EACCES EACCES"]


@pytest.mark.skipif(ABI < 6, reason="scopes are of ABI 6")
def test_signals_and_abstract_sockets_reach_nobody_outside() -> None:
    lines = run(
        """
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("\\0" + os.urandom(8).hex())
        listener.listen()
        def connect():
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(listener.getsockname())
        parent = os.getpid()
        if os.fork() == 0:
            before = outcome(connect), outcome(os.kill, parent, 0)
            privileges.no_new_privileges()
            landlock.install()
            print(*before)
            print(outcome(connect), outcome(os.kill, parent, 0), flush=True)
            os._exit(0)
        os.wait()
        """
    )
    assert lines == ["done done", "EPERM EPERM"]


def test_without_the_flag_it_is_not_to_be_had_by_the_unprivileged() -> None:
    assert run("privileges.drop_capabilities()\nprint(outcome(landlock.install))") == ["EPERM"]
