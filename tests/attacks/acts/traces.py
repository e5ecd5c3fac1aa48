"""Acts that change the worker itself, in the hope that the next document meets the change; and the check for it."""

from __future__ import annotations

import atexit
import builtins
import codecs
import decimal
import gc
import json
import os
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from fumehood.sandbox import frames, loading, worker

_MARK = "FUMEHOOD_ATTACK"
_CODEC = "fumehood_attack"
_SEED = 4711

_marks: list[str] = []


def _codec_is_there() -> bool:
    try:
        codecs.lookup(_CODEC)
    except LookupError:
        return False
    return True


def _functions() -> tuple[object, ...]:
    return json.loads, builtins.len, loading.load, worker._write, frames.document, sys.excepthook, sys.unraisablehook


def _settings() -> tuple[object, ...]:
    return (
        sys.getrecursionlimit(), sys.getswitchinterval(), sys.path, sys.meta_path, decimal.getcontext().prec,
        list(warnings.filters), sys.get_int_max_str_digits(), sys.flags,
    )  # fmt: skip


def _is_poisoned() -> bool:
    now = random.getstate()
    random.seed(_SEED)
    poisoned = random.getstate() == now
    random.setstate(now)
    return poisoned


_DOCUMENT = frames.document
_FUNCTIONS = _functions()
_SETTINGS = tuple(list(value) if isinstance(value, list) else value for value in _settings())

_TRACES: dict[str, Callable[[], bool]] = {
    "module": lambda: bool(_marks),
    "environment": lambda: _MARK in os.environ,
    "functions": lambda: _functions() != _FUNCTIONS,
    "settings": lambda: _settings() != _SETTINGS,
    "seed": _is_poisoned,
    "trace": lambda: sys.gettrace() is not None or sys.getprofile() is not None,
    "callbacks": lambda: bool(gc.callbacks),
    "modules": lambda: _MARK in sys.modules,
    "codecs": _codec_is_there,
    "patterns": lambda: any(_MARK in str(key) for key in re._cache),  # type: ignore[attr-defined]
}
EVERYTHING = " ".join(_TRACES)


def find() -> str:
    """What an earlier document left behind, by name; `clean` if nothing."""
    return " ".join(name for name, there in _TRACES.items() if there()) or "clean"


def leave() -> str:
    """Changes everything `find` looks at, and says what it then sees."""
    _marks.append(_MARK)
    os.environ[_MARK] = "1"
    json.loads = _liar
    loading.load = _liar
    frames.document = _liar
    gc.callbacks.append(_liar)
    sys.modules[_MARK] = sys
    sys.setrecursionlimit(sys.getrecursionlimit() + 1)
    codecs.register(lambda name: codecs.lookup("utf-8") if name == _CODEC else None)
    re.compile(_MARK)
    random.seed(_SEED)
    sys.setprofile(_liar)
    found = find()
    # The read itself must end; what is left in place is what the next one would meet.
    frames.document = _DOCUMENT
    return found


def hash_of_text() -> str:
    """The same in all workers of a zygote, and unknown to the sender: they share its hash seed (object.__hash__)."""
    return str(hash("fumehood"))


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
