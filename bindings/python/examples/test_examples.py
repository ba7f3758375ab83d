"""The examples work as documented."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy
import pytest
import upright
from upright import Orientation

FIXTURES = Path(os.environ["UPRIGHT_FIXTURES"])
PORTRAIT = FIXTURES / "sample/portrait.jpg"
STALE = FIXTURES / "conflict/dimensions-tag-6.jpg"
HEIC = FIXTURES / "formats/exif-alone.heic"
AVIF = FIXTURES / "formats/exif-alone.avif"
COMMAND = os.environ.get("UPRIGHT_BINARY") or shutil.which("upright")
THERMAL = FIXTURES / "registered/flir.jpg"


@pytest.fixture
def fastapi() -> Any:
    """Sends a photo, and returns the status, the content, its type, the header Upright-Skipped and the error."""
    pytest.importorskip("fastapi")
    from fastapi.testclient import TestClient
    from fastapi_upload import app

    def post(photo: bytes, **fields: str) -> Any:
        answer = TestClient(app).post("/photos", files={"photo": ("photo.jpg", photo, "image/jpeg")}, data=fields)
        error = None if answer.status_code == 200 else answer.json()["detail"]
        return answer.status_code, answer.content, answer.headers["content-type"], answer.headers, error

    return post


@pytest.fixture
def django() -> Any:
    """As fastapi."""
    pytest.importorskip("django")
    import django_upload  # noqa: F401
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client

    def post(photo: bytes) -> Any:
        answer = Client().post("/photos", {"photo": SimpleUploadedFile("photo.jpg", photo)})
        error = None if answer.status_code == 200 else answer.json()["photo"][0]
        return answer.status_code, answer.content, answer["Content-Type"], answer.headers, error

    return post


@pytest.fixture(params=["fastapi", "django"])
def post(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


def test_an_upload_keeps_all_and_says_why_a_photo_is_skipped(post: Any) -> None:
    photo = PORTRAIT.read_bytes()
    status, content, kind, headers, _ = post(photo)
    assert (status, kind, headers.get("Upright-Skipped")) == (200, "image/jpeg", None)
    assert upright.verify(photo, content).status == "proven"
    status, content, kind, headers, _ = post(THERMAL.read_bytes())
    assert (status, content, kind) == (200, THERMAL.read_bytes(), "image/jpeg")
    assert headers["Upright-Skipped"] == "registered-data"


def test_an_upload_of_a_damaged_file_or_of_another_format_is_an_error(post: Any) -> None:
    photo = PORTRAIT.read_bytes()
    status, *_, error = post(photo[: len(photo) // 2])
    assert (status, error["code"]) == (422, "truncated")
    # Those that are upright already are not rewritten, but checked.
    status, *_, error = post(upright.normalize(photo).bytes[:9000])
    assert (status, error["code"]) == (422, "truncated")
    damaged = bytearray(upright.normalize(photo).bytes)
    damaged[8000:8040] = b"\xff\xd9" * 20
    status, *_, error = post(bytes(damaged))
    assert (status, error["code"]) == (422, "damaged-scan")
    assert post((FIXTURES / "formats/exif.png").read_bytes())[0] == 415
    assert post(b"")[0] == 415


@pytest.mark.parametrize("path", [HEIC, AVIF])
def test_an_upload_of_heic_is_refused_unless_it_is_chosen(post: Any, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import heic

    expected = "image/heic" if path is HEIC else "image/avif"
    photo = path.read_bytes()
    status, *_, error = post(photo)
    assert status == 415 and expected in str(error)
    monkeypatch.setattr(heic, "CHOICE", "keep")
    status, content, kind, *_ = post(photo)
    assert (status, kind) == (200, expected)
    assert content == upright.normalize(photo).bytes and not upright.normalize(content).changed


def test_an_upload_of_heic_is_converted(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pillow = pytest.importorskip("PIL.Image")
    import heic

    path = FIXTURES / "heif/4-2-2.heic"
    if not COMMAND or subprocess.run([COMMAND, "convert", "-n", path], capture_output=True, check=False).returncode:
        pytest.skip("there is no command upright that converts HEIC")
    monkeypatch.setattr(heic, "CHOICE", "convert")
    photo = path.read_bytes()
    status, content, kind, _, error = post(photo)
    assert (status, kind) == (200, "image/jpeg"), error
    assert pillow.open(io.BytesIO(content)).size == (64, 96)
    # The boxes are intact, and the image is not.
    at = photo.index(b"mdat")
    status, *_, error = post(photo[: at + 4] + bytes(len(photo) - at - 4))
    assert (status, error["code"]) == (422, "not-converted") and "the photo" in error["message"]
    status, *_, error = post((FIXTURES / "heif/high-dynamic-range.heic").read_bytes())
    assert (status, error["code"]) == (422, "not-converted") and "tone mapping" in error["message"]


def test_a_server_that_cannot_convert_does_not_start(tmp_path: Path) -> None:
    environment = {**os.environ, "PHOTOS_HEIC": "convert", "UPRIGHT_BINARY": str(tmp_path / "upright")}
    script = [sys.executable, "-c", "import heic"]
    done = subprocess.run(script, env=environment, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "needs the command" in done.stderr


@pytest.mark.parametrize("kind", [upright.TimeLimitError, upright.OutOfMemoryError])
def test_an_upload_that_takes_too_much_may_be_sent_again(
    post: Any, kind: type[upright.UprightError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise kind("time-limit" if kind is upright.TimeLimitError else "out-of-memory", "too much", None, {})

    monkeypatch.setattr(upright, "normalize", fail)
    status, *_, headers, _ = post(PORTRAIT.read_bytes())
    assert status == 503 and headers["Retry-After"] == "60"


def test_fastapi_processes_two_photos_at_once(fastapi: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    normalize, numbers, count, lock = upright.normalize, [], 0, threading.Lock()

    def counted(*given: Any, **options: Any) -> upright.Result:
        nonlocal count
        with lock:
            count += 1
            numbers.append(count)
        time.sleep(0.05)
        result = normalize(*given, **options)
        with lock:
            count -= 1
        return result

    monkeypatch.setattr(upright, "normalize", counted)
    import httpx
    from fastapi_upload import app

    async def posted() -> "list[httpx.Response]":
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
            photo = PORTRAIT.read_bytes()
            return await asyncio.gather(*(client.post("/photos", files={"photo": ("a.jpg", photo)}) for _ in range(8)))

    assert {answer.status_code for answer in asyncio.run(posted())} == {200}
    assert len(numbers) == 8 and max(numbers) == 2


def test_fastapi_asks_about_stale_tags(fastapi: Any) -> None:
    stale = STALE.read_bytes()
    status, *_, error = fastapi(stale)
    assert status == 409 and error["evidence"]
    assert fastapi(stale, decision="guess")[0] == 422
    status, content, *_ = fastapi(stale, decision="reset-tag")
    assert status == 200 and upright.plan(content).orientation is Orientation.UP


def test_django_asks_about_stale_tags(django: Any) -> None:
    status, *_, error = django(STALE.read_bytes())
    assert (status, error["code"]) == (422, "conflict")


def test_pillow_shows_the_same_afterwards_without_the_tag() -> None:
    image_module, ops = pytest.importorskip("PIL.Image"), pytest.importorskip("PIL.ImageOps")
    for path in sorted((FIXTURES / "orientation").glob("aligned-?.jpg")):
        result = upright.normalize(path)
        after = numpy.asarray(image_module.open(io.BytesIO(result.bytes)).convert("RGB"))
        before = numpy.asarray(ops.exif_transpose(image_module.open(path)).convert("RGB"))
        # The inverse DCT rounds transposed coefficients differently.
        assert after.shape == before.shape
        assert numpy.abs(after.astype(int) - before).max() <= 16


def test_opencv_without_the_tag_gives_the_upright_image() -> None:
    cv2 = pytest.importorskip("cv2")
    result = upright.normalize(PORTRAIT)
    data = numpy.frombuffer(result.bytes, numpy.uint8)
    raw = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    assert numpy.array_equal(raw, cv2.imdecode(data, cv2.IMREAD_COLOR))
    before = cv2.imdecode(numpy.fromfile(PORTRAIT, numpy.uint8), cv2.IMREAD_COLOR)
    assert raw.shape == before.shape and numpy.abs(raw.astype(int) - before).max() <= 16


def test_all_ways_to_read_a_photo_agree_afterwards(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("cv2")
    import pillow_opencv

    pillow_opencv.main(str(PORTRAIT))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and all(line.endswith("320×480 after") for line in lines)
    assert sum("480×320 before" in line for line in lines) == 2
