from __future__ import annotations

import json

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
