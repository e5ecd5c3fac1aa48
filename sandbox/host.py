"""All zygotes of one reader: started when first needed, witnessed once, replaced in good time, ended together."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

import anyio
import msgspec
from anyio.abc import TaskGroup

from fumehood import kinds
from fumehood.kinds import PLAIN, Kind, ReadOptions
from fumehood.limits.policy import MIB, Limits
from fumehood.sandbox import examine, jobs, messages
from fumehood.sandbox.child import ZygoteFailed, log
from fumehood.sandbox.document_file import DocumentFile
from fumehood.sandbox.family import Zygote
from fumehood.sandbox.jobs import Deadline, Finished
from fumehood.sandbox.layers import LAYERS, PER_WORKER, LayerName, Report, enforced, missing, unavailable
from fumehood.sandbox.verdict import died_of_its_own

DOCUMENTS_PER_ZYGOTE: Final = 10_000
"""All workers of a zygote share its address layout (Lee et al., From Zygote to Morula, S&P 2014)."""
_REPLACE_EVERY_SECONDS: Final = 1.0
"""A signal death may have told a sender something of that layout; a flood of them must not keep us forking zygotes."""
_RETRY_SECONDS: Final = 1.0
_TRIES: Final = 3
"""A spare can die while it waits; one that has not seen the document costs nothing but another."""
_ZYGOTE_BYTES: Final = 1024 * MIB


class Read(NamedTuple):
    """What a worker gave back, what kept it, and by which engine."""

    finished: Finished
    layers: tuple[LayerName, ...]
    engine: str


class _Family:
    """The zygote of one family that takes new documents, and the lock for starting it."""

    def __init__(self) -> None:
        self.lock = anyio.Lock()
        self.zygote: Zygote | None = None
        self.replaced_at = -_REPLACE_EVERY_SECONDS
        self.failure: ZygoteFailed | None = None
        self.failed_at = 0.0
        self.kinds: tuple[Kind, ...] = ()  # those that it was last started with, or should have been
        self.replacing = False


class Host:
    """Belongs to one event loop; `tasks` outlives every read."""

    def __init__(self, tasks: TaskGroup, workers: int, limits: Limits) -> None:
        self._tasks = tasks
        self._workers = workers
        self._memory_bytes = _ZYGOTE_BYTES + workers * limits.heap_bytes
        self._families: dict[str, _Family] = {}
        self._report: Report | None = None
        self._all: set[Zygote] = set()
        self._closing = False

    async def report(self) -> Report:
        """What was witnessed, by the canaries of this reader; run on first use. Raises `ZygoteFailed`."""
        if self._report is None:
            await self._zygote(PLAIN)
        assert self._report is not None
        return self._report

    async def check(self, require: frozenset[str]) -> None:
        """Raises `sandbox-unavailable` if documents would be refused for it, and `ZygoteFailed`."""
        self._layers(await self._zygote(PLAIN), require)

    def zygotes(self) -> Sequence[Zygote]:
        """Those that are alive."""
        return [zygote for zygote in self._all if zygote.alive]

    async def read(
        self,
        kind: Kind,
        document: DocumentFile,
        limits: Limits,
        options: ReadOptions,
        require: frozenset[str],
        deadline: Deadline,
        *,
        sniff: bool = False,
        hint: str | None = None,
    ) -> Read:
        """One document, or its kind.

        Raises `sandbox-unavailable` before a worker sees the document, and `ZygoteFailed`.
        """
        # Here and not in the worker, which cannot look for what is installed.
        options = msgspec.structs.replace(options, engine=kinds.engine_of(kind, options))
        family = kinds.family_of(kind, options)
        for last in (False,) * (_TRIES - 1) + (True,):
            zygote = await self._zygote(family)
            if kind not in zygote.kinds:
                raise ZygoteFailed(family, f"does not read {kind.name} any more: it was registered anew meanwhile")
            layers = self._layers(zygote, require)
            must = tuple(name for name in layers if name in PER_WORKER)
            job = messages.Job(kind.name, sniff, hint, limits, options, must)
            try:
                worker = await zygote.take()
            except ZygoteFailed:
                if last:
                    raise
                continue
            watch = "rlimits" not in layers
            finished = await jobs.run(worker, job, document.descriptor, deadline.begun(), watch=watch)
            # Not while it reads: on two processors the fork takes a tenth of the read's time away (measured).
            zygote.fork_ahead(self._workers)
            self._after(zygote, finished)
            if last or finished.touched or finished.ending.killed_for or finished.ending.refused:
                break
        return Read(finished, layers, self._engine(zygote, kind, options))

    async def close(self) -> None:
        """Ends every zygote and every worker, and waits until they are gone.

        One that cannot be ended for a bug of ours keeps none of the others; the bug is raised when they are gone.
        """
        self._closing = True
        bugs: list[Exception] = []
        with anyio.CancelScope(shield=True):
            while self._all:
                zygote = next(iter(self._all))
                try:
                    await self._end(zygote)
                except Exception as bug:
                    bugs.append(bug)
                    zygote.kill()
                    self._all.discard(zygote)
        if bugs:
            raise ExceptionGroup("zygotes that could not be ended", bugs)

    async def _end(self, zygote: Zygote) -> None:
        """Ends a zygote, dead or alive: a dead one has a process to reap and descriptors to close."""
        await zygote.end()
        self._all.discard(zygote)

    def _beside(self, act: Callable[..., Awaitable[None]], *arguments: object) -> None:
        """Does it beside the reads, none of which waits for it: so a bug in it must end none of them, and is told of."""
        self._tasks.start_soon(_told_of, act, arguments)

    # ---- zygotes -------------------------------------------------------------------------------------

    async def _zygote(self, name: str) -> Zygote:
        """The family's zygote, started, witnessed and sealed; another one once its kinds were registered anew."""
        family = self._families.setdefault(name, _Family())
        members = kinds.of_family(name)
        if family.zygote is not None and family.zygote.alive and family.zygote.kinds == members:
            return family.zygote
        async with family.lock:
            if family.kinds != members:
                family.kinds, family.failure = members, None
            if family.zygote is not None and not family.zygote.alive:
                await self._end(family.zygote)
                family.zygote = None
            if family.zygote is not None and family.zygote.kinds != members:
                family.zygote.retire()
                self._end_if_idle(family.zygote)
                family.zygote = None
            if family.zygote is None:
                family.zygote = await self._start_unless_hopeless(name, family)
            return family.zygote

    async def _start_unless_hopeless(self, name: str, family: _Family) -> Zygote:
        """A zygote that could not start a moment ago will not start now: a folder of files asks for it once, not for each."""
        if family.failure is not None and time.monotonic() - family.failed_at < _RETRY_SECONDS:
            raise ZygoteFailed(name, family.failure.what, in_loader=family.failure.in_loader)
        try:
            zygote = await self._start(name)
        except ZygoteFailed as failure:
            family.failure, family.failed_at = failure, time.monotonic()
            raise
        family.failure = None
        return zygote

    async def _start(self, name: str) -> Zygote:
        if self._closing:
            raise ZygoteFailed(name, "is not started: the reader is closed")
        if name != PLAIN and self._report is None:
            zygote = await self._launch_beside_plain(name)
        else:
            zygote = await self._launch(name)
        try:
            await self._prove(zygote)
            zygote.seal()
            zygote.fork_ahead(self._workers)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._end(zygote)
            raise
        return zygote

    async def _launch_beside_plain(self, name: str) -> Zygote:
        """Both start at once: the witnesses are the plain zygote's. The first failure is raised, once both have ended."""
        launched: list[Zygote] = []
        failures: list[Exception] = []

        async def launch() -> None:
            launched.append(await self._launch(name))

        async def settle(start: Callable[[], Awaitable[object]]) -> None:
            try:
                await start()
            except Exception as error:  # As itself, not in a group; whose it is, the caller sees.
                failures.append(error)

        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(settle, launch)
                tasks.start_soon(settle, lambda: self._zygote(PLAIN))
            if failures:
                raise failures[0]
        except BaseException:
            with anyio.CancelScope(shield=True):
                for zygote in launched:
                    await self._end(zygote)
            raise
        return launched[0]

    async def _launch(self, name: str) -> Zygote:
        members = kinds.of_family(name)
        if not members:
            raise ZygoteFailed(name, "has nothing to read any more: its kinds were taken out of the registry")
        zygote = await Zygote.start(name, members, self._tasks, memory_bytes=self._memory_bytes)
        self._all.add(zygote)
        return zygote

    async def _prove(self, zygote: Zygote) -> None:
        """Full canaries once for this reader, a production probe for every other zygote."""
        if self._report is None:
            self._report = await examine.examine(zygote)
            return
        layer = await examine.probe(zygote, self._report)
        if layer is not None:
            zygote.absent["seccomp"] = layer.why

    def _layers(self, zygote: Zygote, require: frozenset[str]) -> tuple[LayerName, ...]:
        """What is enforced for this zygote's workers. Raises `sandbox-unavailable`."""
        assert self._report is not None
        have = enforced(self._report) - zygote.absent.keys()
        lacking = missing(require, have)
        if lacking:
            raise unavailable(lacking, require)
        return tuple(name for name in LAYERS if name in have)

    def _engine(self, zygote: Zygote, kind: Kind, options: ReadOptions) -> str:
        engines = zygote.ready.engines.get(kind.name, ()) if zygote.ready else ()
        return next((engine for engine in engines if options.engine in (None, engine.split(" ")[0])), "")

    # ---- replacement ---------------------------------------------------------------------------------

    def _after(self, zygote: Zygote, finished: Finished) -> None:
        """Replaces a zygote that has served long, or one whose worker died by a signal that we did not send."""
        family = self._families[zygote.family]
        killed = finished.ending.killed_for is not None or finished.ending.spoilt is not None
        worn = zygote.served >= DOCUMENTS_PER_ZYGOTE or died_of_its_own(finished.ending.exited, killed)
        if zygote.retired:
            self._end_if_idle(zygote)
        elif worn and zygote is family.zygote and not family.replacing and not self._closing:
            now = time.monotonic()
            if now - family.replaced_at >= _REPLACE_EVERY_SECONDS:
                family.replacing, family.replaced_at = True, now
                self._beside(self._replace, family, zygote)

    async def _replace(self, family: _Family, old: Zygote) -> None:
        """Starts a successor beside the old one, which reads on until then."""
        try:
            successor = await self._start(old.family)
        except (ZygoteFailed, OSError) as error:
            log.warning("the zygote for %s could not be replaced: %s", old.family, error)
            return
        finally:
            family.replacing = False
        if family.zygote is not old:  # Its kinds were registered anew meanwhile, which brought another one.
            await self._end(successor)
            return
        family.zygote = successor
        old.retire()
        self._end_if_idle(old)

    def _end_if_idle(self, zygote: Zygote) -> None:
        # Who closes ends all of them, and starts nothing beside reads that end only then.
        if zygote.retired and zygote.busy == 0 and not self._closing:
            self._beside(self._end, zygote)


async def _told_of(act: Callable[..., Awaitable[None]], arguments: tuple[object, ...]) -> None:
    try:
        await act(*arguments)
    except Exception:
        log.exception("a bug of ours in the keeping of zygotes; reads go on")
