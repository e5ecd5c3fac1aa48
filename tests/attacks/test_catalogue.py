"""The catalogue is complete, and no attack in it has only the attacker's word for it."""

from __future__ import annotations

import errno
import inspect
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.attacks import hostile, siblings
from tests.attacks.acts import files, kernel, memory, network, process, reply, time, traces, zygote
from tests.attacks.attack import Attack
from tests.attacks.catalogue import ATTACKS
from tests.attacks.research import SURVEY, Elsewhere
from tests.attacks.test_protocol import FORGERIES

ROOT = Path(__file__).parents[2]
NAMES = [str(attack) for attack in (*ATTACKS, *siblings.ATTACKS)]
EVERY_NAME = {*NAMES, *(f"forged: {forgery}" for forgery in FORGERIES), *(attack.act for attack in ATTACKS)}
LAST = 125
HONEST_ACTS = {
    "reply.write",
    "reply.trickle",
    "reply.say_much",
    "traces.find",
    "traces.leave",
    "traces.hash_of_text",
    "zygote.look",
}
"""What tests use themselves; none of them is an attack by itself."""


def test_every_attack_of_the_survey_is_tried_or_has_its_reason() -> None:
    assert list(SURVEY) == list(range(1, LAST + 1))
    tried = [name for tried_by in SURVEY.values() if not isinstance(tried_by, Elsewhere) for name in tried_by]
    assert set(tried) - EVERY_NAME == set()


@pytest.mark.parametrize("where", sorted({where for where in SURVEY.values() if isinstance(where, Elsewhere)}))
def test_what_is_tried_elsewhere_is_there(where: str) -> None:
    for name in re.findall(r"\btest_\w+\.py", where):
        assert list((ROOT / "tests").rglob(name)), name
    for test in re.findall(r", (test_\w+)(?!\.py)\b", where):
        assert any(f"def {test}(" in path.read_text() for path in (ROOT / "tests").rglob("test_*.py")), test


def test_names_are_their_own() -> None:
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []


def test_every_act_is_ordered_by_an_attack() -> None:
    """An act that nobody orders is not tried."""
    acts = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in (files, kernel, memory, network, process, reply, time, traces, zygote)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert acts - {attack.act for attack in ATTACKS} - HONEST_ACTS == set()


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_more_than_the_attackers_word(attack: Attack) -> None:
    """A kill is the kernel's word, and a refusal the parent's; an errno is what the attacker says that it met."""
    if attack.must in errno.errorcode.values():
        assert (attack.witness is not None) != bool(attack.word)


def test_the_honest_order_is_no_attack() -> None:
    assert hostile.HONEST.act not in {attack.act for attack in ATTACKS}
