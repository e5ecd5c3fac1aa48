"""Messages between trusted processes: whole, typed, with their descriptors, and none of those leaked."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import msgspec
import pytest

from fumehood.kinds import ReadOptions
from fumehood.limits.policy import Limits
from fumehood.sandbox import messages

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        yield ours, theirs


def test_a_message_arrives_as_it_was_sent(pair: Pair) -> None:
    job = messages.Job("pdf", False, "text", Limits.strict(), ReadOptions(password="é"), ("seccomp",))
    messages.send(pair[0], job)
    assert messages.receive(pair[1]) == (job, [])


def test_descriptors_travel_along_and_are_not_inherited(pair: Pair) -> None:
    read_end, write_end = os.pipe()
    messages.send(pair[0], messages.Spawn(7), (write_end,))
    message, passed = messages.receive(pair[1])
    assert message == messages.Spawn(7)
    assert not os.get_inheritable(passed[0])
    os.write(passed[0], b"x")
    assert os.read(read_end, 1) == b"x"
    messages.close(read_end, write_end, *passed)


def test_end_of_file_is_no_message(pair: Pair) -> None:
    pair[0].close()
    assert messages.receive(pair[1]) == (None, [])


@pytest.mark.parametrize("packet", [b"\xc1", b"\x80", msgspec.msgpack.encode({"type": "Spawn", "number": "x"})])
def test_what_does_not_decode_is_an_error_and_its_descriptors_are_closed(pair: Pair, packet: bytes) -> None:
    before = len(os.listdir("/proc/self/fd"))
    read_end, write_end = os.pipe()
    socket.send_fds(pair[0], [packet], [write_end])
    with pytest.raises(msgspec.MsgspecError):
        messages.receive(pair[1])
    messages.close(read_end, write_end)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_message_too_large_for_a_packet_says_what_may_be_the_cause(pair: Pair) -> None:
    with pytest.raises(ValueError, match="specimen"):
        messages.send(pair[0], messages.BootFailed("x" * messages.MAX_MESSAGE))
