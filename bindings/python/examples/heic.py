"""What uploads do with HEIC and AVIF photos, which most programs that show JPEG cannot read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Literal, cast

import upright

CHOICE = cast(Literal["refuse", "keep", "convert"], os.environ.get("PHOTOS_HEIC", "refuse"))
"""They are refused, stored upright as HEIC and AVIF, or converted to JPEG by the command ``upright convert``."""

COMMAND = os.environ.get("UPRIGHT_BINARY") or "upright"

if CHOICE == "convert" and shutil.which(COMMAND) is None:
    raise RuntimeError(f"PHOTOS_HEIC=convert needs the command {COMMAND} and libheif: install the Debian package of Upright")


class RefusedError(Exception):
    """The photo is not a JPEG file, and others are refused."""


class ConversionError(Exception):
    """The command could not convert a photo; the message says why."""


def accepted(result: upright.Result) -> tuple[bytes, str]:
    """What is stored of a photo that upright.normalize processed, and its media type."""
    kind = str(result.media_type)
    if result.format == "jpeg" or CHOICE == "keep":
        return result.bytes, kind
    if CHOICE == "refuse":
        raise RefusedError(f"{kind} is not accepted, only image/jpeg")
    return converted(result.bytes), "image/jpeg"


def converted(photo: bytes) -> bytes:
    """The upright JPEG of a HEIC or AVIF photo, compressed anew."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "photo.heic"), Path(folder, "photo.jpg")
        source.write_bytes(photo)
        command = [COMMAND, "convert", "--time-limit", "30", "-o", str(target), str(source)]
        # A photo that is skipped, such as one of high dynamic range, has its reason on standard output.
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if not target.exists():
            raise ConversionError(done.stdout.replace(str(source), "the photo").strip())
        return target.read_bytes()
