"""Bytes under way are bounded."""

from __future__ import annotations

import anyio

from fumehood.ingest.room import Room


def test_no_more_is_held_than_there_is_room_for() -> None:
    room, most, served = Room(100), 0, 0

    async def use(size: int) -> None:
        nonlocal most, served
        async with room.hold(size):
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
        async with room.hold(50):
            with anyio.move_on_after(0.05) as waiting:
                async with room.hold(1):
                    raise AssertionError("there was no room")
            assert waiting.cancelled_caught
        async with room.hold(1):
            assert room.held == 1

    anyio.run(main, backend="trio")
