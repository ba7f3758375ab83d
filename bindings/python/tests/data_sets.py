"""Photos for the tests of data sets."""

from pathlib import Path

import pytest
from upright import Orientation

numpy = pytest.importorskip("numpy")
pillow = pytest.importorskip("PIL.Image")


def save_photo(path: Path, orientation: Orientation, width: int = 96, height: int = 64) -> None:
    """A photo with a white square from (64, 8) to (80, 24) of the stored image."""
    pixels = numpy.zeros((height, width, 3), numpy.uint8)
    pixels[8:24, 64:80] = 255
    image = pillow.fromarray(pixels)
    image.getexif()[0x0112] = int(orientation)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, quality=95, exif=image.getexif())


def square(path: Path) -> tuple[int, int, int, int]:
    """The corners of the white square."""
    rows, columns = numpy.nonzero(numpy.asarray(pillow.open(path).convert("L")) > 128)
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def damage(path: Path, position: float) -> None:
    """Overwrites a part of a photo, in its header or in its scan."""
    photo = bytearray(path.read_bytes())
    start = int(len(photo) * position)
    photo[start : start + 40] = b"\xff\xd9" * 20
    path.write_bytes(photo)
