"""Attacks on the network, and on channels from one process to another."""

from __future__ import annotations

from tests.attacks.attack import POLICY, Attack
from tests.attacks.witnesses import tcp4, tcp6, udp, unix_abstract, unix_path

_NETLINK, _PACKET, _ALG, _VSOCK = 16, 17, 38, 40
_STREAM, _RAW, _SEQPACKET = 1, 3, 5
_NO_FAMILY = ("EAFNOSUPPORT", "ENODEV")

ATTACKS = (
    Attack("network.connect_tcp", POLICY, witness=tcp4),
    Attack("network.connect_tcp", POLICY, witness=tcp6, name="connect_tcp_v6"),
    Attack("network.send_udp", POLICY, witness=udp),
    Attack("network.connect_unix", POLICY, witness=unix_path),
    Attack("network.connect_unix", POLICY, witness=unix_abstract, name="connect_abstract"),
    Attack("network.make_socket", POLICY, {"family": _NETLINK, "kind": _RAW}, name="netlink"),
    Attack("network.make_socket", POLICY, {"family": _PACKET, "kind": _RAW}, unless=("EPERM",), name="packet"),
    Attack(
        "network.make_socket", POLICY, {"family": _ALG, "kind": _SEQPACKET}, unless=_NO_FAMILY, name="kernel_crypto"
    ),
    Attack("network.make_socket", POLICY, {"family": _VSOCK, "kind": _STREAM}, unless=_NO_FAMILY, name="vsock"),
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
        harmless={"description": "control"},
        unless=("ENOSYS", "EPERM"),
    ),
    Attack("network.ask_keyring", POLICY, unless=("ENOSYS", "EPERM")),
    Attack("network.request_key", POLICY, outside="ENOKEY", unless=("ENOSYS", "EPERM")),
    Attack("network.lock_file", POLICY, {"descriptor": 4}),
    Attack("network.lock_record", POLICY, {"descriptor": 4}),
    Attack("network.lock_open_file", POLICY, {"descriptor": 4}),
    Attack("network.lease_file", POLICY, {"descriptor": 4}, outside="EINVAL"),
)
