"""The types of reports. tools/dev/make-interfaces makes this file."""

from __future__ import annotations

from typing import Literal, TypedDict


class _AnyFacts(TypedDict):
    size: int
    """The file's size in bytes."""
    gps: bool
    """Whether Exif has a latitude and a longitude, as fractions or as text; 0/0 is not a value."""
    thumbnail: bool
    """Whether Exif has a thumbnail."""
    gainMap: bool
    """Whether the metadata announce a gain map."""
    motionPhoto: bool
    """Whether the metadata announce a motion photo's video."""
    contentCredentials: bool
    """Whether the file has C2PA content credentials."""
    regions: bool
    """Whether XMP has regions of the image."""
    subjectArea: bool
    """Whether Exif has a SubjectArea or SubjectLocation."""
    undoData: bool
    """Whether the file has the data to undo its last rewrite."""


class Facts(_AnyFacts, total=False):
    """What else an audit found in the file. Plans do not depend on it."""

    formatOrientation: int
    """What the format itself states: irot and imir of HEIF, the codestream of JPEG XL, the matrix of a video, the
    rotation of X3F and CRW."""
    orientationsAgree: bool
    """Of formats other than JPEG: whether all readers show the same, whichever statement they obey."""
    exifOrientation: int
    """The number in Exif's Orientation, valid or not."""
    xmpOrientation: int
    """The number in XMP's tiff:Orientation, valid or not."""
    trimming: TrimmedEdges
    """What a trimmed image would lose, whatever the policy is; absent if nothing."""
    conflicts: list[Evidence]
    """Why the Orientation tag may be stale."""
    camera: str
    """Make and model from Exif."""
    captured: str
    """When the photo was taken, by the camera's clock, as in ``2024-05-06T07:08:09``, with a fraction of the second
    and the offset from UTC if they are known."""
    thumbnailTransform: Literal[
        "none",
        "flip-horizontal",
        "rotate-180",
        "flip-vertical",
        "transpose",
        "rotate-90",
        "transverse",
        "rotate-270",
    ]
    """The transform after which the thumbnail of an upright image would show it upright, too; only from audits that
    read whole files."""
    trailingBytes: int
    """How many bytes follow the primary image; absent if only its scan data would show it."""


class _AnyCompanion(TypedDict):
    path: str
    """The file. Bytes that are not UTF-8 are replaced by U+FFFD."""
    kind: Literal["sidecar", "world-file", "edit", "placement", "description", "counterpart"]
    """What the file is to the photo."""
    name: str
    """What the file is, as a noun, such as ``sidecar`` or ``edit of darktable``. For people; the wording may change."""
    action: Literal["update", "reset", "copy", "complete", "restore", "leave"]
    """What becomes of the file."""
    done: bool
    """Whether that was done; otherwise it is planned, or failed."""


class Companion(_AnyCompanion, total=False):
    """A file beside the photo, and what was done with it, or would be."""

    pathBytes: str
    """The bytes of the path in hexadecimal, if they are not UTF-8."""
    reason: Literal[
        "fits",
        "photo-unchanged",
        "outdated",
        "may-be-outdated",
        "kept",
        "of-another",
        "unreadable",
        "format",
        "same-shot",
        "obeyed",
        "changed-since",
        "missing",
        "of-result",
        "may-be-of-result",
    ]
    """Why the file stays as it is; only of the action ``leave``."""
    orientation: int
    """The Orientation in the file, if it differs from that of the photo."""
    output: str
    """The file that was written, if not ``path``."""
    error: Failure
    """Why the file could not be read or written."""
    notes: list[Note]
    """What the file keeps although it may not fit the photo any more."""
    remedies: list[Remedy]
    """What changes the decision."""


class _AnyNote(TypedDict):
    id: str
    """The note, as listed in docs/identifiers.md."""
    text: str
    """For people; the wording may change."""


class Note(_AnyNote, total=False):
    """An identifier and a remark."""

    remedies: list[Remedy]
    """What changes what is noted."""


class _AnyChange(TypedDict):
    field: str
    """What the bytes are, such as ``exif.ifd0.orientation``."""
    offset: int
    """The first byte in the original; of a conversion, in its Exif block or XMP packet."""
    oldLength: int
    """How many bytes are replaced; 0 for an insertion."""
    newLength: int
    """How many bytes replace them."""


class Change(_AnyChange, total=False):
    """A range of bytes that is replaced."""

    old: str
    """The value before; absent if there is none."""
    new: str
    """The value after; absent if there is none."""


class RegisteredData(TypedDict):
    """Data that is registered to the pixels of the image."""

    kind: str
    """The kind of data, such as ``flir`` or ``gdepth``."""
    effect: Literal["misregistered", "stale", "independent"]
    """What the transform means for it: ``misregistered``, it no longer fits the image; ``stale``, it is a preview that
    shows the image as it was stored; ``independent``, nothing."""
    offset: int
    """Where in the original it was recognized."""


class _AnyRegion(TypedDict):
    kind: Literal["mwg", "microsoft", "acdsee", "iptc", "subject", "xmp-subject"]
    """The kind of regions."""
    disposition: Literal["transformed", "fitting", "kept"]
    """``transformed``; ``fitting``: they describe the displayed image and are kept; ``kept``: they describe the image
    as it was stored, or may do so."""
    evidence: Literal["applied-to-dimensions", "rotation", "agreement", "specification", "same-frame", "option", "none"]
    """What the decision is based on."""


class Region(_AnyRegion, total=False):
    """What becomes of one kind of regions."""

    frame: Literal["stored", "displayed"]
    """The image that they refer to; absent if unknown."""


class _AnyEmbeddedImage(TypedDict):
    role: Literal["thumbnail", "gain-map", "depth-map", "matte", "preview", "view", "video", "unknown"]
    """The purpose of the image."""
    offset: int
    """Its first byte in the original."""
    length: int
    """Its length in bytes."""


class EmbeddedImage(_AnyEmbeddedImage, total=False):
    """A secondary image, a thumbnail or a video in the file."""

    width: int
    """Its stored width, if it can be read."""
    height: int
    """Its stored height, if it can be read."""
    disposition: Literal["transformed", "re-encoded", "regenerated", "removed", "kept", "stale"]
    """What was done with it; absent if the file is unchanged."""


class _AnyFailure(TypedDict):
    id: str
    """The error, as listed in docs/identifiers.md."""
    text: str
    """For people; the wording may change."""


class Failure(_AnyFailure, total=False):
    """An identifier and what happened."""

    remedies: list[Remedy]
    """What prevents the error."""
    offset: int
    """The byte in the file, where it is known."""


class Remedy(TypedDict, total=False):
    """What changes a decision or prevents an error: a policy with another value, a higher limit, or another action."""

    policy: str
    """The name of a policy, as of the command's option."""
    value: str
    """The value of the policy."""
    limit: str
    """The name of a limit, as of the command's option."""
    action: str
    """Something else to do, as listed in docs/identifiers.md."""
    text: str
    """The effect as an imperative for people, as on a button; the wording may change."""


class Evidence(TypedDict):
    """Evidence of a stale Orientation tag."""

    id: Literal[
        "dimensions-swapped",
        "dimensions-shape",
        "thumbnail-swapped",
        "thumbnail-shape",
        "thumbnail-portrait",
        "thumbnail-content",
        "panorama",
        "software",
        "stored-portrait",
        "jfif-first",
        "exif-twice",
        "sampling",
        "xmp-only",
    ]
    """The evidence; docs/specification.md, section 6, gives the weights."""
    text: str
    """For people; the wording may change."""


class _AnyReason(TypedDict):
    id: str
    """The reason, as listed in docs/identifiers.md."""
    text: str
    """For people; the wording may change."""


class Reason(_AnyReason, total=False):
    """An identifier and what it means."""

    evidence: list[Evidence]
    """Why a stale Orientation tag is suspected; only of the reason ``conflict``."""
    remedies: list[Remedy]
    """What changes the decision."""


class _AnyRedraw(TypedDict):
    largestError: int
    """The largest difference of two samples, in the lines that are measured (docs/output.md)."""
    exceptions: int
    """The number of coefficients that the undo data must list."""
    exceptionBytes: int
    """Their size in the undo data, in bytes."""
    sizeBefore: int
    """The size of the entropy-coded data before, in bytes."""
    sizeAfter: int
    """The size of the entropy-coded data after, in bytes."""


class Redraw(_AnyRedraw, total=False):
    """The distortion and the size of the re-encoded image."""

    psnr: float
    """PSNR in dB of the displayed red, green and blue, as docs/output.md explains; absent if nothing differs."""


class Rectangle(TypedDict):
    """A rectangle in pixels of the upright image."""

    x: int
    """From the left."""
    y: int
    """From the top."""
    width: int
    """The width."""
    height: int
    """The height."""


class Crop(TypedDict):
    """The requested rectangle and the resulting one, in pixels of the upright image."""

    requested: Rectangle
    """The requested rectangle."""
    result: Rectangle
    """The rectangle of the result."""


class TrimmedEdges(TypedDict):
    """Columns and rows of the stored raster."""

    columns: int
    """Columns, from the right."""
    rows: int
    """Rows, from the bottom."""


class _AnyReport(TypedDict):
    schema: Literal["upright/2"]
    """The schema and its version."""
    path: str
    """The file, as given or found; ``-`` is standard input. Bytes that are not UTF-8 are replaced by U+FFFD."""
    status: Literal[
        "already-upright",
        "unchanged",
        "planned",
        "normalized",
        "rotated",
        "flipped",
        "cropped",
        "reset",
        "tagged",
        "restored",
        "restorable",
        "stripped",
        "converted",
        "convertible",
        "skipped",
        "failed",
        "interrupted",
    ]
    """What was done with the file, or would be done."""


class Report(_AnyReport, total=False):
    """The report of one file: what was done with it, or would be done."""

    pathBytes: str
    """The bytes of the path in hexadecimal, if they are not UTF-8."""
    output: str
    """Where the result was written, if not to ``path``."""
    transform: Literal[
        "none",
        "flip-horizontal",
        "rotate-180",
        "flip-vertical",
        "transpose",
        "rotate-90",
        "transverse",
        "rotate-270",
    ]
    """How the stored image is transformed (rotations are clockwise); ``none`` if it is only cropped."""
    displayTransform: Literal[
        "flip-horizontal",
        "rotate-180",
        "flip-vertical",
        "transpose",
        "rotate-90",
        "transverse",
        "rotate-270",
    ]
    """How the displayed image is transformed (rotations are clockwise); absent if it does not change."""
    edges: Literal["lossless", "re-encoded", "trimmed"]
    """Whether the image is lossless, or what is done with its partial MCUs."""
    keptComponents: list[int]
    """The components that stay lossless although others are re-encoded, by their index from 0."""
    trimmed: TrimmedEdges
    """The partial MCUs that are cut off."""
    crop: Crop
    """The requested rectangle and the resulting one."""
    redraw: Redraw
    """The distortion and the size of the re-encoded image."""
    verification: Literal["restored", "reference", "coefficients", "none"]
    """How the result was verified before it was written."""
    reason: Reason
    """Why the file is already upright, unchanged or skipped, or why its tag is reset."""
    error: Failure
    """Why the file failed."""
    expectedName: str
    """The name that the file should have, if its ending is that of another format."""
    pairedWith: list[str]
    """In an audit: the names of the images and videos next to the file whose names differ in their endings only."""
    format: Literal[
        "jpeg",
        "heic",
        "heif",
        "avif",
        "tiff",
        "dng",
        "png",
        "webp",
        "jxl",
        "nef",
        "cr2",
        "arw",
        "pef",
        "srw",
        "rw2",
        "orf",
        "raw",
        "raf",
        "cr3",
        "mrw",
        "x3f",
        "crw",
        "mp4",
        "mov",
    ]
    """The format of the file, by its content; of a conversion, that of the result."""
    mediaType: str
    """The media type of this format, such as ``image/jpeg``."""
    width: int
    """The stored width in pixels before the rewrite, of HEIF as cropped (``clap``); of a conversion, the result's."""
    height: int
    """The stored height in pixels before the rewrite, of HEIF as cropped (``clap``); of a conversion, the result's. 0
    if the frame header leaves it to DNL."""
    sampling: str
    """``4:2:0``, ``4:2:2``, ``4:4:4``, ``4:4:0``, ``4:1:1``, ``4:4:1``, ``4:1:0``, ``grayscale``, or the sampling
    factors, as in ``2x2,1x1,1x1``. Only of JPEG files."""
    coding: str
    """``baseline``, ``extended``, ``progressive``, ``lossless`` or ``sequential``, with ``, arithmetic`` or ``,
    hierarchical``. Only of JPEG files."""
    contradictions: list[Evidence]
    """Evidence against the Orientation tag of an image that is transformed all the same."""
    orientation: int
    """The orientation before the rewrite, 1 to 8, if there is a valid one; of other formats, the one that their
    standard obeys."""
    size: int
    """The size in bytes of the file that was or would be written."""
    sha256: str
    """The SHA-256 of the original that undo restores, or of the file without undo data."""
    sha256Before: str
    """The SHA-256 of the file before a rewrite that is recorded."""
    sha256After: str
    """The SHA-256 of the file after a rewrite that is recorded."""
    restorable: bool
    """Whether the identical original can be restored from the result; a record of it then has the undo data."""
    embeddedImages: list[EmbeddedImage]
    """The other images in the file."""
    regions: list[Region]
    """What becomes of the regions of an image that is or would be transformed."""
    registeredData: list[RegisteredData]
    """Data that is registered to the pixels of an image that is or would be transformed."""
    changes: list[Change]
    """Every change, in file order."""
    notes: list[Note]
    """What else is worth knowing."""
    quality: int
    """The JPEG quality of a conversion."""
    losses: list[Reason]
    """What a conversion cannot carry over."""
    companions: list[Companion]
    """The files beside the photo that describe it, or may, and what becomes of each."""
    facts: Facts
    """What an audit reads about the contents of the file."""
    warnings: list[Note]
    """What the new file lacks although the photo was processed, such as an owner that the system refused to copy."""


class _AnyVerificationError(TypedDict):
    id: str
    """The error, as listed in docs/identifiers.md."""
    text: str
    """For people; the wording may change."""


class VerificationError(_AnyVerificationError, total=False):
    """Why a file cannot be read."""

    file: Literal["original", "result"]
    """Which of the two files cannot be read."""


class Unread(TypedDict):
    """Data that is the same in both files; whether it refers to the stored image is not known."""

    kind: Literal[
        "segment",
        "trailer",
        "jumbf-box",
        "image-resource",
        "xmp-namespace",
        "makernote",
        "tiff-tag",
        "tiff-directory",
        "box",
        "item",
        "chunk",
    ]
    """Where the data is; docs/verification.md lists the values."""
    name: str
    """Its name in the format, such as the URI of a namespace."""
    count: int
    """How often it occurs in the original."""
    originalOffset: int
    """The first byte of the first of them in the original."""
    text: str
    """For people; the wording may change."""


class _AnyReportedFinding(TypedDict):
    id: str
    """The finding or note, as listed in docs/identifiers.md."""
    text: str
    """For people; the wording may change."""


class ReportedFinding(_AnyReportedFinding, total=False):
    """An identifier and a text."""

    originalOffset: int
    """The byte in the original."""
    resultOffset: int
    """The byte in the result."""
    remedies: list[Remedy]
    """What changes the comparison."""


class _AnyDifference(TypedDict):
    field: str
    """What the bytes are, such as ``exif.ifd0.orientation``."""
    originalOffset: int
    """The first byte in the original."""
    resultOffset: int
    """The first byte in the result."""
    originalLength: int
    """The number of bytes in the original."""
    resultLength: int
    """The number of bytes in the result."""


class Difference(_AnyDifference, total=False):
    """A range of bytes that differs."""

    old: str
    """The value in the original."""
    new: str
    """The value in the result."""


class _AnyComponent(TypedDict):
    lossless: bool
    """Whether the result has every coefficient of the component, transformed."""
    largestError: int
    """The largest difference of two samples."""


class Component(_AnyComponent, total=False):
    """A component."""

    psnr: float
    """PSNR in dB; absent if no sample differs."""


class _AnyComparedImage(TypedDict):
    role: Literal["primary", "thumbnail", "gain-map", "depth-map", "matte", "preview", "view", "video", "unknown"]
    """The purpose of the image; docs/identifiers.md lists the values."""
    relation: Literal["identical", "lossless", "re-encoded", "trimmed", "different"]
    """How the image of the result relates to that of the original."""
    transform: Literal[
        "none",
        "flip-horizontal",
        "rotate-180",
        "flip-vertical",
        "transpose",
        "rotate-90",
        "transverse",
        "rotate-270",
    ]
    """How the image was transformed, if that is known."""
    originalOffset: int
    """Its first byte in the original."""
    resultOffset: int
    """Its first byte in the result."""
    coefficients: int
    """How many coefficients were compared."""


class ComparedImage(_AnyComparedImage, total=False):
    """An image in both files."""

    components: list[Component]
    """Its components, if they could be compared."""


class _AnyVerification(TypedDict):
    schema: Literal["upright-verify/2"]
    """The schema and its version."""
    original: str
    """The original; with a record, the record file."""
    result: str
    """The file that should be the normalized original."""
    status: Literal[
        "proven",
        "partly-proven",
        "already-upright",
        "identical",
        "not-proven",
        "unreadable",
        "missing-file",
        "extra-file",
        "restorable",
        "not-checked",
        "changed-since",
        "no-record",
        "untouched",
    ]
    """The verdict; docs/verification.md lists the values."""


class Verification(_AnyVerification, total=False):
    """The verdict on a pair of files, an original and its result."""

    text: str
    """Why the pair was not compared."""
    transform: Literal[
        "none",
        "flip-horizontal",
        "rotate-180",
        "flip-vertical",
        "transpose",
        "rotate-90",
        "transverse",
        "rotate-270",
    ]
    """How the image was transformed (rotations are clockwise)."""
    images: list[ComparedImage]
    """The images in both files; the primary image is the first."""
    differences: list[Difference]
    """Fields that differ as they should."""
    findings: list[ReportedFinding]
    """Differences that disprove the result."""
    notes: list[ReportedFinding]
    """What else is worth knowing."""
    unread: list[Unread]
    """What was compared as bytes and not interpreted; empty if the files are identical."""
    error: VerificationError
    """Why a file cannot be read."""
