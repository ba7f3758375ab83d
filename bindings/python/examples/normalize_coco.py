"""Makes a data set upright, and moves its COCO annotations with the images.

    python normalize_coco.py annotations.json images upright-annotations.json upright-images

Boxes, segmentations (polygons) and keypoints of annotations that describe the images as they are stored are moved.
Images that stay as they are keep their annotations, and are listed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import upright
from upright import Orientation


def moved(annotation: dict[str, Any], orientation: Orientation, width: int, height: int) -> dict[str, Any]:
    """An annotation of the stored image, of the upright one."""
    result = dict(annotation)
    if "bbox" in result:
        result["bbox"] = list(orientation.boxes([result["bbox"]], width, height, "xywh")[0])
    if isinstance(result.get("segmentation"), list):
        result["segmentation"] = [
            [number for point in orientation.points(pairs(polygon, 2), width, height) for number in point]
            for polygon in result["segmentation"]
        ]
    if "keypoints" in result:
        result["keypoints"] = [
            number
            for x, y, visible in pairs(result["keypoints"], 3)
            # A keypoint that is not there has no place.
            for number in (*(orientation.points([(x, y)], width, height)[0] if visible else (x, y)), visible)
        ]
    return result


def pairs(numbers: list[float], count: int) -> list[list[float]]:
    """The numbers in groups."""
    return [numbers[start : start + count] for start in range(0, len(numbers), count)]


def main(annotations: str, images: str, new_annotations: str, new_images: str) -> int:
    data = json.loads(Path(annotations).read_text())
    transforms: dict[int, tuple[Orientation, int, int]] = {}
    for image in data["images"]:
        result = upright.normalize(Path(images) / image["file_name"])
        target = Path(new_images) / image["file_name"]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(result.bytes)
        if result.turn is None:
            if result.reason is not None and result.status not in ("nothing",):
                print(f"{image['file_name']}: {result.reason.text}", file=sys.stderr)
            continue
        width, height = result.report["width"], result.report["height"]
        orientation = result.orientation or Orientation.UP
        transforms[image["id"]] = orientation, width, height
        image["width"], image["height"] = orientation.size(width, height)
    data["annotations"] = [
        moved(each, *transforms[each["image_id"]]) if each["image_id"] in transforms else each
        for each in data["annotations"]
    ]
    Path(new_annotations).write_text(json.dumps(data))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
