"""The images of a data set: what becomes of each when the data set is normalized."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Optional

from ._errors import NotJPEGError, UprightError
from ._functions import audit, normalize, plan
from ._orientation import Orientation
from ._results import Plan


class Photo:
    """An image of a data set, and what becomes of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plan: Optional[Plan] = None
        """None for images that are copied as they are."""
        self.error: Optional[UprightError] = None
        """Why the image cannot be processed."""
        try:
            self.plan = plan(path)
        except NotJPEGError:
            pass
        except UprightError as error:
            self.error = error

    @property
    def orientation(self) -> Orientation:
        """The orientation that is normalized; UP if the image is not transformed."""
        return (self.plan and self.plan.transform and self.plan.orientation) or Orientation.UP

    @property
    def stored(self) -> tuple[int, int]:
        """Width and height of the stored image."""
        assert self.plan is not None
        return self.plan.report["width"], self.plan.report["height"]

    def write(self, target: Path) -> None:
        """Writes the upright image, or a copy."""
        target.parent.mkdir(parents=True, exist_ok=True)
        if self.plan is not None:
            try:
                target.write_bytes(normalize(self.path).bytes)
                return
            except UprightError as error:
                self.plan, self.error = None, error
        shutil.copy(self.path, target)

    def remark(self, is_written: bool) -> Optional[str]:
        """What a person should know of the image besides the counts; None if there is nothing."""
        copied = "copied" if is_written else "to be copied"
        if self.error is not None:
            return f"{self.path}: failed, {copied} with its labels as they are: {self.error}"
        if self.plan is None:
            kept = other_orientation(self.path)
            if kept is None:
                return None
            return f"{self.path}: {copied} with its Orientation {int(kept)}, because it is no JPEG, HEIC or AVIF file"
        if self.plan.status == "skipped" and self.plan.reason is not None:
            return f"{self.path}: skipped: {self.plan.reason.text}"
        return None


def other_orientation(path: Path) -> Optional[Orientation]:
    """Returns the Orientation that a file of another format keeps, such as that of a PNG file; None for 1 or none."""
    try:
        orientation = audit(path).orientation
    except UprightError:
        return None
    return None if orientation is Orientation.UP else orientation


def counts(photos: Sequence[Photo], is_written: bool) -> str:
    """Returns how many images there are, and what becomes of them."""
    names = {"planned": "normalized", "copied": "copied"} if is_written else {"planned": "to normalize", "copied": "to copy"}
    kinds = Counter("failed" if photo.error else photo.plan.status if photo.plan else "copied" for photo in photos)
    parts = [f"{count} {names.get(kind, kind)}" for kind, count in sorted(kinds.items())]
    return f"{len(photos)} images: " + ", ".join(parts)


def report(photos: Sequence[Photo], lines: Sequence[str], is_written: bool) -> int:
    """Prints what is or was done, and returns the exit status."""
    remarks = [remark for remark in (photo.remark(is_written) for photo in photos) if remark]
    print("\n".join([counts(photos, is_written), *lines, *remarks]))
    return 1 if any(photo.error for photo in photos) else 0


def text(error: Exception) -> str:
    """Returns what happened, and to which file."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return f"there is no {error}" if isinstance(error, KeyError) else str(error)


def refuse(error: Exception) -> int:
    """Prints why nothing is written, and returns the exit status."""
    print(f"nothing is written: {text(error)}", file=sys.stderr)
    return 1
