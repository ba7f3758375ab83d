"""The eight Exif orientations as a group, and their effect on images, points and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, Union, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = TypeVar("Array", bound=NDArray[Any])
    Number = Union[int, float]


class Matrix(NamedTuple):
    """An affine map of the plane: x' = a·x + b·y + tx, y' = c·x + d·y + ty.

    As rows, ``[[a, b, tx], [c, d, ty]]``, it is what OpenCV's ``transform`` and ``warpAffine`` take.
    """

    a: float
    b: float
    tx: float
    c: float
    d: float
    ty: float

    @property
    def rows(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """The two rows."""
        return (self.a, self.b, self.tx), (self.c, self.d, self.ty)

    def applied(self, x: float, y: float) -> tuple[float, float]:
        """The point to which a point is mapped."""
        return self.a * x + self.b * y + self.tx, self.c * x + self.d * y + self.ty


class Orientation(IntEnum):
    """How to display a stored image: the value of Exif's Orientation.

    Each orientation is normalized by an optional transposition, followed by optional mirrorings of the result along x
    and along y. The members form the dihedral group of the square: ``a.then(b)`` is the orientation that is normalized
    by normalizing ``a`` and then ``b``, and ``a.then(a.inverse)`` is ``UP``.

    Coordinates are continuous: the top left corner of the image is (0, 0), the center of its first pixel is
    (0.5, 0.5), as in COCO. ``pixel`` maps indices of pixels.
    """

    UP = 1
    """Upright: row 0 is the top, column 0 the left."""
    UP_MIRRORED = 2
    """Normalized by a horizontal flip."""
    DOWN = 3
    """Normalized by a rotation by 180°."""
    DOWN_MIRRORED = 4
    """Normalized by a vertical flip."""
    LEFT_MIRRORED = 5
    """Normalized by a transposition."""
    RIGHT = 6
    """Normalized by a rotation by 90° clockwise."""
    RIGHT_MIRRORED = 7
    """Normalized by a transverse flip."""
    LEFT = 8
    """Normalized by a rotation by 90° counter-clockwise."""

    @property
    def swaps_axes(self) -> bool:
        """Whether width and height are swapped."""
        return self >= 5

    @property
    def mirrors_x(self) -> bool:
        """Whether the result, after the transposition, is mirrored along x."""
        return self in (2, 3, 6, 7)

    @property
    def mirrors_y(self) -> bool:
        """Whether the result, after the transposition, is mirrored along y."""
        return self in (3, 4, 7, 8)

    @property
    def is_mirrored(self) -> bool:
        """Whether the stored image is a mirror image."""
        return self in (2, 4, 5, 7)

    @classmethod
    def _of(cls, swaps: bool, mirrors_x: bool, mirrors_y: bool) -> Orientation:
        values = (1, 4, 2, 3, 5, 8, 6, 7)
        return cls(values[4 * swaps + 2 * mirrors_x + mirrors_y])

    def then(self, other: Orientation) -> Orientation:
        """The orientation that is normalized by normalizing this one and then ``other``."""
        x, y = (self.mirrors_y, self.mirrors_x) if other.swaps_axes else (self.mirrors_x, self.mirrors_y)
        return Orientation._of(
            self.swaps_axes != other.swaps_axes, x != other.mirrors_x, y != other.mirrors_y
        )

    @property
    def inverse(self) -> Orientation:
        """The orientation whose normalization reverses that of this one."""
        return {Orientation.RIGHT: Orientation.LEFT, Orientation.LEFT: Orientation.RIGHT}.get(self, self)

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Width and height of the upright image, given those of the stored one."""
        return (height, width) if self.swaps_axes else (width, height)

    def matrix(self, width: float, height: float) -> Matrix:
        """The map from the stored image to the upright one, given the size of the stored one."""
        a, b, c, d = (0, 1, 1, 0) if self.swaps_axes else (1, 0, 0, 1)
        # Integers, so that boxes of integers in an image of integral size stay integers.
        tx: float = 0
        ty: float = 0
        if self.swaps_axes:
            width, height = height, width
        if self.mirrors_x:
            a, b, tx = -a, -b, width
        if self.mirrors_y:
            c, d, ty = -c, -d, height
        return Matrix(a, b, tx, c, d, ty)

    def pixel(self, column: int, row: int, width: int, height: int) -> tuple[int, int]:
        """Column and row of a pixel in the upright image, given its indices in the stored one, and the size of that."""
        x, y = self.matrix(width, height).applied(column + 0.5, row + 0.5)
        return int(x - 0.5), int(y - 0.5)

    def image(self, array: Array) -> Array:
        """The upright image of a NumPy array of rows, columns and perhaps more; a view of it."""
        result: Any = array.swapaxes(0, 1) if self.swaps_axes else array
        if self.mirrors_y:
            result = result[::-1]
        if self.mirrors_x:
            result = result[:, ::-1]
        return result  # type: ignore[no-any-return]

    @overload
    def points(self, points: NDArray[Any], width: float, height: float) -> NDArray[Any]: ...

    @overload
    def points(
        self, points: Sequence[Sequence[Number]], width: float, height: float
    ) -> list[tuple[Number, Number]]: ...

    def points(self, points: Any, width: float, height: float) -> Any:
        """The points of the stored image in the upright one.

        ``points`` is an array whose last axis is x and y, or a sequence of pairs; the result is of the same kind.
        ``width`` and ``height`` are those of the stored image.
        """
        matrix = self.matrix(width, height)
        if hasattr(points, "__array_interface__"):
            return _moved(points, matrix)
        return [matrix.applied(x, y) for x, y in points]

    @overload
    def boxes(
        self,
        boxes: NDArray[Any],
        width: float,
        height: float,
        form: Literal["xyxy", "xywh", "cxcywh"] = ...,
    ) -> NDArray[Any]: ...

    @overload
    def boxes(
        self,
        boxes: Sequence[Sequence[Number]],
        width: float,
        height: float,
        form: Literal["xyxy", "xywh", "cxcywh"] = ...,
    ) -> list[tuple[Number, Number, Number, Number]]: ...

    def boxes(
        self, boxes: Any, width: float, height: float, form: Literal["xyxy", "xywh", "cxcywh"] = "xyxy"
    ) -> Any:
        """The boxes of the stored image in the upright one.

        ``boxes`` is an array whose last axis has four numbers, or a sequence of fours: the corners at the top left
        and the bottom right (``xyxy``), the one at the top left, width and height (``xywh``, as in COCO), or the center,
        width and height (``cxcywh``, as in YOLO). The result is of the same kind. ``width`` and ``height`` are those of
        the stored image, or 1 for parts of them, as in YOLO.
        """
        if form not in ("xyxy", "xywh", "cxcywh"):
            raise ValueError("form is xyxy, xywh or cxcywh")
        matrix = self.matrix(width, height)
        if hasattr(boxes, "__array_interface__"):
            return _moved_boxes(boxes, matrix, form)
        return [_moved_box(box, matrix, form) for box in boxes]


def _moved_box(
    box: Sequence[Number], matrix: Matrix, form: str
) -> tuple[Number, Number, Number, Number]:
    x, y, right, bottom = box
    if form == "cxcywh":
        return (*matrix.applied(x, y), *((right, bottom) if matrix.a else (bottom, right)))
    if form == "xywh":
        right, bottom = x + right, y + bottom
    corners = matrix.applied(x, y), matrix.applied(right, bottom)
    (left, right), (top, bottom) = (sorted(axis) for axis in zip(*corners))
    return (left, top, right, bottom) if form == "xyxy" else (left, top, right - left, bottom - top)


def _moved(points: NDArray[Any], matrix: Matrix) -> NDArray[Any]:
    import numpy

    (a, b, tx), (c, d, ty) = matrix.rows
    x, y = _signed(points[..., 0]), _signed(points[..., 1])
    return numpy.stack([_plus(a * x + b * y, tx), _plus(c * x + d * y, ty)], axis=-1)


def _moved_boxes(boxes: NDArray[Any], matrix: Matrix, form: str) -> NDArray[Any]:
    import numpy

    boxes = _signed(boxes)
    first, second = boxes[..., :2], boxes[..., 2:]
    if form == "cxcywh":
        return numpy.concatenate([_moved(first, matrix), second if matrix.a else second[..., ::-1]], axis=-1)
    if form == "xywh":
        second = first + second
    corners = _moved(first, matrix), _moved(second, matrix)
    low, high = numpy.minimum(*corners), numpy.maximum(*corners)
    return numpy.concatenate([low, high if form == "xyxy" else high - low], axis=-1)


def _signed(numbers: NDArray[Any]) -> NDArray[Any]:
    """The numbers in a signed type that holds every size, as mirroring requires."""
    return numbers.astype("int64") if numbers.dtype.kind in "iub" else numbers


def _plus(numbers: NDArray[Any], offset: float) -> NDArray[Any]:
    """Adds a size; the sum of integers and an integral size stays integral."""
    whole: Union[int, float] = int(offset) if offset == int(offset) else offset
    result: NDArray[Any] = numbers + whole
    return result
