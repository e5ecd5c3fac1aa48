"""An event loop on its own thread: results, errors, interruption, and its end."""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from fumehood.sandbox.loop_thread import LoopThread

events: list[str] = []


@asynccontextmanager
async def resource() -> AsyncIterator[str]:
    try:
        yield "resource"
    finally:
        with trio.CancelScope(shield=True):
            await trio.sleep(0)
        events.append("closed")


@asynccontextmanager
async def broken() -> AsyncIterator[str]:
    raise LookupError("cannot open")
    yield ""


async def shout(name: str) -> str:
    await trio.sleep(0)
    return name.upper()


async def fail(_name: str) -> str:
    raise KeyError("mine")


async def forever(_name: str) -> str:
    try:
        await trio.sleep_forever()
    finally:
        events.append("cancelled")
    return ""


@pytest.fixture
def loop() -> LoopThread[str]:
    events.clear()
    return LoopThread(resource)


def test_calls_give_their_results_and_raise_their_errors(loop: LoopThread[str]) -> None:
    assert loop.call(shout) == "RESOURCE"
    with pytest.raises(KeyError, match="mine"):
        loop.call(fail)
    assert loop.call(shout) == "RESOURCE"
    loop.close()
    assert events == ["closed"]
    assert not loop.alive


def test_closing_cancels_what_runs_and_tells_its_caller(loop: LoopThread[str]) -> None:
    seen: list[type[BaseException]] = []

    def caller() -> None:
        try:
            loop.call(forever)
        except BaseException as error:
            seen.append(type(error))

    thread = threading.Thread(target=caller)
    thread.start()
    loop.call(shout)
    loop.close()
    thread.join(5)
    assert seen == [concurrent.futures.CancelledError]
    assert events == ["cancelled", "closed"]


def test_a_closed_loop_takes_no_calls(loop: LoopThread[str]) -> None:
    loop.close()
    loop.close()
    with pytest.raises(concurrent.futures.CancelledError):
        loop.call(shout)


def test_what_cannot_be_opened_raises_where_it_was_asked_for() -> None:
    with pytest.raises(LookupError, match="cannot open"):
        LoopThread(broken)
