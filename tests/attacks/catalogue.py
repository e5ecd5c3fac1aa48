"""Every attack by its name."""

from __future__ import annotations

from typing import Final

from tests.attacks.attack import Attack
from tests.attacks.tables import files, kernel, memory, network, process, reply, time, zygote

_TABLES: Final = (files, network, process, zygote, kernel, memory, time, reply)
ATTACKS: Final[tuple[Attack, ...]] = tuple(attack for table in _TABLES for attack in table.ATTACKS)
