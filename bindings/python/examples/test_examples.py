"""The examples do what they say."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy
import pytest
import upright
from upright import Orientation

FIXTURES = Path(os.environ["UPRIGHT_FIXTURES"])
PORTRAIT = FIXTURES / "sample/portrait.jpg"
STALE = FIXTURES / "conflict/dimensions-tag-6.jpg"


def test_fastapi_keeps_all_asks_about_stale_tags_and_refuses_damage() -> None:
    pytest.importorskip("fastapi")
    from fastapi.testclient import TestClient
    from fastapi_upload import app

    client, photo = TestClient(app), PORTRAIT.read_bytes()
    response = client.post("/photos", content=photo)
    assert response.status_code == 200
    assert upright.verify(photo, response.content).status == "proven"
    response = client.post("/photos", content=photo[: len(photo) // 2])
    assert response.status_code == 422 and response.json()["detail"]["code"] == "truncated"
    stale = STALE.read_bytes()
    response = client.post("/photos", content=stale)
    assert response.status_code == 409 and response.json()["detail"]["evidence"]
    response = client.post("/photos", content=stale, params={"decision": "reset-tag"})
    assert response.status_code == 200
    assert upright.plan(response.content).orientation is Orientation.UP


def test_django_keeps_all_asks_about_stale_tags_and_refuses_damage() -> None:
    pytest.importorskip("django")
    import django_upload  # noqa: F401
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client

    def post(photo: bytes) -> Any:
        return Client().post("/photos", {"photo": SimpleUploadedFile("photo.jpg", photo)})

    photo = PORTRAIT.read_bytes()
    response = post(photo)
    assert response.status_code == 200
    assert upright.verify(photo, response.content).status == "proven"
    response = post(photo[: len(photo) // 2])
    assert response.status_code == 422 and response.json()["photo"][0]["code"] == "truncated"
    response = post(STALE.read_bytes())
    assert response.status_code == 422 and response.json()["photo"][0]["code"] == "conflict"


def test_pillow_shows_the_same_afterwards_without_the_tag() -> None:
    image_module, ops = pytest.importorskip("PIL.Image"), pytest.importorskip("PIL.ImageOps")
    for path in sorted((FIXTURES / "orientation").glob("aligned-?.jpg")):
        result = upright.normalize(path)
        after = numpy.asarray(image_module.open(_file(result.bytes)).convert("RGB"))
        before = numpy.asarray(ops.exif_transpose(image_module.open(path)).convert("RGB"))
        # Transposed coefficients are rounded otherwise by the inverse DCT.
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


def _file(data: bytes) -> Any:
    import io

    return io.BytesIO(data)


def test_boxes_of_a_data_set_move_with_its_images(tmp_path: Path) -> None:
    """A marked corner of each image is where its box, polygon and keypoint are."""
    pillow = pytest.importorskip("PIL.Image")
    import normalize_coco

    images, annotations = [], []
    (tmp_path / "images").mkdir()
    for orientation in Orientation:
        pixels = numpy.zeros((64, 96, 3), numpy.uint8)
        pixels[8:24, 64:80] = 255
        image = pillow.fromarray(pixels)
        image.getexif()[0x0112] = int(orientation)
        name = f"{int(orientation)}.jpg"
        image.save(tmp_path / "images" / name, quality=95, exif=image.getexif())
        images.append({"id": int(orientation), "file_name": name, "width": 96, "height": 64})
        annotations.append(
            {
                "id": int(orientation), "image_id": int(orientation), "category_id": 1, "bbox": [64, 8, 16, 16],
                "segmentation": [[64, 8, 80, 8, 80, 24, 64, 24]], "keypoints": [72, 16, 2, 0, 0, 0],
            }
        )
    source, target = tmp_path / "annotations.json", tmp_path / "new.json"
    source.write_text(json.dumps({"images": images, "annotations": annotations}))
    normalize_coco.main(str(source), str(tmp_path / "images"), str(target), str(tmp_path / "upright"))
    result = json.loads(target.read_text())
    for image, annotation in zip(result["images"], result["annotations"]):
        pixels = numpy.asarray(pillow.open(tmp_path / "upright" / image["file_name"]).convert("L"))
        assert pixels.shape == (image["height"], image["width"])
        rows, columns = numpy.nonzero(pixels > 128)
        x, y, width, height = annotation["bbox"]
        assert [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1] == [x, y, x + width, y + height]
        xs, ys = annotation["segmentation"][0][::2], annotation["segmentation"][0][1::2]
        assert [min(xs), min(ys), max(xs), max(ys)] == [x, y, x + width, y + height]
        assert annotation["keypoints"] == [x + 8, y + 8, 2, 0, 0, 0]
