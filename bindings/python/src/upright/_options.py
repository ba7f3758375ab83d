"""The options of the functions. tools/dev/make-interfaces makes this file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, TypedDict

if TYPE_CHECKING:
    from ._functions import Cancellation


class Limits(TypedDict, total=False):
    max_pixels: int
    """Skip images with more pixels than this."""
    max_bytes: int
    """Refuse files with more bytes than this, because files are read into memory."""
    time_limit: float
    """Stop the work on a file after this time. In seconds."""
    path: str
    """The name of the file in the report."""
    cancellation: Optional[Cancellation]
    """Cancels the work from another thread."""


class Policies(Limits, total=False):
    unaligned: Literal["redraw", "trim", "skip", "fail"]
    """What to do if an edge of the image is not aligned to whole blocks and the transform requires it. redraw: the
    affected components are re-encoded, and nothing is cut off; trim: the partial blocks are cut off; skip: the file is
    skipped; fail: the file fails with an error."""
    content_credentials: Literal["skip", "keep", "strip"]
    """What to do with a file that has C2PA content credentials, which any change makes invalid. skip: the file is
    skipped; keep: it is rewritten, and the credentials are kept; strip: it is rewritten, and the credentials are
    removed."""
    registered_data: Literal["skip", "keep"]
    """What to do with a file whose thermal data, depth map or other data would no longer fit the image. skip: the file
    is skipped; keep: the image is transformed, and the data is kept."""
    redraw_quality: Literal["standard", "compact", "max"]
    """Quality of re-encoded parts. standard: the noise of a quarter of the original's quantization steps; compact:
    that of half of the steps, in about three quarters of the size; max: steps of 1, in about one and a half times the
    size."""
    resolution: Literal["keep", "follow"]
    """What to do if the axes are swapped and the X and Y resolutions differ. keep: they are kept; follow: they are
    swapped, too."""
    regions: Literal["auto", "keep", "follow"]
    """What to do with face and subject regions. auto: those in XMP are transformed if the file shows that they
    describe the stored image; keep: all are kept; follow: all are transformed, SubjectArea included."""
    lossless_only: bool
    """Skip files that cannot be rotated losslessly. That includes their thumbnails and gain maps."""
    strict_orientation: bool
    """Skip files with Orientation 0, which is treated as 1 by default."""
    reset_invalid: bool
    """Set an Orientation of 0 or above 8, which has no meaning, to 1."""
    max_scans: int
    """Skip images with more scans than this."""
    memory: int
    """Skip files for which the estimate of memory is higher than this. In MiB."""
    verify: Literal["restore", "reference", "none"]
    """How a result is checked before it is returned. restore: the original is restored from it and compared, byte for
    byte; reference: it is compared with TurboJPEG's lossless transform of the original; none: it is not checked."""
    check_unchanged: bool
    """Also decode the files that are already upright, and report damaged ones."""
    require_undo: bool
    """Skip files whose original could not be restored byte for byte."""


class NormalizeOptions(Policies, total=False):
    on_conflict: Literal["skip", "trust-tag", "reset-tag"]
    """What to do if the Orientation tag seems stale. The image seems to be upright already then. skip: the file is
    skipped; trust-tag: the image is rotated or flipped anyway; reset-tag: only Orientation is set to 1."""


class TransformOptions(Policies, total=False):
    tag_only: bool
    """Change only the Orientation tag; leave the image as stored."""
    dry_run: bool
    """Report what would be done; write nothing."""


class CropOptions(Policies, total=False):
    dry_run: bool
    """Report what would be done; write nothing."""
    snap: Literal["grow", "shrink", "exact"]
    """What to do with a rectangle that does not start at a block. grow: it grows to whole blocks, so that the crop is
    lossless; shrink: it shrinks to whole blocks, so that the crop is lossless; exact: it is kept, and components whose
    blocks it cuts are re-encoded."""


class VerifyOptions(Limits, total=False):
    registered_data: Literal["skip", "keep"]
    """What to do with a file whose thermal data, depth map or other data would no longer fit the image. skip: the file
    is skipped; keep: the image is transformed, and the data is kept."""
    transform: str
    """How the displayed image was transformed in addition."""
    lossless: bool
    """Fail if any image was re-encoded or trimmed."""
    result_path: str
    """The name of the result in the report."""
