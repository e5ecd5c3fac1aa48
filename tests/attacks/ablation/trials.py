"""Attacks tried in weakened jails: each by its name, with whether it took effect."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.attacks import siblings
from tests.attacks.ablation.layers import Profile
from tests.attacks.ablation.weak_jail import WeakJail, without
from tests.attacks.attack import Attack
from tests.attacks.catalogue import ATTACKS

_TRIES: Final = 3


@dataclass(frozen=True)
class Trial:
    """One attack, its trial in a weakened jail, and why a single layer is enough, if it is.

    `spoils`: once it has succeeded its zygote is of no more use.
    """

    name: str
    succeeds: Callable[[WeakJail], bool]
    alone: str = ""
    spoils: bool = False


def _of_attack(attack: Attack) -> Trial:
    def succeeds(jail: WeakJail) -> bool:
        if attack.witness is None:
            return attack.took_effect(jail.outcome(attack.order(attack.harmless), attack.limits), None)
        with (
            tempfile.TemporaryDirectory(prefix="fumehood-ablation-") as place,
            attack.witness(jail.scene(Path(place))) as witness,
        ):
            said = jail.outcome(attack.order({**witness.arguments, **attack.harmless}), attack.limits)
            return attack.took_effect(said, witness)

    return Trial(str(attack), succeeds, attack.alone, spoils=attack.act.startswith("zygote."))


def _of_siblings(attack: siblings.SiblingAttack) -> Trial:
    def succeeds(jail: WeakJail) -> bool:
        for _ in range(_TRIES):
            outcome = siblings.attack(jail, attack)
            if outcome.in_flight:
                break
        return outcome.reached

    return Trial(str(attack), succeeds, spoils=True)


def is_tried(attack: Attack) -> bool:
    """Not if no layer takes part in stopping it, and not if it could not be seen to succeed."""
    seen = attack.outside is not None or attack.witness is not None
    return attack.possible and seen and not attack.no_layer


TRIALS: Final = {
    trial.name: trial
    for trial in (
        *(_of_attack(attack) for attack in ATTACKS if is_tried(attack)),
        *(_of_siblings(attack) for attack in siblings.ATTACKS),
    )
}


def try_them(out: Profile, names: Iterable[str]) -> dict[str, bool]:
    """Which of the attacks `names` succeed where the layers `out` are left out."""
    waiting = list(names)
    seen: dict[str, bool] = {}
    while waiting:
        with without(out) as jail:
            usable = True
            while waiting and usable:
                name = waiting.pop(0)
                seen[name] = TRIALS[name].succeeds(jail)
                usable = not (seen[name] and TRIALS[name].spoils)
    return seen
