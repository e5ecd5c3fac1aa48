"""The search for the layers that stop an attack, the page it writes, and that only tests can leave a layer out."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path
from typing import Final

import pytest

from fumehood.sandbox import layers as production
from fumehood.sandbox import messages, spawn, worker, zygote
from tests.attacks.ablation.layers import EVERYTHING, NOTHING, ORDER, Profile, closed
from tests.attacks.ablation.run import PAGE
from tests.attacks.ablation.search import Found, Verdict, search_all
from tests.attacks.ablation.trials import TRIALS, UNTRIED, Tried, try_them
from tests.attacks.ablation.weak_jail import without
from tests.attacks.hostile import HONEST

_ROOMS = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "stopping",
    [("seccomp",), ("deadline",), ("seccomp", "zygote-seccomp"), ("seccomp", "root", "user-ns"), ("rlimits", "deadline"), ORDER[1:6]],
    ids=" ".join,
)  # fmt: skip
def test_every_layer_that_stops_it_is_found(stopping: tuple[str, ...]) -> None:
    def tried(out: Profile, names: list[str]) -> dict[str, bool]:
        return dict.fromkeys(names, out.issuperset(stopping))

    assert search_all(["one", "other"], tried) == dict.fromkeys(("one", "other"), Found(Verdict.STOPPED, stopping))


def test_what_always_succeeds_and_what_never_does() -> None:
    def tried(_out: Profile, names: list[str]) -> dict[str, bool]:
        return {name: name == "always" for name in names}

    found = search_all(["always", "never"], tried)
    assert (found["always"].verdict, found["never"].verdict) == (Verdict.ESCAPED, Verdict.NOT_TRIED)


def test_every_production_layer_can_be_left_out() -> None:
    assert set(production.LAYERS) <= set(ORDER)
    assert closed(frozenset({"mount-ns"})) == {"mount-ns", "root"}
    assert closed(NOTHING) == NOTHING


def test_what_is_left_out_is_reported_as_absent() -> None:
    """The canaries see it: the installers that were taken away are those that are witnessed."""
    out = frozenset({"landlock", "rlimits", "net-ns", "descriptors", "dumpable"})
    with without(out) as jail:
        assert jail.outcome(HONEST) == "honest"
        left = {layer.name for layer in jail.layers() if layer.state == "enforced"}
    assert out.isdisjoint(left)
    assert "seccomp" in left


# Of each layer an attack that it stops when no other one is there. Those of the parent need patience, and are tried in
# test_acts.py and sandbox/test_timer.py; capabilities and users are for root's zygotes alone.
_BY_ITSELF: Final = {
    "seccomp": "network.netlink",
    "zygote-seccomp": "network.netlink",
    "descriptors": "files.read_standard_input",
    "rlimits": "memory.map_private",
    "landlock": "files.list_directory",
    "dumpable": "zygote.read_memory",
    "root": "files.read_link",
    "net-ns": "network.send_udp",
    "pid-ns": "process.kill",
    "timer": "time.sleep",
}
_ROOTS: Final = {"capabilities": "files.change_root", "uid": "network.lease_file", "user-ns": "files.new_file_system"}
_NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "root": ("mount-ns",),
    "dumpable": ("capabilities", "uid"),  # Root may look into everything.
    **dict.fromkeys(("seccomp", "zygote-seccomp", "landlock"), ("no-new-privs",)),
}


@pytest.fixture(scope="module")
def with_no_layer() -> dict[str, Tried]:
    """The control: how the same attacks go where nothing is in their way."""
    return try_them(EVERYTHING, {**_BY_ITSELF, **_ROOTS}.values())


@pytest.mark.attack
@pytest.mark.parametrize("layer", [*_BY_ITSELF, *_ROOTS])
def test_each_layer_is_there_in_a_worker_and_stops_something_by_itself(
    layer: str, with_no_layer: dict[str, Tried]
) -> None:
    """Layers hide one another, so that one which a worker or a zygote never installed would be missed by no attack."""
    if layer in _ROOTS and os.geteuid() != 0:
        pytest.skip("takes from root what an ordinary user does not have")
    name = (_BY_ITSELF | _ROOTS)[layer]
    kept = {layer, *_NEEDS.get(layer, ())}
    if os.geteuid() != 0 and layer in ("root", "net-ns", "pid-ns"):
        kept.add("user-ns")  # Without it only root makes the others (user_namespaces(7)).
    alone = try_them(EVERYTHING - kept, [name])[name]
    assert not alone.broken
    assert not alone.succeeded
    assert with_no_layer[name].succeeded or with_no_layer[name].said in TRIALS[name].unless


@pytest.mark.parametrize("module", [messages, spawn, worker, zygote], ids=lambda module: module.__name__)
def test_production_code_knows_no_such_thing(module: object) -> None:
    """No parameter, message or variable names layers to be left out."""
    source = inspect.getsource(module)  # type: ignore[arg-type]
    assert not re.search(r"weaken|leave_out|left_out|ablat|environ\b|getenv", source)


def test_the_page_names_every_attack() -> None:
    """`make attacks` writes it."""
    page = PAGE.read_text(encoding="utf-8")
    named = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    assert named == {*TRIALS, *UNTRIED}


def test_the_page_has_a_reason_for_every_single_layer() -> None:
    single = PAGE.read_text(encoding="utf-8").partition("## A single layer")[2].partition("\n## ")[0]
    rows = [line.split("|") for line in single.splitlines() if line.startswith("| `")]
    assert {row[1].strip(" `") for row in rows} == {name for name, trial in TRIALS.items() if trial.alone}
    assert all(row[3].strip() for row in rows)
