"""Uploads to a Django project, as one file: a settings module, two views, a WSGI application.

    pip install django
    python examples/upload_django.py runserver

    curl -F file=@report.pdf http://127.0.0.1:8000/documents
    curl 'http://127.0.0.1:8000/search?q=harbour'

Views without an event loop use `ingest_isolated`: all threads share the process's own reader.
"""

from __future__ import annotations

import functools
import os
import secrets
import sys
from uuid import uuid4

import django
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from fumehood import Limits
from fumehood.errors import SandboxUnavailable
from fumehood.index import SQLiteIndex
from fumehood.ingest import ingest_isolated

INDEX = os.environ.get("UPLOAD_INDEX", "uploads.sqlite")
LIMITS = Limits.strict()

settings.configure(
    ROOT_URLCONF=__name__,
    SECRET_KEY=secrets.token_hex(),
    ALLOWED_HOSTS=["127.0.0.1", "localhost", "testserver"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
)
django.setup()


@functools.cache
def index() -> SQLiteIndex:
    """Opened when it is first needed: after the server has forked its workers, not before."""
    return SQLiteIndex(INDEX)


@csrf_exempt  # An interface for programs; a page with a form would keep the check.
@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        return JsonResponse({"error": "send the document as the field `file`"}, status=400)
    data = file.read(LIMITS.input_bytes + 1)  # One more than is allowed is enough to be refused.
    try:
        outcome = ingest_isolated(index(), data, source=f"upload/{uuid4()}", name=file.name, limits=LIMITS)
    except SandboxUnavailable as unavailable:
        return JsonResponse({"code": unavailable.code}, status=503, headers={"Retry-After": "5"})
    if outcome.refusal is not None:
        return JsonResponse(outcome.refusal.to_dict(), status=422)
    return JsonResponse({"source": outcome.source, "kind": outcome.kind, "chunks": outcome.chunks}, status=201)


@require_GET
def search(request: HttpRequest) -> HttpResponse:
    hits = index().search(request.GET.get("q", "")).hits
    return JsonResponse([{"source": hit.source, "text": hit.chunk.text} for hit in hits], safe=False)


urlpatterns = [path("documents", upload), path("search", search)]

if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    execute_from_command_line([sys.argv[0], *(sys.argv[1:] or ["runserver"]), "--noreload"])
