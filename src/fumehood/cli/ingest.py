"""`fumehood ingest`: brings an index up to date with files and folders, and says what came of each."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import anyio
import anyio.to_thread

from fumehood.cli import exits, ingested, streams
from fumehood.cli.meter import Meter
from fumehood.cli.signals import watch_signals
from fumehood.cli.table import width
from fumehood.errors import SandboxUnavailable
from fumehood.hygiene import printable
from fumehood.index import SQLiteIndex, StoreError
from fumehood.ingest import Chunker, Item, Listing, Outcome, Patterns, Pipeline, Summary, Unlisted
from fumehood.ingest.findings import Findings
from fumehood.ingest.report import report, write_report
from fumehood.ingest.units import counted
from fumehood.kinds import ReadOptions
from fumehood.limits.policy import Limits
from fumehood.reader import Reader

STANDARD_INPUT: Final = "-"
WAIT_SECONDS: Final = 3.0
"""For another process that is writing to the index."""
_TICK_SECONDS: Final = 0.25
_BESIDE: Final = ("", "-wal", "-shm", "-run")
"""The index, and what SQLite and a run keep beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to do. `workers` None: as many as there are processors. `report`: where to write it, if at all."""

    index: str
    namespace: str
    patterns: Patterns
    follow_links: bool
    name: str | None
    kind: str
    limits: Limits
    options: ReadOptions
    workers: int | None
    require: frozenset[str]
    strategy: str | None
    dry_run: bool
    allow_empty: bool
    json: bool
    report: str | None


def ingest_paths(paths: Sequence[str], job: Job) -> int:
    """Returns the exit code. Raises `TypeError` or `ValueError` for a mistake in `job`.

    SIGINT and SIGTERM end it between two files, with 128 and the signal's number; another run goes on from there.
    """
    if job.report is not None and (trouble := _cannot_write(job.report)):
        return _complain(f"{printable(job.report)}: the report cannot be written: {trouble}", exits.SOME_REFUSED)
    try:
        with contextlib.ExitStack() as stack:
            sources = _Sources(paths, job)
            return anyio.run(_run, sources, job, _index_path(job, sources, stack), backend="trio")
    except StoreError as error:
        return _complain(str(error), exits.SOME_REFUSED)
    except SandboxUnavailable as error:
        return _complain(printable(error.message), exits.NO_SANDBOX)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _complain(f"the output cannot be written: {_why(error)}", exits.SOME_REFUSED)


async def _run(sources: _Sources, job: Job, path: str) -> int:
    with contextlib.ExitStack() as stack:
        return await _Session(sources, job, path, stack).run()


def _index_path(job: Job, sources: _Sources, stack: contextlib.ExitStack) -> str:
    """A dry run makes no index, nor does a typing mistake: where there is none yet, an empty one elsewhere does."""
    if (job.dry_run or sources.nowhere) and not os.path.exists(job.index):
        return os.path.join(stack.enter_context(tempfile.TemporaryDirectory()), "index")
    return job.index


def _cannot_write(path: str) -> str | None:
    """Known before the work is done rather than after it."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        return "it is a folder"
    return None if os.access(folder, os.W_OK | os.X_OK) else "its folder is not there or may not be written to"


def _why(error: OSError) -> str:
    return printable(error.strerror or str(error))


def _complain(what: str, code: int) -> int:
    streams.remark(f"fumehood: {what}\n".encode())
    return code


class _Sources:
    """What was named: standard input, and what is found under the other paths."""

    def __init__(self, paths: Sequence[str], job: Job) -> None:
        self._job = job
        self._standard_input = STANDARD_INPUT in paths
        self._files = [path for path in paths if path != STANDARD_INPUT]
        self.listing = self.another_listing()

    @property
    def nowhere(self) -> bool:
        """Nothing of it is there, and nothing can come of it."""
        return not self._standard_input and not self.listing.scopes()

    def another_listing(self) -> Listing:
        job = self._job
        own = [f"{os.path.realpath(job.index)}{ending}" for ending in _BESIDE]
        own += [os.path.realpath(job.report)] if job.report is not None else []
        return Listing(self._files, job.patterns, follow_links=job.follow_links, leave_out=own)

    def items(self) -> Iterator[Item | Unlisted]:
        if self._standard_input:
            name = self._job.name
            yield Item(name or STANDARD_INPUT, lambda most: streams.take(streams.IN, most), name=name)
        yield from self.listing


class _Session:
    """One run of the command. `path`: of the index, which `stack` closes when no thread uses it any more."""

    def __init__(self, sources: _Sources, job: Job, path: str, stack: contextlib.ExitStack) -> None:
        self._sources = sources
        self._job = job
        self._path = path
        self._stack = stack
        self._meter = Meter()
        self._findings = Findings()
        self._scope = anyio.CancelScope()
        self._code = exits.DONE
        self._error: Exception | None = None

    async def run(self) -> int:
        summary = None
        with self._scope:
            async with anyio.create_task_group() as tasks:
                await tasks.start(watch_signals, self._stop)
                if self._meter.wanted:
                    tasks.start_soon(anyio.to_thread.run_sync, self._meter.count, self._sources.another_listing())
                    tasks.start_soon(self._tick)
                try:
                    summary = await self._ingest()
                except Exception as error:
                    self._error = error  # Raised below as itself, not in a group.
                finally:
                    self._meter.close()
                tasks.cancel_scope.cancel()
        if self._error is not None:
            raise self._error
        return self._interrupted() if summary is None else self._finish(summary)

    def _stop(self, code: int) -> None:
        """Cancelling ends every process, and waits for the one transaction that is under way."""
        self._code = code
        self._scope.cancel()

    async def _tick(self) -> None:
        """Time passes while a large document is read."""
        while True:
            await anyio.sleep(_TICK_SECONDS)
            self._meter.show()

    # ---- the run -----------------------------------------------------------------------------------------

    async def _ingest(self) -> Summary:
        job, sources = self._job, self._sources
        async with Reader(limits=job.limits, workers=job.workers, require=job.require) as reader:
            if self._path == job.index and not os.path.exists(job.index):
                await reader.check()  # Where nothing can be read, no empty index is left.
            index = self._stack.enter_context(SQLiteIndex(self._path, wait_seconds=WAIT_SECONDS))
            pipeline = Pipeline(
                index,
                reader,
                Chunker(job.strategy),
                kind=job.kind,
                options=job.options,
                namespace=job.namespace,
            )
            return await pipeline.run(
                sources.items(),
                scope=sources.listing,
                on_progress=self._tell,
                allow_empty=job.allow_empty,
                dry_run=job.dry_run,
            )

    # ---- what is said ------------------------------------------------------------------------------------

    async def _tell(self, outcome: Outcome) -> None:
        self._meter.add(outcome)
        self._findings.add(outcome)
        out = ingested.line(outcome, dry_run=self._job.dry_run) if self._job.json else b""
        err = b"" if self._job.json else ingested.remark(outcome)
        if out or err:
            self._meter.clear()
            await anyio.to_thread.run_sync(self._put, out, err, abandon_on_cancel=True)

    def _put(self, out: bytes, err: bytes) -> None:
        """In a thread: a pager that takes its time must not hold up the deadlines of what is being read."""
        streams.put(out)
        streams.remark(err)

    def _interrupted(self) -> int:
        if not self._job.json:
            done = counted(self._meter.done, "file")
            streams.remark(f"fumehood: stopped after {done}; another run goes on from there\n".encode())
        return self._code

    def _finish(self, summary: Summary) -> int:
        if not self._job.json:
            streams.put_text(ingested.table_of(summary, width()))
        if summary.kept:
            _complain(ingested.kept(summary), exits.SOME_REFUSED)
        code = exits.SOME_REFUSED if summary.refused or summary.failed or summary.kept else exits.DONE
        return max(code, self._write_report(summary))

    def _write_report(self, summary: Summary) -> int:
        path = self._job.report
        if path is None:
            return exits.DONE
        ended = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        page = report(summary, self._findings, self._job.limits, index=self._job.index, ended=ended)
        try:
            write_report(path, page)
        except OSError as error:
            return _complain(f"{printable(path)}: the report cannot be written: {_why(error)}", exits.SOME_REFUSED)
        return exits.DONE
