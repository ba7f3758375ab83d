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


class Normalization(TypedDict, total=False):
    on_conflict: Literal["skip", "trust-tag", "reset-tag"]
    """What to do if the Orientation tag seems stale. The image seems to be upright already then. skip: the file is
    skipped; trust-tag: the image is rotated or flipped anyway; reset-tag: only Orientation is set to 1."""


class Transformation(TypedDict, total=False):
    tag_only: bool
    """Change only the Orientation tag; leave the image as stored."""
    dry_run: bool
    """Report what would be done; write nothing."""


class Cropping(TypedDict, total=False):
    dry_run: bool
    """Report what would be done; write nothing."""
    snap: Literal["grow", "shrink", "exact"]
    """What to do with a rectangle that does not start at a block. grow: it grows to whole blocks, so that the crop is
    lossless; shrink: it shrinks to whole blocks, so that the crop is lossless; exact: it is kept, and components whose
    blocks it cuts are re-encoded."""


class Named(TypedDict, total=False):
    path: str
    """The name of the file in the report."""


class NormalizeOptions(Policies, Normalization, Named, total=False):
    pass


class TransformOptions(Policies, Transformation, Named, total=False):
    pass


class CropOptions(Policies, Cropping, Named, total=False):
    pass


class VerifyOptions(Limits, Named, total=False):
    registered_data: Literal["skip", "keep"]
    """What to do with a file whose thermal data, depth map or other data would no longer fit the image. skip: the file
    is skipped; keep: the image is transformed, and the data is kept."""
    transform: str
    """How the displayed image was transformed in addition."""
    lossless: bool
    """Fail if any image was re-encoded or trimmed."""
    result_path: str
    """The name of the result in the report."""


class UndoOptions(Limits, Named, total=False):
    pass


class Replacement(TypedDict, total=False):
    hard_links: Literal["refuse", "break"]
    """What to do with a file that has several hard links. refuse: it is skipped; break: it is replaced under this name
    only."""
    read_only: Literal["skip", "rewrite"]
    """What to do with a file that is read-only, or whose owner or group would change. skip: it is skipped; rewrite: it
    is replaced anyway, which requires write access to its directory only."""
    times: Literal["visible", "keep", "now"]
    """The modification time of a changed file. visible: it is kept, but later by a second where programs that compare
    size and time would not see the change; keep: it is kept; now: it is the present time."""
    overwrite: bool
    """Overwrite existing output files."""


class FileRewriting(Replacement, total=False):
    sidecars: Literal["update", "report", "ignore"]
    """What to do with sidecars that no longer match. update: they are updated with the photo, which is skipped if that
    is impossible, and outputs get theirs; report: they are only reported; ignore: they are ignored."""
    backup: str
    """Keep originals under their names with this suffix. No other file is overwritten with it."""


class EmbeddedUndo(TypedDict, total=False):
    embed_undo: bool
    """Put the undo data into the result itself, in a segment of its own."""


class NormalizeFileOptions(Policies, Normalization, FileRewriting, EmbeddedUndo, total=False):
    pass


class TransformFileOptions(Policies, Transformation, FileRewriting, EmbeddedUndo, total=False):
    pass


class CropFileOptions(Policies, Cropping, FileRewriting, total=False):
    pass


class RestoreFileOptions(Limits, Replacement, total=False):
    without_sidecars: bool
    """Restore photos alone, and leave their sidecars."""
