"""The examples for web frameworks, each under its own framework's test client, in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"

STARLETTE = """
from starlette.testclient import TestClient
from upload_starlette import app
with TestClient(app) as client:
    said = client.post("/documents", files={"file": ("a.md", b"# Harbour\\n\\ndepths")})
    assert (said.status_code, said.json()["kind"], said.json()["chunks"]) == (201, "markdown", 1), said.text
    said = client.post("/documents", files={"file": ("deep.json", b"[" * 1000)})
    assert (said.status_code, said.json()["code"]) == (422, "nesting"), said.text
    assert client.post("/documents", data={}).status_code == 400
    assert [hit["text"] for hit in client.get("/search", params={"q": "harbour"}).json()] == ["# Harbour\\n\\ndepths"]
"""

FASTAPI = STARLETTE.replace(
    "from upload_starlette import app\n",
    """
from fastapi import FastAPI
from upload_starlette import lifespan, search, upload
app = FastAPI(lifespan=lifespan)
app.add_route("/documents", upload, methods=["POST"])
app.add_route("/search", search)
""",
)

DJANGO = """
import upload_django
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
client = Client()
said = client.post("/documents", {"file": SimpleUploadedFile("a.md", b"# Harbour\\n\\ndepths")})
assert (said.status_code, said.json()["kind"], said.json()["chunks"]) == (201, "markdown", 1), said.content
said = client.post("/documents", {"file": SimpleUploadedFile("deep.json", b"[" * 1000)})
assert (said.status_code, said.json()["code"]) == (422, "nesting"), said.content
assert client.post("/documents").status_code == 400
assert client.get("/documents").status_code == 405
assert [hit["text"] for hit in client.get("/search", {"q": "harbour"}).json()] == ["# Harbour\\n\\ndepths"]
"""


@pytest.mark.parametrize(
    ("script", "needed"),
    [
        (STARLETTE, ("starlette", "httpx", "python_multipart")),
        (FASTAPI, ("fastapi", "httpx", "python_multipart")),
        (DJANGO, ("django",)),
    ],
    ids=["starlette", "fastapi", "django"],
)
def test_an_upload_is_answered_and_found(script: str, needed: tuple[str, ...], tmp_path: Path) -> None:
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed; the group `test` of pyproject.toml brings it")
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES), "UPLOAD_INDEX": str(tmp_path / "index")}
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=100
    )
    assert ran.returncode == 0, ran.stderr
