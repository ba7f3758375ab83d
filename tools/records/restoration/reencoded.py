"""Restores the coefficients of components that were re-encoded (docs/record-format.md, section 7)."""

import zlib
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from . import transform as transforms
from .exceptions import Decoder
from .record import Damaged

VERSION = 2
LIMIT = 11584
C1, C2, C3, C4, C5, C6, C7 = 32138, 30274, 27246, 23170, 18205, 12540, 6393


def coefficients(result, reencoded, original, transform, content):
    """The coefficients of the original in zigzag order, for each component.

    result and original are the structures, reencoded has the coefficients of the result, and content the exceptions.
    """
    count, codes = read_exceptions(content)
    frame = original.frame
    if len(codes) != len(frame.components):
        raise Damaged("the exceptions are those of another image")
    restored, found = [], 0
    for index, code in enumerate(codes):
        if 0 in result.steps(index) or 0 in original.steps(index):
            raise Damaged("a quantization step is 0")
        axes = axes_of(frame, index, transform)
        blocks = transforms.original_blocks(transforms.blocks_of(reencoded[index]), transform)
        if not all(axis.is_aligned for axis in axes):
            table = transforms.blocks_of(result.steps(index))
            table = table.T if transform.transposes else table
            samples = samples_of(blocks, table)
            moved = moved_samples(samples, *axes)
            steps = transforms.blocks_of(original.steps(index))
            decoder = Decoder(code)
            blocks = decoder.blocks(forward(cut(moved)), steps, axes)
            found += decoder.count
        restored.append(transforms.in_zigzag_order(blocks))
    if found != count:
        raise Damaged("the exceptions are those of another image")
    return restored


def read_exceptions(content):
    """The number of exceptions, and the code of each component (section 7.1)."""
    if content[0] != VERSION:
        raise Damaged(f"the exceptions are of version {content[0]}")
    if zlib.crc32(content[5:]) != int.from_bytes(content[1:5], "big"):
        raise Damaged("the exceptions are damaged")
    at = 5

    def number():
        nonlocal at
        value = 0
        while True:
            value = value << 7 | content[at] & 0x7F
            at += 1
            if content[at - 1] < 0x80:
                return value

    count, components = number(), number()
    sizes = [number() for _ in range(components - 1)]
    codes = []
    for size in sizes:
        codes.append(content[at:at + size])
        at += size
    if at > len(content):
        raise Damaged("the exceptions break off")
    return count, codes + [content[at:]]


@dataclass
class Axis:
    """One axis of a component (section 7.2)."""
    samples: int
    is_mirrored: bool
    delay: Fraction

    @property
    def blocks(self):
        return -(-self.samples // 8)

    @property
    def origin(self):
        return self.samples - 8 * self.blocks if self.is_mirrored else 0

    @property
    def is_aligned(self):
        return self.origin == 0 and self.delay == 0


def axes_of(frame, component, transform):
    """The horizontal and the vertical axis of a component."""
    part = frame.components[component]
    axes = []
    for length, factor, largest, samples, is_mirrored in zip(
            (frame.width, frame.height), (part.horizontal, part.vertical), frame.largest,
            frame.samples(component), transform.mirrors_original):
        delay = Fraction(samples * largest - length * factor, largest) if is_mirrored else Fraction(0)
        axes.append(Axis(samples, is_mirrored, delay))
    return axes


def samples_of(blocks, steps):
    """The samples of quantized blocks: an array of lines and samples (section 7.3)."""
    steps = np.minimum(steps, 4096)
    largest = 2000 // steps + 1
    values = steps * np.clip(blocks, -largest, largest)
    units = 16 * values
    is_long = np.abs(values).sum(axis=(-2, -1)) > 2000
    if is_long.any():
        limited = np.clip(values[is_long], -2000, 2000)
        is_too_long = (limited ** 2).sum(axis=(-2, -1), keepdims=True) > 2000 ** 2
        units[is_long] = np.where(is_too_long, 16 * limited >> 3, 16 * limited)
    rows = inverse_pass(units, -1)
    return joined(np.clip(inverse_pass(rows, -2), -LIMIT, LIMIT))


def lanes(blocks, axis):
    return [np.take(blocks, number, axis) for number in range(8)]


def inverse_pass(blocks, axis):
    """P of section 7.3, along an axis."""
    x = lanes(blocks, axis)
    m, k = C4 * x[0] + C4 * x[4] + 32768, C4 * x[0] - C4 * x[4] + 32768
    p, r = C2 * x[2] + C6 * x[6], C6 * x[2] - C2 * x[6]
    e = m + p, k + r, k - r, m - p
    d = (C1 * x[1] + C3 * x[3] + C5 * x[5] + C7 * x[7],
         C3 * x[1] - C7 * x[3] - C1 * x[5] - C5 * x[7],
         C5 * x[1] - C1 * x[3] + C7 * x[5] + C3 * x[7],
         C7 * x[1] - C5 * x[3] + C3 * x[5] - C1 * x[7])
    first = [e[j] + d[j] >> 16 for j in range(4)]
    last = [e[j] - d[j] >> 16 for j in (3, 2, 1, 0)]
    return np.stack(first + last, axis)


def forward_pass(blocks, axis):
    """Q of section 7.4, along an axis."""
    x = lanes(blocks, axis)
    s = [x[j] + x[7 - j] for j in range(4)]
    t = [x[j] - x[7 - j] for j in range(4)]

    def rotated(y, a, b, c, d):
        return a * y[0] + b * y[1] + c * y[2] + d * y[3] + 32768 >> 16

    return np.stack([
        rotated(s, C4, C4, C4, C4), rotated(t, C1, C3, C5, C7),
        rotated(s, C2, C6, -C6, -C2), rotated(t, C3, -C7, -C1, -C5),
        rotated(s, C4, -C4, -C4, C4), rotated(t, C5, -C1, C7, C3),
        rotated(s, C6, -C2, C2, -C6), rotated(t, C7, -C5, C3, -C1)], axis)


def forward(blocks):
    """The coefficients of blocks of samples."""
    columns = np.clip(forward_pass(blocks, -2), -LIMIT, LIMIT)
    return forward_pass(columns, -1)


def joined(blocks):
    """Blocks side by side as lines of samples."""
    rows, columns, _, _ = blocks.shape
    return blocks.swapaxes(1, 2).reshape(8 * rows, 8 * columns)


def cut(samples):
    """The opposite of joined."""
    height, width = samples.shape
    return samples.reshape(height // 8, 8, width // 8, 8).swapaxes(1, 2)


def moved_samples(samples, x, y):
    """The samples where the original's blocks have them (section 7.4)."""
    moved = np.zeros((8 * y.blocks, 8 * x.blocks), np.int32)
    own = samples[-y.origin:, -x.origin:]
    moved[:own.shape[0], :own.shape[1]] = own
    if y.delay:
        moved[:y.samples] = delayed(moved[:y.samples][::-1], y.delay)[::-1]
    if x.delay:
        moved[:, :x.samples] = delayed(moved[:, :x.samples].T[::-1], x.delay)[::-1].T
    if x.is_mirrored:
        moved[:, x.samples:] = moved[:, x.samples - 1:x.samples]
    if y.is_mirrored:
        moved[y.samples:] = moved[y.samples - 1]
    return moved


def delayed(lines, delay):
    """Each column of some lines, delayed by a part of a sample."""
    d, unit = delay.numerator, delay.denominator
    a = []
    for k, b in ((1, -3), (2, 3), (3, -1)):
        value = Fraction(b << 14)
        for i in range(4):
            value *= Fraction(i * unit - d, (k + i) * unit - d)
        a.append(rounded(value))
    gain = rounded(Fraction(1 << 28, (1 << 14) + sum(a)))
    count = len(lines)
    t = lines.astype(np.int64)
    before = [t[np.maximum(np.arange(count) - k, 0)] for k in (1, 2, 3)]
    y = (t << 14) + a[0] * before[0] + a[1] * before[1] + a[2] * before[2] + 8192 >> 14
    z = np.empty_like(y)
    z[-1] = np.clip(gain * y[-1] + 8192 >> 14, -LIMIT, LIMIT)
    for i in range(count - 2, -1, -1):
        after = [z[min(i + k, count - 1)] for k in (1, 2, 3)]
        z[i] = np.clip(
            (y[i] << 14) - a[0] * after[0] - a[1] * after[1] - a[2] * after[2] + 8192 >> 14,
            -LIMIT, LIMIT)
    return z


def rounded(value):
    """To the nearest whole number, halves away from zero."""
    magnitude = (2 * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    return magnitude if value >= 0 else -magnitude
