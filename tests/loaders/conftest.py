"""Makes `tests.loaders.pdf_writer` importable however pytest was started; runs tests of PDFs with each engine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fumehood import kinds

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.append(ROOT)


PDF = kinds.get("pdf")


@pytest.fixture(params=PDF.engines)
def either_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What asks for no engine of PDFs gets this one."""
    engine: str = request.param
    if not kinds.is_installed(PDF, engine):
        pytest.skip(f"{engine} is not installed")
    monkeypatch.setattr(kinds, "engine_of", lambda _, options: options.engine or engine)
    return engine
