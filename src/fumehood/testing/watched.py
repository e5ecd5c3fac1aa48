"""A loader that lets other loaders read, in a real worker behind every layer, and reports what they did meanwhile.

Registered as a kind whose specimen names the loaders to warm up, exactly as a zygote of theirs does, and whose
documents name one loader and the bytes for it. This module and its package import nothing that a zygote does not have
already: otherwise a loader that imports late would find it there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, Final

import msgspec

from fumehood import kinds
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.kinds import Kind, ReadOptions
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder
from fumehood.sandbox import loading

ENGINES: Final[dict[str, str]] = {}

# Audit events of the standard library (its table in the reference): what touches files, processes and the network.
_EVENTS: Final = frozenset({"import", "open", "ctypes.dlopen"})
_FAMILIES: Final = ("os.", "shutil.", "socket.", "subprocess.", "tempfile.", "urllib.", "sqlite3.")
_LONGEST_ACT: Final = 200
_MOST_ACTS: Final = 20
_DECOMPRESSORS: Final = (
    ("zlib", "decompressobj"),
    ("zlib", "_ZlibDecompressor"),
    ("bz2", "BZ2Decompressor"),
    ("lzma", "LZMADecompressor"),
)


class Warm(msgspec.Struct, frozen=True, tag=True):
    """The specimen: the kinds whose loaders are warmed up before the lock."""

    kinds: tuple[Kind, ...]


class Visit(msgspec.Struct, frozen=True, tag=True):
    """A document: what to read, as which kind."""

    kind: Kind
    data: bytes
    limits: Limits


class Report(msgspec.Struct, frozen=True):
    """What was seen of one read. `inflated_bytes` came out of decompressors, `counted_bytes` the loader spent."""

    acts: tuple[str, ...]
    inflated_bytes: int
    counted_bytes: int
    document: Document | None


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """The document's text is the `Report` in JSON; that of the specimen is empty."""
    order: Warm | Visit = msgspec.msgpack.decode(data, type=Warm | Visit)
    if isinstance(order, Warm):
        sys.addaudithook(_watch.hear)
        for kind in order.kinds:
            kinds.adopt(kind)
        for kind in order.kinds:
            loading.warm(kind)
        return
    report = msgspec.json.encode(_visit(order))
    text = out.verbatim(report.decode("utf-8"))
    out.span(0, len(text), "record")


def _visit(visit: Visit) -> Report:
    budget = Budget(visit.limits)
    document = None
    with _metered() as meter, _watch.listening() as acts, suppress(Refusal):
        document = loading.read_in_process(visit.kind, visit.data, visit.limits, None, budget)
    return Report(tuple(dict.fromkeys(acts)), meter.produced, budget.used("inflated_bytes"), document)


# ---- what is opened and imported -----------------------------------------------------------------------------------


class _Watch:
    """Hears the interpreter's audit events (PEP 578). A hook cannot be taken out again; a worker has one document."""

    def __init__(self) -> None:
        self._acts: list[str] | None = None

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._acts is None or len(self._acts) >= _MOST_ACTS:
            return
        if event in _EVENTS or event.startswith(_FAMILIES):
            self._acts.append(ascii(" ".join((event, *map(str, arguments[:1]))))[1:-1][:_LONGEST_ACT])

    @contextmanager
    def listening(self) -> Iterator[list[str]]:
        """The acts in the `with` block; modules that came without an event, as built-in ones may, at its end."""
        acts: list[str] = []
        before = set(sys.modules)
        self._acts = acts
        try:
            yield acts
        finally:
            self._acts = None
        acts.extend(f"import {name}" for name in sorted(set(sys.modules) - before))


_watch: Final = _Watch()


# ---- what is inflated ------------------------------------------------------------------------------------------------


class _Meter:
    """How many bytes came out of all decompressors."""

    def __init__(self) -> None:
        self.produced = 0

    def counted(self, piece: bytes) -> bytes:
        self.produced += len(piece)
        return piece

    def function(self, decompress: Callable[..., bytes]) -> Callable[..., bytes]:
        return lambda *arguments, **named: self.counted(decompress(*arguments, **named))

    def maker(self, make: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments, **named: _Metered(self, make(*arguments, **named))


class _Metered:
    """Stands for a decompressor, and has whatever that has."""

    def __init__(self, meter: _Meter, inner: Any) -> None:
        self._meter = meter
        self._inner = inner

    def decompress(self, *arguments: Any, **named: Any) -> bytes:
        return self._meter.counted(self._inner.decompress(*arguments, **named))

    def flush(self, *arguments: Any) -> bytes:
        return self._meter.counted(self._inner.flush(*arguments))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@contextmanager
def _metered() -> Iterator[_Meter]:
    """Decompressors of the standard library count in the `with` block, where they are called by their module's name."""
    meter = _Meter()
    replaced: Sequence[tuple[ModuleType, str, Any]] = [
        (sys.modules[module], name, getattr(sys.modules[module], name))
        for module, name in (("zlib", "decompress"), *_DECOMPRESSORS)
        if hasattr(sys.modules.get(module), name)
    ]
    for module, name, real in replaced:
        setattr(module, name, meter.function(real) if name == "decompress" else meter.maker(real))
    try:
        yield meter
    finally:
        for module, name, real in replaced:
            setattr(module, name, real)
