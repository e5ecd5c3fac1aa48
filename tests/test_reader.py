"""The one way in: what a caller of `Reader` and `read_isolated` relies on."""

from __future__ import annotations

import array
import asyncio
import contextlib
import gc
import hashlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest

import fumehood
from fumehood import Document, Limits, Reader, ReadOptions, Refusal, read_isolated
from fumehood.sandbox import held, jobs
from fumehood.sandbox.jobs import Finished

SUPPORT = Path(__file__).parent / "support"


def children() -> list[psutil.Process]:
    """Our processes that are alive; a zombie is gone but for its parent's notice."""
    return [
        process for process in psutil.Process().children(recursive=True) if process.status() != psutil.STATUS_ZOMBIE
    ]


def wait_until(condition: Any, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return bool(condition())


@pytest.fixture
async def reader(anyio_backend: str) -> AsyncIterator[Reader]:
    async with Reader(workers=2) as reader:
        yield reader


def refused(kind: str, data: bytes, **arguments: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        read_isolated(kind, data, **arguments)
    return caught.value


# ---- the ordinary read -----------------------------------------------------------------------------------


def test_a_read_gives_the_document_and_a_receipt() -> None:
    document = read_isolated("obedient", b"say hello")
    assert document.text == "hello"
    assert document.kind == "obedient"
    receipt = document.receipt
    assert receipt is not None
    assert receipt.size == 9
    assert receipt.sha256 == hashlib.sha256(b"say hello").hexdigest()
    assert receipt.loader == "obedient"
    assert {"seccomp", "rlimits", "no-new-privs"} <= set(receipt.layers)
    assert 0 < receipt.wall_seconds < 5


@pytest.mark.parametrize(
    "data",
    [b"say x", bytearray(b"say x"), memoryview(b"say x"), memoryview(b"s.a.y. .x")[::2], array.array("B", b"say x")],
)
def test_any_bytes_like_object_is_read_and_left_as_it_is(data: Any) -> None:
    before = bytes(memoryview(data))
    assert read_isolated("obedient", data).text == "x"
    assert bytes(memoryview(data)) == before


def test_a_bytearray_can_be_changed_after_the_read() -> None:
    data = bytearray(b"say x")
    read_isolated("obedient", data)
    data.append(1)  # BufferError if a view were left behind.


def test_each_document_has_a_process_of_its_own_and_leaves_nothing_in_the_next() -> None:
    read_isolated("obedient", b"mutate yes")
    assert "MUTATED" not in read_isolated("obedient", b"environment").text


def test_the_environment_of_a_worker_holds_nothing_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    fumehood.close_default_reader()
    monkeypatch.setenv("DATABASE_PASSWORD", "hunter2")
    assert "hunter2" not in read_isolated("obedient", b"environment").text


# ---- the caller's mistakes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"kind": "dox"}, ValueError, "the kinds are auto"),
        ({"kind": None}, TypeError, "kind"),
        ({"data": "text"}, TypeError, "bytes"),
        ({"data": 7}, TypeError, "bytes"),
        ({"limits": {"pages": 3}}, TypeError, "Limits"),
        ({"options": {"password": "x"}}, TypeError, "ReadOptions"),
        ({"options": ReadOptions(password="x")}, TypeError, "no option password"),
        ({"options": ReadOptions(lenient=True)}, TypeError, "no option lenient"),
        ({"kind": "text", "options": ReadOptions(charset="klingon")}, ValueError, "klingon"),
        ({"kind": "text", "options": ReadOptions(charset="rot13")}, ValueError, "rot13"),
        ({"kind": "text", "options": ReadOptions(charset=7)}, TypeError, "charset"),  # type: ignore[arg-type]
        ({"kind": "pdf", "options": ReadOptions(engine="acrobat")}, ValueError, "acrobat"),
        ({"kind": "auto", "options": ReadOptions(engine="acrobat")}, ValueError, "acrobat"),
        ({"require": "seccomp"}, TypeError, "set of names"),
        ({"require": {"selinux"}}, ValueError, "selinux"),
        ({"name": 3}, TypeError, "file name"),
    ],
)
def test_a_mistake_in_the_call_is_no_refusal_and_starts_nothing(
    arguments: dict[str, Any], error: type[Exception], says: str
) -> None:
    fumehood.close_default_reader()
    before = children()
    with pytest.raises(error, match=says):
        read_isolated(**({"kind": "obedient", "data": b"say x"} | arguments))
    assert children() == before


@pytest.mark.parametrize(("name", "value"), [("workers", 0), ("queue", -1)])
def test_a_reader_takes_sensible_sizes_only(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=name):
        Reader(**{name: value})  # type: ignore[arg-type]


def test_a_loader_that_cannot_be_imported_is_an_import_error() -> None:
    fumehood.register(fumehood.Kind("broken", "no_such_module"))
    with pytest.raises(ImportError, match="no_such_module"):
        read_isolated("broken", b"")
    began = time.monotonic()
    for _ in range(50):  # It is not tried anew for every document.
        with pytest.raises(ImportError, match="no_such_module"):
            read_isolated("broken", b"")
    assert time.monotonic() - began < 5


# ---- refusals --------------------------------------------------------------------------------------------


def test_a_large_input_is_refused_before_a_worker_is_taken() -> None:
    fumehood.close_default_reader()
    seen = refused("obedient", b"x" * 11, limits=Limits(input_bytes=10))
    assert (seen.code, seen.limit, seen.bound, seen.observed, seen.stage) == (
        "input-too-large",
        "input_bytes",
        10,
        11,
        "ingress",
    )


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (b"raise ValueError", "malformed"),
        (b"raise SystemExit", "malformed"),
        (b"raise MemoryError", "memory"),
        (b"raise RecursionError", "nesting"),
        (b"recurse", "nesting"),
        (b"allocate 600", "memory"),
        (b"abort", "crashed"),
        (b"exit 0", "bad-reply"),
        (b"exit 3", "crashed"),
        (b"spend nodes 2000001", "nodes"),
        (b"refuse encrypted", "encrypted"),
        (b"refuse wall-clock", "bad-reply"),
        (b"fill %d x" % (Limits().output_bytes + 1), "output-too-large"),
    ],
)
def test_every_way_to_fail_has_its_code(order: bytes, code: str) -> None:
    seen = refused("obedient", order)
    assert seen.code == code
    assert "secret" not in str(seen.to_dict())


def test_the_deadline_holds() -> None:
    began = time.monotonic()
    seen = refused("obedient", b"sleep 30", limits=Limits(wall_seconds=0.3))
    assert (seen.code, seen.bound) == ("wall-clock", 0.3)
    assert time.monotonic() - began < 5


def test_processor_time_holds() -> None:
    assert refused("obedient", b"spin", limits=Limits(cpu_seconds=1)).code == "cpu-time"


def test_what_is_required_and_missing_is_named() -> None:
    seen = refused("obedient", b"say x", require={"cgroup"})
    assert seen.code == "sandbox-unavailable"
    assert "cgroup" in str(seen)
    assert "require" in str(seen)


def test_a_lower_requirement_is_met() -> None:
    assert read_isolated("obedient", b"say x", require=()).text == "x"


def test_what_is_required_can_be_checked_before_anything_is_read() -> None:
    async def check(require: set[str]) -> None:
        async with Reader(require=require) as reader:
            await reader.check()

    anyio.run(check, set(), backend="trio")
    with pytest.raises(Refusal, match="cgroup required"):
        anyio.run(check, {"cgroup"}, backend="trio")


# ---- asynchronous ----------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_many_reads_at_once_give_each_its_own(reader: Reader) -> None:
    seen: dict[int, str] = {}

    async def read(number: int) -> None:
        seen[number] = (await reader.read("obedient", b"say %d" % number)).text

    async with anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(read, number)
    assert seen == {number: str(number) for number in range(8)}


@pytest.mark.anyio
async def test_beyond_the_queue_is_overloaded(reader: Reader) -> None:
    codes: list[str] = []

    async def read() -> None:
        try:
            await reader.read("obedient", b"sleep 0.2")
            codes.append("read")
        except Refusal as refusal:
            codes.append(refusal.code)

    async with anyio.create_task_group() as tasks:
        for _ in range(2 + 8 + 3):
            tasks.start_soon(read)
    assert codes.count("overloaded") == 3
    assert codes.count("read") == 10


@pytest.mark.anyio
async def test_a_flood_holds_no_more_than_the_workers_have_and_the_queue_takes(anyio_backend: str) -> None:
    """Who waits has not been copied, who is refused leaves nothing: copies of documents are as many as workers."""
    codes: list[str] = []
    copies: list[int] = []
    processes: list[int] = []

    async def read(reader: Reader) -> None:
        try:
            await reader.read("obedient", b"say x" + b" " * 100_000)
            codes.append("read")
        except Refusal as refusal:
            codes.append(refusal.code)

    others = len(children())  # Of the reader behind `read_isolated`.
    async with Reader(workers=2, queue=3) as reader:
        await reader.read("obedient", b"say x")
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                for _ in range(50):
                    tasks.start_soon(read, reader)
                await anyio.sleep(0.002)
                copies.append(_copies_of_documents())
                processes.append(len(psutil.Process().children(recursive=True)))
    assert len(codes) == 500
    assert set(codes) == {"read", "overloaded"}
    assert codes.count("read") >= 2 + 3
    assert max(copies) <= 2
    # Two zygotes of two processes each; two workers at work and two spare, each of which may still be reaped.
    assert max(processes) - others <= 2 * 2 + 2 * 4 + 2


def _copies_of_documents() -> int:
    names = []
    for entry in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            names.append(os.readlink(f"/proc/self/fd/{entry}"))
    return sum("fumehood-document" in name for name in names)


async def _settled(reader: Reader) -> int:
    """How many processes there are once the spares are started."""
    counts = [-1]
    while len(set(counts[-4:])) > 1 or len(counts) < 5:
        await anyio.sleep(0.1)
        counts.append(len(reader.processes()))
    return counts[-1]


@pytest.mark.anyio
async def test_cancelling_kills_the_worker_before_it_goes_on(reader: Reader) -> None:
    await reader.read("obedient", b"say warm")
    idle = await _settled(reader)
    with anyio.move_on_after(0.3) as scope:
        await reader.read("obedient", b"sleep 60")
    assert scope.cancelled_caught
    assert len(reader.processes()) <= idle
    assert (await reader.read("obedient", b"say next")).text == "next"


@pytest.mark.anyio
async def test_a_cancelled_call_starts_nothing(anyio_backend: str) -> None:
    async with Reader() as reader:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await reader.read("obedient", b"say x")
        assert scope.cancelled_caught
        assert reader.processes() == []


def our_threads() -> set[threading.Thread]:
    """All but those that trio keeps for a while in case somebody wants one again."""
    return {thread for thread in threading.enumerate() if not thread.name.startswith("Trio thread")}


@pytest.mark.anyio
async def test_leaving_the_block_leaves_nothing(anyio_backend: str) -> None:
    fumehood.close_default_reader()
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    holding, processes, threads = held.count(), len(children()), our_threads()
    async with Reader(workers=3) as reader:
        await reader.read("obedient", b"say x")
        await reader.read("text", b"x")
    assert len(children()) == processes
    assert held.count() == holding
    assert len(os.listdir("/proc/self/fd")) == before
    assert our_threads() <= threads


@pytest.mark.anyio
async def test_reads_of_other_tasks_are_cancelled_when_the_block_is_left(anyio_backend: str) -> None:
    """They were `crashed`, which makes a document suspect, whenever a service was stopped."""
    codes: list[str] = []

    async def read(reader: Reader) -> None:
        try:
            await reader.read("obedient", b"sleep 20")
        except Refusal as refusal:
            codes.append(refusal.code)

    reader = Reader(workers=2, queue=3)
    async with anyio.create_task_group() as tasks, reader:
        await reader.read("obedient", b"say warm")
        for _ in range(5):
            tasks.start_soon(read, reader)
        await anyio.sleep(0.2)
    assert codes == ["cancelled"] * 5
    async with reader:
        assert (await reader.read("obedient", b"say again")).text == "again"


@pytest.mark.anyio
async def test_a_read_may_end_after_the_reader_is_closed(monkeypatch: pytest.MonkeyPatch, anyio_backend: str) -> None:
    """As on a busy machine, where its task gets no turn before."""
    run, codes, closed = jobs.run, [], anyio.Event()

    async def late(*arguments: Any, **options: Any) -> Finished:
        finished = await run(*arguments, **options)
        with anyio.CancelScope(shield=True):
            await closed.wait()
        return finished

    async def read(reader: Reader) -> None:
        try:
            await reader.read("obedient", b"sleep 20")
        except Refusal as refusal:
            codes.append(refusal.code)

    async with anyio.create_task_group() as tasks:
        async with Reader() as reader:
            await reader.read("obedient", b"say warm")
            monkeypatch.setattr(jobs, "run", late)
            tasks.start_soon(read, reader)
            await anyio.sleep(0.2)
        closed.set()
    assert codes == ["cancelled"]


@pytest.mark.anyio
async def test_the_callers_own_exception_leaves_the_block_as_itself(anyio_backend: str) -> None:
    async def fail() -> None:
        async with Reader() as reader:
            await reader.read("obedient", b"say x")
            raise KeyError

    holding = held.count()
    with pytest.raises(KeyError):
        await fail()
    assert held.count() == holding


@pytest.mark.anyio
async def test_a_closed_reader_says_so(anyio_backend: str) -> None:
    reader = Reader()
    with pytest.raises(RuntimeError, match="async with"):
        await reader.read("obedient", b"say x")


def kill_zygotes(reader: Reader, family: str) -> None:
    for info in reader.processes():
        if info.family == family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(info.pid, signal.SIGKILL)


@pytest.mark.anyio
async def test_a_zygote_that_dies_is_replaced(reader: Reader) -> None:
    await reader.read("obedient", b"say x")
    kill_zygotes(reader, "kind:obedient")
    assert (await reader.read("obedient", b"say again")).text == "again"


@pytest.mark.anyio
async def test_a_document_in_flight_when_the_zygote_dies_is_refused(reader: Reader) -> None:
    await reader.read("obedient", b"say x")
    codes: list[str] = []

    async def read() -> None:
        try:
            await reader.read("obedient", b"sleep 30")
        except Refusal as refusal:
            codes.append(refusal.code)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        await anyio.sleep(0.3)
        kill_zygotes(reader, "kind:obedient")
    assert codes == ["crashed"]
    assert (await reader.read("obedient", b"say next")).text == "next"


@pytest.mark.anyio
async def test_the_event_loop_is_not_held_by_a_large_reply(reader: Reader) -> None:
    await reader.read("obedient", b"say x")
    longest = 0.0
    reading = True

    async def heartbeat() -> None:
        nonlocal longest
        last = time.perf_counter()
        while reading:
            await anyio.sleep(0.001)
            now = time.perf_counter()
            longest, last = max(longest, now - last), now

    size = Limits().output_bytes - 1_000
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(heartbeat)
        document = await reader.read("obedient", b"fill %d x" % size)
        reading = False
    assert len(document.text) == size
    # A quiet machine stays under 20 ms; this one is shared, so only the order of magnitude is asserted.
    assert longest < 0.5


# ---- threads, forks, signals, the end of the interpreter -------------------------------------------------


def test_many_threads_share_one_reader() -> None:
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda number: read_isolated("obedient", b"say %d" % number).text, range(40)))
    assert texts == [str(number) for number in range(40)]


def test_it_works_while_the_callers_own_loop_runs() -> None:
    async def main() -> Document:
        return read_isolated("obedient", b"say x")

    assert asyncio.run(main()).text == "x"


def script(code: str, **arguments: Any) -> subprocess.Popen[str]:
    preamble = f"import sys; sys.path.append({str(SUPPORT)!r})\nimport fumehood, os, signal, time\n# A shell starts what it puts into the background with this ignored.\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nfumehood.register(fumehood.Kind('obedient', 'obedient'))\n"
    return subprocess.Popen(
        [sys.executable, "-c", preamble + textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **arguments,
    )


def family_of(pid: int) -> set[int]:
    return {process.pid for process in psutil.Process(pid).children(recursive=True)}


def all_gone(pids: set[int]) -> bool:
    def alive(pid: int) -> bool:
        try:
            return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    return not any(map(alive, pids))


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_to_the_application_leaves_no_process(ending: signal.Signals) -> None:
    with script(
        """
        fumehood.read_isolated("obedient", b"say x")
        print("ready", flush=True)
        fumehood.read_isolated("obedient", b"sleep 60")
        """
    ) as application:
        assert application.stdout is not None
        assert application.stdout.readline() == "ready\n"
        time.sleep(0.2)
        pids = family_of(application.pid)
        assert pids
        application.send_signal(ending)
        application.wait(10)
        if ending == signal.SIGINT:
            assert application.stderr is not None
            assert "KeyboardInterrupt" in application.stderr.read()
    assert wait_until(lambda: all_gone(pids), 1.0)


def test_the_end_of_the_interpreter_leaves_no_process_and_says_nothing() -> None:
    with script(
        """
        print(fumehood.read_isolated("obedient", b"say x").text)
        import psutil
        print(*[child.pid for child in psutil.Process().children(recursive=True)], flush=True)
        """
    ) as application:
        out, err = application.communicate(timeout=30)
    text, pids = out.splitlines()
    assert text == "x"
    assert err == ""
    assert application.returncode == 0
    assert wait_until(lambda: all_gone({int(pid) for pid in pids.split()}), 1.0)


def test_a_process_at_its_limit_of_descriptors_is_refused_and_loses_none() -> None:
    """Wherever in a read it meets it: the first one too, which starts and witnesses zygotes."""
    with script(
        """
        import anyio, resource
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        def count():
            return len(os.listdir("/proc/self/fd")) - 1
        async def main():
            for left in range(0, 21, 2):
                before = count()
                async with fumehood.Reader(workers=2) as reader:
                    resource.setrlimit(resource.RLIMIT_NOFILE, (count() + left, hard))
                    try:
                        said = (await reader.read("text", b"some")).text
                    except fumehood.Refusal as refused:
                        said = refused.code
                    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
                    after = (await reader.read("text", b"more")).text
                print(said, after, count() - before, flush=True)
        anyio.run(main)
        """
    ) as application:
        out, err = application.communicate(timeout=60)
    lines = out.splitlines()
    assert set(lines) == {"sandbox-unavailable more 0", "some more 0"}, err
    assert len(lines) == 11


def test_a_forked_child_has_a_zygote_of_its_own() -> None:
    with script(
        """
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)   # Python 3.12 warns of any fork beside threads.
        from fumehood.sandbox import held
        import psutil
        fumehood.read_isolated("obedient", b"say x")
        theirs = {child.pid for child in psutil.Process().children(recursive=True)}
        pid = os.fork()
        if pid == 0:
            assert held.count() == 0
            assert fumehood.read_isolated("obedient", b"say child").text == "child"
            ours = {child.pid for child in psutil.Process().children(recursive=True)}
            assert ours and not ours & theirs
            fumehood.close_default_reader()
            assert not psutil.Process().children(recursive=True)
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        assert status == 0, status
        assert fumehood.read_isolated("obedient", b"say parent").text == "parent"
        print("done")
        """
    ) as application:
        out, err = application.communicate(timeout=60)
    assert out == "done\n", err


def test_an_interrupted_read_ends_its_worker_and_the_next_read_works() -> None:
    with script(
        """
        import psutil, signal, threading
        fumehood.read_isolated("obedient", b"say x")
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            fumehood.read_isolated("obedient", b"sleep 60")
        except KeyboardInterrupt:
            print("interrupted")
        print(fumehood.read_isolated("obedient", b"say next").text)
        """
    ) as application:
        out, err = application.communicate(timeout=30)
    assert out == "interrupted\nnext\n", err


def test_closing_while_threads_read_answers_every_one() -> None:
    answers: list[str] = []

    def read() -> None:
        try:
            read_isolated("obedient", b"sleep 30")
        except Refusal as refusal:
            answers.append(refusal.code)

    read_isolated("obedient", b"say x")
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    fumehood.close_default_reader()
    for thread in threads:
        thread.join(10)
    assert answers == ["cancelled"] * 4
    assert read_isolated("obedient", b"say next").text == "next"


@pytest.fixture(autouse=True, scope="module")
def _end() -> Iterator[None]:
    before = children()
    yield
    fumehood.close_default_reader()
    assert set(children()) <= set(before)


# ---- kinds from outside ----------------------------------------------------------------------------------


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone afterwards."""
    monkeypatch.setattr("fumehood.kinds._registry", {kind.name: kind for kind in fumehood.kinds.kinds()})


@pytest.mark.usefixtures("outside")
def test_a_kind_that_is_registered_anew_is_read_by_its_new_loader() -> None:
    """Also where a worker of the old one waits already."""
    fumehood.register(fumehood.Kind("twice", "obedient"))
    assert read_isolated("twice", b"say old").text == "old"
    fumehood.register(fumehood.Kind("twice", "elements"))
    document = read_isolated("twice", b"<new/>")
    assert document.text == "new"
    assert document.receipt is not None
    assert document.receipt.loader == "elements"


@pytest.mark.usefixtures("outside")
def test_a_kind_whose_loader_was_mended_is_not_held_to_its_failure() -> None:
    fumehood.register(fumehood.Kind("mended", "no_such_module"))
    with pytest.raises(ImportError):
        read_isolated("mended", b"say x")
    fumehood.register(fumehood.Kind("mended", "obedient"))
    assert read_isolated("mended", b"say x").text == "x"


@pytest.mark.usefixtures("outside")
def test_a_kind_from_outside_is_found_by_its_extension() -> None:
    fumehood.register(fumehood.Kind("told", "obedient", extensions=("told",)))
    assert read_isolated("auto", b"say x", name="a.told").kind == "told"
    assert read_isolated("auto", b"say x", name="a.txt").kind == "text"
    # Also where it starts like mail: its loader was asked, and knows no such order.
    assert refused("auto", b"From: a\nTo: b\nSubject: c\n\nd", name="a.told").code == "malformed"


@pytest.mark.usefixtures("outside")
def test_a_kind_from_outside_for_a_format_that_is_recognised_is_found_by_content() -> None:
    picture = b"\x89PNG\r\n\x1a\n"
    assert refused("auto", picture).detail == "png"
    fumehood.register(fumehood.Kind("png", "obedient"))
    assert refused("auto", picture).code == "malformed"  # its loader was asked


@pytest.mark.usefixtures("outside")
def test_a_built_in_kind_can_be_replaced_and_the_others_are_still_found() -> None:
    fumehood.register(fumehood.Kind("text", "obedient", extensions=("txt",)))
    assert read_isolated("auto", b"say x", name="a.txt").text == "x"
    assert read_isolated("auto", b"a,b\n1,2\n", name="a.csv").kind == "csv"
