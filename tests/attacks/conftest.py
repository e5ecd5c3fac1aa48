"""The jail, what is outside of it, and the check after every attack that nothing has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from fumehood import register
from tests.attacks import hostile
from tests.attacks.attack import MIB, Attack
from tests.attacks.control import Outside
from tests.attacks.hostile import Order
from tests.attacks.jail import HONEST_TEXT, Jail, growth_bytes, left_behind, resident_bytes, state

_GROWTH_BYTES: Final = 8 * MIB
_SKIPPED: Final = "refused outside the jail too ({}), so a refusal shows nothing on this machine"


@pytest.fixture(scope="package")
def outside() -> Iterator[Outside]:
    """Acts without the jail."""
    server = Outside()
    yield server
    server.close()


@pytest.fixture(scope="package")
def built_jail(outside: Outside) -> Iterator[Jail]:
    register(hostile.KIND)
    before = state()
    made = Jail()
    yield made
    made.close()
    assert state() == before, "a closed reader left something behind"


@pytest.fixture
def jail(built_jail: Jail) -> Iterator[Jail]:
    """The jail, for one attack. After it the parent lives and is no larger, the next documents are right, and nothing is left."""
    before = resident_bytes()
    yield built_jail
    assert built_jail.outcome(Order("traces.find")) == "clean"
    assert built_jail.read_text() == HONEST_TEXT.decode()
    assert built_jail.settle() == built_jail.steady
    assert left_behind() == []
    assert growth_bytes(before) < _GROWTH_BYTES


@pytest.fixture
def refused(jail: Jail, tmp_path: Path) -> Callable[[Attack], None]:
    """Runs an attack in the jail and checks how it ends, and that its witness saw nothing."""

    def run(attack: Attack) -> None:
        if not attack.possible:
            pytest.skip(f"this architecture has no {', '.join(attack.needs)}")
        if attack.witness is None:
            assert jail.outcome(attack.order({}), attack.limits) == attack.must
            return
        with attack.witness(jail.scene(tmp_path)) as witness:
            said = jail.outcome(attack.order(witness.arguments), attack.limits)
            assert said == attack.must
            assert not witness.reached(said)

    return run


@pytest.fixture
def succeeds_outside(outside: Outside, tmp_path: Path) -> Callable[[Attack], None]:
    """Runs the same act without the jail, so that a broken attack cannot pass as a refused one."""

    def run(attack: Attack) -> None:
        if attack.outside is None:
            pytest.skip(attack.why)
        if not attack.possible:
            pytest.skip(f"this architecture has no {', '.join(attack.needs)}")
        if attack.witness is None:
            _check(attack, outside.perform(attack.order(attack.harmless), endless=attack.endless))
            return
        with attack.witness(outside.scene(tmp_path)) as witness:
            said = outside.perform(attack.order({**witness.arguments, **attack.harmless}))
            if said in attack.unless:
                pytest.skip(_SKIPPED.format(said))
            assert witness.reached(said)

    return run


def _check(attack: Attack, outcome: str) -> None:
    if outcome in attack.unless:
        pytest.skip(_SKIPPED.format(outcome))
    assert outcome == attack.outside
