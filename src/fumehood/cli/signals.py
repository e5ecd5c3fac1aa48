"""Ends a command in good order when it is told to stop."""

from __future__ import annotations

import signal
from collections.abc import Callable

import anyio
from anyio.abc import TaskStatus

from fumehood.cli import exits


async def watch_signals(stop: Callable[[int], None], *, task_status: TaskStatus[None]) -> None:
    """Calls `stop` with the exit code for each SIGINT and SIGTERM, from when it has started."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        task_status.started()
        async for number in signals:
            stop(exits.BY_SIGNAL + number)
