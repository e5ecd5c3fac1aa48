"""The kernel's own deadline: it comes, and nothing that a worker may do keeps it off."""

from __future__ import annotations

import time

import children

_WITHOUT_SIGNALS = """
    import time
    from fumehood.sandbox import timer
    pid = os.fork()
    if pid == 0:
        timer.install({seconds})
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        time.sleep({sleep})
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


def test_it_kills_who_blocks_every_signal() -> None:
    began = time.monotonic()
    assert children.run(_WITHOUT_SIGNALS.format(seconds=0.05, sleep=60)) == ["-9"]
    assert time.monotonic() - began < 30


def test_it_leaves_alone_who_is_done_in_time() -> None:
    assert children.run(_WITHOUT_SIGNALS.format(seconds=1e9, sleep=0)) == ["0"]


def test_it_can_be_set_before_the_limit_on_pending_signals_only() -> None:
    lines = children.run(
        """
        import resource
        from fumehood.sandbox import timer
        print(outcome(timer.install, 60.0))
        resource.setrlimit(resource.RLIMIT_SIGPENDING, (0, 0))
        print(outcome(timer.install, 60.0))
        """
    )
    assert lines == ["done", "EAGAIN"]
