"""libupright, loaded with ctypes; upright.h documents it."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from ._backend import Answer, Argument, FileName, Rectangle
from ._forks import Calls


class _Rectangle(ctypes.Structure):
    """``upright_rectangle``."""

    _fields_ = [(name, ctypes.c_int64) for name in Rectangle._fields]


class _Cancellation:
    """``upright_cancellation``."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        self.handle: int = library.upright_cancellation_create()

    def cancel(self) -> None:
        self._library.upright_cancellation_cancel(self.handle)

    def __del__(self) -> None:
        self._library.upright_cancellation_free(self.handle)


class _Answers:
    """``upright_results``."""

    def __init__(self, backend: NativeBackend, handle: int, stop: Optional[_Cancellation]) -> None:
        self._backend = backend
        self._handle = handle
        # It must not be freed before the work ends.
        self._stop = stop
        # Another thread may close the results while one waits for the next.
        self._lock = threading.RLock()
        # A child that was forked has none of the threads that do the work, and would wait for them.
        self._process = os.getpid()
        self._is_working = True
        backend.calls.begin_folder()

    @property
    def error(self) -> Optional[Answer]:
        with self._lock:
            result: Optional[int] = self._backend.library.upright_results_error(self._handle)
            return None if result is None else self._backend.answer(result)

    def __next__(self) -> Answer:
        if os.getpid() != self._process:
            raise RuntimeError("the results are those of the process that was forked")
        with self._lock:
            result: Optional[int] = self._handle and self._backend.library.upright_results_next(self._handle)
            if not result:
                self._end()
        if not result:
            raise StopIteration
        return self._backend.taken(result)

    def close(self) -> None:
        if os.getpid() != self._process:
            return
        with self._lock:
            handle, self._handle = self._handle, 0
            self._backend.library.upright_results_free(handle)
            self._end()

    def _end(self) -> None:
        if self._is_working:
            self._is_working = False
            self._backend.calls.end_folder()

    def __del__(self) -> None:
        self.close()


class NativeBackend:
    """The functions of libupright. ``CDLL`` releases the lock of the interpreter during calls."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        self.calls = Calls()
        handle, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
        options = ctypes.POINTER(ctypes.c_char_p)
        file, last = [ctypes.c_char_p, size], [options, handle]

        def declare(name: str, result: Any, *arguments: Any) -> None:
            function = getattr(library, "upright_" + name)
            function.restype, function.argtypes = result, arguments

        for name in ("version", "describe"):
            declare(name, text)
        for name in ("normalize", "plan", "audit"):
            declare(name, handle, *file, *last)
        for name in ("rotate", "flip"):
            declare(name, handle, *file, ctypes.c_int, *last)
        declare("crop", handle, *file, _Rectangle, *last)
        for name in ("verify", "undo"):
            declare(name, handle, *file, *file, *last)
        for name in ("result_bytes", "result_undo"):
            declare(name, handle, handle, ctypes.POINTER(size))
        for name in ("result_report", "result_error_code", "result_error_message"):
            declare(name, text, handle)
        in_place = [text, text]
        for function in ("normalize_file", "restore_file"):
            declare(function, handle, *in_place, text, *last)
        declare("plan_file", handle, *in_place, *last)
        for function in ("rotate_file", "flip_file"):
            declare(function, handle, *in_place, text, ctypes.c_int, *last)
        declare("crop_file", handle, *in_place, _Rectangle, *last)
        for function in ("normalize_folder", "restore_folder"):
            declare(function, handle, text, text, ctypes.c_int, *last)
        declare("plan_folder", handle, text, ctypes.c_int, *last)
        for function in ("results_next", "results_error"):
            declare(function, handle, handle)
        declare("result_error_offset", ctypes.c_int64, handle)
        declare("cancellation_create", handle)
        for name in ("result_free", "results_free", "cancellation_cancel", "cancellation_free"):
            declare(name, None, handle)

    def version(self) -> str:
        return str(self.library.upright_version().decode())

    def description(self) -> str:
        with self.calls:
            return str(self.library.upright_describe().decode())

    def stop(self) -> _Cancellation:
        return _Cancellation(self.library)

    def call(
        self,
        name: str,
        arguments: Sequence[Argument],
        words: Sequence[bytes],
        seconds: Optional[float],
        stop: Optional[_Cancellation],
    ) -> Answer:
        with self.calls:
            return self.taken(self._invoke(name, arguments, words, stop))

    def folder(
        self, name: str, arguments: Sequence[Argument], words: Sequence[bytes], stop: Optional[_Cancellation]
    ) -> _Answers:
        with self.calls:
            return _Answers(self, self._invoke(name, arguments, words, stop), stop)

    def _invoke(
        self, name: str, arguments: Sequence[Argument], words: Sequence[bytes], stop: Optional[_Cancellation]
    ) -> int:
        values: list[Any] = []
        for argument in arguments:
            if isinstance(argument, bytes):
                values += [argument, len(argument)]
            elif isinstance(argument, FileName):
                values.append(argument.path)
            else:
                values.append(_Rectangle(*argument) if isinstance(argument, Rectangle) else argument)
        array = (ctypes.c_char_p * (len(words) + 1))(*words, None)
        result: int = getattr(self.library, "upright_" + name)(*values, array, None if stop is None else stop.handle)
        return result

    def taken(self, result: int) -> Answer:
        """The answer of a result, which is freed."""
        try:
            return self.answer(result)
        finally:
            self.library.upright_result_free(result)

    def answer(self, result: int) -> Answer:
        """The answer of a result."""
        library = self.library
        code = library.upright_result_error_code(result)
        offset: int = library.upright_result_error_offset(result)
        return Answer(
            report=library.upright_result_report(result),
            code=None if code is None else code.decode(),
            message=(library.upright_result_error_message(result) or b"").decode(),
            offset=None if offset < 0 else offset,
            bytes=_copy(library.upright_result_bytes, result),
            undo=_copy(library.upright_result_undo, result),
        )


def _copy(function: Any, result: int) -> Optional[bytes]:
    size = ctypes.c_size_t()
    address = function(result, ctypes.byref(size))
    return None if address is None else ctypes.string_at(address, size.value)


def backend(own: Path) -> NativeBackend:
    """Loads the library in the wheel, or else that of the system."""
    try:
        return NativeBackend(ctypes.CDLL(str(own) if own.exists() else own.name))
    except OSError as error:
        raise ImportError(f"libupright cannot be loaded: {error}; install the wheel for this platform, or for any") from error
