"""The ablation of every attack: what stops each, what is wrong with what was found, and the page about it.

Done in two processes side by side, which find the attacks of different groups, so that neither sees what the other
leaves behind for a moment.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from fumehood.sandbox.layers import LAYERS
from tests.attacks.ablation import report
from tests.attacks.ablation.layers import EVERYTHING, NOTHING, Profile
from tests.attacks.ablation.search import Found, Verdict, search_all
from tests.attacks.ablation.trials import TRIALS, try_them
from tests.attacks.ablation.weak_jail import without

PAGE: Final = Path(__file__).parents[3] / "docs" / "attacks.md"
_NOT_EVERYWHERE: Final = frozenset({"cgroup"})
_PARTS: Final = (("files", "network", "process"), ("kernel", "memory", "reply", "siblings", "time", "zygote"))
_BOOT: Final = (
    "import sys; sys.path[:0] = sys.argv[2:]; from tests.attacks.ablation.run import main; main(int(sys.argv[1]))"
)


class Ablation(msgspec.Struct):
    """What was found, what each attacker said with no layer in place, what broke, and how much of it there was."""

    found: dict[str, Found] = {}
    said: dict[str, str] = {}
    broken: list[str] = []
    trials: int = 0
    jails: int = 0

    def add(self, other: Ablation) -> None:
        self.found |= other.found
        self.said |= other.said
        self.broken += other.broken
        self.trials += other.trials
        self.jails += other.jails


def _run_part(groups: tuple[str, ...]) -> Ablation:
    done = Ablation()

    def try_and_note(out: Profile, names: list[str]) -> dict[str, bool]:
        tried = try_them(out, names)
        done.trials += len(names)
        done.jails += 1
        done.broken += [
            f"{name} without {', '.join(sorted(out))}: {one.broken}" for name, one in tried.items() if one.broken
        ]
        if out == EVERYTHING:
            done.said.update({name: one.said for name, one in tried.items()})
        return {name: one.succeeded for name, one in tried.items()}

    names = [name for name in TRIALS if name.partition(".")[0] in groups]
    done.found = search_all(names, try_and_note)
    for name, one in done.found.items():
        if one.verdict is Verdict.NOT_TRIED and done.said[name] in TRIALS[name].unless:
            done.found[name] = Found(Verdict.IMPOSSIBLE)
    return done


def run() -> Ablation:
    """All of it. Raises `CalledProcessError` if a part broke off."""
    parts = [
        subprocess.Popen([sys.executable, "-P", "-c", _BOOT, str(number), *sys.path], stdout=subprocess.PIPE)
        for number in range(len(_PARTS))
    ]
    answers = [part.communicate()[0] for part in parts]
    both = Ablation()
    for part, answer in zip(parts, answers, strict=True):
        if part.returncode:
            raise subprocess.CalledProcessError(part.returncode, part.args)
        both.add(msgspec.json.decode(answer, type=Ablation))
    return msgspec.structs.replace(both, found={name: both.found[name] for name in TRIALS})


def faults(ablation: Ablation) -> Iterator[str]:
    """What must not be: an attack that succeeds, is not really tried, or rests on one layer without a word why."""
    yield from ablation.broken
    for name, one in ablation.found.items():
        if one.verdict in (Verdict.ESCAPED, Verdict.NOT_TRIED, Verdict.UNSTEADY):
            yield f"{name} {one.verdict.value} (it said {ablation.said.get(name, '')!r})"
        elif (len(one.stopped_by) == 1) != bool(TRIALS[name].alone):
            yield f"{name} is stopped by {', '.join(one.stopped_by)}, and `alone` says {TRIALS[name].alone!r}"


def lacking() -> list[str]:
    """The layers that this machine and user do not have, so that the page would say less than is true."""
    with without(NOTHING) as jail:
        states = {layer.name: layer.state for layer in jail.layers()}
    return [name for name in LAYERS if states[name] != "enforced" and name not in _NOT_EVERYWHERE]


def write_page(ablation: Ablation) -> None:
    PAGE.write_text(report.page(ablation.found, ablation.said), encoding="utf-8")


def main(part: int) -> None:
    """One part, as JSON on standard output."""
    sys.stdout.buffer.write(msgspec.json.encode(_run_part(_PARTS[part])))
