"""A zygote that cannot be heard: its reads are told, and nobody else's are touched. The rest is in test_host.py."""

from __future__ import annotations

import logging
from typing import Any

import anyio
import psutil
import pytest

from fumehood import Reader, Refusal
from fumehood.sandbox import held, messages
from fumehood.sandbox.family import Zygote


@pytest.mark.anyio
@pytest.mark.parametrize("heard", [messages.Spawned, messages.Exited], ids=lambda message: message.__name__)
async def test_a_bug_in_hearing_a_zygote_costs_that_zygote_alone(
    anyio_backend: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, heard: type
) -> None:
    hear, holding = Zygote._hear, held.count()

    def spoilt(zygote: Zygote, message: Any, passed: list[int]) -> None:
        if zygote.family == "kind:obedient" and isinstance(message, heard):
            monkeypatch.setattr(Zygote, "_hear", hear)
            messages.close(*passed)
            raise LookupError("a bug")
        hear(zygote, message, passed)

    async with Reader(workers=2) as reader:
        assert (await reader.read("text", b"before")).text == "before"
        assert (await reader.read("obedient", b"say before")).text == "before"
        lost = next(zygote for zygote in reader._opened().zygotes() if zygote.family == "kind:obedient")
        processes = [psutil.Process(lost.pid), *psutil.Process(lost.pid).children(recursive=True)]
        monkeypatch.setattr(Zygote, "_hear", spoilt)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_answered, reader)
            assert (await reader.read("text", b"meanwhile")).text == "meanwhile"
        assert (await reader.read("obedient", b"say after")).text == "after"
        assert not lost.alive
        assert psutil.wait_procs(processes, timeout=5)[1] == []
    assert held.count() == holding
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [LookupError]
    assert caplog.records[-1].levelno == logging.ERROR


async def _answered(reader: Reader) -> None:
    """A read of the zygote that is lost: right, if that took another one, or refused as crashed."""
    try:
        assert (await reader.read("obedient", b"say x")).text == "x"
    except Refusal as refused:
        assert refused.code == "crashed"  # noqa: PT017 - either way of ending is right


@pytest.mark.anyio
async def test_a_worker_whose_descriptor_does_not_arrive_is_given_up(
    anyio_backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel drops it where the parent is at its limit of descriptors (unix(7), MSG_CTRUNC)."""
    hear, holding = Zygote._hear, held.count()
    dropped = 0

    def drop(zygote: Zygote, message: Any, passed: list[int]) -> None:
        nonlocal dropped
        if isinstance(message, messages.Spawned) and dropped < 2:
            dropped += 1
            messages.close(*passed)
            passed = []
        hear(zygote, message, passed)

    async with Reader(workers=1) as reader:
        await reader.read("obedient", b"say warm")
        (forking,) = [zygote for zygote in reader._opened().zygotes() if zygote.family == "kind:obedient"]
        while forking._spares:
            forking.discard(forking._spares[0])
        monkeypatch.setattr(Zygote, "_hear", drop)
        assert (await reader.read("obedient", b"say x")).text == "x"
    assert dropped == 2
    assert held.count() == holding
