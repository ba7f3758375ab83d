"""What runs the functions of the library: libupright, or upright.wasm with wasmtime.

A wheel for a platform has libupright, and that for any platform upright.wasm; a wheel may have both. The environment
variable ``UPRIGHT_BACKEND`` selects one: ``native`` or ``wasm``.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional, Protocol, Union


class Rectangle(NamedTuple):
    """A rectangle in pixels."""

    x: int
    y: int
    width: int
    height: int


class FileName(NamedTuple):
    """The path of a file, as the system has it; None for none."""

    path: Optional[bytes]


Argument = Union[bytes, int, Rectangle, FileName]
"""An argument of a function: a file or undo data, an enumerated value, a rectangle, or a path."""


class Answer(NamedTuple):
    """What a function of the library returns."""

    report: builtins.bytes
    """The report as JSON."""
    code: Optional[str]
    """The identifier of the error; None if there is none."""
    message: str
    offset: Optional[int]
    bytes: Optional[builtins.bytes]
    """The new file."""
    undo: Optional[builtins.bytes]
    """The undo data."""


class Stop(Protocol):
    """Cancels calls."""

    def cancel(self) -> None: ...


class Answers(Protocol):
    """What a function on a folder returns: an answer for each photo."""

    @property
    def error(self) -> Optional[Answer]:
        """Why the work did not begin, or ended before the last photo; None if it did neither."""
        ...

    def __next__(self) -> Answer: ...

    def close(self) -> None:
        """Ends the work."""
        ...


class Backend(Protocol):
    """The functions of the library. Calls from several threads run at the same time."""

    def version(self) -> str: ...

    def description(self) -> str:
        """The settings as JSON."""
        ...

    def stop(self) -> Stop:
        """Creates what cancels calls that get it."""
        ...

    def call(
        self, name: str, arguments: Sequence[Argument], words: Sequence[bytes], seconds: Optional[float], stop: Any
    ) -> Answer:
        """Calls a function, such as ``normalize``, with the names and values of options and the time limit in them."""
        ...

    def folder(self, name: str, arguments: Sequence[Argument], words: Sequence[bytes], stop: Any) -> Answers:
        """Calls a function on a folder, such as ``normalize_folder``."""
        ...


MODULE = Path(__file__).with_name("upright.wasm")
LIBRARY = Path(__file__).with_name("libupright.so.0")


def _selected() -> Backend:
    name = os.environ.get("UPRIGHT_BACKEND") or ("wasm" if MODULE.exists() and not LIBRARY.exists() else "native")
    if name == "native":
        from . import _native

        return _native.backend(LIBRARY)
    if name == "wasm":
        from . import _wasm

        return _wasm.backend(MODULE)
    raise ImportError(f"UPRIGHT_BACKEND is {name!r}; it must be 'native' or 'wasm'")


backend = _selected()
