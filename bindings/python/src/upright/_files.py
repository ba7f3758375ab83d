"""The functions on photos on disk, which are rewritten together with the sidecars beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, Optional, TypeVar

from . import _arguments
from ._arguments import Place, optional_place, place
from ._backend import Answer, Argument, FileName, backend
from ._errors import error
from ._functions import Given, given, takes
from ._options import CropFileOptions, NormalizeFileOptions, RestoreFileOptions, TransformFileOptions
from ._results import FilePlan, FileResult

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self, Unpack


@takes(NormalizeFileOptions)
def normalize_file(
    path: Place, /, to: Optional[Place] = None, *, record: Optional[Place] = None, **options: Unpack[NormalizeFileOptions]
) -> FileResult:
    """Normalizes a photo on disk, in place or into the file ``to``, together with its sidecars.

    The file is replaced atomically, and keeps its owner, rights, extended attributes and times. With ``record``, the undo
    data of photo and sidecars is appended to that file before. ``restore_file`` restores them.

    Raises ``FileError`` if a file cannot be read or written, and what ``normalize`` raises.
    """
    return FileResult(_report("normalize_file", _names(path, to, record), options))


@takes(NormalizeFileOptions)
def plan_file(path: Place, /, to: Optional[Place] = None, **options: Unpack[NormalizeFileOptions]) -> FilePlan:
    """Reports what ``normalize_file`` would do, and writes nothing."""
    return FilePlan(_report("plan_file", _names(path, to), options))


@takes(TransformFileOptions)
def rotate_file(
    path: Place,
    /,
    degrees: Literal[90, 180, 270],
    to: Optional[Place] = None,
    *,
    record: Optional[Place] = None,
    **options: Unpack[TransformFileOptions],
) -> FileResult:
    """Rotates the displayed image of a photo on disk clockwise, together with its sidecars."""
    return FileResult(_report("rotate_file", (*_names(path, to, record), _arguments.degrees(degrees)), options))


@takes(TransformFileOptions)
def flip_file(
    path: Place,
    /,
    axis: Literal["horizontal", "vertical", "transpose", "transverse"],
    to: Optional[Place] = None,
    *,
    record: Optional[Place] = None,
    **options: Unpack[TransformFileOptions],
) -> FileResult:
    """Flips the displayed image of a photo on disk, together with its sidecars."""
    return FileResult(_report("flip_file", (*_names(path, to, record), _arguments.axis(axis)), options))


@takes(CropFileOptions)
def crop_file(
    path: Place,
    /,
    x: int,
    y: int,
    width: int,
    height: int,
    to: Optional[Place] = None,
    **options: Unpack[CropFileOptions],
) -> FileResult:
    """Crops a photo on disk to a rectangle in pixels of the upright image, together with its sidecars.

    A crop has no undo data: write it to another file, or keep the original with ``backup``.
    """
    rectangle = _arguments.rectangle(x, y, width, height)
    return FileResult(_report("crop_file", (*_names(path, to), rectangle), options))


@takes(RestoreFileOptions)
def restore_file(
    path: Place, /, to: Optional[Place] = None, *, record: Optional[Place] = None, **options: Unpack[RestoreFileOptions]
) -> FileResult:
    """Restores the original of a photo on disk, byte for byte, and in place those of its sidecars.

    The undo data is in the file ``record``, also if the photo was moved, or else in the photo itself (``embed_undo``). A photo
    without undo data is skipped.
    """
    return FileResult(_report("restore_file", _names(path, to, record), options))


_Result = TypeVar("_Result", bound=FilePlan)


class FolderResults(Generic[_Result], Iterator[_Result]):
    """The results of the photos of a folder, as they come.

    The work is only a few photos ahead of the loop. When the loop ends early, ``close`` or the end of a ``with`` statement
    ends the work, after the photos that are begun; so does the garbage collector. Work that is cancelled ends the loop with
    ``CancelledError``, after the results that exist.

    A result whose ``error`` is of the folder or of the record has its ``path``: that of a record of which lines are damaged comes
    first, that of a record that another program removed, replaced or emptied meanwhile comes last.
    """

    def __init__(self, name: str, names: tuple[FileName, ...], jobs: int, options: Given, kind: Callable[..., _Result]) -> None:
        words, _, stop = given(options)
        self._kind = kind
        self._answers = backend.folder(name, (*names, _arguments.integer("jobs", jobs, 32)), words, stop)
        problem = self._answers.error
        if problem is not None:
            self.close()
            raise _raised(problem)

    def __next__(self) -> _Result:
        try:
            answer = next(self._answers)
        except StopIteration:
            problem = self._answers.error
            if problem is not None:
                raise _raised(problem) from None
            raise
        return self._kind(json.loads(answer.report), None if answer.code is None else _raised(answer))

    def close(self) -> None:
        """Ends the work, and waits for the photos that are begun."""
        self._answers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


@takes(NormalizeFileOptions)
def normalize_folder(
    folder: Place, /, *, record: Optional[Place] = None, jobs: int = 0, **options: Unpack[NormalizeFileOptions]
) -> FolderResults[FileResult]:
    """Normalizes all photos below a folder in place, as ``normalize_file`` does each.

    The results come in the order of the photos; that of a photo that failed has an ``error``. ``jobs`` photos are processed at
    once, by default as many as there are cores. The work is done while the results are taken.
    """
    return FolderResults("normalize_folder", (place("folder", folder), optional_place("record", record)), jobs, options, FileResult)


@takes(NormalizeFileOptions)
def plan_folder(folder: Place, /, *, jobs: int = 0, **options: Unpack[NormalizeFileOptions]) -> FolderResults[FilePlan]:
    """Reports what ``normalize_folder`` would do, and writes nothing."""
    return FolderResults("plan_folder", (place("folder", folder),), jobs, options, FilePlan)


@takes(RestoreFileOptions)
def restore_folder(
    folder: Place, /, *, record: Optional[Place] = None, jobs: int = 0, **options: Unpack[RestoreFileOptions]
) -> FolderResults[FileResult]:
    """Restores all photos below a folder in place, as ``restore_file`` does each; the record is read once.

    A photo without a record is ``unchanged``, and a copy of one that still exists where it was rewritten is ``skipped``. The
    work is done while the results are taken.
    """
    return FolderResults("restore_folder", (place("folder", folder), optional_place("record", record)), jobs, options, FileResult)


def _names(path: Any, *others: Any) -> tuple[FileName, ...]:
    """The paths of a photo, of its output and of the record, of functions that have one."""
    names = zip(("to", "record"), others)
    return (place("path", path), *(optional_place(name, other) for name, other in names))


def _report(name: str, arguments: tuple[Argument, ...], options: Mapping[str, Any]) -> Any:
    """Calls a function of the library; returns its report, or raises its error."""
    answer = backend.call(name, arguments, *given(options))
    if answer.code is not None:
        raise _raised(answer)
    return json.loads(answer.report)


def _raised(answer: Answer) -> Exception:
    assert answer.code is not None
    return error(answer.code, answer.message, answer.offset, json.loads(answer.report))
