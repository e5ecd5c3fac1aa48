"""A worker: waits, locks itself down, reads one document, replies, and is gone.

Everything before `_read` is trusted code that has not seen a byte of the document.
"""

from __future__ import annotations

import collections
import contextlib
import errno
import gc
import os
import resource
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, NoReturn, cast

from fumehood import kinds
from fumehood.errors import Refusal, refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.builder import Builder
from fumehood.sandbox import descriptors, frames, landlock, loading, messages, privileges, rlimits, seccomp, timer
from fumehood.sandbox.layers import LayerName

_INPUT_PIECE: Final = 1024 * 1024
_WRITE_BYTES: Final = 64 * 1024
_EXPLANATION: Final = 500
_PLACES: Final = 8
_REHEARSALS: Final = 8
"""CPython 3.11 specialises a function's instructions at its eighth call (`co_warmup`), later ones sooner."""
_REHEARSAL_SECONDS: Final = 0.2
_GC_THRESHOLDS: Final = (50_000, 20, 100)
"""A worker lives for one document: the default thresholds cost a PDF 15 % (measured) and free little."""


class Inherited(NamedTuple):
    """What a worker takes over from its zygote."""

    size: rlimits.Size
    zygote: int
    """Process id of the zygote as the worker sees it."""
    filter: seccomp.Filter | None
    """None on a machine whose system calls we do not know."""
    ballast: Sequence[object] = ()
    """Held, so that the places it fills stay filled; see `ballast.py`."""


def rehearse(members: Iterable[kinds.Kind], family: str) -> None:
    """Reads specimens in turn, and makes the replies, until the interpreter knows how; called once, in the zygote.

    Every worker would find it out anew otherwise, in pages of code that it has to copy for it. Where that takes long
    it is left, so that nobody waits for the first document; what a second reading raises is for the first worker to
    meet.
    """
    until = time.monotonic() + _REHEARSAL_SECONDS
    for kind in (*members,) * _REHEARSALS:
        if time.monotonic() > until:
            break
        with contextlib.suppress(Exception):
            for out in loading.read_specimen(kind, family):
                collections.deque(_reply(out, Budget(Limits())), maxlen=0)


def main(
    channel: int, reply: int, stderr: int, inherited: Inherited, canary: Callable[[], None] | None = None
) -> NoReturn:
    """Runs the worker to its end. Never returns, whatever happens.

    `canary` is done in place of the document, behind every layer; a sealed zygote never passes one.
    """
    try:
        _wait_and_read(channel, reply, stderr, inherited, canary)
        os._exit(0)
    except BaseException:
        # Nothing of what a parser said may be printed, and no handler of the zygote's may run.
        os._exit(1)


def _wait_and_read(
    channel: int, reply: int, stderr: int, inherited: Inherited, canary: Callable[[], None] | None
) -> None:
    installed: list[LayerName] = []
    trouble: list[LayerName] = []

    def layer(name: LayerName, install: Callable[[], None]) -> None:
        try:
            install()
        except (OSError, ValueError):
            trouble.append(name)
        else:
            installed.append(name)

    layer("parent-death", lambda: privileges.die_with_parent(inherited.zygote))
    layer("dumpable", privileges.not_dumpable)
    descriptors.waiting(channel, reply, stderr)
    # Already here, since it needs nothing of the job: less is left to do once somebody waits for an answer.
    layer("landlock", landlock.install)
    load_filter = _unknown_machine if inherited.filter is None else inherited.filter.prepare()
    with socket.socket(fileno=descriptors.CHANNEL) as waiting:
        received, passed = messages.receive(waiting)
    if received is None:
        return
    job = cast("messages.Job", received)
    base_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    layer("descriptors", lambda: descriptors.working(passed[0]))
    with contextlib.suppress(OSError, KeyError):  # Behind the parent's deadline, which is the layer.
        timer.install(job.limits.wall_seconds)
    # Before seccomp, which forbids it; counted from the zygote's own size.
    layer("rlimits", lambda: rlimits.install(inherited.size, job.limits.heap_bytes, job.limits.cpu_seconds))
    layer("seccomp", load_filter)
    lacking = [name for name in job.must if name in trouble]
    if lacking:
        _write([frames.refused(refusal("sandbox-unavailable", stage="ingress", detail=", ".join(lacking)).facts)])
        return
    _write([frames.started(installed, base_bytes)])
    gc.set_threshold(*_GC_THRESHOLDS)
    gc.enable()
    if canary is not None:
        canary()
        return
    _answer(job)


def _unknown_machine() -> None:
    raise OSError(errno.ENOTSUP, "no system call table for this machine")


def _answer(job: messages.Job) -> None:
    # Made while there is memory to make it with; even the smallest object may be too much later.
    out_of_memory = frames.refused(refusal("memory", limit="heap_bytes", bound=job.limits.heap_bytes).facts)
    try:
        _read_or_refuse(job)
    except MemoryError:
        os.write(descriptors.REPLY, out_of_memory)


def _read_or_refuse(job: messages.Job) -> None:
    try:
        _read(job)
    except Refusal as refused:
        with contextlib.suppress(BaseException):  # The parser's error has words of its own making, or none.
            _explain(refused.__context__)
        _write([frames.refused(refused.facts)])


def _explain(error: BaseException | None) -> None:
    """Says on stderr what a parser raised and where, for whoever mends a loader; the parent logs it at DEBUG, escaped."""
    if error is None:
        return
    places = []
    trace = error.__traceback__
    while trace is not None:
        places.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    words = f"{type(error).__name__}: {error}"[:_EXPLANATION] + " at " + " < ".join(places[: -_PLACES - 1 : -1])
    with contextlib.suppress(OSError, UnicodeError):
        os.write(descriptors.STDERR, words.encode("utf-8", "backslashreplace"))


def _read(job: messages.Job) -> None:
    data = _input()
    if job.sniff:
        _write([frames.sniffed(loading.sniff(data, job.hint, job.limits))])
        return
    budget = Budget(job.limits)
    out = loading.load(kinds.get(job.kind), data, job.limits, job.options, budget)
    del data
    _write(_reply(out, budget))


def _reply(out: Builder, budget: Budget) -> Iterable[bytes]:
    head = frames.Head(out.title, out.metadata)
    return frames.document(head, out.text_parts(), out.blocks, out.links, out.notices, budget.used("inflated_bytes"))


def _input() -> bytes:
    """The whole document. Its descriptor is sealed, so its size cannot change."""
    size = os.lseek(descriptors.INPUT, 0, os.SEEK_END)
    os.lseek(descriptors.INPUT, 0, os.SEEK_SET)
    pieces = []
    while size > 0 and (piece := os.read(descriptors.INPUT, min(size, _INPUT_PIECE))):
        pieces.append(piece)
        size -= len(piece)
    os.close(descriptors.INPUT)
    return b"".join(pieces)


def _write(replies: Iterable[bytes]) -> None:
    """Writes frames, small ones together: each write wakes the parent."""
    pending = bytearray()
    for reply in replies:
        pending += reply
        if len(pending) >= _WRITE_BYTES:
            _write_all(pending)
            pending = bytearray()
    _write_all(pending)


def _write_all(reply: bytearray) -> None:
    view = memoryview(reply)
    while view:
        view = view[os.write(descriptors.REPLY, view) :]
