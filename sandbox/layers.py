"""The layers by name, what was seen of each, and what a reader requires.

A layer is `enforced` only when a canary of this reader's own was seen to be refused a forbidden act
that succeeds outside the layer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, get_args

import msgspec

from fumehood.errors import Refusal, refusal

LayerName = Literal[
    "user-ns",
    "mount-ns",
    "pid-ns",
    "net-ns",
    "ipc-ns",
    "uts-ns",
    "root",
    "capabilities",
    "uid",
    "no-new-privs",
    "dumpable",
    "parent-death",
    "descriptors",
    "rlimits",
    "landlock",
    "seccomp",
    "cgroup",
    "deadline",
]
LAYERS: Final[tuple[LayerName, ...]] = get_args(LayerName)
State = Literal["enforced", "absent", "unwitnessed"]

PER_WORKER: Final[frozenset[LayerName]] = frozenset(
    {"dumpable", "parent-death", "descriptors", "rlimits", "landlock", "seccomp"}
)
"""Layers that each worker installs for itself; the others are the zygote's, or the parent's."""

_GIVEN_BY: Final[dict[str, tuple[LayerName, ...]]] = {
    "process": ("pid-ns", "seccomp"),
    "filesystem": ("root", "landlock", "seccomp"),
    "network": ("net-ns", "seccomp"),
}
"""Promises that more than one layer can keep: it is enough that one of them is enforced."""

REQUIREMENTS: Final[tuple[str, ...]] = (*_GIVEN_BY, *LAYERS)
DEFAULT_REQUIRE: Final = frozenset(
    {"process", "filesystem", "network", "rlimits", "no-new-privs", "seccomp", "deadline"}
)
"""Process isolation, a closed file system and a closed network by whichever layer, and the hard caps."""


class Layer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was tried on one layer, what was seen, and why it is absent and how to get it."""

    name: LayerName
    state: State
    tried: str = ""
    seen: str = ""
    why: str = ""


Report = dict[LayerName, Layer]
"""One entry for each of `LAYERS`, in their order."""


def enforced(report: Report) -> frozenset[LayerName]:
    return frozenset(name for name, layer in report.items() if layer.state == "enforced")


def check_requirements(names: Iterable[str]) -> frozenset[str]:
    """`names` as a set. Raises `TypeError` for what is no set of names, and `ValueError` for one that does not exist."""
    if isinstance(names, str):
        raise TypeError("require takes a set of names, such as {'seccomp', 'network'}, not one string")
    try:
        wanted = frozenset(names)
    except TypeError:  # It is nothing to iterate over, or holds what no set can.
        raise TypeError(f"require takes a set of names, such as {{'seccomp', 'network'}}, not {names!r:.80}") from None
    unknown = wanted.difference(REQUIREMENTS)
    if unknown:
        raise ValueError(
            f"require names what does not exist: {', '.join(sorted(map(str, unknown)))}; the names are {', '.join(REQUIREMENTS)}"
        )
    return wanted


def missing(require: frozenset[str], have: frozenset[LayerName]) -> list[str]:
    """What of `require` the layers in `have` do not give, in a fixed order."""
    return [
        name
        for name in REQUIREMENTS
        if name in require and not (have.intersection(_GIVEN_BY[name]) if name in _GIVEN_BY else name in have)
    ]


def unavailable(lacking: list[str], require: frozenset[str]) -> Refusal:
    """The refusal for a machine that lacks `lacking` of `require`, naming it and the exact option that accepts less."""
    rest = [name for name in REQUIREMENTS if name in require and name not in lacking]
    detail = f"{', '.join(lacking)} required and not enforced; --require {','.join(rest) or 'none'} accepts less"
    return refusal("sandbox-unavailable", stage="ingress", detail=detail)
