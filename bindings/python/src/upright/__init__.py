"""Makes JPEG photos upright, losslessly where their size allows it.

    import upright

    result = upright.normalize("photo.jpg")
    if result.changed:
        store(result.bytes)

Every function takes bytes, an object with the buffer protocol, a path, or a file opened for reading in binary mode.
It releases the lock of the interpreter while it works.
"""

from ._errors import (
    ArgumentError,
    CancelledError,
    CropError,
    DamagedError,
    LimitError,
    NotJPEGError,
    OutOfMemoryError,
    TimeLimitError,
    UnalignedEdgeError,
    UprightError,
    VerificationError,
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
from ._results import Audit, Change, Evidence, Finding, Note, Plan, Reason, Remedy, Result, Verdict
from ._version import __version__

# Errors, help and representations name the package, from which everything is imported.
for _each in [value for name, value in globals().items() if not name.startswith("_")]:
    if getattr(_each, "__module__", "").startswith("upright."):
        _each.__module__ = "upright"

__all__ = [
    "ArgumentError",
    "Audit",
    "CancelledError",
    "Cancellation",
    "Change",
    "CropError",
    "DamagedError",
    "Evidence",
    "Finding",
    "LimitError",
    "Matrix",
    "NotJPEGError",
    "Note",
    "Orientation",
    "OutOfMemoryError",
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
    "describe",
    "flip",
    "library_version",
    "normalize",
    "plan",
    "rotate",
    "undo",
    "verify",
]
