"""A long text is put together in turns, and is an ordinary string."""

from __future__ import annotations

import platform
import subprocess
import sys

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.sandbox import text as module
from fumehood.sandbox.text import Text


def joined(pieces: list[str]) -> str:
    text = Text()
    for piece in pieces:
        text.append(piece)
    assert len(text) == sum(map(len, pieces))

    async def main() -> str:
        return await text.joined()

    return anyio.run(main, backend="trio")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), max_size=8))
def test_it_is_the_pieces_in_order_whatever_their_width(pieces: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_JOIN_UP_TO", 0)
        made, wanted = joined(pieces), "".join(pieces)
    assert made == wanted
    assert hash(made) == hash(wanted)
    assert made.encode() == wanted.encode()
    assert {made: 1}[wanted] == 1
    assert made + "x" == wanted + "x"


@pytest.mark.parametrize("char", ["a", "é", "€", "😀"])
def test_the_storage_is_as_narrow_as_that_of_a_join(char: str) -> None:
    pieces = [char * 600_000, "b" * 600_000]
    assert sys.getsizeof(joined(pieces)) <= sys.getsizeof("".join(pieces)) + 64


@pytest.mark.anyio
async def test_other_tasks_run_in_between(anyio_backend: str) -> None:
    text = Text()
    for _ in range(64):
        text.append("x" * 262_144)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await anyio.lowlevel.checkpoint()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(count)
        made = await text.joined()
        tasks.cancel_scope.cancel()
    assert len(made) == 64 * 262_144
    assert turns > 30


_PEAK: str = """
import anyio
from fumehood.sandbox.text import Text

def peak():
    return next(int(line.split()[1]) // 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))

async def main():
    text = Text()
    for number in range(1_600):
        text.append(f"{number:08}" * 4_096)
    before = peak()
    made = await text.joined()
    print(len(made) >> 20, peak() - before)

anyio.run(main, backend="trio")
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries give back what they like")
def test_a_long_text_is_not_held_twice() -> None:
    """Pieces go back to the system while they are put together: as many MiB as the text were needed once more."""
    done = subprocess.run([sys.executable, "-c", _PEAK], capture_output=True, text=True, check=True)
    size, more = map(int, done.stdout.split())
    assert size == 50
    assert more < 25
