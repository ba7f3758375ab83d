"""An upload with FastAPI: a form with a photo, which is normalized and keeps its metadata.

    pip install 'fastapi[standard]'
    fastapi run fastapi_upload.py
    curl --form photo=@photo.jpg --output upright.jpg http://127.0.0.1:8000/photos

HEIC photos are refused, unless PHOTOS_HEIC is keep or convert. A reverse proxy limits the size of
requests: FastAPI stores the whole photo before it calls upload().
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import heic
import upright
from fastapi import FastAPI, Form, HTTPException, Response, UploadFile
from fastapi.concurrency import run_in_threadpool

app = FastAPI()
LIMIT = 64 << 20
PLACES = asyncio.Semaphore(2)
"""Two photos are processed at once, each with at most 1024 MiB; others wait."""


@app.post("/photos")
async def upload(
    photo: UploadFile, decision: Annotated[Literal["skip", "trust-tag", "reset-tag"], Form()] = "skip"
) -> Response:
    if photo.size is None or photo.size > LIMIT:
        raise HTTPException(413, "the photo is too large")
    try:
        async with PLACES:
            result = await run_in_threadpool(
                upright.normalize,
                photo.file,
                on_conflict=decision,
                check_unchanged=True,  # also reject damaged photos that are upright already
                max_pixels=200_000_000,
                memory=1024,
                time_limit=30,
            )
    except upright.UprightError as error:
        if error.code in ("not-jpeg", "empty", "unsupported"):
            raise HTTPException(415, error.message) from error
        if isinstance(error, upright.LimitError):
            raise HTTPException(413, error.message) from error
        if isinstance(error, (upright.TimeLimitError, upright.OutOfMemoryError)):
            raise HTTPException(503, error.message, {"Retry-After": "60"}) from error
        raise HTTPException(422, {"code": error.code, "message": error.message, "offset": error.offset}) from error
    if result.reason is not None and result.reason.id == "conflict" and not result.changed:
        # The tag may be stale: the photographer decides, and sends the photo again.
        evidence = [each.text for each in result.reason.evidence]
        raise HTTPException(409, {"code": "conflict", "evidence": evidence, "decision": ["trust-tag", "reset-tag"]})
    try:
        async with PLACES:
            data, kind = await run_in_threadpool(heic.accepted, result)
    except heic.RefusedError as error:
        raise HTTPException(415, str(error)) from error
    except heic.ConversionError as error:
        raise HTTPException(422, {"code": "not-converted", "message": str(error)}) from error
    # Why a photo is stored as it came: for example, because its thermal data would no longer fit.
    headers = {"Upright-Skipped": result.reason.id} if result.reason and result.status == "skipped" else None
    return Response(data, media_type=kind, headers=headers)
