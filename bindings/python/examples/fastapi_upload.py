"""An upload with FastAPI: the photo is normalized and keeps its metadata.

    fastapi run fastapi_upload.py
"""

from __future__ import annotations

import upright
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool

app = FastAPI()
LIMIT = 64 << 20


@app.post("/photos")
async def upload(request: Request, decision: str = "skip") -> Response:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LIMIT:
            raise HTTPException(413, "the photo is too large")
    if decision not in ("skip", "trust-tag", "reset-tag"):
        raise HTTPException(400, "decision must be skip, trust-tag or reset-tag")
    try:
        result = await run_in_threadpool(
            upright.normalize, bytes(body), on_conflict=decision, max_pixels=200_000_000, memory=1024, time_limit=30
        )
    except (upright.NotJPEGError, upright.DamagedError) as error:
        raise HTTPException(422, {"code": error.code, "message": error.message, "offset": error.offset}) from error
    except upright.LimitError as error:
        raise HTTPException(413, error.message) from error
    if result.reason is not None and result.reason.id == "conflict" and not result.changed:
        # The tag may be stale: the photographer decides, and sends the photo again.
        evidence = [each.text for each in result.reason.evidence]
        raise HTTPException(409, {"code": "conflict", "evidence": evidence, "decision": ["trust-tag", "reset-tag"]})
    return Response(result.bytes, media_type="image/jpeg")
