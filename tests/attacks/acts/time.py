"""Acts that would never end."""

from __future__ import annotations

import ctypes
import re
import signal
import time

from tests.attacks.calls import call, libc

_FUTEX_WAIT_PRIVATE = 128


def loop() -> None:
    while True:
        pass


def loop_without_signals() -> None:
    """Blocks SIGXCPU among all others, so that only the hard limit is left."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    loop()


def loop_in_spite_of_everything() -> None:
    while True:
        try:
            loop()
        except BaseException:
            continue


def sleep() -> None:
    time.sleep(86_400)


def sleep_without_signals() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        time.sleep(86_400)


def wait_for_nobody() -> None:
    """A lock that nobody will ever open (futex(2))."""
    lock = ctypes.create_string_buffer(4)
    call("futex", lock, _FUTEX_WAIT_PRIVATE, 0, None)


def match_for_ever() -> None:
    """Catastrophic backtracking, in C, with no bytecode in between."""
    re.match(r"(a+)+$", "a" * 64 + "b")


def pause() -> None:
    libc.pause()
