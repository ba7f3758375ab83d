"""The functions of the package."""

from __future__ import annotations

import builtins
import hashlib
import inspect
import json
import os
from collections.abc import Callable, Mapping
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, Optional, TypeVar, Union

from . import _arguments
from ._backend import Argument, Stop, backend
from ._errors import error
from ._options import CropOptions, NormalizeOptions, TransformOptions, UndoOptions, VerifyOptions
from ._results import Audit, Plan, Result, Verdict

if TYPE_CHECKING:
    from typing_extensions import Buffer, Unpack

Source = Union["Buffer", str, "os.PathLike[str]", IO[bytes]]
"""A file: bytes, an object with the buffer protocol such as ``mmap``, a path, or a file opened in binary mode.

A file is read from its position to its end: a second call with the same object needs ``seek(0)``.
"""


_Function = TypeVar("_Function", bound=Callable[..., Any])


def takes(options: Any) -> Callable[[_Function], _Function]:
    """Shows the options of a type as named parameters in the signature, for ``help`` and editors; None is the default."""

    def decorate(function: _Function) -> _Function:
        signature = inspect.signature(function)
        kinds = inspect.Parameter
        named = {name: each for name, each in signature.parameters.items() if each.kind is not kinds.VAR_KEYWORD}
        for name, annotation in options.__annotations__.items():
            text = getattr(annotation, "__forward_arg__", annotation)
            named[name] = kinds(name, kinds.KEYWORD_ONLY, default=None, annotation=text)
        function.__signature__ = signature.replace(parameters=list(named.values()))  # type: ignore[attr-defined]
        return function

    return decorate


class Cancellation:
    """Cancels any number of calls from another thread.

    It can be neither copied nor pickled: it cancels calls of its own process only.
    """

    def __init__(self) -> None:
        self._stop = backend.stop()

    def cancel(self) -> None:
        """Cancels all calls that have this object, including future ones: they raise ``CancelledError``."""
        self._stop.cancel()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Cancellation can be neither copied nor pickled: it belongs to this process and its threads")


def describe() -> dict[str, Any]:
    """The options with what they do, their values, their defaults and the functions that take them."""
    description: dict[str, Any] = json.loads(backend.description())
    return description


def library_version() -> str:
    """The version of libupright, or of upright.wasm."""
    return backend.version()


@takes(NormalizeOptions)
def normalize(source: Source, /, **options: Unpack[NormalizeOptions]) -> Result:
    """Normalizes the orientation of a photo.

    The options are those of ``upright normalize``, with underscores; ``upright help normalize`` and docs/c-library.md
    describe them.

    Raises ``UprightError`` if the file is damaged, is neither JPEG nor HEIF nor AVIF, or exceeds a limit.
    """
    return _result("normalize", source, (), options)


@takes(TransformOptions)
def rotate(source: Source, /, degrees: Literal[90, 180, 270], **options: Unpack[TransformOptions]) -> Result:
    """Rotates the displayed image clockwise, whatever its Orientation is."""
    return _result("rotate", source, (_arguments.degrees(degrees),), options)


@takes(TransformOptions)
def flip(
    source: Source,
    /,
    axis: Literal["horizontal", "vertical", "transpose", "transverse"],
    **options: Unpack[TransformOptions],
) -> Result:
    """Flips the displayed image, whatever its Orientation is.

    ``horizontal`` swaps left and right, ``vertical`` top and bottom, ``transpose`` the corners at the top right and the
    bottom left, ``transverse`` the corners at the top left and the bottom right.
    """
    return _result("flip", source, (_arguments.axis(axis),), options)


@takes(CropOptions)
def crop(
    source: Source, /, x: int, y: int, width: int, height: int, **options: Unpack[CropOptions]
) -> Result:
    """Crops to a rectangle in pixels of the upright image, and normalizes the orientation.

    ``result.report["crop"]["result"]`` is the resulting rectangle.
    """
    return _result("crop", source, (_arguments.rectangle(x, y, width, height),), options)


@takes(NormalizeOptions)
def plan(source: Source, /, **options: Unpack[NormalizeOptions]) -> Plan:
    """Reports what ``normalize`` would do, from the header."""
    return Plan(_report("plan", source, options))


@takes(NormalizeOptions)
def audit(source: Source, /, **options: Unpack[NormalizeOptions]) -> Audit:
    """Reports what ``normalize`` would do, and what else is in the file.

    A file of another format that is known, such as PNG, is ``skipped`` here; ``normalize`` and ``plan`` raise ``NotJPEGError``.
    """
    return Audit(_report("audit", source, options))


@takes(VerifyOptions)
def verify(original: Source, result: Source, /, **options: Unpack[VerifyOptions]) -> Verdict:
    """Verifies that the second file is the first one normalized."""
    old, new = _bytes(original), _bytes(result)
    words: dict[str, Any] = {"path": _name(original), "result_path": _name(result), **options}
    return Verdict(_call("verify", (old, new), words).report)


@takes(UndoOptions)
def undo(source: Source, undo: Buffer, /, *, sha256: Optional[str] = None, **options: Unpack[UndoOptions]) -> bytes:
    """Restores the original of a rewritten file.

    ``undo`` is ``Result.undo`` of the call that rewrote it. Pass ``sha256``, the
    SHA-256 of the original in hexadecimal, to verify the restored file: another file raises ``VerificationError``.
    """
    data, record = _bytes(source), _buffer(undo)
    if record is None:
        raise TypeError(f"undo must be bytes, not {type(undo).__name__}")
    digest = None if sha256 is None else _arguments.instance("sha256", sha256, str).lower()
    words = {"path": _name(source), **options}
    done = _call("undo", (data, record), words)
    assert done.bytes is not None
    if digest is not None and hashlib.sha256(done.bytes).hexdigest() != digest:
        raise error("verification", "the restored file is not the original", None, done.report)
    return done.bytes


def _result(name: str, source: Source, arguments: tuple[Argument, ...], options: Mapping[str, Any]) -> Result:
    data = _bytes(source)
    done = _call(name, (data, *arguments), {"path": _name(source), **options})
    return Result(done.report, data if done.bytes is None else done.bytes, done.bytes is not None, done.undo)


def _report(name: str, source: Source, options: Mapping[str, Any]) -> Any:
    return _call(name, (_bytes(source),), {"path": _name(source), **options}).report


def _bytes(source: Source) -> bytes:
    # A subclass may have another length than its bytes.
    if type(source) is bytes:
        return source
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            return file.read()
    if getattr(source, "ndim", 1) > 1:
        raise TypeError("an array of pixels is no file: pass the path or the bytes that it was read from")
    # Before read(): mmap has both, and a position that the second call would find at the end.
    data = _buffer(source)
    if data is None and hasattr(source, "read"):
        data = _buffer(source.read())
        if data is None:
            raise TypeError("the file is not open in binary mode")
        if not data and _is_used_up(source):
            raise ValueError("the file is at its end: to read it once more, call seek(0) before")
    if data is None and type(source).__module__.startswith("PIL."):
        raise TypeError("a Pillow image has only decoded pixels: pass the path or the bytes that it was read from")
    if data is None:
        raise TypeError(
            "expected the bytes of a JPEG file, its path, or the file opened in binary mode, not "
            f"{type(source).__module__}.{type(source).__qualname__}"
        )
    return data


def _is_used_up(file: Any) -> bool:
    """Whether a file that can be rewound is not at its beginning."""
    return hasattr(file, "seekable") and bool(file.seekable()) and file.tell() > 0


def _buffer(source: Any) -> Optional[bytes]:
    """The bytes of an object with the buffer protocol; None if it has none."""
    try:
        return memoryview(source).tobytes()
    except TypeError:
        return None


def _name(source: Source) -> str:
    if isinstance(source, (str, os.PathLike)):
        # Bytes that are not UTF-8 are replaced, as in the reports of the command.
        return os.fsencode(source).decode(errors="replace")
    return "-"


class _Done(NamedTuple):
    """What a call without an error made."""

    report: Any
    bytes: Optional[builtins.bytes]
    undo: Optional[builtins.bytes]


def _call(name: str, arguments: tuple[Argument, ...], options: Mapping[str, Any]) -> _Done:
    """Calls a function of the library, and raises its error."""
    answer = backend.call(name, arguments, *given(options))
    report = json.loads(answer.report)
    if answer.code is not None:
        raise error(answer.code, answer.message, answer.offset, report)
    return _Done(report, answer.bytes, answer.undo)


Given = Mapping[str, Any]
"""Options as they are given; None is the default."""


def given(options: Given) -> tuple[list[bytes], Optional[float], Optional[Stop]]:
    """The names and values of options, the time limit in them, and what cancels the call."""
    values = {key: value for key, value in options.items() if value is not None}
    cancellation = values.pop("cancellation", None)
    stop = None if cancellation is None else _arguments.instance("cancellation", cancellation, Cancellation)._stop
    limit = values.get("time_limit")
    return _words(values), None if limit is None else _arguments.seconds("time_limit", limit), stop


def _words(options: Mapping[str, Any]) -> list[bytes]:
    """The names and values of options, as the library takes them."""
    words = [b"spelling", b"snake"]
    for name, value in options.items():
        text = _arguments.option(name, value)
        if text is not None:
            words += [name.encode(errors="replace"), text.encode(errors="replace")]
    return words
