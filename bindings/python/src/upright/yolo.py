"""Normalizes the images of a YOLO data set, and moves their labels.

    python -m upright.yolo data --preview previews
    python -m upright.yolo data upright-data --labels stored

The images are in folders named images, the labels in folders named labels beside them, such as data/images and data/labels, or
data/train/images and data/train/labels; paths in data.yaml stay as they are. Labels are boxes, oriented boxes, segments, and with
--keypoints poses. The first form says what the second one does, and draws the labels of a few images on the stored image and on
the displayed one: those that fit show what to give --labels, because labels without pixels do not. With ``stored``, the
labels are moved with the images, and with ``displayed`` they are kept. Other files are copied, and images of other formats, such as
PNG, named if they have another Orientation than 1. An image that cannot be processed, such as a damaged one, is copied with its
labels as they are; it is named, and the status is 1. Previews need Pillow.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple, Optional

from ._data_sets import Photo, refuse, report, text
from ._orientation import Orientation

PREVIEWS = 8


class Pose(NamedTuple):
    """The keypoints of a pose, as kpt_shape and flip_idx of data.yaml give them."""

    points: int
    numbers: int
    """2 for x and y, 3 with the visibility."""
    flipped: list[int]
    """The keypoint that each one is in a mirror image."""


class Labeled(Photo):
    """An image of the data set with its labels."""

    def __init__(self, path: Path, data: Path) -> None:
        super().__init__(path)
        parts = list(path.relative_to(data).parts)
        # As Ultralytics does, in the last folder of this name.
        parts[len(parts) - 2 - parts[-2::-1].index("images")] = "labels"
        self.labels = data.joinpath(*parts).with_suffix(".txt")
        """Perhaps there are none."""

    @property
    def is_decided(self) -> bool:
        """Whether --labels decides nothing."""
        return self.orientation is Orientation.UP or not self.labels.exists()


def files_in(data: Path) -> list[Path]:
    """Returns the files to write, without the caches of what Ultralytics read of images and labels."""
    return sorted(each for each in data.rglob("*") if each.is_file() and each.suffix != ".cache")


def images_in(data: Path) -> list[Path]:
    """Returns the files in the folders of images."""
    return [each for each in files_in(data) if "images" in each.relative_to(data).parts[:-1]]


def line(photos: list[Labeled], labels: Optional[str], is_written: bool) -> str:
    """Returns what becomes of the labels."""
    count = sum(not photo.is_decided for photo in photos)
    done = {"stored": "moved", "displayed": "kept", None: "moved with --labels stored, kept with displayed"}[labels]
    return f"{count} images with labels are rotated or flipped, and their labels {'were' if is_written else 'are to be'} {done}"


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


def moved_labels(photo: Labeled, pose: Optional[Pose]) -> str:
    """Returns the labels for the upright image."""
    lines = photo.labels.read_text().splitlines()
    try:
        return "".join(moved(line, photo.orientation, pose) + "\n" for line in lines if line.strip())
    except ValueError as error:
        raise ValueError(f"{photo.labels}: {error}") from error


def is_pose(values: list[float], pose: Optional[Pose]) -> bool:
    """Whether the numbers of a label are a box and keypoints."""
    return pose is not None and len(values) == 4 + pose.points * pose.numbers


def is_polygon(values: list[float], pose: Optional[Pose]) -> bool:
    """Whether the numbers of a label are corners."""
    return len(values) >= 6 and len(values) % 2 == 0 and not is_pose(values, pose)


def preview(photo: Labeled, pose: Optional[Pose], target: Path) -> None:
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


def write(photos: list[Labeled], data: Path, new_data: Path, texts: dict[Path, str]) -> None:
    """Writes the upright images, the new labels, and all other files."""
    # The new data set may be in the old one.
    files = files_in(data)
    # Images come first, because the labels of those that fail are kept. Labels may be in a folder of images, too.
    first = {photo.path: photo for photo in photos if photo.plan is not None}
    for path, photo in first.items():
        photo.write(new_data / path.relative_to(data))
    kept = {photo.labels for photo in photos if photo.error}
    for path in files:
        if path in first:
            continue
        target = new_data / path.relative_to(data)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path in texts and path not in kept:
            target.write_text(texts[path])
        else:
            shutil.copy(path, target)


def old_paths(data: Path) -> list[str]:
    """Returns a line for each file, such as data.yaml, that names the place of the data set."""
    return [
        f"{file} still has the line \"{place[0]}\": write the new folder there"
        for file in sorted(data.glob("*.y*ml"))
        if (place := re.search(r"^path: *(?!\./?\s*$).*\S", file.read_text("utf-8", "replace"), re.MULTILINE))
    ]


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
        if new_data is not None and Path(new_data).exists():
            raise ValueError(f"{new_data} exists")
        paths = images_in(folder)
        if not paths:
            raise ValueError(f"there are no images in a folder named images in {folder}")
        photos = [Labeled(path, folder) for path in paths]
        undecided = [photo for photo in photos if not photo.is_decided]
        if previews is not None:
            Path(previews).mkdir(parents=True, exist_ok=True)
            for number, photo in enumerate(undecided[:PREVIEWS], 1):
                preview(photo, pose, Path(previews) / f"{number}-{photo.path.stem}.png")
        if new_data is None:
            return report(photos, [line(photos, labels, False)], False)
        if undecided and labels is None:
            raise ValueError("give --labels; the previews of --preview show which")
        texts = {photo.labels: moved_labels(photo, pose) for photo in undecided if labels == "stored"}
    except (OSError, ValueError) as error:
        return refuse(error)
    try:
        write(photos, folder, Path(new_data), texts)
        places = old_paths(Path(new_data))
    except OSError as error:
        print(f"{new_data} is incomplete: {text(error)}", file=sys.stderr)
        return 1
    status = report(photos, [line(photos, labels, True)], True)
    print("\n".join([f"written: {new_data}", *places]))
    return status


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
    parser = argparse.ArgumentParser(
        prog="python -m upright.yolo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", help="the folder with images and labels; it is not changed")
    parser.add_argument("new_data", nargs="?", help="the folder in which the upright data set is written")
    parser.add_argument("--labels", choices=["stored", "displayed"], help="the image on which the labels were drawn")
    parser.add_argument("--preview", metavar="FOLDER", help=f"where previews of up to {PREVIEWS} images are written")
    parser.add_argument("--keypoints", metavar="COUNT,NUMBERS", help="kpt_shape of poses, such as 17,3")
    parser.add_argument("--flipped", metavar="INDICES", help="flip_idx of poses: which keypoint each is in a mirror image")
    given = parser.parse_args()
    try:
        keypoints = parsed_pose(given.keypoints, given.flipped)
    except ValueError as problem:
        parser.error(f"--keypoints and --flipped are numbers with commas between them: {problem}")
    sys.exit(main(given.data, given.new_data, given.labels, given.preview, keypoints))
