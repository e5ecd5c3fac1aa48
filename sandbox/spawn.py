"""Starts a zygote in a fresh interpreter: explicit module path, literal environment, own session.

Exec'd, never forked from the application, whose memory holds secrets and whose threads hold locks.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import subprocess
import sys
from typing import Final, NamedTuple

import fumehood

_BOOT: Final = "import sys; sys.path += sys.argv[2:]; from fumehood.sandbox.zygote import main; main(int(sys.argv[1]))"

# Literal: nothing of the application's environment, where passwords live, reaches a process that reads
# strangers' files. One thread and one arena each, since a zygote must have one thread and little memory.
_ENVIRONMENT: Final = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC0",
    "MALLOC_ARENA_MAX": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


class Started(NamedTuple):
    """A zygote's process, the socket to it, and the read end of its stderr; all to be closed by the owner."""

    process: subprocess.Popen[bytes]
    channel: socket.socket
    stderr: int


def module_path() -> list[str]:
    """Where a zygote may import from: the application's own path, resolved, less what strangers could write to.

    Empty and relative entries mean the working directory, whatever that is. The standard library is the
    interpreter's own and comes first.
    """
    found = [os.path.dirname(os.path.dirname(os.path.abspath(fumehood.__file__)))]
    for entry in sys.path:
        if not entry or not os.path.isabs(entry):
            continue
        resolved = os.path.realpath(entry)
        if resolved not in found and _is_safe(resolved):
            found.append(resolved)
    return found


def _is_safe(path: str) -> bool:
    try:
        return not os.stat(path).st_mode & stat.S_IWOTH
    except OSError:
        return False


def start() -> Started:
    """Execs a zygote; it waits for its `Boot`. Raises `OSError`.

    Call it from the thread that lasts as long as the zygote: parent-death follows the thread (prctl(2)).
    """
    with contextlib.ExitStack() as theirs_closed, contextlib.ExitStack() as undo:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        theirs_closed.callback(theirs.close)
        undo.callback(ours.close)
        stderr_read, stderr_write = os.pipe()
        theirs_closed.callback(os.close, stderr_write)
        undo.callback(os.close, stderr_read)
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT, str(theirs.fileno()), *module_path()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr_write,
            pass_fds=(theirs.fileno(),),
            env=_ENVIRONMENT,
            cwd="/",
            start_new_session=True,  # Ctrl-C goes to the application, which ends its zygotes itself.
        )
        undo.pop_all()
    ours.setblocking(False)
    os.set_blocking(stderr_read, False)
    return Started(process, ours, stderr_read)
