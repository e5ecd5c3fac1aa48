"""A worker as the parent holds it. What it does while it lives is tested through the reader and by the attacks."""

from __future__ import annotations

import fcntl
import os

import pytest
from children import run

from fumehood.sandbox import child


def test_ends_are_opened_whole_or_not_at_all() -> None:
    """For every number of descriptors that may be left: six are needed."""
    lines = run(
        """
        import resource
        from fumehood.sandbox.child import open_ends
        def count():
            return len(os.listdir("/proc/self/fd")) - 1
        before, hard = count(), resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        for left in range(8):
            resource.setrlimit(resource.RLIMIT_NOFILE, (before + left, hard))
            try:
                ends = open_ends()
            except OSError as error:
                said = os.strerror(error.errno)
            else:
                said = "opened"
                for one in ends:
                    one.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            print(said, count() - before)
        """
    )
    assert lines == ["Too many open files 0"] * 6 + ["opened 0"] * 2


def test_a_user_who_may_have_no_larger_pipes_has_workers_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel gives such a user pipes of a page, and EPERM for a larger one (pipe(7), pipe-user-pages-soft)."""

    def refuse(*_arguments: object) -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(fcntl, "fcntl", refuse)
    ours, theirs = child.open_ends()
    try:
        os.write(theirs.stderr, b"said")
        assert os.read(ours.stderr, 10) == b"said"
    finally:
        ours.close()
        theirs.close()
