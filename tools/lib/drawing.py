"""A photo that is drawn, of any size, for measurements; always the same.

    tools/lib/drawing.py WIDTH HEIGHT    writes it to standard output, as PPM
"""

import random
import subprocess
import sys

import numpy

from photos import with_orientation


class Layer:
    """A tile of noise of one scale, from 0 to `amplitude`, repeated over the plane.

    The sides are different primes, so that the sum of layers does not repeat within a photo.
    """

    def __init__(self, side, radius, amplitude):
        noise = numpy.frombuffer(random.Random(side).randbytes(side * side), numpy.uint8)
        values = noise.reshape(side, side).astype(numpy.int64)
        for _ in range(4 if radius else 0):
            # A box blur along the rows of a tile that wraps around, and then the columns are rows.
            sums = numpy.pad(values, ((0, 0), (radius, radius)), "wrap").cumsum(axis=1)
            sums = numpy.pad(sums, ((0, 0), (1, 0)))
            values = (sums[:, 2 * radius + 1:] - sums[:, :side]).T
        self.tile = ((values - values.min()) * amplitude // (values.max() - values.min())).astype(numpy.uint8)

    def plane(self, width, height, top=0):
        side = len(self.tile)
        return self.tile[(numpy.arange(height) + top)[:, None] % side, numpy.arange(width) % side]


def draw(width, height):
    """Writes a photo as PPM to standard output: shapes with edges, texture in places, smooth areas and grain."""
    light, shape, relief, texture, warmth, coolness = (
        Layer(*each).plane(width, height)
        for each in ((1009, 60, 50), (907, 20, 255), (503, 5, 35), (601, 1, 95), (811, 30, 30), (701, 12, 30)))
    grain = Layer(499, 0, 7)

    def step(plane, level, high):
        return (plane >= level) * numpy.uint8(high)

    # No sum exceeds 255.
    luma = (light + relief + grain.plane(width, height) + (step(shape, 128, 35) ^ step(warmth, 16, 35))
            + (texture & step(light, 25, 255)))
    sys.stdout.buffer.write(b"P6 %d %d 255\n" % (width, height))
    sys.stdout.buffer.write(numpy.stack([luma + warmth, luma + grain.plane(width, height, 250), luma + coolness], axis=2).tobytes())


def drawn(width, height, path, orientation=None, quality=92, *coding):
    """Draws a photo and compresses it as cameras do, with an Orientation if one is given; `coding` are options of cjpeg."""
    # A process of its own, because the peak memory of this one hides that of small children.
    scene = subprocess.run([sys.executable, __file__, str(width), str(height)], stdout=subprocess.PIPE, check=True).stdout
    photo = subprocess.run(["cjpeg", "-quality", str(quality), "-sample", "2x2", *coding], input=scene, stdout=subprocess.PIPE, check=True).stdout
    path.write_bytes(with_orientation(photo, orientation) if orientation else photo)


if __name__ == "__main__":
    draw(*map(int, sys.argv[1:]))
