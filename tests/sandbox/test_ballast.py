"""Free places are filled: what is made afterwards stands together, and the process hardly grows by it."""

from __future__ import annotations

import children
import pytest

_HOLES = """
import ctypes, re
from fumehood.sandbox import ballast
def resident():
    with open("/proc/self/status") as status:
        return int(re.search(r"VmRSS:\\s+(\\d+)", status.read())[1])
"""


def test_new_objects_are_where_none_were() -> None:
    inside, made, grown = children.run(
        _HOLES
        + """
many = [bytes(size) for size in range(0, 450, 7) for _ in range(600)]
del many[::2]
seen, look, before = [], ballast._mapped, resident()
ballast._mapped = lambda: seen.append(look()) or seen[0]  # An arena given back before has its address again.
filled = ballast.fill()
after = resident()
fresh = [bytes(size) for size in range(1, 450, 7) for _ in range(4)]
print(sum(ballast.bisect.bisect(seen[0], id(one)) % 2 for one in fresh))
print(len(fresh))
print(after - before)
"""
    )
    # What the filling itself let go of on its way is free again, an object here or there.
    assert int(inside) < int(made) / 20
    assert int(grown) < 4 * 1024


def test_chunks_of_the_c_library_too() -> None:
    told = children.run(
        _HOLES
        + """
many = [bytes(size) for size in range(600, 20_000, 100) for _ in range(20)]
del many[::2]
libc = system._libc
if not hasattr(libc, "mallinfo2"):
    print("unknown")
    raise SystemExit
libc.mallinfo2.restype = system._MallocInfo
def free():
    told = libc.mallinfo2()
    return told.fordblks - told.keepcost
print(free())
filled = ballast.fill()
print(free())
"""
    )
    if told == ["unknown"]:
        pytest.skip("this C library does not tell what is free")
    before, after = map(int, told)
    assert after < before / 20


def test_an_allocator_without_pools_ends_the_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    from fumehood.sandbox import ballast

    monkeypatch.setattr(ballast, "_MOST_SMALL", 64 * 1024)
    everything = [0, 2**64]
    filled = ballast._fill_pools(everything)
    assert 0 < sum(map(object.__sizeof__, filled)) <= 64 * 1024 + 512
