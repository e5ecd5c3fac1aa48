"""Progress shows on a terminal only, and only there."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

COUNT = """
import sys, time
from fumehood.cli.progress import Progress
progress = Progress(3)
progress.advance()
time.sleep(1.1)
progress.advance()
progress.clear()
progress.advance()
"""


def _on_terminal(*, both: bool) -> bytes:
    ours, theirs = pty.openpty()
    stdout = theirs if both else subprocess.DEVNULL
    subprocess.run([sys.executable, "-c", COUNT], stdout=stdout, stderr=theirs, check=True)
    os.close(theirs)
    said = b""
    try:
        while piece := os.read(ours, 1_000):
            said += piece
    except OSError:  # EIO: the last one at the other end has gone (pty(7)).
        pass
    os.close(ours)
    return said


def test_it_counts_after_a_while_and_clears_its_line() -> None:
    assert _on_terminal(both=False) == b"\r2 of 3 files\r\x1b[K"


def test_it_is_silent_where_the_documents_go_to_the_terminal_too() -> None:
    assert _on_terminal(both=True) == b""


def test_it_is_silent_without_a_terminal() -> None:
    ran = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, check=True)
    assert (ran.stdout, ran.stderr) == (b"", b"")
