"""Every environment that applications meet: what `doctor` says there, what is refused, and that attacks fail.

`tests/support/surroundings.py` makes each of this machine. The table of docs/security.md is checked against the
one here.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import surroundings

import fumehood
from fumehood import DEFAULT_REQUIRE
from fumehood.sandbox.layers import LAYERS, REQUIREMENTS

SUPPORT: Final = Path(surroundings.__file__).parent
SECURITY: Final = Path(__file__).parents[2] / "docs" / "security.md"
_NAMESPACES: Final = "user-ns mount-ns pid-ns net-ns ipc-ns uts-ns root"
_SEARCHED: Final = (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}", "/usr/bin/python3")
_TIMEOUT_SECONDS: Final = 100


class Environment(NamedTuple):
    """`absent`, `unwitnessed`: layers beside cgroup, which hangs on the machine. `broken`: promises nothing keeps.

    `user`: whether the application is an ordinary user.
    """

    stands_for: str
    absent: str = ""
    unwitnessed: str = ""
    broken: str = ""
    user: bool = False

    def lacking(self) -> set[str]:
        """Everything that can be required and is not to be had."""
        return {*self.absent.split(), *self.unwitnessed.split(), *self.broken.split(), "cgroup"}


ENVIRONMENTS: Final = {
    "host-root": Environment("root on a machine of its own"),
    "host-user": Environment("an ordinary user", "uid", user=True),
    "user-without-namespaces": Environment(
        "a user where `user.max_user_namespaces` is 0", f"{_NAMESPACES} uid", "capabilities", user=True
    ),
    "ubuntu-user": Environment(
        "Ubuntu 23.10 and later, also as a CI runner: AppArmor leaves a user namespace without use",
        f"{_NAMESPACES.removeprefix('user-ns ')} uid",
        user=True,
    ),
    "container-root": Environment("Docker and containerd by default", _NAMESPACES),
    "container-user": Environment(
        "the same as a user, without capabilities, with `no-new-privileges`",
        f"{_NAMESPACES} uid",
        "capabilities",
        user=True,
    ),
    "old-container-root": Environment("a container on Linux before 5.13", f"{_NAMESPACES} landlock"),
    "gvisor": Environment("gVisor, or Linux before 5.13", "landlock"),
    "service": Environment("a systemd service with `User=` and `NoNewPrivileges=`", "uid", user=True),
    "hardened-service": Environment(
        "the same with `RestrictNamespaces=`", f"{_NAMESPACES} uid", "capabilities", user=True
    ),
    "no-filters": Environment("a kernel without seccomp", "seccomp", "no-new-privs"),
    "nothing": Environment(
        "a user with neither namespaces nor Landlock nor seccomp",
        f"{_NAMESPACES} uid landlock seccomp",
        "capabilities no-new-privs",
        "process filesystem network",
        user=True,
    ),
}
STOPPED: Final = {"files": "filesystem", "network": "network", "trace": "process", "kill": "process"}
"""Which promise forbids an act; `fork` is refused by the resource limits, which hold everywhere."""

environments = pytest.mark.parametrize("name", ENVIRONMENTS)


def impossible(name: str) -> str | None:
    """Why an environment cannot be made here, or None."""
    if platform.machine() != "x86_64":
        return "the stand-in filters know x86-64 numbers only"
    if os.geteuid() != 0:
        return "only root can become everybody else"
    if _interpreter(ENVIRONMENTS[name].user) is None:
        return f"user {surroundings.USER} can run no interpreter of this version with this package"
    return None


@functools.cache
def _interpreter(user: bool) -> str | None:
    """One that the application, an ordinary user or root, can run with our modules."""
    who = surroundings.USER if user else None
    for candidate in _SEARCHED:
        tried = [candidate, "-P", "-c", "import sys, fumehood; print(sys.version_info[:2])"]
        try:
            done = subprocess.run(
                tried,
                user=who,
                group=who,
                env=_variables(),
                capture_output=True,
                text=True,
                check=False,
                cwd="/",
            )
        except OSError:
            continue
        if done.stdout.strip() == str(sys.version_info[:2]):
            return candidate
    return None


def _variables() -> dict[str, str]:
    """Our own modules and what is installed, for an interpreter that may be another one of the same version."""
    package = Path(fumehood.__file__).parents[1]
    installed = [entry for entry in sys.path if entry.endswith("-packages")]
    return {
        "PYTHONPATH": os.pathsep.join([str(SUPPORT), str(package), *installed]),
        "PATH": os.defpath,
        "LC_ALL": "C.UTF-8",
    }


def _visit(name: str) -> dict[str, Any]:
    interpreter = _interpreter(ENVIRONMENTS[name].user)
    assert interpreter is not None
    done = subprocess.run(
        [sys.executable, "-P", str(SUPPORT / "surroundings.py"), name, interpreter, "-P", str(SUPPORT / "visitor.py")],
        env=_variables(),
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_SECONDS,
        check=False,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


@pytest.fixture(scope="module")
def visits() -> Iterator[dict[str, Future[dict[str, Any]]]]:
    """Two environments at a time, visited once."""
    with ThreadPoolExecutor(2) as pool:
        yield {name: pool.submit(_visit, name) for name in ENVIRONMENTS if impossible(name) is None}


@pytest.fixture
def seen(name: str, visits: dict[str, Future[dict[str, Any]]]) -> dict[str, Any]:
    """What a visitor of the environment saw."""
    if name not in visits:
        pytest.skip(f"{name}: {impossible(name)}")
    return visits[name].result()


@environments
def test_doctor_says_what_holds(name: str, seen: dict[str, Any]) -> None:
    environment, layers = ENVIRONMENTS[name], {layer["name"]: layer for layer in seen["doctor"]["layers"]}
    states = {name: layer["state"] for name, layer in layers.items() if name != "cgroup"}
    assert states == {
        layer: "absent" if layer in environment.absent.split()
        else "unwitnessed" if layer in environment.unwitnessed.split()
        else "enforced"
        for layer in LAYERS if layer != "cgroup"
    }  # fmt: skip
    assert layers["cgroup"]["state"] in (("absent",) if "container" in name else ("absent", "unwitnessed"))
    for layer in layers.values():
        assert ("; to get it: " in layer["why"]) == (layer["state"] != "enforced")


@environments
def test_doctor_and_the_default_agree(name: str, seen: dict[str, Any]) -> None:
    """What `require` is by default decides over both, and over nothing else."""
    met = not ENVIRONMENTS[name].lacking() & DEFAULT_REQUIRE
    assert seen["doctor"]["ok"] is met
    assert seen["doctor"]["code"] == (0 if met else 3)
    assert seen["default"] == _refusal(DEFAULT_REQUIRE, ENVIRONMENTS[name].lacking())


@environments
def test_nothing_lives_on_when_the_application_is_killed(name: str, seen: dict[str, Any]) -> None:
    """With a PID namespace its process 1 takes all along; without one each has to ask for the signal itself."""
    outer_inner_and_workers = 4
    assert seen["killed"]["had"] >= outer_inner_and_workers
    assert seen["killed"]["left"] == 0


@environments
def test_the_strictest_is_refused_by_name(name: str, seen: dict[str, Any]) -> None:
    assert seen["everything"] == _refusal(frozenset(REQUIREMENTS), ENVIRONMENTS[name].lacking())


@environments
def test_the_option_that_a_refusal_names_is_accepted(name: str, seen: dict[str, Any]) -> None:
    assert seen["as_named"] is None


@environments
def test_attacks_fail_where_a_promise_stands(name: str, seen: dict[str, Any]) -> None:
    """Where no promise stands they succeed, so they are really being tried; outside the worker they always do."""
    broken = ENVIRONMENTS[name].broken.split()
    for act, (inside, outside) in seen["acts"].items():
        assert outside in ("done", None), act
        assert (inside == "done") == (STOPPED.get(act) in broken), (act, inside)


def _refusal(require: frozenset[str], lacking: set[str]) -> str | None:
    """Written out once more: what is refused and the option that accepts less, both in the order of the names."""
    missing = [name for name in REQUIREMENTS if name in require & lacking]
    if not missing:
        return None
    rest = ",".join(name for name in REQUIREMENTS if name in require - lacking)
    return f"sandbox-unavailable: {', '.join(missing)} required and not enforced; --require {rest} accepts less"


def test_every_environment_is_tried() -> None:
    assert set(ENVIRONMENTS) == set(surroundings.ENVIRONMENTS)


def _row(name: str) -> str:
    environment = ENVIRONMENTS[name]
    names = [layer for layer in LAYERS if layer in environment.lacking() and layer != "cgroup"]
    short = " ".join(f"`{layer}`" for layer in names).replace(
        " ".join(f"`{layer}`" for layer in _NAMESPACES.split()), "all namespaces, `root`"
    )
    short = short.replace(
        " ".join(f"`{layer}`" for layer in _NAMESPACES.split()[1:]), "all namespaces but that, `root`"
    )
    refused = [layer for layer in REQUIREMENTS if layer in environment.lacking() & DEFAULT_REQUIRE]
    outcome = "refuses: " + " ".join(f"`{layer}`" for layer in refused) if refused else "reads"
    return f"| `{name}` | {environment.stands_for} | {short or 'nothing'} | {outcome} |"


@environments
def test_the_table_in_the_documents_is_this_one(name: str) -> None:
    rows = re.findall(rf"^\| `{name}` \| .*$", SECURITY.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [_row(name)]
