"""Machines that lack a layer: the report says so, and what is required and missing is refused.

Each is this machine behind a filter that answers as that one does.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the stand-in filters know x86-64 numbers only")

WEAKER = Path(__file__).parents[1] / "support" / "weaker.py"
SCRIPT = """
import anyio, json, fumehood
async def main():
    async with fumehood.Reader(require=(), workers=1) as reader:
        report = {layer.name: layer.state for layer in await reader.layers()}
        why = {layer.name: layer.why for layer in await reader.layers()}
        text = (await reader.read("text", b"hello")).text
        layers = (await reader.read("text", b"hello")).receipt.layers
        refusals = {}
        for name in fumehood.DEFAULT_REQUIRE | {"landlock", "root", "net-ns"}:
            try:
                await reader.read("text", b"hello", require={name})
            except fumehood.Refusal as refusal:
                refusals[name] = [refusal.code, str(refusal)]
        try:
            memory = (await reader.read("obedient", b"allocate 600", limits=fumehood.Limits(wall_seconds=20))).text
        except fumehood.Refusal as refusal:
            memory = refusal.code
    print(json.dumps({"report": report, "why": why, "text": text, "layers": layers, "refusals": refusals, "memory": memory}))
anyio.run(main, backend="trio")
"""


def on_a_machine_with(weakness: str) -> dict[str, Any]:
    support = str(WEAKER.parent)
    preamble = f"import sys; sys.path.append({support!r}); import fumehood; fumehood.register(fumehood.Kind('obedient', 'obedient'))\n"
    done = subprocess.run(
        [sys.executable, str(WEAKER), weakness, preamble + SCRIPT],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    assert seen["text"] == "hello"
    assert seen["memory"] == "memory"
    assert set(seen["layers"]) == {name for name, state in seen["report"].items() if state == "enforced"}
    return seen


@pytest.mark.parametrize(
    ("weakness", "absent", "refused"),
    [
        ("no-landlock", {"landlock"}, {"landlock"}),
        ("no-namespaces", {"user-ns", "mount-ns", "pid-ns", "net-ns", "ipc-ns", "uts-ns", "root"}, {"root", "net-ns"}),
        ("no-seccomp", {"seccomp"}, {"seccomp", "no-new-privs"}),
        ("no-rlimits", {"rlimits"}, {"rlimits"}),
        ("no-landlock,no-namespaces", {"landlock", "pid-ns", "root"}, {"landlock", "root", "net-ns"}),
    ],
)
def test_what_a_machine_lacks_is_reported_and_refused(weakness: str, absent: set[str], refused: set[str]) -> None:
    seen = on_a_machine_with(weakness)
    assert absent <= {name for name, state in seen["report"].items() if state == "absent"}
    assert all(seen["why"][name] for name in absent)
    assert set(seen["refusals"]) == refused
    for name, (code, message) in seen["refusals"].items():
        assert code == "sandbox-unavailable"
        assert name in message
        assert "require" in message


def test_with_neither_namespaces_nor_seccomp_the_network_and_the_processes_are_open() -> None:
    """Landlock still closes the file system."""
    seen = on_a_machine_with("no-seccomp,no-namespaces")
    assert {"process", "network"} <= set(seen["refusals"])
    assert "filesystem" not in seen["refusals"]


def test_an_act_that_fails_outside_too_shows_nothing() -> None:
    seen = on_a_machine_with("no-ptrace")
    assert seen["report"]["dumpable"] == "unwitnessed"
    assert "dumpable" not in seen["layers"]
