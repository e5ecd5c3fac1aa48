"""What an attack is: an act, what it must meet in the jail, what it meets outside, and a witness to its success."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from fumehood import Limits
from tests.attacks.calls import NUMBERS
from tests.attacks.hostile import DONE, Order

MIB: Final = 1024 * 1024
LIMITS: Final = Limits(heap_bytes=64 * MIB, wall_seconds=20.0, cpu_seconds=10)
"""Room enough for a slow machine. Attacks on time or memory bring their own."""

LARGE: Final = LIMITS.replace(heap_bytes=512 * MIB)
"""For documents near the cap on output."""

RUNNING: Final = "running"
"""How an endless act ends outside: it does not, until its time is up."""
POLICY: Final = "policy-violation"


class Witness:
    """Something outside the jail that an attack reaches for. `arguments` tell the act where it is.

    `reached` is told what the document said, since what is read outside comes out in the reply.
    """

    def __init__(self, arguments: Mapping[str, Any], reached: Callable[[str], bool]) -> None:
        self.arguments = dict(arguments)
        self.reached = reached


class Scene(NamedTuple):
    """Where an attack takes place: an empty directory, the zygote's process id, and a way to ask documents read after."""

    place: Path
    zygote: Callable[[], int]
    ask: Callable[[str], Iterable[str]]


Setting = Callable[[Scene], AbstractContextManager[Witness]]
"""Makes a witness, and takes it down again."""


@dataclass(frozen=True)
class Attack:
    """One attack.

    - `act`: `module.function` of tests/attacks/acts, with `arguments`.
    - `must`: how the read ends: a refusal's code, or the text the loader gives: an errno's name.
    - `outside`: how the act ends without the jail, `done` unless said otherwise. None where it must not be
      tried there; `why` then says the reason.
    - `harmless`: what replaces arguments where the walls are down, outside and in the ablation, if the act
      would do harm there.
    - `unless`: other ends outside which mean that this machine or user cannot do the act anyway: the control
      is then skipped, since it shows nothing.
    - `witness`: what sees from outside whether the act took effect. An attack that is answered with an errno,
      and so is not ended by the kernel, has one, or says in `word` why nobody outside could see it.
    - `alone`: why it is enough that a single layer stops it; `no_layer`: why none has to.
    - `needs`: system calls that not every architecture has.
    """

    act: str
    must: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = LIMITS
    outside: str | None = DONE
    harmless: Mapping[str, Any] = field(default_factory=dict)
    unless: tuple[str, ...] = ()
    witness: Setting | None = None
    needs: tuple[str, ...] = ()
    why: str = ""
    name: str = ""
    word: str = ""
    alone: str = ""
    no_layer: str = ""

    def __str__(self) -> str:
        module, _, function = self.act.partition(".")
        return f"{module}.{self.name or function}"

    def order(self, more: Mapping[str, Any]) -> Order:
        return Order(self.act, {**self.arguments, **more})

    @property
    def endless(self) -> bool:
        return self.outside == RUNNING

    def took_effect(self, said: str, witness: Witness | None) -> bool:
        """Whether it got what it wanted where it was tried and heard to say `said`."""
        return witness.reached(said) if witness else said == self.outside

    @property
    def possible(self) -> bool:
        return all(name in NUMBERS for name in self.needs)
