"""The annotations of a COCO data set move with its images."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any, Optional

import pytest
from conftest import FIXTURES
from data_sets import damage, numpy, pillow, save_photo, square
from upright import Orientation, coco


def test_boxes_of_a_data_set_move_with_its_images(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A marked corner of each image is where its box, polygon and keypoint are."""
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
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
    assert coco.main(str(source), str(tmp_path / "images")) == 0
    reported = capsys.readouterr().out
    assert reported == (
        "8 images: 1 already-upright, 7 to normalize\n"
        "7 annotations of 7 images were drawn on the stored image, and are to be moved\n"
        "0 annotations of 0 images were drawn on the displayed image, and are to be kept\n"
    )
    assert not target.exists() and not (tmp_path / "upright").exists()
    assert coco.main(str(source), str(tmp_path / "images"), str(target), str(tmp_path / "upright")) == 0
    done = capsys.readouterr().out
    assert done.startswith(
        "8 images: 1 already-upright, 7 normalized\n7 annotations of 7 images were drawn on the stored image, and were moved\n"
    )
    assert done.endswith(f"written: {tmp_path / 'upright'}, {target}\n")
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
    masks, loaded = pytest.importorskip("pycocotools.mask"), pytest.importorskip("pycocotools.coco")
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
    coco.main(str(source), str(tmp_path / "images"), str(target), str(tmp_path / "upright"))
    # Annotations of the upright images are not moved a second time.
    coco.main(str(target), str(tmp_path / "images"), str(tmp_path / "twice.json"), str(tmp_path / "twice"))

    before, after, twice = (loaded.COCO(str(path)) for path in (source, target, tmp_path / "twice.json"))
    for orientation in Orientation:
        old, new = (each.loadAnns(each.getAnnIds(imgIds=int(orientation))) for each in (before, after))
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


def test_the_annotated_sizes_must_show_what_coco_annotations_were_drawn_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(
        *sizes: tuple[Orientation, Optional[int], Optional[int]], labels: Optional[str] = None, unknown: Optional[str] = None
    ) -> Optional[list[float]]:
        images: list[dict[str, Any]] = []
        for number, (orientation, width, height) in enumerate(sizes):
            save_photo(tmp_path / f"images/{number}.jpg", orientation)
            size = {} if width is None else {"width": width, "height": height}
            images.append({"id": number, "file_name": f"{number}.jpg", **size})
        source, target = tmp_path / "annotations.json", tmp_path / "new.json"
        target.unlink(missing_ok=True)
        shutil.rmtree(tmp_path / "upright", ignore_errors=True)
        box = {"id": 1, "image_id": 0, "category_id": 1, "bbox": [64, 8, 16, 16]}
        source.write_text(json.dumps({"images": images, "annotations": [box]}))
        code = coco.main(str(source), str(tmp_path / "images"), str(target), str(tmp_path / "upright"), labels, unknown)
        assert (code == 0) == target.exists()
        if code:
            return None
        result = json.loads(target.read_text())
        # Whatever was drawn, the sizes are those of the new images.
        for image in result["images"]:
            assert pillow.open(tmp_path / "upright" / image["file_name"]).size == (image["width"], image["height"])
        return list(result["annotations"][0]["bbox"])

    down, right = Orientation.DOWN, Orientation.RIGHT
    assert run((down, 96, 64)) is None
    assert "give --unknown for these, or --labels" in capsys.readouterr().err
    assert run((down, 96, 64), labels="stored") == [16, 40, 16, 16]
    assert run((down, 96, 64), labels="displayed") == [64, 8, 16, 16]
    assert run((down, 96, 64), (right, 96, 64)) == [16, 40, 16, 16]
    assert run((down, 96, 64), (right, 64, 96)) == [64, 8, 16, 16]
    capsys.readouterr()
    assert run((down, 96, 64), (right, 96, 64), (right, 64, 96)) is None
    error = capsys.readouterr().err
    assert "stored image for 1 images and of the displayed one for 1, and show nothing for 1, such as 0.jpg" in error
    assert run((down, 96, 64), (right, 96, 64), (right, 64, 96), unknown="stored") == [16, 40, 16, 16]
    assert run((right, 64, 96), (right, 96, 64), (down, 96, 64), unknown="stored") == [64, 8, 16, 16]
    # Annotations without sizes, as some programs write them.
    assert run((right, None, None)) is None
    assert "show nothing for 1" in capsys.readouterr().err
    assert run((right, None, None), unknown="stored") == run((right, 0, 0), labels="stored") == [40, 64, 16, 16]
    assert run((right, None, None), (right, 96, 64)) == [40, 64, 16, 16]
    assert run((right, 48, 32)) is None
    assert "0.jpg: its annotated size is not that of the image" in capsys.readouterr().err
    # Normalized without its annotations.
    assert run((Orientation.UP, 64, 96)) is None
    assert "0.jpg: its annotated size is not that of the image" in capsys.readouterr().err
    # As Label Studio exports COCO: boxes of the displayed image with the size of the stored one.
    assert run((right, 96, 64), labels="displayed") == [64, 8, 16, 16]


def test_images_that_cannot_be_processed_are_copied_with_their_annotations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    folder = tmp_path / "images"
    for number in range(4):
        save_photo(folder / f"{number}.jpg", Orientation.RIGHT)
        images.append({"id": number, "file_name": f"{number}.jpg", "width": 96, "height": 64})
        annotations.append({"id": number, "image_id": number, "category_id": 1, "bbox": [64, 8, 16, 16]})
    damage(folder / "1.jpg", 0.9)
    (folder / "2.jpg").write_bytes((folder / "2.jpg").read_bytes()[:60])
    source, target = tmp_path / "annotations.json", tmp_path / "new.json"
    source.write_text(json.dumps({"images": images, "annotations": annotations}))
    assert coco.main(str(source), str(folder)) == 1
    assert "2.jpg: failed, to be copied with its labels as they are: " in capsys.readouterr().out
    assert coco.main(str(source), str(folder), str(target), str(tmp_path / "new")) == 1
    done = capsys.readouterr().out
    assert done.startswith(
        "4 images: 2 failed, 2 normalized\n2 annotations of 2 images were drawn on the stored image, and were moved\n"
    )
    assert "1.jpg: failed, copied with its labels as they are: " in done
    result = json.loads(target.read_text())
    for number in (1, 2):
        name = f"{number}.jpg"
        assert (tmp_path / "new" / name).read_bytes() == (folder / name).read_bytes()
        assert (result["images"][number], result["annotations"][number]) == (images[number], annotations[number])
    for number in (0, 3):
        x, y, right, bottom = square(tmp_path / f"new/{number}.jpg")
        assert result["annotations"][number]["bbox"] == [x, y, right - x, bottom - y]


def outline(mask: Any) -> Any:
    """The pixels of a mask that have a neighbour of another value."""
    padded = numpy.pad(mask, 1)
    rows, columns = mask.shape
    around = [padded[1 + y : 1 + y + rows, 1 + x : 1 + x + columns] for y in (-1, 0, 1) for x in (-1, 0, 1)]
    return numpy.any([other != mask for other in around], axis=0)


def test_files_that_the_annotations_do_not_list_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"{number}.jpg" for number in range(8)]
    for name in names:
        save_photo(tmp_path / "images" / name, Orientation.RIGHT)
    source = tmp_path / "annotations.json"
    source.write_text(json.dumps({"images": [{"id": 1, "file_name": "0.jpg", "width": 96, "height": 64}], "annotations": []}))
    assert coco.main(str(source), str(tmp_path / "images")) == 0
    line = "7 files that the annotations do not list are left out: 1.jpg, 2.jpg, 3.jpg, 4.jpg, 5.jpg, …\n"
    assert line in capsys.readouterr().out
    assert coco.main(str(source), str(tmp_path / "images"), str(tmp_path / "new.json"), str(tmp_path / "new")) == 0
    assert line in capsys.readouterr().out and [path.name for path in (tmp_path / "new").iterdir()] == ["0.jpg"]


def test_runs_without_pycocotools_are_an_error_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    annotations, portrait = tmp_path / "annotations.json", FIXTURES / "sample/portrait.jpg"
    image = {"id": 1, "file_name": portrait.name, "width": 480, "height": 320}
    runs = {"id": 1, "image_id": 1, "category_id": 1, "segmentation": {"size": [320, 480], "counts": [320 * 480]}}
    annotations.write_text(json.dumps({"images": [image], "annotations": [runs]}))
    assert coco.main(str(annotations), str(portrait.parent)) == 1
    assert "pycocotools" in capsys.readouterr().err


def test_annotations_of_images_that_are_not_there_or_over_themselves_are_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images, annotations = tmp_path / "images", tmp_path / "old.json"
    images.mkdir()
    annotations.write_text(json.dumps({"images": [], "annotations": []}))
    for new in ((annotations, tmp_path / "new"), (tmp_path / "new.json", images), (tmp_path / "new.json", None)):
        given = [None if name is None else str(name) for name in new]
        assert coco.main(str(annotations), str(images), *given) == 1
        assert "nothing is written" in capsys.readouterr().err
    png = images / "tagged.png"
    shutil.copy(FIXTURES / "formats/exif.png", png)
    annotations.write_text(json.dumps({"images": [{"id": 1, "file_name": png.name}], "annotations": []}))
    assert coco.main(str(annotations), str(images)) == 0
    assert "tagged.png: to be copied with its Orientation 6" in capsys.readouterr().out
    for content, problem in (
        ({"images": [{"id": 1, "file_name": "none.jpg"}], "annotations": []}, "none.jpg: No such file"),
        ({"images": [{"id": 1, "file_name": str(png)}], "annotations": []}, "its path leads out of the folder"),
        ({"images": [{"id": 1, "file_name": "../old.json"}], "annotations": []}, "its path leads out of the folder"),
        ({"images": []}, "there is no 'annotations'"),
    ):
        annotations.write_text(json.dumps(content))
        assert coco.main(str(annotations), str(images), str(tmp_path / "new.json"), str(tmp_path / "new")) == 1
        assert problem in capsys.readouterr().err and not (tmp_path / "new").exists()
    assert coco.main(str(tmp_path / "none.json"), str(images)) == 1
    assert "none.json: No such file" in capsys.readouterr().err
