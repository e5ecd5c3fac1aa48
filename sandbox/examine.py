"""The parent's share of the witnesses: what only it can see, and a production worker put to the proof."""

from __future__ import annotations

import os
import signal
import sys

import anyio

from fumehood.errors import Refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.policy import Limits
from fumehood.sandbox import messages
from fumehood.sandbox.child import ZygoteFailed
from fumehood.sandbox.document_file import sealed
from fumehood.sandbox.family import Zygote
from fumehood.sandbox.layers import LAYERS, PER_WORKER, Layer, LayerName, Report, enforced
from fumehood.sandbox.reply import BadReply, Reply

_DEADLINE_SECONDS = 0.01


async def examine(zygote: Zygote) -> Report:
    """Tries every layer on an unsealed zygote. Raises `ZygoteFailed`."""
    found: dict[LayerName, Layer] = {layer.name: layer for layer in await zygote.witness()}
    for layer in (_mount_namespace(zygote, found), _host_name(zygote), _cgroup(zygote), await _deadline(zygote)):
        found[layer.name] = layer
    report: Report = {name: found.get(name, Layer(name, "unwitnessed", why="nothing tried it")) for name in LAYERS}
    production = await probe(zygote, report)
    if production is not None:
        report["seccomp"] = production
    return report


async def probe(zygote: Zygote, report: Report) -> Layer | None:
    """A worker with every production layer tries a forbidden act; None if it was killed for it, as it must be."""
    must = tuple(name for name in LAYERS if name in PER_WORKER and name in enforced(report))
    if "seccomp" not in must:
        return None
    worker = zygote.fork(canary=True)
    document = await sealed(memoryview(b""))
    try:
        await worker.wait_arrived()
        job = messages.Job(zygote.kinds[0].name, False, None, Limits(), ReadOptions(), must)
        messages.send(worker.channel, job, (document.descriptor,))
        exited = await worker.wait_ended()
        said = await _started(worker.reply)
    except OSError as error:
        raise ZygoteFailed(zygote.family, f"cannot be put to the proof: {error}") from error
    finally:
        os.close(document.descriptor)
        zygote.discard(worker)
    if exited is not None and os.WIFSIGNALED(exited.status) and os.WTERMSIG(exited.status) == signal.SIGSYS and said:
        return None
    seen = "the worker went away" if exited is None else f"wait status {exited.status:#x}"
    return Layer(
        "seccomp", "absent", "make a socket behind every layer", seen, "a worker as in production was not killed for it"
    )


async def _started(descriptor: int) -> bool:
    """Whether the worker said that it was locked before it tried."""
    reply = Reply(Limits(), sniff=False)
    try:
        reply.feed(os.read(descriptor, 4096))
    except (OSError, BadReply, Refusal):
        return False
    return reply.started is not None


def _mount_namespace(zygote: Zygote, found: dict[LayerName, Layer]) -> Layer:
    tried = "replace the root directory for every process"
    why = zygote.absent.get("mount-ns")
    if why is not None:
        return Layer("mount-ns", "absent", tried, "", why)
    if found["root"].state != "enforced":
        return Layer(
            "mount-ns",
            "unwitnessed",
            tried,
            "",
            "the root was not replaced, so nothing shows that it would stay inside",
        )
    if not os.path.exists(sys.executable):
        return Layer("mount-ns", "absent", tried, "the application's root changed", "mounts reach outside")
    return Layer("mount-ns", "enforced", tried, "replaced inside, unchanged outside")


def _host_name(zygote: Zygote) -> Layer:
    tried = "rename the host"
    why = zygote.absent.get("uts-ns")
    if why is not None:
        return Layer("uts-ns", "absent", tried, "", why)
    if os.uname().nodename == zygote.host_name:
        return Layer("uts-ns", "absent", tried, "the host was renamed", "the host's name is shared")
    return Layer("uts-ns", "enforced", tried, "renamed inside, unchanged outside")


def _cgroup(zygote: Zygote) -> Layer:
    if zygote.no_cgroup is not None:
        return Layer("cgroup", "absent", "make a group with caps on memory and processes", "refused", zygote.no_cgroup)
    return Layer(
        "cgroup",
        "unwitnessed",
        "make a group with caps on memory and processes",
        "made",
        "its caps were set and not tried",
    )


async def _deadline(zygote: Zygote) -> Layer:
    """A worker without a job waits for ever; what ends it at a deadline is the parent's kill alone."""
    tried = "wait past the deadline"
    worker = zygote.fork()
    try:
        await worker.wait_arrived()
        with anyio.move_on_after(_DEADLINE_SECONDS):
            await worker.wait_ended()
        lived = worker.alive
        worker.kill()
        exited = await worker.wait_ended()
    finally:
        zygote.discard(worker)
    killed = exited is not None and os.WIFSIGNALED(exited.status) and os.WTERMSIG(exited.status) == signal.SIGKILL
    if lived and killed:
        return Layer("deadline", "enforced", tried, "SIGKILL by pidfd")
    return Layer("deadline", "absent", tried, f"lived {lived}, killed {killed}", "the kill did not end it")
