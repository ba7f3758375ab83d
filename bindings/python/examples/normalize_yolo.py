"""Normalizes the images of a YOLO data set, and moves their labels.

    python normalize_yolo.py data --preview previews
    python normalize_yolo.py data upright-data --labels stored

The images are in folders named images, the labels in folders named labels beside them, such as data/images and data/labels, or
data/train/images and data/train/labels; paths in data.yaml stay as they are. Labels are boxes, oriented boxes, segments, and with --keypoints poses. The
first form tells what the second one does before it writes, and draws the labels of a few images on the stored image and on
the displayed one: those that fit show what to give --labels, because labels without pixels do not. With ``stored``, the
labels are moved with the images, and with ``displayed`` they are kept. Other files are copied, and images of other formats, such as
PNG, named if they have another Orientation than 1. An image that cannot be processed, such as a damaged one, is copied with its
labels as they are; it is named, and the status is 1. Previews need Pillow.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple, Optional

import upright
from upright import Orientation

PREVIEWS = 8


class Pose(NamedTuple):
    """The keypoints of a pose, as kpt_shape and flip_idx of data.yaml give them."""

    count: int
    numbers: int
    """2 for x and y, 3 with the visibility."""
    flipped: list[int]
    """The keypoint that each one is in a mirror image."""


class Photo(NamedTuple):
    """An image of the data set, and what becomes of it."""

    path: Path
    labels: Path
    """Perhaps there are none."""
    plan: Optional[upright.Plan]
    """None for images that are copied as they are."""
    error: Optional[upright.UprightError] = None
    """Why the image cannot be processed."""

    @property
    def orientation(self) -> Orientation:
        """The orientation that is normalized; UP if the image is not transformed."""
        return (self.plan and self.plan.transform and self.plan.orientation) or Orientation.UP

    @property
    def is_decided(self) -> bool:
        """Whether --labels decides nothing."""
        return self.orientation is Orientation.UP or not self.labels.exists()


def images_in(data: Path) -> list[Path]:
    """Returns the files in the folders of images."""
    return sorted(each for each in data.rglob("*") if each.is_file() and "images" in each.relative_to(data).parts[:-1])


def planned(path: Path, data: Path) -> Photo:
    """Returns what would be done with an image."""
    parts = list(path.relative_to(data).parts)
    # As Ultralytics does, in the last folder of this name.
    parts[len(parts) - 2 - parts[-2::-1].index("images")] = "labels"
    labels = data.joinpath(*parts).with_suffix(".txt")
    try:
        return Photo(path, labels, upright.plan(path))
    except upright.NotJPEGError:
        return Photo(path, labels, None)
    except upright.UprightError as error:
        return Photo(path, labels, None, error)


def other_orientation(path: Path) -> Optional[Orientation]:
    """Returns the Orientation that a file of another format keeps, such as that of a PNG file; None for 1 or none."""
    try:
        orientation = upright.audit(path).orientation
    except upright.UprightError:
        return None
    return None if orientation is Orientation.UP else orientation


def text(error: Exception) -> str:
    """Returns what happened, and to which file."""
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


def report(photos: list[Photo], labels: Optional[str]) -> None:
    """Prints what is done."""
    kinds = Counter("failed" if photo.error else "copied" if photo.plan is None else photo.plan.status for photo in photos)
    print(f"{len(photos)} images: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    count = sum(not photo.is_decided for photo in photos)
    done = {"stored": "are moved", "displayed": "are kept", None: "are moved with --labels stored, kept with displayed"}
    print(f"{count} images with labels are rotated or flipped, and their labels {done[labels]}")
    for photo in photos:
        if photo.plan is not None and photo.plan.status == "skipped" and photo.plan.reason is not None:
            print(f"{photo.path}: skipped: {photo.plan.reason.text}")
        if photo.error is not None:
            print(f"{photo.path}: failed, to be copied: {photo.error}")
        elif photo.plan is None and (kept := other_orientation(photo.path)) is not None:
            print(f"{photo.path}: to be copied with its Orientation {int(kept)}, because it is no JPEG, HEIC or AVIF file")


def moved(line: str, orientation: Orientation, pose: Optional[Pose] = None) -> str:
    """Returns a line of labels for the upright image."""
    name, *numbers = line.split()
    values = [float(number) for number in numbers]
    if pose is not None and is_pose(values, pose):
        result = moved_box(values[:4], orientation)
        points = [values[start : start + pose.numbers] for start in range(4, len(values), pose.numbers)]
        # A keypoint that is not labeled has no position.
        points = [
            [*orientation.points([point[:2]], 1, 1)[0], *point[2:]] if any(point[:2]) else point for point in points
        ]
        if orientation.is_mirrored:
            points = [points[index] for index in pose.flipped]
        result += [number for point in points for number in point]
    elif len(values) in (4, 5):
        # Predictions have a confidence, too.
        result = moved_box(values[:4], orientation) + values[4:]
    elif is_polygon(values, pose):
        corners = list(zip(values[::2], values[1::2]))
        result = [number for point in orientation.points(corners, 1, 1) for number in point]
    else:
        raise ValueError(f"{len(values)} numbers are no box, no polygon, and no pose of --keypoints: {line}")
    return " ".join([name, *(f"{number:.6f}".rstrip("0").rstrip(".") for number in result)])


def moved_box(box: list[float], orientation: Orientation) -> list[float]:
    """Returns a box, given by its center, for the upright image. Widths and heights of images are 1 in YOLO."""
    return list(orientation.boxes([box], 1, 1, "cxcywh")[0])


def moved_labels(photo: Photo, pose: Optional[Pose]) -> str:
    """Returns the labels for the upright image."""
    lines = photo.labels.read_text().splitlines()
    try:
        return "".join(moved(line, photo.orientation, pose) + "\n" for line in lines if line.strip())
    except ValueError as error:
        raise ValueError(f"{photo.labels}: {error}") from error


def is_pose(values: list[float], pose: Optional[Pose]) -> bool:
    """Whether the numbers of a label are a box and keypoints."""
    return pose is not None and len(values) == 4 + pose.count * pose.numbers


def is_polygon(values: list[float], pose: Optional[Pose]) -> bool:
    """Whether the numbers of a label are corners."""
    return len(values) >= 6 and len(values) % 2 == 0 and not is_pose(values, pose)


def preview(photo: Photo, pose: Optional[Pose], target: Path) -> None:
    """Draws the labels on the stored image and, beside it, on the displayed one."""
    from PIL import Image, ImageDraw, ImageOps

    with Image.open(photo.path) as opened:
        images = [opened.convert("RGB"), ImageOps.exif_transpose(opened).convert("RGB")]
    for image in images:
        image.thumbnail((600, 600))
        draw = ImageDraw.Draw(image)
        for line in photo.labels.read_text().splitlines():
            values = [float(number) for number in line.split()[1:]]
            x, y, width, height = values[:4]
            points = [(x - width / 2, y - height / 2), (x + width / 2, y + height / 2)]
            if is_polygon(values, pose):
                points = list(zip(values[::2], values[1::2]))
            corners = [(x * image.width, y * image.height) for x, y in points]
            (draw.rectangle if len(points) == 2 else draw.polygon)(corners, outline="red")
    stored, displayed = images
    result = Image.new("RGB", (stored.width + displayed.width + 20, max(stored.height, displayed.height)), "white")
    result.paste(stored, (0, 0))
    result.paste(displayed, (stored.width + 20, 0))
    result.save(target)


def write(photos: list[Photo], data: Path, new_data: Path, texts: dict[Path, str]) -> bool:
    """Writes the upright images, the new labels, and all other files. Returns whether all images could be processed."""
    labels = {photo.path: photo.labels for photo in photos if photo.plan is not None}
    texts, is_complete = dict(texts), not any(photo.error for photo in photos)
    # Ultralytics keeps what it read of images and labels in caches.
    paths = [each for each in data.rglob("*") if each.is_file() and each.suffix != ".cache"]
    # Images come first, because the labels of those that fail are kept.
    for path in sorted(paths, key=lambda path: (path not in labels, path)):
        target = new_data / path.relative_to(data)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path in labels:
            try:
                target.write_bytes(upright.normalize(path).bytes)
                continue
            except upright.UprightError as error:
                print(f"{path}: failed, copied with its labels as they are: {error}", file=sys.stderr)
                texts.pop(labels[path], None)
                is_complete = False
        if path in texts:
            target.write_text(texts[path])
        else:
            shutil.copy(path, target)
    return is_complete


def main(
    data: str,
    new_data: Optional[str] = None,
    labels: Optional[str] = None,
    previews: Optional[str] = None,
    pose: Optional[Pose] = None,
) -> int:
    folder = Path(data)
    try:
        if previews is not None and importlib.util.find_spec("PIL") is None:
            raise ValueError("--preview needs Pillow: pip install pillow")
        paths = images_in(folder)
        if not paths:
            raise ValueError(f"there are no images in a folder named images in {folder}")
        photos = [planned(path, folder) for path in paths]
        undecided = [photo for photo in photos if not photo.is_decided]
        report(photos, labels)
        if previews is not None:
            Path(previews).mkdir(parents=True, exist_ok=True)
            for number, photo in enumerate(undecided[:PREVIEWS], 1):
                preview(photo, pose, Path(previews) / f"{number}-{photo.path.stem}.png")
        if new_data is None:
            return 1 if any(photo.error for photo in photos) else 0
        if undecided and labels is None:
            raise ValueError("give --labels; the previews of --preview show which")
        if Path(new_data).exists():
            raise ValueError(f"{new_data} exists")
        texts = {photo.labels: moved_labels(photo, pose) for photo in undecided if labels == "stored"}
    except (OSError, ValueError) as error:
        print(f"nothing is written: {text(error)}", file=sys.stderr)
        return 1
    try:
        return 0 if write(photos, folder, Path(new_data), texts) else 1
    except OSError as error:
        print(f"{new_data} is incomplete: {text(error)}", file=sys.stderr)
        return 1


def parsed_pose(shape: Optional[str], flipped: Optional[str]) -> Optional[Pose]:
    """Reads the options for poses, such as ``17,3`` and ``0,2,1``."""
    if shape is None:
        return None
    count, numbers = (int(number) for number in shape.split(","))
    indices = list(range(count)) if flipped is None else [int(number) for number in flipped.split(",")]
    if sorted(indices) != list(range(count)):
        raise ValueError(f"--flipped must have each of the {count} keypoints once")
    return Pose(count, numbers, indices)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="the folder with images and labels; it is not changed")
    parser.add_argument("new_data", nargs="?", help="the folder in which the upright data set is written")
    parser.add_argument("--labels", choices=["stored", "displayed"], help="the image on which the labels were drawn")
    parser.add_argument("--preview", metavar="FOLDER", help=f"where previews of up to {PREVIEWS} images are written")
    parser.add_argument("--keypoints", metavar="COUNT,NUMBERS", help="kpt_shape of poses, such as 17,3")
    parser.add_argument("--flipped", metavar="INDICES", help="flip_idx of poses: which keypoint each is in a mirror image")
    given = parser.parse_args()
    keypoints = parsed_pose(given.keypoints, given.flipped)
    sys.exit(main(given.data, given.new_data, given.labels, given.preview, keypoints))
