"""Tests of orientations on small arrays."""

from itertools import product
from typing import Any

import pytest
from upright import Orientation

numpy = pytest.importorskip("numpy")
ALL = list(Orientation)

# The transform that normalizes each orientation, after the table in Exif.
ORACLE = {
    1: lambda image: image,
    2: numpy.fliplr,
    3: lambda image: numpy.rot90(image, 2),
    4: numpy.flipud,
    5: lambda image: numpy.swapaxes(image, 0, 1),
    6: lambda image: numpy.rot90(image, -1),
    7: lambda image: numpy.rot90(numpy.swapaxes(image, 0, 1), 2),
    8: lambda image: numpy.rot90(image, 1),
}


@pytest.fixture
def image() -> Any:
    """Five rows and three columns of different pixels."""
    return numpy.arange(5 * 3 * 2).reshape(5, 3, 2)


@pytest.mark.parametrize("orientation", ALL)
def test_images_are_normalized(orientation: Orientation, image: Any) -> None:
    expected = ORACLE[orientation](image)
    assert numpy.array_equal(orientation.image(image), expected)
    assert numpy.array_equal(orientation.image(image[:, :, 0]), expected[:, :, 0])
    assert orientation.size(3, 5) == (expected.shape[1], expected.shape[0])
    mirrored = numpy.linalg.det(numpy.array(orientation.matrix(3, 5).rows)[:, :2]) < 0
    assert orientation.is_mirrored == mirrored


@pytest.mark.parametrize("orientation", ALL)
def test_images_are_normalized_as_by_pillow(orientation: Orientation, image: Any) -> None:
    pillow = pytest.importorskip("PIL.Image")
    ops = pytest.importorskip("PIL.ImageOps")
    stored = pillow.fromarray(image[:, :, 0].astype("uint8"))
    stored.getexif()[0x0112] = int(orientation)
    expected = numpy.asarray(ops.exif_transpose(stored))
    assert numpy.array_equal(orientation.image(image[:, :, 0]), expected)


@pytest.mark.parametrize(("first", "second"), list(product(ALL, ALL)))
def test_composition_is_one_after_the_other(first: Orientation, second: Orientation, image: Any) -> None:
    expected = second.image(first.image(image))
    assert numpy.array_equal(first.then(second).image(image), expected)


@pytest.mark.parametrize("orientation", ALL)
def test_the_inverse_takes_back(orientation: Orientation) -> None:
    assert orientation.then(orientation.inverse) is Orientation.UP
    assert orientation.inverse.then(orientation) is Orientation.UP


@pytest.mark.parametrize("orientation", ALL)
def test_pixels_move_with_the_image(orientation: Orientation, image: Any) -> None:
    upright = orientation.image(image)
    for row, column in product(range(5), range(3)):
        x, y = orientation.pixel(column, row, 3, 5)
        assert numpy.array_equal(upright[y, x], image[row, column])


@pytest.mark.parametrize("orientation", ALL)
@pytest.mark.parametrize("form", ["xyxy", "xywh"])
def test_boxes_hold_the_same_pixels(orientation: Orientation, form: Any, image: Any) -> None:
    left, top, right, bottom = 1, 2, 3, 4
    box = (left, top, right, bottom) if form == "xyxy" else (left, top, right - left, bottom - top)
    moved = orientation.boxes([box], 3, 5, form)[0]
    for array in (
        numpy.array([box]), numpy.array([box], dtype="uint8"), numpy.array([box], dtype="float32"),
        numpy.array([[box]]),
    ):
        assert numpy.array_equal(orientation.boxes(array, 3, 5, form).reshape(-1), moved)
    x, y = int(moved[0]), int(moved[1])
    width, height = (moved[2] - x, moved[3] - y) if form == "xyxy" else moved[2:]
    part = orientation.image(image)[y : y + int(height), x : x + int(width)]
    assert sorted(part.reshape(-1)) == sorted(image[top:bottom, left:right].reshape(-1))


@pytest.mark.parametrize("orientation", ALL)
@pytest.mark.parametrize(("width", "height"), [(30, 50), (1, 1)])
def test_boxes_by_their_center_are_those_by_their_corner(orientation: Orientation, width: int, height: int) -> None:
    x, y, across, down = box = (0.125 * width, 0.25 * height, 0.5 * width, 0.125 * height)
    left, top, new_across, new_down = orientation.boxes([box], width, height, "xywh")[0]
    centered = (x + across / 2, y + down / 2, across, down)
    expected = (left + new_across / 2, top + new_down / 2, new_across, new_down)
    assert orientation.boxes([centered], width, height, "cxcywh")[0] == expected
    assert numpy.array_equal(orientation.boxes(numpy.array([[centered]]), width, height, "cxcywh")[0, 0], expected)


@pytest.mark.parametrize("orientation", ALL)
def test_points_move_and_come_back(orientation: Orientation) -> None:
    points = [(0.5, 0.5), (3.0, 0.0), (1.25, 4.75)]
    moved = orientation.points(points, 3, 5)
    width, height = orientation.size(3, 5)
    assert orientation.inverse.points(moved, width, height) == points
    assert numpy.allclose(orientation.points(numpy.array(points), 3, 5), moved)
    assert all(0 <= x <= width and 0 <= y <= height for x, y in moved)


def test_large_boxes_of_small_types_do_not_overflow() -> None:
    box = numpy.array([[1, 2, 3, 4]], dtype="uint8")
    assert Orientation.DOWN.boxes(box, 4000, 3000).tolist() == [[3997, 2996, 3999, 2998]]


@pytest.mark.parametrize("orientation", ALL)
def test_integers_stay_integers(orientation: Orientation) -> None:
    for form in ("xyxy", "xywh", "cxcywh"):
        assert all(type(side) is int for side in orientation.boxes([(0, 1, 2, 3)], 3, 5, form)[0])
    assert all(type(each) is int for each in orientation.points([(1, 2)], 3, 5)[0])


def test_other_forms_of_boxes_are_errors() -> None:
    with pytest.raises(ValueError):
        Orientation.UP.boxes([(0, 0, 1, 1)], 3, 5, "yxyx")  # type: ignore[call-overload]
