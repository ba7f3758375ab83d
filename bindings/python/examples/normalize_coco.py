"""Normalizes the images of a data set, and moves their COCO annotations.

    python normalize_coco.py annotations.json images upright-annotations.json upright-images

Moves the boxes, segmentations and keypoints of annotations that describe the images as they are stored. Images whose
annotated sizes are those of the upright images keep their annotations; these images and skipped ones are listed.
Segmentations as runs (RLE) need pycocotools.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import upright
from upright import Orientation


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
    elif result.get("segmentation"):
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


def main(annotations: str, images: str, new_annotations: str, new_images: str) -> int:
    data = json.loads(Path(annotations).read_text())
    transforms: dict[int, tuple[Orientation, int, int]] = {}
    for image in data["images"]:
        result = upright.normalize(Path(images) / image["file_name"])
        target = Path(new_images) / image["file_name"]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(result.bytes)
        if result.transform is None or result.orientation is None:
            if result.reason is not None and result.status not in ("already-upright", "unchanged"):
                print(f"{image['file_name']}: {result.reason.text}", file=sys.stderr)
            continue
        stored = result.report["width"], result.report["height"]
        size = result.orientation.size(*stored)
        if stored != (image["width"], image["height"]) == size:
            print(f"{image['file_name']}: its annotations describe the upright image", file=sys.stderr)
            continue
        transforms[image["id"]] = result.orientation, *stored
        image["width"], image["height"] = size
    names = {category["id"]: category.get("keypoints", []) for category in data.get("categories", [])}
    data["annotations"] = [
        moved(each, names.get(each["category_id"], []), *transforms[each["image_id"]])
        if each["image_id"] in transforms
        else each
        for each in data["annotations"]
    ]
    Path(new_annotations).write_text(json.dumps(data))
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("annotations", help="the annotations of the stored images, in COCO's format")
    parser.add_argument("images", help="the folder of the images; it is not changed")
    parser.add_argument("new_annotations", help="where the annotations of the upright images are written")
    parser.add_argument("new_images", help="the folder in which the upright images are written")
    sys.exit(main(**vars(parser.parse_args())))
