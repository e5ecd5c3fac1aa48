"""Attacks on the network, and on channels from one process to another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.attacks.attack import POLICY, Attack, tcp4, tcp6, udp, unix_abstract, unix_path

_INET, _INET6, _UNIX, _NETLINK, _PACKET, _ALG, _VSOCK = 2, 10, 1, 16, 17, 38, 40
_STREAM, _DGRAM, _RAW, _SEQPACKET = 1, 2, 3, 5

ATTACKS = (
    Attack("network.connect_tcp", POLICY, witness=tcp4),
    Attack("network.connect_tcp", POLICY, witness=tcp6, name="connect_tcp_v6"),
    Attack("network.send_udp", POLICY, witness=udp),
    Attack("network.connect_unix", POLICY, witness=unix_path),
    Attack("network.connect_unix", POLICY, witness=unix_abstract, name="connect_abstract"),
    Attack("network.make_socket", POLICY, {"family": _NETLINK, "kind": _RAW}, name="netlink"),
    Attack("network.make_socket", POLICY, {"family": _PACKET, "kind": _RAW}, unless=("EPERM",), name="packet"),
    Attack(
        "network.make_socket",
        POLICY,
        {"family": _ALG, "kind": _SEQPACKET},
        unless=("EAFNOSUPPORT",),
        name="kernel_crypto",
    ),
    Attack(
        "network.make_socket",
        POLICY,
        {"family": _VSOCK, "kind": _STREAM},
        unless=("EAFNOSUPPORT", "ENODEV"),
        name="virtual_machine",
    ),
    Attack("network.socket_pair", POLICY),
    Attack("network.connect_by_number", POLICY, outside="ENOTSOCK"),
    Attack("network.send_message", POLICY, {"descriptor": 4}, outside="ENOTSOCK"),
    Attack("network.resolve_name", POLICY),
    Attack("network.shared_memory", POLICY, unless=("ENOSYS",)),
    Attack("network.semaphore", POLICY, unless=("ENOSYS",)),
    Attack("network.message_queue", POLICY, unless=("ENOSYS",)),
    Attack("network.posix_queue", POLICY, outside="ENOENT", unless=("ENOSYS",)),
    Attack(
        "network.add_key",
        POLICY,
        {"description": "fumehood-attack"},
        outside_arguments={"description": "control"},
        unless=("ENOSYS", "EPERM"),
    ),
    Attack("network.ask_keyring", POLICY, unless=("ENOSYS", "EPERM")),
    Attack("network.request_key", POLICY, outside="ENOKEY", unless=("ENOSYS", "EPERM")),
    Attack("network.lock_file", POLICY, {"descriptor": 4}),
    Attack("network.lock_record", POLICY, {"descriptor": 4}),
)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_is_refused(attack: Attack, refused: Callable[[Attack], None]) -> None:
    refused(attack)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_succeeds_outside(attack: Attack, succeeds_outside: Callable[[Attack], None]) -> None:
    succeeds_outside(attack)
