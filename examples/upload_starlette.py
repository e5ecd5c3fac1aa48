"""Uploads to a web service under Starlette; FastAPI is built on it, and takes the same route.

    pip install starlette python-multipart uvicorn
    uvicorn --app-dir examples upload_starlette:app

    curl -F file=@report.pdf http://127.0.0.1:8000/documents
    curl 'http://127.0.0.1:8000/search?q=harbour'

One reader and one pipeline for the life of the application; an upload is in the index, or refused, when it is answered.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from fumehood import Limits, Reader
from fumehood.errors import SandboxUnavailable
from fumehood.hygiene import printable
from fumehood.index import SQLiteIndex
from fumehood.ingest import Pipeline

INDEX = os.environ.get("UPLOAD_INDEX", "uploads.sqlite")


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
    with SQLiteIndex(INDEX) as index:
        async with Reader(limits=Limits.strict()) as reader:
            yield {"index": index, "pipeline": Pipeline(index, reader)}


async def upload(request: Request) -> Response:
    most = Limits.strict().input_bytes
    async with request.form(max_files=1, max_fields=0) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            return JSONResponse({"error": "send the document as the field `file`"}, 400)
        data = await file.read(most + 1)  # One more than is allowed is enough to be refused.
        name = file.filename
    try:
        # The sender's name for it is a hint and metadata; what the index calls it is ours.
        outcome = await request.state.pipeline.ingest_one(
            data, source=f"upload/{uuid4()}", name=name, metadata={"filename": printable(name or "")}
        )
    except SandboxUnavailable as unavailable:
        return JSONResponse({"code": unavailable.code}, 503, {"Retry-After": "5"})
    if outcome.refusal is not None:
        return JSONResponse(outcome.refusal.to_dict(), 422)
    return JSONResponse({"source": outcome.source, "kind": outcome.kind, "chunks": outcome.chunks}, 201)


async def search(request: Request) -> Response:
    page = await run_in_threadpool(request.state.index.search, request.query_params.get("q", ""))
    return JSONResponse([{"source": hit.source, "text": hit.chunk.text} for hit in page.hits])


app = Starlette(routes=[Route("/documents", upload, methods=["POST"]), Route("/search", search)], lifespan=lifespan)

# With FastAPI the routes are the same functions:
#
#     app = FastAPI(lifespan=lifespan)
#     app.add_route("/documents", upload, methods=["POST"])
#     app.add_route("/search", search)
