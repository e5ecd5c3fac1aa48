"""Runs a loader, and turns whatever it raises into a typed refusal.

The worker calls this behind the lock; tests, fuzz targets and benchmarks call it in-process. It is the
one place that imports loaders.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol, cast

import msgspec

from fumehood import kinds
from fumehood.document import Document
from fumehood.errors import Refusal, refusal
from fumehood.kinds import ATTACHMENTS, PLAIN, Kind, ReadOptions
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder

SNIFFER: Final = "fumehood.loaders.sniff"

_NESTING_OF_A_DOCUMENT: Final = 32
"""What a document in a document counts for against `nesting`: each has depths of its own, and stands on one stack."""


class Loader(Protocol):
    """What a loader's module has.

    - `load(data, out, budget, options)` says to `out` what it finds in `data`, in reading order, and spends
      from `budget`. It may raise anything; a `Refusal` passes as it is.
    - `ENGINES`: parsing libraries by name, with their versions; the first is the default. May be empty.
    - `warm()`, where present, loads what is lazy, before the zygote locks itself down.
    """

    ENGINES: Mapping[str, str]

    def load(self, data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None: ...


def import_loader(kind: Kind) -> Loader:
    """The loader's module. Raises `ImportError`, or `TypeError` if it is no loader."""
    module = importlib.import_module(kind.module)
    if not callable(getattr(module, "load", None)):
        raise TypeError(
            f"the loader of kind {kind.name}, module {kind.module}, has no function load(data, out, budget, options)"
        )
    return cast("Loader", module)


def warm(kind: Kind, family: str | None = None) -> None:
    """Runs the loader over its specimen, so that lazy imports and caches are there before the lock.

    With each engine that is at home in `family` (the kind's own by default), so that no zygote carries a library that its documents do not need.
    Every worker of the `plain` family can be asked for the kind of a document, so that is rehearsed too.
    """
    if family is not None and family in kind.extras and not kinds.is_installed(kind, family):
        raise ImportError(f"the engine {family} is not installed any more; restart this process")
    loader = import_loader(kind)
    prepare: Callable[[], None] | None = getattr(loader, "warm", None)
    if prepare is not None:
        prepare()
    for _ in read_specimen(kind, family):
        pass


def read_specimen(kind: Kind, family: str | None = None) -> Iterator[Builder]:
    """What is found in the kind's specimen, by each engine at home in `family`; nothing where there is none."""
    if kind.specimen:
        for engine in kinds.engines_in(kind, family or kind.family) or (None,):
            yield load(kind, kind.specimen, Limits(), ReadOptions(engine=engine))
        if kind.family == PLAIN:
            sniff(kind.specimen, kind.name, Limits())


def engines(kind: Kind) -> tuple[str, ...]:
    """`name version` of each parsing library that reads the kind, default first; our own code is `fumehood`."""
    libraries: Mapping[str, str] = getattr(import_loader(kind), "ENGINES", {})
    return tuple(f"{name} {version}" for name, version in libraries.items()) or ("fumehood",)


def load(kind: Kind, data: bytes, limits: Limits, options: ReadOptions, budget: Budget | None = None) -> Builder:
    """Reads `data`; returns the finished builder or raises a `Refusal`, nothing else but `KeyboardInterrupt`."""
    budget = Budget(limits) if budget is None else budget
    nested = _Nested(budget, 1) if kinds.family_of(kind, options) == ATTACHMENTS else None
    return _read(kind, data, Builder(budget, nested=nested), budget, options)


class _Nested:
    """Reads documents within documents, by their contents, from one budget; see :class:`Nested`."""

    def __init__(self, budget: Budget, depth: int) -> None:
        self._budget = budget
        self._depth = depth

    def __call__(self, data: bytes, *, level: int, name: str = "", media_type: str = "", charset: str = "") -> Builder:
        limits = self._budget.limits
        if self._depth > max(1, limits.nesting // _NESTING_OF_A_DOCUMENT):
            raise self._budget.exceeded("nesting", self._depth * _NESTING_OF_A_DOCUMENT)
        self._budget.check("input_bytes", len(data))
        self._budget.spend("parts")
        named = kinds.by_extension(name)
        hint = named or kinds.by_media_type(media_type)
        kind = kinds.built_in(sniff(data, hint.name if hint else None, limits))
        if kind is None:
            raise refusal("unsupported-kind", stage="sniff")
        options = ReadOptions(attachments=True, charset=charset or None).only(kind.options)
        out = Builder(self._budget, level, _Nested(self._budget, self._depth + 1))
        if named is not None and named.name != kind.name:
            out.notice("kind-differs", detail=named.name)
        return _read(kind, data, out, self._budget, options)


def _read(kind: Kind, data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> Builder:
    loader = import_loader(kind)
    options = msgspec.structs.replace(options, engine=kinds.engine_of(kind, options))

    def read() -> None:
        loader.load(data, out, budget, options)
        out.finish()

    guarded(read, budget)
    return out


def sniff(data: bytes, hint: str | None, limits: Limits) -> str:
    """The kind that `data` is of. Raises `unsupported-kind` for what we can name and not read, else `malformed`."""
    module = importlib.import_module(SNIFFER)
    budget = Budget(limits, stage="sniff")
    found: list[str] = []
    guarded(lambda: found.append(module.sniff(data, hint)), budget)
    return found[0]


def guarded(act: Callable[[], object], budget: Budget) -> None:
    """Runs `act`. A parser's own exception says nothing anybody could rely on, so it becomes a code."""
    try:
        act()
    except Refusal:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        refused = _judge(error, budget)
        # What the parser said must not travel on as the cause of what we say.
        del error
        raise refused from None


def _judge(error: BaseException, budget: Budget) -> Refusal:
    seen: BaseException | None = error
    for _ in range(32):
        if seen is None:
            break
        if isinstance(seen, Refusal):
            return seen
        if isinstance(seen, MemoryError):
            return refusal("memory", limit="heap_bytes", bound=budget.limits.heap_bytes, stage=budget.stage)
        if isinstance(seen, RecursionError):
            return refusal("nesting", limit="nesting", bound=budget.limits.nesting, stage=budget.stage)
        seen = seen.__cause__ or seen.__context__
    return refusal("malformed", stage=budget.stage)


def read_in_process(
    kind: Kind,
    data: bytes,
    limits: Limits | None = None,
    options: ReadOptions | None = None,
    budget: Budget | None = None,
) -> Document:
    """A read without a jail: for documents one wrote oneself, for tests and for benchmarks. Never for strangers' files."""
    out = load(kind, data, limits or Limits(), options or ReadOptions(), budget)
    return Document(
        kind=kind.name,
        title=out.title,
        metadata=out.metadata,
        text=out.text(),
        blocks=tuple(out.blocks),
        links=tuple(out.links),
        notices=tuple(out.notices),
    )
