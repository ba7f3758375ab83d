"""The checks of arguments, before the library gets them: each error names the argument."""

from __future__ import annotations

import math
import numbers
import operator
import os
from typing import Any, Optional, TypeVar, Union

from . import _options
from ._backend import FileName, Rectangle

Place = Union[str, "os.PathLike[str]"]
"""The path of a file or a folder."""

_Value = TypeVar("_Value")

AXES = ("horizontal", "vertical", "transpose", "transverse")
"""The values of ``upright_axis``."""

_TYPES: dict[str, str] = {
    name: str(getattr(annotation, "__forward_arg__", annotation))
    for options in vars(_options).values()
    if isinstance(options, type)
    for name, annotation in options.__annotations__.items()
}
"""The types of the options, as _options.py has them."""


def instance(name: str, value: Any, kind: type[_Value]) -> _Value:
    """An argument of one type."""
    if not isinstance(value, kind):
        raise _wrong_type(name, value, kind.__name__)
    return value


def integer(name: str, value: Any, bits: int) -> int:
    """A number that C can hold."""
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise _wrong_type(name, value, "int")
    number = operator.index(value)
    if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
        raise ValueError(f"{name} is out of range")
    return number


def rectangle(x: Any, y: Any, width: Any, height: Any) -> Rectangle:
    """The rectangle of a crop."""
    return Rectangle(integer("x", x, 64), integer("y", y, 64), integer("width", width, 64), integer("height", height, 64))


def degrees(value: Any) -> int:
    """The angle of a rotation."""
    return integer("degrees", value, 32)


def axis(value: Any) -> int:
    """The axis of a flip; an unknown one is an error of the library."""
    text = instance("axis", value, str)
    return AXES.index(text) if text in AXES else -1


def seconds(name: str, value: Any) -> Optional[float]:
    """A time; None if there is no limit."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise _wrong_type(name, value, "float")
    number = float(value)
    if math.isnan(number) or number < 0:
        raise ValueError(f"{name} must not be negative or NaN")
    return None if math.isinf(number) else number


def option(name: str, value: Any) -> Optional[str]:
    """The value of an option as a text of the library, which knows the options of each function; None for the default."""
    kind = _TYPES.get(name)
    if kind == "bool":
        return str(instance(name, value, bool)).lower()
    if kind == "int":
        return str(integer(name, value, 64))
    if kind == "float":
        time = seconds(name, value)
        return None if time is None else str(round(time * 1000))
    text = str(value) if kind is None else str.__str__(instance(name, value, str))
    if "\0" in name + text:
        raise ValueError(f"{name} has a NUL character")
    return text


def place(name: str, value: Any) -> FileName:
    """A path; it may have bytes that are not UTF-8."""
    try:
        path = os.fsencode(value)
    except TypeError:
        raise _wrong_type(name, value, "str or os.PathLike") from None
    if b"\0" in path:
        raise ValueError(f"{name} has a NUL character")
    return FileName(path)


def optional_place(name: str, value: Any) -> FileName:
    """A path, or None for none."""
    return FileName(None) if value is None else place(name, value)


def _wrong_type(name: str, value: Any, kind: str) -> TypeError:
    return TypeError(f"{name} must be {kind}, not {type(value).__name__}")
