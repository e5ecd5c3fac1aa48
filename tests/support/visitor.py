"""An application in whatever environment it is started: says what `doctor` shows, what is read, refused and stopped.

Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from typing import Any, Final

import anyio
import intruder
import psutil

from fumehood import DEFAULT_REQUIRE, Kind, Reader, Refusal, register
from fumehood.sandbox.layers import REQUIREMENTS

_VICTIM: Final = "--victim"
_HEAD_START_SECONDS: Final = 0.1
_PATIENCE_SECONDS: Final = 1.0


def doctor() -> dict[str, Any]:
    """Its JSON and its exit code."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "fumehood", "doctor", "--json"], stdout=subprocess.PIPE, check=False
    )
    return {"code": done.returncode, **json.loads(done.stdout)}


async def _outcome(reader: Reader, kind: str, data: bytes, require: frozenset[str]) -> str:
    """The text, or the refusal's code."""
    try:
        return (await reader.read(kind, data, require=require)).text
    except Refusal as refused:
        return refused.code


async def _refusal(reader: Reader, require: frozenset[str]) -> str | None:
    """Code and detail of the refusal; None if the letter was read."""
    try:
        document = await reader.read("text", b"letter", require=require)
    except Refusal as refused:
        return f"{refused.code}: {refused.detail}"
    return None if document.text == "letter" else f"read as {document.text!r}"


async def visit(port: int) -> dict[str, Any]:
    everything = frozenset(REQUIREMENTS)
    order = f"{os.getpid()} {port}"
    async with Reader(workers=1) as reader:
        seen: dict[str, Any] = {
            "default": await _refusal(reader, DEFAULT_REQUIRE),
            "everything": await _refusal(reader, everything),
        }
        named = re.search(r"--require (\S+)", seen["default"] or seen["everything"] or "")
        words = named[1] if named else "none"
        accepted = frozenset() if words == "none" else frozenset(words.split(","))
        seen["as_named"] = await _refusal(reader, accepted)
        seen["acts"] = {
            act: [
                await _outcome(
                    reader, "intruder", f"{act} {order}".encode(), accepted if seen["default"] else DEFAULT_REQUIRE
                ),
                intruder.attempt(f"{act} {order}") if act != "trace" else None,
            ]
            for act in intruder.ACTS
        }
    return seen


async def _be_victim() -> None:
    """An application that reads when it is killed; prints which processes it has."""
    register(Kind("obedient", "obedient"))
    async with Reader(workers=2, require=()) as reader, anyio.create_task_group() as tasks:
        await reader.read("obedient", b"say warm")
        tasks.start_soon(reader.read, "obedient", b"sleep 30")
        await anyio.sleep(_HEAD_START_SECONDS)
        print(*(child.pid for child in psutil.Process().children(recursive=True)), flush=True)
        await anyio.sleep(30)


def killed() -> dict[str, int]:
    """How many processes an application had when it was killed, and how many of them lived on."""
    with subprocess.Popen([sys.executable, "-P", __file__, _VICTIM], stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        had = [psutil.Process(int(pid)) for pid in victim.stdout.readline().split()]
        victim.kill()
    until = time.monotonic() + _PATIENCE_SECONDS
    while (left := sum(map(_is_alive, had))) and time.monotonic() < until:
        time.sleep(0.01)
    return {"had": len(had), "left": left}


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def run() -> None:
    register(Kind("intruder", "intruder"))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        seen = anyio.run(visit, listening.getsockname()[1], backend="trio")
    print(json.dumps({"doctor": doctor(), "killed": killed(), **seen}))


if __name__ == "__main__":
    anyio.run(_be_victim, backend="trio") if sys.argv[1:] == [_VICTIM] else run()
