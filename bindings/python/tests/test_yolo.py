"""The labels of a YOLO data set move with its images."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest
from conftest import FIXTURES
from data_sets import damage, numpy, save_photo, square
from upright import Orientation, yolo


def test_images_of_a_yolo_data_set_that_cannot_be_processed_are_copied_with_their_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    assert yolo.main(str(data), str(new), "stored") == 1
    output = capsys.readouterr().out
    assert "3 images: 2 failed, 1 normalized\n" in output and "1 images with labels are rotated or flipped" in output
    for number in (1, 2):
        assert f"{number}.jpg: failed, copied with its labels as they are: " in output
    for name in ("images/1.jpg", "labels/1.txt", "images/2.jpg", "labels/2.txt"):
        assert (new / "labels" / name).read_bytes() == (data / "labels" / name).read_bytes()
    assert (new / "labels/labels/0.txt").read_text() == "0 0.75 0.75 0.1 0.2\n"


@pytest.mark.parametrize("labels", ["stored", "displayed"])
def test_labels_of_a_yolo_data_set_move_with_its_images(
    labels: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The marked square is where its box, its corners and its keypoint are, if they were drawn as given."""
    data, new = tmp_path / "data", tmp_path / "new"
    pose = yolo.Pose(2, 3, [1, 0])
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
    (data / "data.yaml").write_text(f"names: [face]\npath: {data}\n")
    (data / "labels/train.cache").write_bytes(b"old")

    assert yolo.main(str(data), pose=pose, previews=str(tmp_path / "previews")) == 0
    reported = capsys.readouterr().out.splitlines()
    assert reported[0] == "10 images: 1 already-upright, 2 to copy, 7 to normalize"
    assert len(reported) == 3 and "tagged.png: to be copied with its Orientation 6" in reported[2]
    assert reported[1].startswith("7 images with labels are rotated or flipped, and their labels are to be moved with --labels stored")
    assert len(list((tmp_path / "previews").iterdir())) == 7
    assert yolo.main(str(data), str(new), pose=pose) == 1
    assert "give --labels" in capsys.readouterr().err and not new.exists()

    assert yolo.main(str(data), str(new), labels, pose=pose) == 0
    done = capsys.readouterr().out.splitlines()
    verb = "moved" if labels == "stored" else "kept"
    assert done[:2] == [
        "10 images: 1 already-upright, 2 copied, 7 normalized",
        f"7 images with labels are rotated or flipped, and their labels were {verb}",
    ]
    assert done[3:] == [f"written: {new}", f"{new / 'data.yaml'} still has the line \"path: {data}\": write the new folder there"]
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
            points = [0, 0, 0, *corner, 2] if orientation.is_mirrored else [*corner, 2, 0, 0, 0]
            assert numpy.allclose(keypoints[5:], points, atol=1e-5)
    assert yolo.main(str(data), str(new), labels, pose=pose) == 1
    assert f"{new} exists" in capsys.readouterr().err


def test_labels_of_a_yolo_data_set_in_parts_move_with_its_images(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, new = tmp_path / "data", tmp_path / "new"
    for part in ("train", "images/valid", "test/images"):
        save_photo(data / part / "images/deep/a.jpg", Orientation.RIGHT)
        labels = data / part / "labels/deep/a.txt"
        labels.parent.mkdir(parents=True)
        labels.write_text("0 0.75 0.25 0.2 0.1\n")
    (data / "data.yaml").write_text("train: train/images\n")
    assert yolo.main(str(data), str(new), "stored") == 0
    for part in ("train", "images/valid", "test/images"):
        assert (new / part / "labels/deep/a.txt").read_text() == "0 0.75 0.75 0.1 0.2\n"
    assert (new / "data.yaml").read_text() == "train: train/images\n"
    assert "data.yaml" not in capsys.readouterr().out


def test_other_numbers_of_yolo_labels_are_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_photo(tmp_path / "data/images/a.jpg", Orientation.RIGHT)
    (tmp_path / "data/labels").mkdir()
    (tmp_path / "data/labels/a.txt").write_text("0 0.5 0.5 0.1\n")
    assert yolo.main(str(tmp_path / "data"), str(tmp_path / "new"), "stored") == 1
    error = capsys.readouterr().err
    assert "labels/a.txt: 3 numbers are no box" in error and not (tmp_path / "new").exists()


def test_a_previews_package_that_is_missing_and_a_data_set_without_images_are_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "train/images").mkdir(parents=True)
    assert yolo.main(str(tmp_path), str(tmp_path / "new"), "stored") == 1
    assert "there are no images in" in capsys.readouterr().err
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert yolo.main(str(tmp_path), previews=str(tmp_path / "previews")) == 1
    assert "--preview needs Pillow" in capsys.readouterr().err and not (tmp_path / "previews").exists()


def test_images_that_share_their_labels_move_them(tmp_path: Path) -> None:
    save_photo(tmp_path / "data/images/a.jpg", Orientation.RIGHT)
    shutil.copy(FIXTURES / "formats/plain.png", tmp_path / "data/images/a.png")
    (tmp_path / "data/labels").mkdir()
    (tmp_path / "data/labels/a.txt").write_text("0 0.75 0.25 0.2 0.1\n")
    assert yolo.main(str(tmp_path / "data"), str(tmp_path / "data/new"), "stored") == 0
    assert (tmp_path / "data/new/labels/a.txt").read_text() == "0 0.75 0.75 0.1 0.2\n"
