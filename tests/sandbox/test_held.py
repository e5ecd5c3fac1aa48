"""What a forked child must not share is closed in it, and only in it."""

from __future__ import annotations

import os

from children import run

from fumehood.sandbox import held


def test_releasing_twice_closes_once() -> None:
    read_end, write_end = os.pipe()
    before = held.count()
    held.hold(read_end)
    held.release(read_end, read_end)
    again = os.dup(write_end)  # Takes the number that was freed.
    held.release(read_end)
    os.fstat(again)
    os.close(again)
    os.close(write_end)
    assert held.count() == before


def test_a_forked_child_has_none_of_them() -> None:
    lines = run(
        """
        from fumehood.sandbox import held
        r, w = os.pipe()
        held.hold(w)
        kept = os.dup(1)
        if os.fork() == 0:
            print(outcome(os.fstat, w), outcome(os.fstat, r), outcome(os.fstat, kept), held.count(), flush=True)
            os._exit(0)
        os.wait()
        print(outcome(os.fstat, w), held.count())
        """
    )
    assert lines == ["EBADF done done 0", "done 1"]


def test_a_socket_of_the_parent_closes_nothing_of_the_childs() -> None:
    lines = run(
        """
        from fumehood.sandbox import held
        ours, theirs = socket.socketpair()
        held.hold_socket(ours)
        if os.fork() == 0:
            again = [os.dup(1) for _ in range(4)]  # One of these gets the number that was freed.
            del ours
            print(*[outcome(os.fstat, fd) for fd in again], flush=True)
            os._exit(0)
        os.wait()
        print(ours.fileno() >= 0)
        """
    )
    assert lines == ["done done done done", "True"]
