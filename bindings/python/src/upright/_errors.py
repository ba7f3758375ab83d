"""The exceptions: a class for each kind of error."""

from __future__ import annotations

from typing import Any, Optional

from ._results import Remedy, remedies


class UprightError(Exception):
    """A file could not be processed.

    A skipped file is not an error; ``Result.reason`` gives the reason.
    """

    code: str
    """The identifier, such as ``truncated``; docs/identifiers.md lists the values."""
    message: str
    """What happened, in English."""
    offset: Optional[int]
    """The byte in the file at which the error was found."""
    report: dict[str, Any]
    """The report of the failure, as the command prints it."""

    def __init__(self, code: str, message: str, offset: Optional[int], report: dict[str, Any]) -> None:
        super().__init__(message if offset is None else f"{message} (at byte {offset})")
        self.code = code
        self.message = message
        self.offset = offset
        self.report = report

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What prevents the error."""
        return remedies(self.report.get("error", {}))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.offset, self.report)


class NotJPEGError(UprightError):
    """The file is not a JPEG file: ``empty``, ``not-jpeg``."""


class DamagedError(UprightError):
    """The file is damaged: ``truncated``, ``malformed``, ``damaged-scan``."""


class LimitError(UprightError):
    """The file exceeds a limit: ``limit``."""


class TimeLimitError(UprightError, TimeoutError):
    """The work took longer than ``time_limit``: ``time-limit``."""


class CancelledError(UprightError):
    """The work was cancelled: ``cancelled``."""


class OutOfMemoryError(UprightError, MemoryError):
    """There is not enough memory: ``out-of-memory``."""


class UnalignedEdgeError(UprightError):
    """An edge is unaligned, and ``unaligned="fail"`` is set: ``unaligned-edge``."""


class CropError(UprightError):
    """The rectangle is not within the image: ``outside-image``, ``empty-crop``."""


class VerificationError(UprightError):
    """The verification of a result or of a restored original failed: ``verification``."""


class FileError(UprightError, OSError):
    """A file, a folder or a record could not be read or written: docs/identifiers.md lists the codes of files and records.

    ``str`` names what is wrong, ``report["path"]`` the photo.
    """


class FileMissingError(FileError, FileNotFoundError):
    """There is no such file: ``not-found``, ``dangling-link``."""


class OutputExistsError(FileError, FileExistsError):
    """The output exists, and ``overwrite`` is not set: ``exists``."""


class ArgumentError(UprightError, ValueError):
    """An argument is invalid: ``unknown-option``, ``unknown-value``, ``argument``."""


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
    "not-found": FileMissingError,
    "dangling-link": FileMissingError,
    "exists": OutputExistsError,
}

_OF_FILES = frozenset(
    """
    link-loop permission-denied read-only write-protected is-directory not-directory is-fifo is-socket is-device name-too-long
    not-path too-large no-space too-many-open-files hard-linked changed output-is-input output-collision broken-pipe closed
    input-output device-gone unconfirmed outcome-unknown not-record replaced locked backup-exists interrupted system
    record-damaged record-cut record-version record-path outside
    """.split()
)
"""The other codes of files and records."""


def error(code: str, message: str, offset: Optional[int], report: dict[str, Any]) -> UprightError:
    """Makes the exception for an error code."""
    kind = FileError if code in _OF_FILES else UprightError
    return _CLASSES.get(code, kind)(code, message, offset, report)
