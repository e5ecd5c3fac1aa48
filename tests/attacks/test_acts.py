"""Every attack of the catalogue: refused in the jail, and succeeding without it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.attacks.attack import Attack
from tests.attacks.catalogue import ATTACKS

every_attack = pytest.mark.parametrize("attack", ATTACKS, ids=str)


@pytest.mark.attack
@every_attack
def test_is_refused(attack: Attack, refused: Callable[[Attack], None]) -> None:
    refused(attack)


@every_attack
def test_succeeds_outside(attack: Attack, succeeds_outside: Callable[[Attack], None]) -> None:
    succeeds_outside(attack)
