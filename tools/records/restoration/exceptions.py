"""Decodes which coefficients do not follow from the result (docs/record-format.md, sections 7.5 and 7.6)."""

import numpy as np


def estimates(values, steps):
    """Quotients, rests and doubts of blocks of unquantized coefficients (section 7.5)."""
    steps = np.clip(steps, 1, 4096).astype(np.int64)
    digits = np.vectorize(lambda s: (16 * int(s) - 1).bit_length())(steps)
    reciprocal = -(-(1 << (15 + digits)) // (16 * steps))
    magnitude = (np.abs(values) + 8 * steps) * reciprocal >> 16 >> (digits - 1)
    magnitude = np.where(steps == 4096, 0, magnitude)
    smallest = np.full((8, 8), -1023)
    smallest[0, 0] = -1024
    quotients = np.clip(np.where(values < 0, -magnitude, magnitude), smallest, 1023)
    rests = values - 16 * steps * quotients
    sizes = np.minimum(2 * np.abs(rests) * -(-32768 // steps) >> 16, 8)
    doubts = np.where(steps == 4096, 0, np.where(rests < 0, -sizes, sizes))
    is_in_doubt = (np.abs(rests) >= 7 * steps).any(axis=(-2, -1))
    return quotients, doubts, is_in_doubt


class Decoder:
    """The exceptions' code of a component (section 7.6)."""

    def __init__(self, code):
        self.bytes = code + bytes(4)
        self.code = int.from_bytes(self.bytes[:4], "big")
        self.at, self.range = 4, 0xFFFF_FFFF
        self.models = {}
        self.count = 0

    def decision(self, *model):
        """The next decision of a model, which is named by the decision's number and its circumstances."""
        probability, age = self.models.get(model, (32768, 0))
        bound = (self.range >> 16) * probability
        answer = self.code >= bound
        if answer:
            self.code -= bound
            self.range -= bound
        else:
            self.range = bound
        distance = (24 if answer else 65512) - probability
        step = abs(distance) // (age + 2)
        self.models[model] = probability + (step if distance > 0 else -step), min(age + 1, 250)
        while self.range < 1 << 24:
            self.range <<= 8
            following = self.bytes[self.at] if self.at < len(self.bytes) else 0
            self.code = self.code << 8 | following
            self.at += 1
        return answer

    def blocks(self, values, steps, axes):
        """The original's blocks, from the values of the forward transform."""
        x, y = axes
        quotients, doubts, is_in_doubt = estimates(values, steps)
        in_doubt = is_in_doubt.tolist()
        limited = np.clip(steps, 1, 3)
        had_exceptions = False
        for row in range(y.blocks):
            for column in range(x.blocks):
                kind = (1 if column == x.blocks - 1 and not x.is_aligned else 0) \
                    + (2 if row == y.blocks - 1 and not y.is_aligned else 0)
                had_exceptions = self.decision(1, kind, in_doubt[row][column], had_exceptions)
                if had_exceptions:
                    self.block(quotients[row, column], doubts[row, column], limited, kind)
        return quotients

    def block(self, block, doubts, steps, kind):
        """Corrects a block."""
        for u in range(8):
            for v in range(8):
                value, doubt, step = int(block[v, u]), int(doubts[v, u]), int(steps[v, u])
                tendency = 0
                if value:
                    is_towards_zero = (value > 0) != (doubt > 0)
                    tendency = (1 if abs(value) == 1 else 3) + (0 if is_towards_zero else 1)
                if not self.decision(2, kind, step, tendency, abs(doubt)):
                    continue
                self.count += 1
                is_opposite = self.decision(3, kind, abs(doubt))
                magnitude = self.magnitude(kind)
                block[v, u] += magnitude if (doubt > 0) != is_opposite else -magnitude

    def magnitude(self, kind):
        """How much a coefficient differs."""
        more = 0
        while more < 17 and self.decision(4, kind, more):
            more += 1
        result = 1
        for digit in range(more - 1, -1, -1):
            result = result << 1 | self.decision(5, more, digit)
        return result
