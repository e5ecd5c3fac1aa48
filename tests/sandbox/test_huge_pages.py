"""Memory is moved into huge pages where the kernel has them, and holds what it held."""

from __future__ import annotations

import children
import pytest

from fumehood.sandbox.huge_pages import HUGE_PAGE, ranges

_MAPS = """\
555555400000-555555800000 r-xp 00000000 fe:00 123                        /usr/bin/python3
555556000000-555556100000 rw-p 00000000 00:00 0                          [heap]
7f0000001000-7f0000a00000 rw-p 00000000 00:00 0
7f0000c00000-7f0000e00000 rw-s 00000000 00:01 77                         /memfd:x (deleted)
7f0001000000-7f0001400000 r--p 00000000 00:00 0
7f0001800000-7f0001a00000 rw-p 00000000 fe:00 9                          /usr/lib/libc.so.6
7ffd00000000-7ffd00400000 rw-p 00000000 00:00 0                          [stack]
"""


def test_only_whole_huge_pages_of_private_memory() -> None:
    assert list(ranges(_MAPS.splitlines(keepends=True))) == [(0x7F0000200000, 0x7F0000A00000)]


def test_memory_holds_what_it_held() -> None:
    before, after, intact = children.run(
        f"""
        import re
        from fumehood.sandbox import huge_pages
        def huge():
            with open("/proc/self/smaps_rollup") as rollup:
                return int(re.search(r"AnonHugePages:\\s+(\\d+)", rollup.read())[1])
        memory = bytearray(b"abcdefgh" * ({8 * HUGE_PAGE} // 8))
        print(huge())
        huge_pages.collapse()
        print(huge())
        print(memory == b"abcdefgh" * ({8 * HUGE_PAGE} // 8))
        """
    )
    assert intact == "True"
    if int(after) <= int(before):
        pytest.skip("this kernel gives no huge pages on demand")
    assert int(after) * 1024 >= 7 * HUGE_PAGE
