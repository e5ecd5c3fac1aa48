from __future__ import annotations

import json
import sys

import pytest

from fumehood.sandbox.layers import DEFAULT_REQUIRE, LAYERS, missing

from .conftest import Run


def test_json_has_every_layer_and_says_whether_require_is_met(run: Run) -> None:
    ran = run("doctor", "--json")
    said = json.loads(ran.stdout)
    assert sorted(said) == ["layers", "ok", "platform"]
    assert [layer["name"] for layer in said["layers"]] == list(LAYERS)
    for layer in said["layers"]:
        assert sorted(layer) == ["name", "seen", "state", "tried", "why"]
        assert layer["state"] in ("enforced", "absent", "unwitnessed")
        assert layer["tried"]
        assert (layer["why"] == "") == (layer["state"] == "enforced")
    have = frozenset(layer["name"] for layer in said["layers"] if layer["state"] == "enforced")
    assert said["ok"] is (missing(DEFAULT_REQUIRE, have) == [])
    assert ran.returncode == (0 if said["ok"] else 3)


def test_what_is_absent_says_how_to_get_it(run: Run) -> None:
    layers = json.loads(run("doctor", "--json").stdout)["layers"]
    absent = [layer for layer in layers if layer["state"] == "absent"]
    if not absent:
        pytest.skip("this machine has every layer")
    assert all("; to get it: " in layer["why"] for layer in absent)
    text = run("doctor").stdout.decode()
    for layer in absent:
        assert f"\n{layer['name']} is absent\n  why:  " in text
    assert text.count("  to get it:  ") == len(absent)


def test_require_that_is_not_met_is_3(run: Run) -> None:
    layers = json.loads(run("doctor", "--json").stdout)["layers"]
    lacking = [layer["name"] for layer in layers if layer["state"] != "enforced"]
    if not lacking:
        pytest.skip("this machine has every layer")
    ran = run("doctor", "--json", "--require", f"{lacking[0]},deadline")
    assert ran.returncode == 3
    assert json.loads(ran.stdout)["ok"] is False
    text = run("doctor", "--require", f"{lacking[0]},deadline").stdout.decode()
    assert f"Required and missing: {lacking[0]}." in text
    assert "--require deadline" in text
    assert run("doctor", "--json", "--require", "none").returncode == 0


@pytest.mark.parametrize("columns", [60, 100, 200])
def test_the_table_fits_the_terminal(run: Run, columns: int) -> None:
    said = run("doctor", columns=columns).stdout.decode()
    assert max(map(len, said.splitlines())) <= min(columns, 100)
    assert "What no layer can promise:" in said


ELSEWHERE = (
    sys.executable,
    "-c",
    "import sys, trio; sys.platform = 'darwin'; from fumehood.cli import main; sys.exit(main(sys.argv[1:]))",
)
"""The command as a system that is not Linux would run it, as far as that can be had here."""


def test_elsewhere_than_on_linux_nothing_is_enforced(run: Run) -> None:
    ran = run("doctor", "--json", "--require", "none", command=ELSEWHERE)
    assert ran.returncode == 3
    said = json.loads(ran.stdout)
    assert said["ok"] is False
    assert {layer["state"] for layer in said["layers"]} == {"absent"}
    text = run("doctor", command=ELSEWHERE).stdout.decode()
    assert "The sandbox could not be started" in text
    assert text.endswith("No document is read on this machine.\n")


def test_elsewhere_than_on_linux_every_file_is_refused(run: Run) -> None:
    ran = run("read", "--format", "json", "--require", "none", "a", "b", command=ELSEWHERE)
    assert ran.returncode == 3
    codes = [json.loads(line)["refusal"]["code"] for line in ran.stdout.splitlines()]
    assert codes == ["sandbox-unavailable", "sandbox-unavailable"]
