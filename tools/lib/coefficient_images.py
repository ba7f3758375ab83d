"""JPEG images of given coefficients, and of samples that no 8-bit image has."""

import math
import struct
from itertools import chain, pairwise

from entropy_coding import SOF0, Block, Component, Convention, Scan, Table, additional_bits, divide, mcus, write

DQT, APP1 = 0xDB, 0xE1
ZIGZAG = sorted(((u, v) for u in range(8) for v in range(8)),
                key=lambda place: (sum(place), place[0] if sum(place) % 2 == 1 else place[1]))
BASIS = [[math.cos((2 * x + 1) * u * math.pi / 16) * (math.sqrt(1 / 8) if u == 0 else 1 / 2) for x in range(8)] for u in range(8)]


def coefficients_of(samples, steps):
    """The quantized coefficients, in zigzag order, of 8 lines of 8 samples around 0."""
    lines = [[sum(line[x] * BASIS[u][x] for x in range(8)) for u in range(8)] for line in samples]
    return [round(sum(lines[y][u] * BASIS[v][y] for y in range(8)) / step) for (u, v), step in zip(ZIGZAG, steps)]


def image(width, height, sampling, steps, coefficients, orientation=6, scans=None, identifiers=None, first_steps=None, padding=None,
          convention=Convention()):
    """A baseline image.

    sampling is the horizontal and the vertical factor of each component, steps their quantization tables, and
    coefficients(component, column, row) gives the 64 coefficients of a block. scans are the components of each scan, by
    default all in one; first_steps are tables that those of steps replace; padding gives the coefficients of padding blocks,
    which otherwise have only the DC coefficient of the block before.
    """
    identifiers = identifiers or range(1, len(sampling) + 1)
    components = [Component(number, *factors) for number, factors in enumerate(sampling)]
    size = divide(width, height, components)
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHHI", 0x0112, 3, 1, orientation, 0, 0)
    parts = [(APP1, exif)]
    for tables in [first_steps, steps] if first_steps else [steps]:
        for slot, table in enumerate(tables):
            parts.append((DQT, bytes([slot]) + bytes(table)))
    frame = b"".join(bytes([identifier, horizontal << 4 | vertical, min(slot, len(steps) - 1)])
                     for slot, (identifier, (horizontal, vertical)) in enumerate(zip(identifiers, sampling)))
    parts.append((SOF0, struct.pack(">BHHB", 8, height, width, len(sampling)) + frame))
    dc_table, ac_table = (Table(slot, bytes(16), b"") for slot in (0x00, 0x10))
    parts.append([dc_table, ac_table])
    for numbers in scans or [range(len(sampling))]:
        chosen = [components[number] for number in numbers]
        header = bytes([len(chosen), *(byte for number in numbers for byte in (identifiers[number], 0)), 0, 63, 0])
        scan = Scan(header, False, chosen, {c.identifier: dc_table for c in chosen}, {c.identifier: ac_table for c in chosen})
        scan.intervals = [list(_blocks(chosen, size, coefficients, padding))]
        parts.append(scan)
    return write(parts, convention)


def _blocks(components, size, coefficients, padding):
    """The blocks of a scan, in their order."""
    last = {}
    for component, column, row in chain.from_iterable(mcus(components, size)):
        is_padding = column >= component.columns or row >= component.rows
        block = Block(component, is_padding, dc=last.get(component.identifier, 0), ends_early=True, position=1)
        if not is_padding or padding:
            values = (padding if is_padding else coefficients)(component.identifier, column, row)
            block.dc = values[0]
            for before, position in pairwise([0, *(position for position in range(1, 64) if values[position])]):
                zeros = position - before - 1
                block.codes += zeros // 16 * [(0xF0, "")]
                bits = additional_bits(values[position])
                block.codes.append((zeros % 16 << 4 | len(bits), bits))
                block.position = position + 1
            block.ends_early = block.position < 64
        last[component.identifier] = block.dc
        yield block
