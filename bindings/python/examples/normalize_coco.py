"""Normalizes the images of a data set, and moves their COCO annotations.

    python normalize_coco.py annotations.json images
    python normalize_coco.py annotations.json images upright-annotations.json upright-images

The first form tells what the second one does before it writes. It moves the boxes, segmentations and keypoints of
annotations that were drawn on the images as they are stored. The annotated sizes show it for images that are rotated by
90°, and the others are taken for what these are; if they do not show it, or show it wrongly, --labels says it. An image that cannot
be processed, such as a damaged one, is copied with its annotations as they are, named, and the status is 1. Images of other
formats, such as PNG, are copied, and named if they have another Orientation than 1. Segmentations as runs (RLE) need
pycocotools.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple, Optional

import upright
from upright import Orientation


class Photo(NamedTuple):
    """An image of the data set, and what becomes of it."""

    image: dict[str, Any]
    path: Path
    plan: Optional[upright.Plan]
    """None for images that are copied as they are."""
    error: Optional[upright.UprightError] = None
    """Why the image cannot be processed."""

    @property
    def orientation(self) -> Orientation:
        """The orientation that is normalized; UP if the image is not transformed."""
        return (self.plan and self.plan.transform and self.plan.orientation) or Orientation.UP

    @property
    def stored(self) -> tuple[int, int]:
        assert self.plan is not None
        return self.plan.report["width"], self.plan.report["height"]

    @property
    def frame(self) -> Optional[str]:
        """The image that the annotated size is that of, ``stored`` or ``displayed``; None if both have this size."""
        sizes = {"stored": self.stored, "displayed": self.orientation.size(*self.stored)}
        found = [name for name, size in sizes.items() if size == (self.image["width"], self.image["height"])]
        if not found:
            raise ValueError(f"{self.image['file_name']}: its annotated size is not that of the image")
        return found[0] if len(found) == 1 else None


def planned(image: dict[str, Any], folder: Path) -> Photo:
    """Returns what would be done with an image."""
    path = folder / image["file_name"]
    try:
        return Photo(image, path, upright.plan(path))
    except upright.NotJPEGError:
        return Photo(image, path, None)
    except upright.UprightError as error:
        return Photo(image, path, None, error)


def frames(photos: list[Photo], given: Optional[str]) -> dict[int, str]:
    """Returns for each image that is transformed what its annotations were drawn on, ``stored`` or ``displayed``."""
    transformed = [photo for photo in photos if photo.orientation is not Orientation.UP]
    if given is not None:
        return {photo.image["id"]: given for photo in transformed}
    found = {photo.image["id"]: photo.frame for photo in transformed}
    shown = {frame for frame in found.values() if frame is not None}
    if None in found.values() and len(shown) != 1:
        counts = Counter(found.values())
        name = next(photo.image["file_name"] for photo in transformed if photo.frame is None)
        raise ValueError(
            f"the annotated sizes are those of the stored image for {counts['stored']} images and of the displayed one for"
            f" {counts['displayed']}, and show nothing for {counts[None]}, such as {name}: give --labels, which holds for all"
        )
    return {id: frame or min(shown) for id, frame in found.items()}


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


def report(photos: list[Photo], frame: dict[int, str], annotations: list[dict[str, Any]]) -> None:
    """Prints what is done."""
    kinds = Counter("failed" if photo.error else "copied" if photo.plan is None else photo.plan.status for photo in photos)
    print(f"{len(photos)} images: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    for name, done in (("stored", "moved"), ("displayed", "kept")):
        images = {id for id, each in frame.items() if each == name}
        count = sum(each["image_id"] in images for each in annotations)
        print(f"{count} annotations of {len(images)} images were drawn on the {name} image, and are {done}")
    for photo in photos:
        if photo.plan is not None and photo.plan.status == "skipped" and photo.plan.reason is not None:
            print(f"{photo.image['file_name']}: skipped: {photo.plan.reason.text}")
        if photo.error is not None:
            print(f"{photo.path}: failed, to be copied: {photo.error}")
        elif photo.plan is None and (kept := other_orientation(photo.path)) is not None:
            print(f"{photo.path}: to be copied with its Orientation {int(kept)}, because it is no JPEG, HEIC or AVIF file")


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
    from pycocotools import mask

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


def written(photo: Photo, folder: Path) -> Photo:
    """Writes the upright image, or a copy, and returns what became of it."""
    target = folder / photo.image["file_name"]
    target.parent.mkdir(parents=True, exist_ok=True)
    if photo.plan is not None:
        try:
            target.write_bytes(upright.normalize(photo.path).bytes)
            return photo
        except upright.UprightError as error:
            print(f"{photo.path}: failed, copied with its annotations as they are: {error}", file=sys.stderr)
            photo = photo._replace(plan=None, error=error)
    shutil.copy(photo.path, target)
    return photo


def main(
    annotations: str,
    images: str,
    new_annotations: Optional[str] = None,
    new_images: Optional[str] = None,
    labels: Optional[str] = None,
) -> int:
    data = json.loads(Path(annotations).read_text())
    try:
        if (new_annotations is None) is not (new_images is None):
            raise ValueError("name both the new annotations and the new folder of images, or neither")
        if new_annotations is not None and Path(new_annotations).exists():
            raise ValueError(f"{new_annotations} exists")
        if new_images is not None and Path(new_images).exists():
            raise ValueError(f"{new_images} exists")
        photos = [planned(image, Path(images)) for image in data["images"]]
        frame = frames(photos, labels)
        moves_runs = any(has_runs(each) and frame.get(each["image_id"]) == "stored" for each in data["annotations"])
        if moves_runs and importlib.util.find_spec("pycocotools") is None:
            raise ValueError("segmentations as runs are to be moved, which needs pycocotools: pip install pycocotools")
    except (OSError, ValueError) as error:
        print(f"nothing is written: {text(error)}", file=sys.stderr)
        return 1
    report(photos, frame, data["annotations"])
    if new_annotations is None or new_images is None:
        return 1 if any(photo.error for photo in photos) else 0
    try:
        photos = [written(photo, Path(new_images)) for photo in photos]
    except OSError as error:
        print(f"{new_images} is incomplete: {text(error)}", file=sys.stderr)
        return 1
    names = {category["id"]: category.get("keypoints", []) for category in data.get("categories", [])}
    by_id = {photo.image["id"]: photo for photo in photos}
    frame = {id: each for id, each in frame.items() if by_id[id].plan is not None}
    data["annotations"] = [
        moved(each, names.get(each["category_id"], []), by_id[each["image_id"]].orientation, *by_id[each["image_id"]].stored)
        if frame.get(each["image_id"]) == "stored"
        else each
        for each in data["annotations"]
    ]
    for id in frame:
        image = by_id[id].image
        image["width"], image["height"] = by_id[id].orientation.size(*by_id[id].stored)
    Path(new_annotations).write_text(json.dumps(data))
    return 1 if any(photo.error for photo in photos) else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("annotations", help="the annotations, in COCO's format")
    parser.add_argument("images", help="the folder of the images; it is not changed")
    parser.add_argument("new_annotations", nargs="?", help="where the annotations of the upright images are written")
    parser.add_argument("new_images", nargs="?", help="the folder in which the upright images are written")
    parser.add_argument("--labels", choices=["stored", "displayed"], help="what the annotations were drawn on")
    sys.exit(main(**vars(parser.parse_args())))
