"""Bytes under way are bounded."""

from __future__ import annotations

import sys
import tracemalloc

import anyio
import pytest

from fumehood import Document, chunk
from fumehood.ingest.room import Room, weight


def test_no_more_is_held_than_there_is_room_for() -> None:
    room, most, served = Room(100), 0, 0

    async def use(size: int) -> None:
        nonlocal most, served
        with room.share() as share:
            await share.take(size)
            most = max(most, room.held)
            await anyio.sleep(0)
            served += 1

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            for size in (60, 60, 40, 10, 90, 0, 100):
                tasks.start_soon(use, size)

    anyio.run(main, backend="trio")
    assert (served, room.held) == (7, 0)
    assert most <= 100


def test_what_is_larger_than_the_room_is_held_alone() -> None:
    room = Room(10)

    async def main() -> None:
        with room.share() as large:
            await large.take(50)
            with anyio.move_on_after(0.05) as waiting, room.share() as other:
                await other.take(1)
            assert waiting.cancelled_caught
        with room.share() as share:
            await share.take(1)
            assert room.held == 1

    anyio.run(main, backend="trio")
    assert room.held == 0


def test_what_grew_is_let_in_and_whoever_comes_next_waits() -> None:
    room = Room(10)

    async def main() -> None:
        with room.share() as grown, room.share() as other:
            await grown.take(0)
            grown.become(30)
            with anyio.move_on_after(0.05) as waiting:
                await other.take(0)
            assert waiting.cancelled_caught
            grown.become(10)
            await other.take(0)

    anyio.run(main, backend="trio")
    assert room.held == 0


@pytest.mark.parametrize("backend", ["trio", "asyncio"])
def test_small_ones_do_not_overtake_a_large_one(backend: str) -> None:
    room, served = Room(10), list[int]()

    async def use(size: int) -> None:
        with room.share() as share:
            await share.take(size)
            served.append(size)
            await anyio.sleep(0)

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            for size in (6, 5, 1, 2):
                tasks.start_soon(use, size)
                await anyio.lowlevel.checkpoint() if size == 1 else None
                await anyio.wait_all_tasks_blocked() if size == 5 else None

    anyio.run(main, backend=backend)
    assert sorted(served) == [1, 2, 5, 6]
    assert served.index(5) < served.index(1)


def test_a_document_weighs_about_what_it_takes() -> None:
    text = "\n\n".join(f"paragraph {number} of them all" for number in range(20_000))
    tracemalloc.start()
    try:
        document = Document.from_markdown(text)
        chunks = chunk(document)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert chunks
    assert taken / 2 < weight(document) - sys.getsizeof(text) < taken * 2


def test_what_is_handed_on_is_held_until_its_new_holder_gives_it_back() -> None:
    room = Room(100)

    async def main() -> None:
        with room.share() as share:
            await share.take(60)
            handed = share.handed_on()
        assert room.held == 60
        handed.become(0)
        assert room.held == 0

    anyio.run(main, backend="trio")
