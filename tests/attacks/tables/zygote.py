"""Attacks on the zygote: it lives on, and what it hands to its next workers is as it was."""

from __future__ import annotations

import signal

from tests.attacks.attack import POLICY, Attack
from tests.attacks.witnesses import zygote_alive, zygote_environment, zygote_layout, zygote_memory, zygote_sockets

_OURS = "outside there is no zygote but the server of the controls"


def _attack(function: str, must: str, **more: object) -> Attack:
    return Attack(f"zygote.{function}", must, outside=None, why=_OURS, **more)  # type: ignore[arg-type]


ATTACKS = (
    *(
        _attack("kill", POLICY, arguments={"number": int(number)}, witness=zygote_alive, name=f"send_{number.name}")
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP, signal.SIGSEGV)
    ),
    _attack("trace", POLICY, witness=zygote_alive),
    _attack("read_memory", POLICY, witness=zygote_memory),
    _attack("write_memory", POLICY, witness=zygote_memory),
    _attack("write_memory_file", "EACCES", witness=zygote_memory),
    _attack("read_environment", "EACCES", witness=zygote_environment),
    _attack("read_layout", "EACCES", witness=zygote_layout),
    _attack("take_descriptor", POLICY, witness=zygote_sockets),
)
