"""The page docs/attacks.md, from what a run found. The same findings give the same page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from tests.attacks.ablation.layers import ORDER
from tests.attacks.ablation.search import Found, Verdict
from tests.attacks.ablation.trials import TRIALS, UNTRIED
from tests.attacks.research import SURVEY, Elsewhere

_TITLES: Final = {
    "files": "Files",
    "network": "Network and channels",
    "process": "Processes",
    "zygote": "The zygote",
    "siblings": "Documents read beside the attacker's",
    "kernel": "The kernel's surface",
    "memory": "Memory",
    "time": "Time",
    "reply": "The reply",
    "traces": "The next document",
}
_MEANING: Final = {
    "seccomp": "the worker's own filter",
    "zygote-seccomp": "the zygote's filter, which its workers inherit",
    "timer": "the kernel's kill of a worker, half a second after the parent's",
    "watchdog": "the parent's look at a worker's memory, where the kernel has no cap",
    "no-new-privs": "leaving it out leaves out both filters and Landlock: the kernel takes none of them without it",
    "mount-ns": "leaving it out leaves out the empty root",
}
_HEAD: Final = """# Attacks

Every attack of the suite, and the layers that stop it. Made by `make attacks`; do not edit.

A document takes its worker over and does one forbidden thing. With every layer in place none succeeds. To see which
layers are the reason, the same attack is tried in jails that lack some: started by an entry that only the tests have,
which takes installers away before a zygote's first message. *First* is what stops the attack in the jail as it is;
*second* what stops it once the first is left out; *further* what is left after both. Without those named it succeeds,
which is seen from outside: a file is there, a listener had a caller, a process is gone, a secret is in the reply.

Layers are asked in this order: {order}. Those whose names do not say it all:

{meaning}

Made on Linux on x86-64, started by root, where every layer but `cgroup` is to be had; a machine that does not have it
cannot show what it stops. docs/security.md says what each layer is for.
"""


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _layers(names: tuple[str, ...]) -> str:
    return " ".join(f"`{name}`" for name in names)


def _group(name: str) -> str:
    return name.partition(".")[0]


def _tables(found: Mapping[str, Found]) -> Iterator[str]:
    stopped = [name for name in TRIALS if found[name].verdict is Verdict.STOPPED]
    stopped.sort(key=lambda name: list(_TITLES).index(_group(name)))
    for group, names in groupby(stopped, _group):
        yield f"\n\n## {_TITLES[group]}\n"
        yield _line("attack", "first", "second", "further")
        yield _line("---", "---", "---", "---")
        for name in names:
            layers = found[name].stopped_by
            yield _line(f"`{name}`", _layers(layers[:1]), _layers(layers[1:2]), _layers(layers[2:]))


def _alone(found: Mapping[str, Found]) -> Iterator[str]:
    yield "\n\n## A single layer\n"
    yield "What succeeds as soon as one layer is left out, and why that one is enough.\n"
    yield _line("attack", "layer", "why it is enough")
    yield _line("---", "---", "---")
    for name, one in found.items():
        if len(one.stopped_by) == 1:
            yield _line(f"`{name}`", _layers(one.stopped_by), TRIALS[name].alone)


def _others(found: Mapping[str, Found], said: Mapping[str, str]) -> Iterator[str]:
    yield "\n\n## No layer\n"
    yield "What is tried in the whole jail only, because leaving out layers shows nothing, and why.\n"
    yield _line("attack", "why")
    yield _line("---", "---")
    for name, why in UNTRIED.items():
        yield _line(f"`{name}`", why)
    for name, one in found.items():
        if one.verdict is Verdict.IMPOSSIBLE:
            yield _line(
                f"`{name}`", f"not to be had on the machine that made this page, with or without layers: {said[name]}"
            )


def _survey() -> Iterator[str]:
    yield "\n\n## Elsewhere\n"
    yield "Attacks of the survey that the suite began with and that are tried by other tests, or cannot be made:\n"
    wheres = [str(where) for where in SURVEY.values() if isinstance(where, Elsewhere)]
    yield from (f"- {where}" for where in dict.fromkeys(wheres))


def page(found: Mapping[str, Found], said: Mapping[str, str]) -> str:
    """`said`: what each attacker said where no layer was in place."""
    order = _layers(ORDER)
    meaning = "\n".join(f"- `{name}`: {words}" for name, words in _MEANING.items())
    head = _HEAD.format(order=order, meaning=meaning).rstrip()
    parts = (*_tables(found), *_alone(found), *_others(found, said), *_survey())
    return "\n".join((head, *parts)) + "\n"
