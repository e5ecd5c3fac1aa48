from __future__ import annotations

from fumehood.cli.advice import HOW_TO_GET
from fumehood.sandbox.layers import LAYERS


def test_every_layer_has_advice() -> None:
    assert tuple(HOW_TO_GET) == LAYERS
