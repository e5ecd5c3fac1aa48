"""Nothing is lost between who puts and who takes, and nobody waits for what will not come."""

from __future__ import annotations

import math
from collections.abc import Callable, Coroutine
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood.ingest.groups import Groups

BACKENDS = pytest.mark.parametrize("backend", ["trio", "asyncio"])


def run(main: Callable[[], Coroutine[Any, Any, Any]], backend: str) -> Any:
    async def soon() -> Any:
        with anyio.fail_after(20):
            return await main()

    return anyio.run(soon, backend=backend)


async def all_of(groups: Groups[int]) -> list[list[int]]:
    taken = []
    while group := await groups.take():
        taken.append(group)
    return taken


@BACKENDS
def test_a_group_is_taken_when_it_is_full(backend: str) -> None:
    async def main() -> list[int]:
        groups = Groups[int](3, math.inf, most=9)
        with groups.coming():
            for number in range(3):
                await groups.put(number)
            return await groups.take()

    assert run(main, backend) == [0, 1, 2]


@BACKENDS
def test_the_last_waits_for_nothing(backend: str) -> None:
    async def main() -> list[list[int]]:
        groups = Groups[int](3, math.inf, most=9)
        taken = []
        for number in range(2):  # as from a feed that goes on when it is told of the last one
            with groups.coming():
                await groups.put(number)
            taken.append(await groups.take())
        groups.close()
        return [*taken, await groups.take()]

    assert run(main, backend) == [[0], [1], []]


@BACKENDS
def test_one_that_must_not_wait_takes_the_others_with_it(backend: str) -> None:
    async def main() -> list[int]:
        groups = Groups[int](9, math.inf, most=9)
        with groups.coming():
            await groups.put(0)
            await groups.put(1, at_once=True)
            return await groups.take()

    assert run(main, backend) == [0, 1]


@BACKENDS
def test_time_is_up(backend: str) -> None:
    async def main() -> list[int]:
        groups = Groups[int](9, 0.01, most=9)
        with groups.coming():
            await groups.put(0)
            return await groups.take()

    assert run(main, backend) == [0]


@BACKENDS
@settings(max_examples=20, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 12), min_size=1, max_size=4),
    size=st.integers(1, 5),
    more=st.integers(0, 5),
    seconds=st.sampled_from([0.0, 0.001, math.inf]),
)
def test_all_arrive_once_and_in_order(backend: str, sizes: list[int], size: int, more: int, seconds: float) -> None:
    most = size + more

    async def main() -> list[list[int]]:
        groups = Groups[int](size, seconds, most=most)

        async def put(first: int, count: int) -> None:
            for number in range(first, first + count):
                with groups.coming():
                    await anyio.sleep(0)
                    await groups.put(number)

        async def put_all() -> None:
            async with anyio.create_task_group() as tasks:
                for which, count in enumerate(sizes):
                    tasks.start_soon(put, 100 * which, count)
            groups.close()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(put_all)
            taken = await all_of(groups)
        return taken

    taken = run(main, backend)
    assert all(len(group) <= most for group in taken)
    arrived = [number for group in taken for number in group]
    for which, count in enumerate(sizes):
        mine = [number for number in arrived if number // 100 == which]
        assert mine == list(range(100 * which, 100 * which + count))
    assert len(arrived) == sum(sizes)
