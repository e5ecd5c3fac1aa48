"""What all tests share: the loaders of `tests/support`, which worker processes must find on the module path."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fumehood import Kind, register

SUPPORT = str(Path(__file__).parent / "support")
if SUPPORT not in sys.path:
    sys.path.append(SUPPORT)

register(Kind("obedient", "obedient"))
register(Kind("parts", "parts"))
register(Kind("elements", "elements"))


@pytest.fixture(params=["trio", "asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Every asynchronous test runs under both."""
    backend: str = request.param
    return backend
