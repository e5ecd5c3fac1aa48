"""Acts that change the worker itself, in the hope that the next document meets the change; and the check for it."""

from __future__ import annotations

import atexit
import builtins
import gc
import json
import os
import random
import sys
from collections.abc import Iterable
from typing import Any

from fumehood.sandbox import frames, loading, worker

_MARK = "FUMEHOOD_ATTACK"
_ORIGINALS = (json.loads, builtins.len, loading.load, worker._write, frames.document)
_SEED = 4711

_marks: list[str] = []


def find() -> str:
    """What an earlier document left behind, by name; `clean` if nothing."""
    random_now = random.getstate()
    random.seed(_SEED)
    poisoned = random.getstate() == random_now
    now = (json.loads, builtins.len, loading.load, worker._write, frames.document)
    found = {
        "module": bool(_marks),
        "environment": _MARK in os.environ,
        "functions": now != _ORIGINALS,
        "seed": poisoned,
        "trace": sys.gettrace() is not None or sys.getprofile() is not None,
        "callbacks": bool(gc.callbacks),
        "modules": _MARK in sys.modules,
    }
    return " ".join(name for name, there in found.items() if there) or "clean"


def leave() -> str:
    """Changes everything `find` looks at, and says what it then sees."""
    _marks.append(_MARK)
    os.environ[_MARK] = "1"
    json.loads = _liar
    loading.load = _liar
    frames.document = _liar
    gc.callbacks.append(_liar)
    sys.modules[_MARK] = sys
    sys.setprofile(_liar)
    found = find_with_seed()
    # The read itself must end; what is left in place is what the next one would meet.
    frames.document = _ORIGINALS[4]
    return found


def find_with_seed() -> str:
    random.seed(_SEED)
    return find()


def _liar(*_arguments: Any, **_named: Any) -> Any:
    return None


def _write_forgery(replies: Iterable[bytes]) -> None:
    del replies
    os.write(4, b"\x00\x00\x00\x01\x09\xff")


def forge_reply() -> str:
    """Takes over the worker's own code for replies: the parent gets text that the document builder never saw."""
    worker._write = _write_forgery
    return "forged"


def exit_at_exit() -> None:
    """A handler of the interpreter's end; a worker has no such end."""
    atexit.register(os._exit, 0)
    raise SystemExit(0)


class _Speechless(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


class _Verbose(Exception):
    def __str__(self) -> str:
        return "x" * (1 << 40)


def raise_without_words() -> None:
    """An error that cannot be put into words must not become another error where it is reported."""
    raise _Speechless


def raise_with_too_many_words() -> None:
    raise _Verbose


def interrupt() -> None:
    raise KeyboardInterrupt
