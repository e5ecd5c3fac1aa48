"""The sealed input: whole, hashed, and unchangeable."""

from __future__ import annotations

import errno
import hashlib
import os

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.sandbox.document_file import DocumentFile, sealed


def seal(data: bytes) -> DocumentFile:
    async def main() -> DocumentFile:
        return await sealed(memoryview(data))

    return anyio.run(main, backend="trio")


@given(st.binary(max_size=10_000))
def test_it_holds_the_bytes_and_knows_them(data: bytes) -> None:
    made = seal(data)
    try:
        assert os.pread(made.descriptor, len(data) + 1, 0) == data
        assert made.size == len(data)
        assert made.sha256 == hashlib.sha256(data).hexdigest()
    finally:
        os.close(made.descriptor)


def test_nobody_can_change_it() -> None:
    made = seal(b"document")
    try:
        for change in (
            lambda: os.pwrite(made.descriptor, b"x", 0),
            lambda: os.ftruncate(made.descriptor, 3),
            lambda: os.ftruncate(made.descriptor, 300),
        ):
            with pytest.raises(OSError) as caught:  # noqa: PT011 - the errno is checked below
                change()
            assert caught.value.errno == errno.EPERM
        assert not os.get_inheritable(made.descriptor)
    finally:
        os.close(made.descriptor)


@pytest.mark.anyio
async def test_a_large_one_is_written_in_turns_and_a_cancelled_one_leaves_no_descriptor(anyio_backend: str) -> None:
    before = len(os.listdir("/proc/self/fd"))
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await anyio.lowlevel.checkpoint()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(count)
        os.close((await sealed(memoryview(bytes(16 * 1024 * 1024)))).descriptor)
        tasks.cancel_scope.cancel()
    assert turns >= 10
    with anyio.move_on_after(0) as scope:
        await sealed(memoryview(bytes(16 * 1024 * 1024)))
    assert scope.cancelled_caught
    assert len(os.listdir("/proc/self/fd")) == before
