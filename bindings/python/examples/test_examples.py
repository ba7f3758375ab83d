"""The examples work as documented."""

from __future__ import annotations

import asyncio
import io
import json
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


def test_boxes_of_a_data_set_move_with_its_images(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert normalize_coco.main(str(source), str(tmp_path / "images")) == 0
    reported = capsys.readouterr().out
    assert "8 images: 1 already-upright, 7 planned\n7 annotations of 7 images were drawn on the stored image" in reported
    assert not target.exists() and not (tmp_path / "upright").exists()
    assert normalize_coco.main(str(source), str(tmp_path / "images"), str(target), str(tmp_path / "upright")) == 0
    assert capsys.readouterr().out == reported
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
    normalize_coco.main(str(target), str(tmp_path / "images"), str(tmp_path / "twice.json"), str(tmp_path / "twice"))

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
        assert twice.loadAnns(twice.getAnnIds(imgIds=int(orientation))) == new


def save_photo(path: Path, orientation: Orientation, width: int = 96, height: int = 64) -> None:
    """A photo with a white square from (64, 8) to (80, 24) of the stored image."""
    import PIL.Image

    pixels = numpy.zeros((height, width, 3), numpy.uint8)
    pixels[8:24, 64:80] = 255
    image = PIL.Image.fromarray(pixels)
    image.getexif()[0x0112] = int(orientation)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, quality=95, exif=image.getexif())


def square(path: Path) -> tuple[int, int, int, int]:
    """The corners of the white square."""
    import PIL.Image

    rows, columns = numpy.nonzero(numpy.asarray(PIL.Image.open(path).convert("L")) > 128)
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def test_the_annotated_sizes_must_show_what_coco_annotations_were_drawn_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("PIL.Image")
    import normalize_coco

    def run(*sizes: tuple[Orientation, int, int], labels: "str | None" = None) -> "list[float] | None":
        images = []
        for number, (orientation, width, height) in enumerate(sizes):
            save_photo(tmp_path / f"images/{number}.jpg", orientation)
            images.append({"id": number, "file_name": f"{number}.jpg", "width": width, "height": height})
        source, target = tmp_path / "annotations.json", tmp_path / "new.json"
        target.unlink(missing_ok=True)
        shutil.rmtree(tmp_path / "upright", ignore_errors=True)
        box = {"id": 1, "image_id": 0, "category_id": 1, "bbox": [64, 8, 16, 16]}
        source.write_text(json.dumps({"images": images, "annotations": [box]}))
        code = normalize_coco.main(str(source), str(tmp_path / "images"), str(target), str(tmp_path / "upright"), labels)
        assert (code == 0) == target.exists()
        if code:
            return None
        result = json.loads(target.read_text())
        # Whatever was drawn, the sizes are those of the new images.
        import PIL.Image

        for image in result["images"]:
            assert PIL.Image.open(tmp_path / "upright" / image["file_name"]).size == (image["width"], image["height"])
        return list(result["annotations"][0]["bbox"])

    down, right = Orientation.DOWN, Orientation.RIGHT
    assert run((down, 96, 64)) is None
    assert "give --labels" in capsys.readouterr().err
    assert run((down, 96, 64), labels="stored") == [16, 40, 16, 16]
    assert run((down, 96, 64), labels="displayed") == [64, 8, 16, 16]
    assert run((down, 96, 64), (right, 96, 64)) == [16, 40, 16, 16]
    assert run((down, 96, 64), (right, 64, 96)) == [64, 8, 16, 16]
    capsys.readouterr()
    assert run((down, 96, 64), (right, 96, 64), (right, 64, 96)) is None
    assert "stored image for 1 images and of the displayed one for 1, and show nothing for 1, such as 0.jpg" in capsys.readouterr().err
    assert run((right, 48, 32)) is None
    assert "0.jpg: its annotated size is not that of the image" in capsys.readouterr().err
    # As Label Studio exports COCO: boxes of the displayed image with the size of the stored one.
    assert run((right, 96, 64), labels="displayed") == [64, 8, 16, 16]


def damage(path: Path, position: float) -> None:
    """Overwrites a part of a photo, in its header or in its scan."""
    photo = bytearray(path.read_bytes())
    start = int(len(photo) * position)
    photo[start : start + 40] = b"\xff\xd9" * 20
    path.write_bytes(photo)


def test_images_that_cannot_be_processed_are_copied_with_their_annotations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("PIL.Image")
    import normalize_coco

    images, annotations, folder = [], [], tmp_path / "images"
    for number in range(4):
        save_photo(folder / f"{number}.jpg", Orientation.RIGHT)
        images.append({"id": number, "file_name": f"{number}.jpg", "width": 96, "height": 64})
        annotations.append({"id": number, "image_id": number, "category_id": 1, "bbox": [64, 8, 16, 16]})
    damage(folder / "1.jpg", 0.9)
    (folder / "2.jpg").write_bytes((folder / "2.jpg").read_bytes()[:60])
    source, target = tmp_path / "annotations.json", tmp_path / "new.json"
    source.write_text(json.dumps({"images": images, "annotations": annotations}))
    assert normalize_coco.main(str(source), str(folder)) == 1
    assert "2.jpg: failed, to be copied: " in capsys.readouterr().out
    assert normalize_coco.main(str(source), str(folder), str(target), str(tmp_path / "new")) == 1
    assert "1.jpg: failed, copied with its annotations as they are: " in capsys.readouterr().err
    result = json.loads(target.read_text())
    for number in (1, 2):
        name = f"{number}.jpg"
        assert (tmp_path / "new" / name).read_bytes() == (folder / name).read_bytes()
        assert (result["images"][number], result["annotations"][number]) == (images[number], annotations[number])
    for number in (0, 3):
        x, y, right, bottom = square(tmp_path / f"new/{number}.jpg")
        assert result["annotations"][number]["bbox"] == [x, y, right - x, bottom - y]


def test_images_of_a_yolo_data_set_that_cannot_be_processed_are_copied_with_their_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("PIL.Image")
    import normalize_yolo

    data, new = tmp_path / "data", tmp_path / "new"
    # The folder of these images comes after that of their labels.
    for number in range(3):
        save_photo(data / f"labels/images/{number}.jpg", Orientation.RIGHT)
        labels = data / f"labels/labels/{number}.txt"
        labels.parent.mkdir(parents=True, exist_ok=True)
        labels.write_text("0 0.75 0.25 0.2 0.1\n")
    damage(data / "labels/images/1.jpg", 0.9)
    photo = data / "labels/images/2.jpg"
    photo.write_bytes(photo.read_bytes()[:60])
    assert normalize_yolo.main(str(data), str(new), "stored") == 1
    output = capsys.readouterr()
    assert "2.jpg: failed, to be copied: " in output.out and "1.jpg: failed, copied with its labels as they are: " in output.err
    for name in ("images/1.jpg", "labels/1.txt", "images/2.jpg", "labels/2.txt"):
        assert (new / "labels" / name).read_bytes() == (data / "labels" / name).read_bytes()
    assert (new / "labels/labels/0.txt").read_text() == "0 0.75 0.75 0.1 0.2\n"


@pytest.mark.parametrize("labels", ["stored", "displayed"])
def test_labels_of_a_yolo_data_set_move_with_its_images(
    labels: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The marked square is where its box, its corners and its keypoint are, if they were drawn as given."""
    pytest.importorskip("PIL.Image")
    import normalize_yolo

    data, new = tmp_path / "data", tmp_path / "new"
    pose = normalize_yolo.Pose(2, 3, [1, 0])
    for orientation in Orientation:
        name = f"train/{int(orientation)}"
        save_photo(data / f"images/{name}.jpg", orientation)
        x, y, right, bottom = (64 / 96, 8 / 64, 80 / 96, 24 / 64)
        if labels == "displayed":
            x, y, right, bottom = orientation.boxes([(x, y, right, bottom)], 1, 1)[0]
        middle = f"{(x + right) / 2} {(y + bottom) / 2} {right - x} {bottom - y}"
        (data / f"labels/{name}.txt").parent.mkdir(parents=True, exist_ok=True)
        (data / f"labels/{name}.txt").write_text(
            f"3 {middle}\n0 {x} {y} {right} {y} {right} {bottom} {x} {bottom}\n1 {middle} {x} {y} 2 0 0 0\n"
        )
    shutil.copy(FIXTURES / "formats/plain.png", data / "images/train/other.png")
    shutil.copy(FIXTURES / "formats/exif.png", data / "images/train/tagged.png")
    (data / "data.yaml").write_text("names: [face]\n")
    (data / "labels/train.cache").write_bytes(b"old")

    assert normalize_yolo.main(str(data), pose=pose, previews=str(tmp_path / "previews")) == 0
    reported = capsys.readouterr().out.splitlines()
    assert reported[0] == "10 images: 1 already-upright, 2 copied, 7 planned"
    assert len(reported) == 3 and "tagged.png: to be copied with its Orientation 6" in reported[2]
    assert reported[1].startswith("7 images with labels are rotated or flipped, and their labels are moved with --labels stored")
    assert len(list((tmp_path / "previews").iterdir())) == 7
    assert normalize_yolo.main(str(data), str(new), pose=pose) == 1
    assert "give --labels" in capsys.readouterr().err and not new.exists()

    assert normalize_yolo.main(str(data), str(new), labels, pose=pose) == 0
    assert {str(path.relative_to(new)) for path in new.rglob("*") if path.is_file()} == {
        str(path.relative_to(data)) for path in data.rglob("*") if path.is_file() and path.suffix != ".cache"
    }
    for orientation in Orientation:
        photo = new / f"images/train/{int(orientation)}.jpg"
        left, top, right, bottom = square(photo)
        width, height = orientation.size(96, 64)
        lines = (new / f"labels/train/{int(orientation)}.txt").read_text().splitlines()
        box, corners, keypoints = ([float(number) for number in line.split()] for line in lines)
        expected = [
            (left + right) / 2 / width, (top + bottom) / 2 / height, (right - left) / width, (bottom - top) / height
        ]
        assert numpy.allclose(box, [3, *expected], atol=1e-5)
        assert numpy.allclose([min(corners[1::2]), min(corners[2::2])], [left / width, top / height], atol=1e-5)
        assert numpy.allclose([max(corners[1::2]), max(corners[2::2])], [right / width, bottom / height], atol=1e-5)
        assert numpy.allclose(keypoints[:5], [1, *expected], atol=1e-5)
        if labels == "stored":
            corner = orientation.points([(64 / 96, 8 / 64)], 1, 1)[0]
            points = [[*corner, 2], [0, 0, 0]]
            assert numpy.allclose(keypoints[5:], sum(points[::-1] if orientation.is_mirrored else points, []), atol=1e-5)
    assert normalize_yolo.main(str(data), str(new), labels, pose=pose) == 1
    assert f"{new} exists" in capsys.readouterr().err


def test_labels_of_a_yolo_data_set_in_parts_move_with_its_images(tmp_path: Path) -> None:
    pytest.importorskip("PIL.Image")
    import normalize_yolo

    data, new = tmp_path / "data", tmp_path / "new"
    for part in ("train", "images/valid", "test/images"):
        save_photo(data / part / "images/deep/a.jpg", Orientation.RIGHT)
        labels = data / part / "labels/deep/a.txt"
        labels.parent.mkdir(parents=True)
        labels.write_text("0 0.75 0.25 0.2 0.1\n")
    (data / "data.yaml").write_text("train: train/images\n")
    assert normalize_yolo.main(str(data), str(new), "stored") == 0
    for part in ("train", "images/valid", "test/images"):
        assert (new / part / "labels/deep/a.txt").read_text() == "0 0.75 0.75 0.1 0.2\n"
    assert (new / "data.yaml").read_text() == "train: train/images\n"


def test_a_package_that_is_missing_is_an_error_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    import normalize_coco
    import normalize_yolo

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert normalize_yolo.main(str(tmp_path), previews=str(tmp_path / "previews")) == 1
    assert "--preview needs Pillow" in capsys.readouterr().err and not (tmp_path / "previews").exists()
    annotations = tmp_path / "annotations.json"
    image = {"id": 1, "file_name": "portrait.jpg", "width": 480, "height": 320}
    runs = {"id": 1, "image_id": 1, "category_id": 1, "segmentation": {"size": [320, 480], "counts": [320 * 480]}}
    annotations.write_text(json.dumps({"images": [image], "annotations": [runs]}))
    assert normalize_coco.main(str(annotations), str(PORTRAIT.parent)) == 1
    assert "pycocotools" in capsys.readouterr().err


def test_other_numbers_of_yolo_labels_are_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL.Image")
    import normalize_yolo

    save_photo(tmp_path / "data/images/a.jpg", Orientation.RIGHT)
    (tmp_path / "data/labels").mkdir()
    (tmp_path / "data/labels/a.txt").write_text("0 0.5 0.5 0.1\n")
    assert normalize_yolo.main(str(tmp_path / "data"), str(tmp_path / "new"), "stored") == 1
    error = capsys.readouterr().err
    assert "labels/a.txt: 3 numbers are no box" in error and not (tmp_path / "new").exists()


def outline(mask: Any) -> Any:
    """The pixels of a mask that have a neighbour of another value."""
    padded = numpy.pad(mask, 1)
    rows, columns = mask.shape
    around = [padded[1 + y : 1 + y + rows, 1 + x : 1 + x + columns] for y in (-1, 0, 1) for x in (-1, 0, 1)]
    return numpy.any([other != mask for other in around], axis=0)


def test_data_sets_without_images_or_over_themselves_are_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import normalize_coco
    import normalize_yolo

    (tmp_path / "train/images").mkdir(parents=True)
    assert normalize_yolo.main(str(tmp_path), str(tmp_path / "new"), "stored") == 1
    assert "there are no images in" in capsys.readouterr().err
    images, annotations = tmp_path / "train/images", tmp_path / "old.json"
    annotations.write_text(json.dumps({"images": [], "annotations": []}))
    for new in ((annotations, tmp_path / "new"), (tmp_path / "new.json", images), (tmp_path / "new.json", None)):
        given = [None if name is None else str(name) for name in new]
        assert normalize_coco.main(str(annotations), str(images), *given) == 1
        assert "nothing is written" in capsys.readouterr().err
    png = tmp_path / "train/images/tagged.png"
    shutil.copy(FIXTURES / "formats/exif.png", png)
    annotations.write_text(json.dumps({"images": [{"id": 1, "file_name": png.name}], "annotations": []}))
    assert normalize_coco.main(str(annotations), str(images)) == 0
    assert "tagged.png: to be copied with its Orientation 6" in capsys.readouterr().out
    annotations.write_text(json.dumps({"images": [{"id": 1, "file_name": "none.jpg"}], "annotations": []}))
    assert normalize_coco.main(str(annotations), str(images)) == 1
    assert "none.jpg" in capsys.readouterr().err
