"""Zygotes of one reader: replaced after a death by signal, not by a flood of them, and never leaked."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

import anyio
import psutil
import pytest

from fumehood import Kind, Limits, Reader, Refusal, kinds
from fumehood.sandbox import child, examine, held, host, jobs, spawn
from fumehood.sandbox.family import Zygote
from fumehood.sandbox.layers import Layer


@pytest.fixture
async def reader(anyio_backend: str) -> AsyncIterator[Reader]:
    holding = held.count()
    async with Reader(workers=1) as reader:
        await reader.read("obedient", b"say warm")
        yield reader
    assert held.count() == holding


def zygote(reader: Reader) -> Any:
    family = reader._opened()._families["kind:obedient"]
    return family.zygote


async def until_replaced(reader: Reader, old: Any) -> None:
    with anyio.fail_after(10):
        while zygote(reader) is old or old.alive:
            await anyio.sleep(0.01)


async def crash(reader: Reader, kind: str = "obedient") -> None:
    with pytest.raises(Refusal) as caught:
        await reader.read(kind, b"abort")
    assert caught.value.code == "crashed"


@pytest.mark.anyio
async def test_a_death_by_signal_brings_a_new_zygote_and_ends_the_old_one(reader: Reader) -> None:
    old = zygote(reader)
    await crash(reader)
    assert (await reader.read("obedient", b"say meanwhile")).text == "meanwhile"
    await until_replaced(reader, old)
    assert (await reader.read("obedient", b"say after")).text == "after"


@pytest.mark.anyio
async def test_a_flood_of_crashes_does_not_flood_us_with_zygotes(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = 0
    start = Zygote.start

    async def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal started
        started += 1
        return await start(*arguments, **named)

    monkeypatch.setattr(Zygote, "start", counted)
    monkeypatch.setattr(host, "_REPLACE_EVERY_SECONDS", 3600.0)
    old = zygote(reader)
    for _ in range(20):
        await crash(reader)
    assert started <= 1
    if started:
        await until_replaced(reader, old)
    assert (await reader.read("obedient", b"say x")).text == "x"


@pytest.mark.anyio
async def test_an_ordinary_refusal_keeps_the_zygote(reader: Reader) -> None:
    old = zygote(reader)
    for order in (b"raise ValueError", b"exit 3", b"refuse encrypted"):
        with pytest.raises(Refusal):
            await reader.read("obedient", order)
    assert zygote(reader) is old


@pytest.mark.anyio
async def test_a_worn_zygote_is_replaced(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "DOCUMENTS_PER_ZYGOTE", 2)
    old = zygote(reader)
    await reader.read("obedient", b"say x")
    await until_replaced(reader, old)
    assert (await reader.read("obedient", b"say y")).text == "y"


@pytest.mark.anyio
async def test_a_spare_that_died_waiting_costs_nothing_but_another(reader: Reader) -> None:
    for spare in list(zygote(reader)._spares):
        await spare.wait_arrived()
        spare.kill()
    assert (await reader.read("obedient", b"say x")).text == "x"


@pytest.mark.anyio
@pytest.mark.parametrize("spares", [0, 1])
async def test_a_zygote_that_has_just_died_is_replaced_by_the_read_that_finds_out(reader: Reader, spares: int) -> None:
    """Before the event loop has heard of it: the read must not give up on the loader, which is sound."""
    old = zygote(reader)
    while len(old._spares) > spares:
        old.discard(old._spares[0])
    outer = psutil.Process(old.pid)
    for process in (*outer.children(), outer):
        process.kill()
    time.sleep(0.1)  # Not the event loop's: it must not hear.
    assert old.alive
    assert (await reader.read("obedient", b"say x")).text == "x"
    assert not old.alive


@pytest.mark.anyio
@pytest.mark.parametrize("order", [b"say x", b"sleep 30"])
async def test_a_zygote_that_is_stuck_is_given_up(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, order: bytes
) -> None:
    """Stopped, for one, by a debugger or an administrator: no caller waits for ever."""
    monkeypatch.setattr(child, "_ANSWER_SECONDS", 0.5)
    stuck = zygote(reader)
    outer = psutil.Process(stuck.pid)
    inner = outer.children()[0]
    inner.suspend()
    try:
        await reader.read("obedient", order, limits=Limits(wall_seconds=1.0))
    except Refusal as refusal:
        assert refusal.code in ("wall-clock", "crashed")  # noqa: PT017 - either way of noticing is right
    assert (await reader.read("obedient", b"say next")).text == "next"
    assert not stuck.alive
    assert psutil.wait_procs([inner], timeout=5)[1] == []


@pytest.mark.anyio
async def test_a_family_that_fails_its_proof_is_read_only_by_who_accepts_it(
    anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failed(_zygote: Any, _report: Any) -> Layer:
        return Layer("seccomp", "absent", why="not killed for it")

    async with Reader(workers=1) as reader:
        await reader.layers()
        monkeypatch.setattr(examine, "probe", failed)
        with pytest.raises(Refusal, match="seccomp") as caught:
            await reader.read("obedient", b"say x")
        assert caught.value.code == "sandbox-unavailable"
        document = await reader.read("obedient", b"say x", require=())
        assert document.receipt is not None
        assert "seccomp" not in document.receipt.layers
        plain = await reader.read("text", b"x")
        assert plain.receipt is not None
        assert "seccomp" in plain.receipt.layers


@pytest.mark.anyio
async def test_a_sealed_zygote_forks_no_canary(reader: Reader) -> None:
    """A canary runs with layers left out; asked for one, a zygote ends rather than fork it, and another reads on."""
    old = zygote(reader)
    worker = old.fork(canary=True)
    with pytest.raises(child.ZygoteFailed):
        await worker.wait_arrived()
    old.discard(worker)
    assert not old.alive
    assert (await reader.read("obedient", b"say after")).text == "after"


@pytest.mark.anyio
async def test_a_sealed_zygote_tries_no_layers(reader: Reader) -> None:
    old = zygote(reader)
    with pytest.raises(child.ZygoteFailed):
        await old.witness()
    assert not old.alive
    assert (await reader.read("obedient", b"say after")).text == "after"


_WORKERS_WITHOUT_LANDLOCK = """
import sys, types
sys.path += sys.argv[2:]
from fumehood.sandbox import worker, zygote
def refuse():
    raise OSError(38, "not to be had")
worker.landlock = types.SimpleNamespace(install=refuse)
zygote.main(int(sys.argv[1]))
"""
"""The canary installs its own, so that the layer is witnessed and then fails in every worker."""


@pytest.mark.anyio
async def test_a_worker_that_cannot_install_what_was_witnessed_reads_nothing(
    anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spawn, "_BOOT", _WORKERS_WITHOUT_LANDLOCK)
    async with Reader(workers=1, require=()) as reader:
        states = {layer.name: layer.state for layer in await reader.layers()}
        assert states["landlock"] == "enforced"
        with pytest.raises(Refusal, match="landlock") as caught:
            await reader.read("text", b"x")
    assert caught.value.code == "sandbox-unavailable"


# ---- kinds that come and go ------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_a_zygote_whose_kind_was_taken_out_has_no_successor(reader: Reader) -> None:
    with kinds.registered(Kind("gone", "obedient")):
        await crash(reader, "gone")
    await anyio.sleep(0.1)
    assert (await reader.read("obedient", b"say still here")).text == "still here"


@pytest.mark.anyio
async def test_a_kind_registered_anew_while_its_zygote_is_replaced_has_one_in_the_end(reader: Reader) -> None:
    with kinds.registered(Kind("anew", "obedient")):
        await crash(reader, "anew")
    with kinds.registered(Kind("anew", "elements")):
        assert (await reader.read("anew", b"<new/>")).text == "new"
        with anyio.fail_after(10):
            while sum(each.family == "kind:anew" for each in reader._opened().zygotes()) > 1:
                await anyio.sleep(0.01)
        assert (await reader.read("anew", b"<newer/>")).text == "newer"


# ---- bugs of ours in what is done beside the reads -------------------------------------------------------


def raising(bug: Exception) -> Any:
    async def act(*_arguments: Any, **_named: Any) -> Any:
        raise bug

    return act


@pytest.mark.anyio
async def test_a_bug_in_replacing_a_zygote_ends_no_read(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    old = zygote(reader)
    with monkeypatch.context() as spoilt:
        spoilt.setattr(Zygote, "start", raising(LookupError("a bug")))
        await crash(reader)
        assert (await reader.read("obedient", b"say meanwhile")).text == "meanwhile"
        assert zygote(reader) is old
    assert "a bug" in caplog.text
    monkeypatch.setattr(host, "_REPLACE_EVERY_SECONDS", 0.0)
    await crash(reader)
    await until_replaced(reader, old)
    assert (await reader.read("obedient", b"say after")).text == "after"


@pytest.mark.anyio
async def test_a_bug_in_ending_a_zygote_ends_no_read_and_leaves_no_process(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is ended at last when the reader is closed."""
    old = zygote(reader)
    with monkeypatch.context() as spoilt:
        spoilt.setattr(Zygote, "end", raising(LookupError("a bug")))
        await crash(reader)
        with anyio.fail_after(10):
            while "a bug" not in caplog.text:
                await anyio.sleep(0.01)
        assert (await reader.read("obedient", b"say after")).text == "after"
    assert zygote(reader) is not old
    assert old in reader._opened()._all


@pytest.mark.anyio
async def test_a_zygote_that_cannot_be_ended_keeps_none_of_the_others(
    anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = Zygote.end

    async def spoilt(one: Zygote) -> None:
        if one.family == "kind:obedient":
            raise LookupError("a bug")
        await end(one)

    reader = await Reader(workers=1).__aenter__()
    await reader.read("obedient", b"say x")
    processes = [psutil.Process(process.pid) for process in reader.processes()]
    left = zygote(reader)
    monkeypatch.setattr(Zygote, "end", spoilt)
    with pytest.raises(ExceptionGroup) as caught:
        await reader.__aexit__(None, None, None)
    assert caught.group_contains(LookupError, match="a bug")
    assert len({process.pid for process in processes}) > 4
    assert psutil.wait_procs(processes, timeout=5)[1] == []
    await end(left)


@pytest.mark.anyio
async def test_a_zygote_whose_witnesses_fail_is_not_left_behind(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It starts beside the zygote of the plain kinds, whose canaries prove it; these fail here."""
    async with Reader(workers=1) as other:
        for bug in (LookupError("a bug"), child.ZygoteFailed("plain", "went away")):
            monkeypatch.setattr(examine, "examine", raising(bug))
            with pytest.raises((LookupError, Refusal)):
                await other.read("obedient", b"say x")
            assert other._opened()._all == set()
        monkeypatch.undo()
        with anyio.fail_after(10):
            await anyio.sleep(host._RETRY_SECONDS)
            assert (await other.read("obedient", b"say x")).text == "x"
    assert (await reader.read("obedient", b"say y")).text == "y"


@pytest.mark.anyio
async def test_a_bug_in_reading_is_that_callers_alone(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as spoilt:
        spoilt.setattr(jobs._Run, "converse", raising(LookupError("a bug")))
        with pytest.raises(LookupError, match="a bug"):
            await reader.read("obedient", b"say x")
    assert (await reader.read("obedient", b"say y")).text == "y"
