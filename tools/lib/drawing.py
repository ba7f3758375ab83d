"""A photo that is drawn, of any size, for measurements; always the same.

    tools/lib/drawing.py WIDTH HEIGHT    writes it to standard output, as PPM
"""

import random
import subprocess
import sys
from array import array
from itertools import accumulate

from photos import with_orientation


def smoothed(values, side, radius):
    """One box blur along the rows of a tile that wraps around; the result is transposed."""
    result = array("q", bytes(8 * side * side))
    for y in range(side):
        row = values[y * side:(y + 1) * side]
        sums = list(accumulate(row[side - radius:] + row + row[:radius], initial=0))
        result[y::side] = array("q", [b - a for a, b in zip(sums, sums[2 * radius + 1:])])
    return result


class Layer:
    """A tile of noise of one scale, from 0 to `amplitude`, repeated over the plane.

    The sides are different primes, so that the sum of layers does not repeat within a photo.
    """

    def __init__(self, side, radius, amplitude):
        values = array("q", list(random.Random(side).randbytes(side * side)))
        if radius > 0:
            for _ in range(4):
                values = smoothed(values, side, radius)
        low, span = min(values), max(values) - min(values)
        scaled = bytes((value - low) * amplitude // span for value in values)
        self.rows = [scaled[y * side:(y + 1) * side] for y in range(side)]

    def row(self, y, width, table=None):
        """A row as a number with a byte for each pixel, mapped by `table` where there is one."""
        row = self.rows[y % len(self.rows)]
        if table:
            row = row.translate(table)
        return int.from_bytes((row * (width // len(row) + 1))[:width], "little")


def step(level, high):
    """A table that maps values to 0 or, from `level` on, to `high`."""
    return bytes(high if value >= level else 0 for value in range(256))


def draw(width, height):
    """Writes a photo as PPM to standard output: shapes with edges, texture in places, smooth areas and grain."""
    light, shape, relief = Layer(1009, 60, 50), Layer(907, 20, 255), Layer(503, 5, 35)
    texture, grain = Layer(601, 1, 95), Layer(499, 0, 7)
    warmth, coolness = Layer(811, 30, 30), Layer(701, 12, 30)
    edge, warm_edge, textured = step(128, 35), step(16, 35), step(25, 255)
    out = sys.stdout.buffer
    out.write(b"P6 %d %d 255\n" % (width, height))
    pixels_of_row = bytearray(3 * width)
    for y in range(height):
        # No sum exceeds 255, so bytes never carry into their neighbours.
        luma = (light.row(y, width) + relief.row(y, width) + grain.row(y, width)
                + (shape.row(y, width, edge) ^ warmth.row(y, width, warm_edge))
                + (texture.row(y, width) & light.row(y, width, textured)))
        for channel, value in enumerate((
                luma + warmth.row(y, width), luma + grain.row(y + 250, width),
                luma + coolness.row(y, width))):
            pixels_of_row[channel::3] = value.to_bytes(width, "little")
        out.write(pixels_of_row)


def drawn(width, height, path, orientation=None):
    """Draws a photo and compresses it as cameras do, with an Orientation if one is given."""
    # A process of its own, because the peak memory of this one hides that of small children.
    scene = subprocess.run([sys.executable, __file__, str(width), str(height)], stdout=subprocess.PIPE, check=True).stdout
    photo = subprocess.run(["cjpeg", "-quality", "92", "-sample", "2x2"], input=scene, stdout=subprocess.PIPE, check=True).stdout
    path.write_bytes(with_orientation(photo, orientation) if orientation else photo)


if __name__ == "__main__":
    draw(*map(int, sys.argv[1:]))
