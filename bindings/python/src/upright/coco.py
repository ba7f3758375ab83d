"""Normalizes the images of a data set, and moves their COCO annotations.

    python -m upright.coco annotations.json images
    python -m upright.coco annotations.json images upright-annotations.json upright-images

The first form says what the second one does, and writes nothing. It moves the boxes, segmentations and keypoints of
annotations that were drawn on the images as they are stored. The annotated sizes show it for images that are rotated by
90°, each for itself, and the others are taken for what these are, if all are the same; otherwise --unknown says it. --labels says
it for all images, whatever the sizes are. An image that cannot be processed, such as a damaged one, is copied with its annotations
as they are, named, and the status is 1. Images of other formats, such as PNG, are copied, and named if they have another
Orientation than 1. Files that the annotations do not list are left out. Segmentations as runs (RLE) need pycocotools.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Optional

from ._data_sets import Photo, refuse, report, text
from ._orientation import Orientation


class Listed(Photo):
    """An image that the annotations list."""

    def __init__(self, image: dict[str, Any], folder: Path) -> None:
        name = Path(image["file_name"])
        if name.is_absolute() or ".." in name.parts:
            raise ValueError(f"{name}: its path leads out of the folder of images")
        super().__init__(folder / name)
        self.image = image

    @property
    def frame(self) -> Optional[str]:
        """The image that the annotated size is that of, ``stored`` or ``displayed``; None if there is none or it fits both."""
        size = (self.image.get("width"), self.image.get("height"))
        if not all(size):
            return None
        sizes = {"stored": self.stored, "displayed": self.orientation.size(*self.stored)}
        found = [name for name, each in sizes.items() if each == size]
        if not found:
            raise ValueError(f"{self.image['file_name']}: its annotated size is not that of the image")
        return found[0] if len(found) == 1 else None


def frames(photos: list[Listed], labels: Optional[str], unknown: Optional[str]) -> dict[int, str]:
    """Returns for each image that is transformed what its annotations were drawn on, ``stored`` or ``displayed``."""
    transformed = [photo for photo in photos if photo.orientation is not Orientation.UP]
    if labels is not None:
        return {photo.image["id"]: labels for photo in transformed}
    found = {photo.image["id"]: photo.frame for photo in transformed}
    for photo in photos:
        if photo.plan is not None and photo.plan.status == "already-upright" and photo.plan.format == "jpeg":
            # Its size fits, or it was perhaps normalized without its annotations.
            _ = photo.frame
    shown = {frame for frame in found.values() if frame is not None}
    if unknown is None and len(shown) == 1:
        unknown = min(shown)
    if None in found.values() and unknown is None:
        counts = Counter(found.values())
        name = next(photo.image["file_name"] for photo in transformed if found[photo.image["id"]] is None)
        raise ValueError(
            f"the annotated sizes are those of the stored image for {counts['stored']} images and of the displayed one for"
            f" {counts['displayed']}, and show nothing for {counts[None]}, such as {name}: give --unknown for these, or --labels,"
            " which holds for all"
        )
    return {id: frame or str(unknown) for id, frame in found.items()}


def lines(photos: list[Listed], frame: dict[int, str], annotations: list[dict[str, Any]], is_written: bool) -> list[str]:
    """Returns what becomes of the annotations."""
    found = []
    for name, done in (("stored", "moved"), ("displayed", "kept")):
        images = {id for id, each in frame.items() if each == name}
        count = sum(each["image_id"] in images for each in annotations)
        verb = "were" if is_written else "are to be"
        found.append(f"{count} annotations of {len(images)} images were drawn on the {name} image, and {verb} {done}")
    return found


def unlisted(photos: list[Listed], folder: Path) -> list[str]:
    """Returns the line on the files of the folder that the annotations do not list, if there are any."""
    listed = {photo.path for photo in photos}
    others = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path not in listed)
    if not others:
        return []
    names = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
    return [f"{len(others)} files that the annotations do not list are left out: {names}"]


def moved(
    annotation: dict[str, Any], names: list[str], orientation: Orientation, width: int, height: int
) -> dict[str, Any]:
    """Returns the annotation for the upright image, given the names of its keypoints and the size of the stored image."""
    result = dict(annotation)
    if "bbox" in result:
        result["bbox"] = list(orientation.boxes([result["bbox"]], width, height, "xywh")[0])
    if isinstance(result.get("segmentation"), list):
        result["segmentation"] = [
            [number for point in orientation.points(groups(polygon, 2), width, height) for number in point]
            for polygon in result["segmentation"]
        ]
    elif has_runs(result):
        result["segmentation"] = moved_runs(result["segmentation"], orientation)
    if "keypoints" in result:
        keypoints = [
            # A keypoint that is not labeled has no position.
            (*(orientation.points([(x, y)], width, height)[0] if visible else (x, y)), visible)
            for x, y, visible in groups(result["keypoints"], 3)
        ]
        if orientation.is_mirrored and names:
            # A mirror image shows the left hand as the right one.
            keypoints = [keypoints[names.index(other_side(name))] for name in names]
        result["keypoints"] = [number for keypoint in keypoints for number in keypoint]
    return result


def has_runs(annotation: dict[str, Any]) -> bool:
    """Whether the segmentation of an annotation is a mask as runs."""
    return isinstance(annotation.get("segmentation"), dict)


def moved_runs(runs: dict[str, Any], orientation: Orientation) -> dict[str, Any]:
    """Returns a mask for the upright image, as compressed runs."""
    import numpy
    from pycocotools import mask  # type: ignore[import-untyped]

    if isinstance(runs["counts"], list):
        runs = mask.frPyObjects(runs, *runs["size"])
    result = mask.encode(numpy.asfortranarray(orientation.image(mask.decode(runs))))
    return {"size": result["size"], "counts": result["counts"].decode()}


def other_side(name: str) -> str:
    """Returns the name of the keypoint on the other side."""
    if "left" in name:
        return name.replace("left", "right")
    return name.replace("right", "left")


def groups(numbers: list[float], count: int) -> list[list[float]]:
    """Returns the numbers in groups of a count."""
    return [numbers[start : start + count] for start in range(0, len(numbers), count)]


def updated(data: dict[str, Any], photos: list[Listed], frame: dict[int, str]) -> dict[str, Any]:
    """Returns the annotations of the upright images."""
    names = {category["id"]: category.get("keypoints", []) for category in data.get("categories", [])}
    by_id = {photo.image["id"]: photo for photo in photos}

    def annotation(each: dict[str, Any]) -> dict[str, Any]:
        if frame.get(each["image_id"]) != "stored":
            return each
        photo = by_id[each["image_id"]]
        return moved(each, names.get(each.get("category_id"), []), photo.orientation, *photo.stored)

    def image(each: dict[str, Any]) -> dict[str, Any]:
        if each["id"] not in frame:
            return each
        photo = by_id[each["id"]]
        width, height = photo.orientation.size(*photo.stored)
        return {**each, "width": width, "height": height}

    return {
        **data, "images": [image(each) for each in data["images"]],
        "annotations": [annotation(each) for each in data["annotations"]],
    }


def main(
    annotations: str,
    images: str,
    new_annotations: Optional[str] = None,
    new_images: Optional[str] = None,
    labels: Optional[str] = None,
    unknown: Optional[str] = None,
) -> int:
    try:
        if (new_annotations is None) is not (new_images is None):
            raise ValueError("name both the new annotations and the new folder of images, or neither")
        for new in (new_annotations, new_images):
            if new is not None and Path(new).exists():
                raise ValueError(f"{new} exists")
        data = json.loads(Path(annotations).read_text("utf-8"))
        photos = [Listed(image, Path(images)) for image in data["images"]]
        frame = frames(photos, labels, unknown)
        moves_runs = any(has_runs(each) and frame.get(each["image_id"]) == "stored" for each in data["annotations"])
        if moves_runs and importlib.util.find_spec("pycocotools") is None:
            raise ValueError("segmentations as runs are to be moved, which needs pycocotools: pip install pycocotools")
    except (OSError, ValueError, KeyError) as error:
        return refuse(error)
    others = unlisted(photos, Path(images))
    if new_annotations is None or new_images is None:
        return report(photos, lines(photos, frame, data["annotations"], False) + others, False)
    try:
        for photo in photos:
            photo.write(Path(new_images) / photo.image["file_name"])
        frame = {photo.image["id"]: frame[photo.image["id"]] for photo in photos if photo.plan and photo.image["id"] in frame}
        Path(new_annotations).write_text(json.dumps(updated(data, photos, frame)))
    except OSError as error:
        print(f"{new_images} is incomplete: {text(error)}", file=sys.stderr)
        return 1
    status = report(photos, lines(photos, frame, data["annotations"], True) + others, True)
    print(f"written: {new_images}, {new_annotations}")
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m upright.coco", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("annotations", help="the annotations, in COCO's format")
    parser.add_argument("images", help="the folder of the images; it is not changed")
    parser.add_argument("new_annotations", nargs="?", help="where the annotations of the upright images are written")
    parser.add_argument("new_images", nargs="?", help="the folder in which the upright images are written")
    frame_names = ["stored", "displayed"]
    parser.add_argument("--labels", choices=frame_names, help="what all annotations were drawn on, whatever the sizes are")
    parser.add_argument("--unknown", choices=frame_names, help="what those were drawn on of images whose sizes do not show it")
    sys.exit(main(**vars(parser.parse_args())))
