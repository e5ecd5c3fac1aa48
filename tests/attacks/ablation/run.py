"""One ablation of every attack: what stops each, what is wrong with what was found, and the page about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from fumehood.sandbox.layers import LAYERS
from tests.attacks.ablation import report
from tests.attacks.ablation.layers import EVERYTHING, NOTHING, Profile
from tests.attacks.ablation.search import Found, Verdict, search_all
from tests.attacks.ablation.trials import TRIALS, Tried, try_them
from tests.attacks.ablation.weak_jail import without

PAGE: Final = Path(__file__).parents[3] / "docs" / "attacks.md"
_NOT_EVERYWHERE: Final = frozenset({"cgroup"})


class Ablation(NamedTuple):
    """What was found, what each attacker said with no layer in place, and how much of it there was."""

    found: dict[str, Found]
    said: dict[str, str]
    trials: int
    profiles: int


def run() -> Ablation:
    said: dict[str, str] = {}
    trials, profiles = 0, 0

    def try_and_note(out: Profile, names: list[str]) -> dict[str, bool]:
        nonlocal trials, profiles
        tried: Mapping[str, Tried] = try_them(out, names)
        trials, profiles = trials + len(names), profiles + 1
        if out == EVERYTHING:
            said.update({name: one.said for name, one in tried.items()})
        return {name: one.succeeded for name, one in tried.items()}

    found = search_all(TRIALS, try_and_note)
    for name, one in found.items():
        if one.verdict is Verdict.NOT_TRIED and said[name] in TRIALS[name].unless:
            found[name] = Found(Verdict.IMPOSSIBLE)
    return Ablation(found, said, trials, profiles)


def faults(ablation: Ablation) -> Iterator[str]:
    """What must not be: an attack that succeeds, is not really tried, or rests on one layer without a word why."""
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
