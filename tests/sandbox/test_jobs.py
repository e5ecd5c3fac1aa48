"""The watch on a worker's memory where the kernel has no cap. All else of a job is tested through the reader."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import anyio
import pytest

from fumehood import Limits
from fumehood.kinds import ReadOptions
from fumehood.sandbox import jobs, messages

_NOBODY = 2**22 + 1
"""Above the largest process id there is (proc_sys_kernel(5), pid_max)."""


def test_a_worker_that_is_gone_already_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at its pidfd and the look at its memory it may end, and it is the kernel's to say how."""
    monkeypatch.setattr(jobs, "_process_id", lambda _pidfd: _NOBODY)
    job = messages.Job("text", False, None, Limits(), ReadOptions(), ())
    worker: Any = SimpleNamespace(pidfd=-1)
    run = jobs._Run(worker, job)
    anyio.run(run.watch_memory)
    assert run.killed_for is None
