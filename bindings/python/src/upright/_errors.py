"""What is raised where a file could not be worked on: one class for each kind of code."""

from __future__ import annotations

from typing import Any, Optional


class UprightError(Exception):
    """A file could not be worked on.

    A file that is left as it is on purpose is no error; ``Result.reason`` says why.
    """

    code: str
    """The identifier, such as ``truncated``; docs/output.md lists them."""
    message: str
    """What happened, in English words."""
    offset: Optional[int]
    """The byte of the file where it was noticed."""
    report: dict[str, Any]
    """The report of the failure, as the command prints it."""

    def __init__(self, code: str, message: str, offset: Optional[int], report: dict[str, Any]) -> None:
        super().__init__(message if offset is None else f"{message} (at byte {offset})")
        self.code = code
        self.message = message
        self.offset = offset
        self.report = report

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.offset, self.report)


class NotJPEGError(UprightError):
    """There is no JPEG file: ``empty``, ``not-jpeg``."""


class DamagedError(UprightError):
    """The file is damaged: ``truncated``, ``malformed``, ``damaged-scan``."""


class LimitError(UprightError):
    """The file asks for more than a limit allows: ``limit``."""


class TimeLimitError(UprightError, TimeoutError):
    """The work took longer than ``time_limit``: ``time-limit``."""


class CancelledError(UprightError):
    """The work was cancelled: ``cancelled``."""


class OutOfMemoryError(UprightError, MemoryError):
    """There is not enough memory: ``out-of-memory``."""


class UnalignedEdgeError(UprightError):
    """An edge is not aligned, and ``unaligned="fail"``: ``unaligned-edge``."""


class CropError(UprightError):
    """The rectangle is not one of the image: ``outside-image``, ``empty-crop``."""


class VerificationError(UprightError):
    """The result, or what an undo gave, is not right, and nothing of it was used: ``verification``."""


class ArgumentError(UprightError, ValueError):
    """An argument is not one that there is: ``unknown-option``, ``unknown-value``, ``argument``."""


_CLASSES: dict[str, type[UprightError]] = {
    "empty": NotJPEGError,
    "not-jpeg": NotJPEGError,
    "truncated": DamagedError,
    "malformed": DamagedError,
    "damaged-scan": DamagedError,
    "limit": LimitError,
    "time-limit": TimeLimitError,
    "cancelled": CancelledError,
    "out-of-memory": OutOfMemoryError,
    "unaligned-edge": UnalignedEdgeError,
    "outside-image": CropError,
    "empty-crop": CropError,
    "verification": VerificationError,
    "unknown-option": ArgumentError,
    "unknown-value": ArgumentError,
    "argument": ArgumentError,
}


def error(code: str, message: str, offset: Optional[int], report: dict[str, Any]) -> UprightError:
    """The error of a code, of the class for it."""
    return _CLASSES.get(code, UprightError)(code, message, offset, report)
