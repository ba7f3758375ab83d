"""Makes JPEG photos upright, losslessly where their size allows it.

    import upright

    result = upright.normalize("photo.jpg")
    if result.changed:
        store(result.bytes)

Most functions take bytes, an object with the buffer protocol, a path, or a file opened for reading in binary mode, and
write no file. Those named ``_file`` and ``_folder`` rewrite photos on disk together with their sidecars:

    for result in upright.normalize_folder("photos", record="record.ndjson"):
        print(result)

All release the lock of the interpreter while they work.
"""

from ._arguments import Place
from ._errors import (
    ArgumentError,
    CancelledError,
    CropError,
    DamagedError,
    FileError,
    FileMissingError,
    LimitError,
    NotJPEGError,
    OutOfMemoryError,
    OutputExistsError,
    TimeLimitError,
    UnalignedEdgeError,
    UprightError,
    VerificationError,
)
from ._files import (
    FolderResults,
    crop_file,
    flip_file,
    normalize_file,
    normalize_folder,
    plan_file,
    plan_folder,
    restore_file,
    restore_folder,
    rotate_file,
)
from ._functions import (
    Cancellation,
    Source,
    audit,
    crop,
    describe,
    flip,
    library_version,
    normalize,
    plan,
    rotate,
    undo,
    verify,
)
from ._orientation import Matrix, Orientation
from ._results import (
    Audit,
    Change,
    Evidence,
    FilePlan,
    FileResult,
    Finding,
    Note,
    Plan,
    Reason,
    Remedy,
    Result,
    Verdict,
)
from ._version import __version__

# Errors, help and representations name the package, from which everything is imported.
for _each in [value for name, value in globals().items() if not name.startswith("_")]:
    if getattr(_each, "__module__", "").startswith("upright."):
        _each.__module__ = "upright"

__all__ = [
    "ArgumentError",
    "Audit",
    "Cancellation",
    "CancelledError",
    "Change",
    "CropError",
    "DamagedError",
    "Evidence",
    "FileError",
    "FileMissingError",
    "FilePlan",
    "FileResult",
    "Finding",
    "FolderResults",
    "LimitError",
    "Matrix",
    "NotJPEGError",
    "Note",
    "Orientation",
    "OutOfMemoryError",
    "OutputExistsError",
    "Place",
    "Plan",
    "Reason",
    "Remedy",
    "Result",
    "Source",
    "TimeLimitError",
    "UnalignedEdgeError",
    "UprightError",
    "Verdict",
    "VerificationError",
    "__version__",
    "audit",
    "crop",
    "crop_file",
    "describe",
    "flip",
    "flip_file",
    "library_version",
    "normalize",
    "normalize_file",
    "normalize_folder",
    "plan",
    "plan_file",
    "plan_folder",
    "restore_file",
    "restore_folder",
    "rotate",
    "rotate_file",
    "undo",
    "verify",
]
