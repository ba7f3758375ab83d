"""libupright, loaded with ctypes; upright.h documents it."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

_NAME = "libupright.so.0"


class Rectangle(ctypes.Structure):
    """``upright_rectangle``."""

    _fields_ = [(name, ctypes.c_int64) for name in ("x", "y", "width", "height")]


def _loaded() -> ctypes.CDLL:
    # The library in the wheel, or else that of the system. CDLL releases the lock of the interpreter during calls.
    own = Path(__file__).with_name(_NAME)
    library = ctypes.CDLL(str(own) if own.exists() else _NAME)
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
    declare("crop", handle, *file, Rectangle, *last)
    for name in ("verify", "undo"):
        declare(name, handle, *file, *file, *last)
    for name in ("result_bytes", "result_undo"):
        declare(name, handle, handle, ctypes.POINTER(size))
    for name in ("result_report", "result_error_code", "result_error_message"):
        declare(name, text, handle)
    declare("result_error_offset", ctypes.c_int64, handle)
    declare("cancellation_create", handle)
    for name in ("result_free", "cancellation_cancel", "cancellation_free"):
        declare(name, None, handle)
    return library


library = _loaded()
