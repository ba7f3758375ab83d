"""The examples work as documented."""

from __future__ import annotations

import io
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
HEIC = FIXTURES / "formats/agree.heic"
THERMAL = FIXTURES / "registered/flir.jpg"


def test_fastapi_keeps_all_asks_about_stale_tags_and_refuses_damage_and_heic() -> None:
    pytest.importorskip("fastapi")
    from fastapi.testclient import TestClient
    from fastapi_upload import app

    client, photo = TestClient(app), PORTRAIT.read_bytes()

    def post(photo: bytes, **fields: str) -> Any:
        return client.post("/photos", files={"photo": ("photo.jpg", photo, "image/jpeg")}, data=fields)

    response = post(photo)
    assert response.status_code == 200
    assert upright.verify(photo, response.content).status == "proven"
    response = post(photo[: len(photo) // 2])
    assert response.status_code == 422 and response.json()["detail"]["code"] == "truncated"
    assert post(HEIC.read_bytes()).status_code == 415
    response = post(THERMAL.read_bytes())
    assert response.status_code == 200 and response.content == THERMAL.read_bytes()
    assert response.headers["upright-skipped"] == "registered-data"
    stale = STALE.read_bytes()
    response = post(stale)
    assert response.status_code == 409 and response.json()["detail"]["evidence"]
    assert post(stale, decision="guess").status_code == 422
    response = post(stale, decision="reset-tag")
    assert response.status_code == 200
    assert upright.plan(response.content).orientation is Orientation.UP


def test_django_keeps_all_asks_about_stale_tags_and_refuses_damage_and_heic() -> None:
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
    response = post(HEIC.read_bytes())
    assert response.status_code == 422 and response.json()["photo"][0]["code"] == "not-jpeg"
    response = post(THERMAL.read_bytes())
    assert response.status_code == 200 and response.content == THERMAL.read_bytes()
    assert response["Upright-Skipped"] == "registered-data"
    response = post(STALE.read_bytes())
    assert response.status_code == 422 and response.json()["photo"][0]["code"] == "conflict"


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


def test_pycocotools_selects_the_same_pixels_of_a_data_set_afterwards(tmp_path: Path) -> None:
    """Masks of polygons and runs, and overlaps of boxes, before and after."""
    pillow, masks = pytest.importorskip("PIL.Image"), pytest.importorskip("pycocotools.mask")
    from pycocotools.coco import COCO

    import normalize_coco

    width, height = 96, 64
    random = numpy.random.default_rng(1)
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []

    def annotate(image: int, kind: str, segmentation: Any, box: Any) -> None:
        annotations.append(
            {
                "id": len(annotations) + 1, "image_id": image, "category_id": 1, "bbox": [float(side) for side in box],
                "segmentation": segmentation, "iscrowd": int(kind == "runs"), "kind": kind,
                "keypoints": [10, 12, 2, 40, 20, 2, 0, 0, 0],
            }
        )

    (tmp_path / "images").mkdir()
    for orientation in Orientation:
        image = pillow.fromarray(random.integers(0, 255, (height, width, 3), numpy.uint8))
        image.getexif()[0x0112] = int(orientation)
        name = f"{int(orientation)}.jpg"
        image.save(tmp_path / "images" / name, exif=image.getexif())
        images.append({"id": int(orientation), "file_name": name, "width": width, "height": height})
        for _ in range(4):
            x, y, across, down = (int(side) for side in (*random.integers(0, 40, 2), *random.integers(4, 24, 2)))
            corners = [x, y, x + across, y, x + across, y + down, x, y + down]
            annotate(int(orientation), "box", [corners], (x, y, across, down))
            angles = numpy.sort(random.uniform(0, 2 * numpy.pi, 7))
            points = [48, 32] + random.uniform(8, 30, (7, 1)) * numpy.stack([numpy.cos(angles), numpy.sin(angles)], -1)
            low, high = points.min(0), points.max(0)
            annotate(int(orientation), "polygon", [points.ravel().tolist()], (*low, *(high - low)))
            mask = masks.encode(numpy.asfortranarray(random.integers(0, 2, (height, width), numpy.uint8)))
            runs = {"size": mask["size"], "counts": mask["counts"].decode()}
            annotate(int(orientation), "runs", runs, masks.toBbox(mask))
        # Runs as they are in COCO's own files.
        annotate(int(orientation), "runs", {"size": [height, width], "counts": [64 * 30, 64 * 10, 64 * 56]}, (30, 0, 10, 64))
    categories = [{"id": 1, "name": "face", "keypoints": ["left_eye", "right_eye", "nose"]}]
    source, target = tmp_path / "annotations.json", tmp_path / "new.json"
    source.write_text(json.dumps({"images": images, "annotations": annotations, "categories": categories}))
    normalize_coco.main(str(source), str(tmp_path / "images"), str(target), str(tmp_path / "upright"))
    # Annotations of the upright images are not moved a second time.
    normalize_coco.main(str(target), str(tmp_path / "images"), str(tmp_path / "twice.json"), str(tmp_path / "upright"))

    before, after, twice = COCO(str(source)), COCO(str(target)), COCO(str(tmp_path / "twice.json"))
    for orientation in Orientation:
        old, new = (coco.loadAnns(coco.getAnnIds(imgIds=int(orientation))) for coco in (before, after))
        for first, second in zip(old, new):
            expected, mask = orientation.image(before.annToMask(first)), after.annToMask(second)
            assert mask.shape == expected.shape
            if first["kind"] == "polygon":
                # pycocotools rounds outlines to the right and down, before and after.
                assert not ((mask != expected) & ~outline(expected)).any()
            else:
                assert numpy.array_equal(mask, expected)
                rows, columns = numpy.nonzero(mask)
                x, y, across, down = second["bbox"]
                assert [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1] == [x, y, x + across, y + down]
            eyes = orientation.points([(10, 12), (40, 20)], width, height)
            left, right = reversed(eyes) if orientation.is_mirrored else eyes
            assert second["keypoints"] == [*left, 2, *right, 2, 0, 0, 0]
        overlaps = [masks.iou([each["bbox"] for each in all], [each["bbox"] for each in all], [0] * len(all))
                    for all in (old, new)]
        assert numpy.allclose(*overlaps)
        if orientation.swaps_axes:
            assert twice.loadAnns(twice.getAnnIds(imgIds=int(orientation))) == new


def outline(mask: Any) -> Any:
    """The pixels of a mask that have a neighbour of another value."""
    padded = numpy.pad(mask, 1)
    rows, columns = mask.shape
    around = [padded[1 + y : 1 + y + rows, 1 + x : 1 + x + columns] for y in (-1, 0, 1) for x in (-1, 0, 1)]
    return numpy.any([other != mask for other in around], axis=0)
