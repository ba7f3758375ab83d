"""The eight transforms (docs/record-format.md, sections 2 and 5)."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Transform:
    """First a transposition, then mirrorings of the result's axes."""
    transposes: bool
    mirrors_x: bool
    mirrors_y: bool

    @property
    def mirrors_original(self):
        """Which of the original's axes are mirrored: the horizontal one, the vertical one."""
        x, y = self.mirrors_x, self.mirrors_y
        return (y, x) if self.transposes else (x, y)

    def undone(self, grid):
        """A grid of the original, from that of the result: an array of rows and columns."""
        if self.mirrors_y:
            grid = grid[::-1]
        if self.mirrors_x:
            grid = grid[:, ::-1]
        return grid.swapaxes(0, 1) if self.transposes else grid


TRANSFORMS = {
    1: Transform(False, False, False), 2: Transform(False, True, False),
    3: Transform(False, True, True), 4: Transform(False, False, True),
    5: Transform(True, False, False), 6: Transform(True, True, False),
    7: Transform(True, True, True), 8: Transform(True, False, True),
}

ZIGZAG = sorted(
    ((v, u) for v in range(8) for u in range(8)),
    key=lambda place: (sum(place), place[0] if sum(place) % 2 == 1 else place[1]))
"""The row v and the column u of each zigzag position (T.81, figure A.6)."""

TRANSPOSED = [ZIGZAG.index((u, v)) for v, u in ZIGZAG]
"""For each zigzag position that of the same coefficient in the transposed block."""

_NATURAL = np.array([8 * v + u for v, u in ZIGZAG])


def blocks_of(coefficients):
    """Coefficients in zigzag order as blocks of rows v and columns u."""
    result = np.empty_like(coefficients)
    result[..., _NATURAL] = coefficients
    return result.reshape(*coefficients.shape[:-1], 8, 8)


def in_zigzag_order(blocks):
    """The opposite of blocks_of."""
    return blocks.reshape(*blocks.shape[:-2], 64)[..., _NATURAL]


def original_blocks(blocks, transform):
    """The blocks of the original from those of the result, both with rows v and columns u."""
    odd = np.where(np.arange(8) % 2 == 1, -1, 1)
    if transform.mirrors_x:
        blocks = blocks * odd[np.newaxis, :]
    if transform.mirrors_y:
        blocks = blocks * odd[:, np.newaxis]
    if transform.transposes:
        blocks = blocks.swapaxes(-1, -2)
    return transform.undone(blocks)
