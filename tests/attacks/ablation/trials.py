"""Attacks tried in weakened jails: each by its name, with how it went."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from tests.attacks import siblings
from tests.attacks.ablation.layers import Profile
from tests.attacks.ablation.weak_jail import WeakJail, without
from tests.attacks.attack import Attack
from tests.attacks.catalogue import ATTACKS

_TRIES: Final = 3


class Tried(NamedTuple):
    """Whether it took effect, and what the attacker's document said. `broken`: what kept it from being tried."""

    succeeded: bool
    said: str
    broken: str = ""


@dataclass(frozen=True)
class Trial:
    """One attack as it is tried in a weakened jail.

    `unless`: what it says where a machine or user cannot do it anyway. `alone`: why a single layer is enough, if it is.
    `spoils`: once it has succeeded its zygote is of no more use.
    """

    name: str
    run: Callable[[WeakJail], Tried]
    unless: tuple[str, ...] = ()
    alone: str = ""
    spoils: bool = True


def _of_attack(attack: Attack) -> Trial:
    def run(jail: WeakJail) -> Tried:
        if attack.witness is None:
            said = jail.outcome(attack.order(attack.harmless), attack.limits)
            return Tried(attack.took_effect(said, None), said)
        with (
            tempfile.TemporaryDirectory(prefix="fumehood-ablation-") as place,
            attack.witness(jail.scene(Path(place))) as witness,
        ):
            said = jail.outcome(attack.order({**witness.arguments, **attack.harmless}), attack.limits)
            return Tried(attack.took_effect(said, witness), said)

    return Trial(str(attack), run, attack.unless, attack.alone, spoils=attack.act.startswith("zygote."))


def _of_siblings(attack: siblings.SiblingAttack) -> Trial:
    def run(jail: WeakJail) -> Tried:
        for _ in range(_TRIES):
            outcome = siblings.attack(jail, attack)
            if outcome.in_flight:
                break
        return Tried(outcome.reached, outcome.attacker)

    return Trial(str(attack), run)


def untried(attack: Attack) -> str:
    """Why leaving out layers shows nothing of this attack; empty if it does."""
    if attack.no_layer:
        return attack.no_layer
    if not attack.possible:
        return "this architecture does not have the call"
    return attack.why if attack.outside is None and attack.witness is None else ""


TRIALS: Final = {
    trial.name: trial
    for trial in (
        *(_of_attack(attack) for attack in ATTACKS if not untried(attack)),
        *(_of_siblings(attack) for attack in siblings.ATTACKS),
    )
}
UNTRIED: Final = {str(attack): untried(attack) for attack in ATTACKS if untried(attack)}


def try_them(out: Profile, names: Iterable[str]) -> dict[str, Tried]:
    """How the attacks `names` go where the layers `out` are left out."""
    waiting = list(names)
    seen: dict[str, Tried] = {}
    while waiting:
        with without(out) as jail:
            usable = True
            while waiting and usable:
                name = waiting.pop(0)
                seen[name] = _try(TRIALS[name], jail)
                usable = not (seen[name].broken or (seen[name].succeeded and TRIALS[name].spoils))
    return seen


def _try(trial: Trial, jail: WeakJail) -> Tried:
    try:
        return trial.run(jail)
    except Exception as error:  # A fault of ours, or of the parent's; either way the run must tell of it.
        return Tried(False, "", broken=repr(error))
