"""Reads a photo before and after normalization, with Pillow and OpenCV.

    python pillow_opencv.py photo.jpg

Before, programs that ignore the Orientation tag get the image on its side: Pillow applies the tag only on request,
OpenCV by default. Afterwards all results agree.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import cv2
import numpy
import PIL.Image
import PIL.ImageOps
import upright


def sizes(photo: bytes) -> dict[str, tuple[int, int]]:
    """Returns the width and height of a photo for each way to read it."""
    data = numpy.frombuffer(photo, numpy.uint8)
    image = PIL.Image.open(io.BytesIO(photo))
    raw = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    displayed = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return {
        "Pillow": image.size,
        "Pillow, exif_transpose": PIL.ImageOps.exif_transpose(image).size,
        "OpenCV": (displayed.shape[1], displayed.shape[0]),
        "OpenCV, IMREAD_IGNORE_ORIENTATION": (raw.shape[1], raw.shape[0]),
    }


def main(name: str) -> int:
    photo = Path(name).read_bytes()
    before, after = sizes(photo), sizes(upright.normalize(photo).bytes)
    for way, size in before.items():
        print(f"{way}: {size[0]}×{size[1]} before, {after[way][0]}×{after[way][1]} after")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
