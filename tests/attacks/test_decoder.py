"""Spoilt replies against the parent's decoder; `make attacks` feeds it two hundred thousand."""

from __future__ import annotations

from tests.attacks import decoder

_REPLIES = 2_000


def test_spoilt_replies_are_refused_or_valid() -> None:
    """Some are whole, or spoilt where it does not matter; most are not."""
    taken = sum(decoder.attack(seed) for seed in range(_REPLIES))
    assert 0.05 < taken / _REPLIES < 0.7


def test_a_seed_finds_its_reply_again() -> None:
    assert decoder.reply(4711) == decoder.reply(4711)
    assert len({decoder.reply(seed) for seed in range(_REPLIES)}) > _REPLIES / 2
