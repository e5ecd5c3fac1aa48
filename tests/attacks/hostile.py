"""The hostile loader: does what its document orders, in a real worker, behind every layer.

A document is an order in JSON: `{"act": "files.create_file", "arguments": {"path": "/tmp/x"}}`. What the act
met becomes the document's text: `done`, the name of an errno, or words of its own; so a refused act can be
told from one that succeeded, and a kill is the parent's to see. The same `perform` runs outside the jail as
the control.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from fumehood.kinds import Kind, ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from tests.attacks.acts import files, kernel, memory, network, process, reply, siblings, time, traces, zygote

DONE: Final = "done"
ENGINES: Final[Mapping[str, str]] = {}

_MODULES: Final = {
    "files": files, "kernel": kernel, "memory": memory, "network": network, "process": process,
    "reply": reply, "siblings": siblings, "time": time, "traces": traces, "zygote": zygote,
}  # fmt: skip


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`act` is `module.function` of tests/attacks/acts."""

    act: str
    arguments: dict[str, Any] = {}


def encode(order: Order) -> bytes:
    return msgspec.json.encode(order)


_order: Final = msgspec.json.Decoder(Order)

HONEST: Final = Order("siblings.say", {"text": "honest"})
KIND: Final = Kind("hostile", __name__, specimen=encode(HONEST))


def perform(order: Order) -> str:
    """Does it. What no act expects is raised: a loader's own exceptions are the worker's to judge."""
    module, _, name = order.act.partition(".")
    try:
        said = getattr(_MODULES[module], name)(**order.arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, type(error).__name__)
    return said if isinstance(said, str) else DONE


def load(data: bytes, out: Builder, _budget: Budget, _options: ReadOptions) -> None:
    out.paragraph(perform(_order.decode(data)))
