"""The real command, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

COMMAND = (sys.executable, "-m", "fumehood")

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `fumehood` with some arguments in `tmp_path`: what it printed, and its exit code."""

    def run(
        *arguments: str | bytes, stdin: bytes = b"", columns: int = 80, command: Sequence[str] = COMMAND
    ) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "COLUMNS": str(columns)}
        return subprocess.run(
            [*command, *arguments], input=stdin, capture_output=True, cwd=tmp_path, env=environment, timeout=60
        )

    return run
