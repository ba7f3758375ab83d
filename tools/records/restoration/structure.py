"""The structure of a JPEG image (docs/record-format.md, section 4.1; T.81, annex B)."""

from dataclasses import dataclass

import numpy as np

from . import huffman

SOI, EOI, SOS, DQT, DHT, DRI = 0xD8, 0xD9, 0xDA, 0xDB, 0xC4, 0xDD
FRAMES = (0xC0, 0xC1, 0xC2)
# As many as in the limits of docs/record-format.md, section 8.
MAX_SCANS = 1000
OTHER_FRAMES = set(range(0xC0, 0xD0)) - {*FRAMES, 0xC4, 0xC8, 0xCC}


class Unreadable(ValueError):
    """An image is not as it must be."""


@dataclass
class Component:
    """A component of a frame."""
    identifier: int
    horizontal: int
    vertical: int
    table: int


@dataclass
class Frame:
    """A frame header."""
    is_progressive: bool
    width: int
    height: int
    components: list

    @property
    def largest(self):
        """The largest sampling factors, horizontal and vertical."""
        return (max(c.horizontal for c in self.components), max(c.vertical for c in self.components))

    def samples(self, component):
        """Columns and rows of a component's samples."""
        part, (horizontal, vertical) = self.components[component], self.largest
        return (-(-self.width * part.horizontal // horizontal),
                -(-self.height * part.vertical // vertical))

    def blocks(self, component):
        """Columns and rows of a component's grid of blocks."""
        columns, rows = self.samples(component)
        return -(-columns // 8), -(-rows // 8)

    @property
    def mcus(self):
        """Columns and rows of the MCUs of a scan of several components."""
        horizontal, vertical = self.largest
        return -(-self.width // (8 * horizontal)), -(-self.height // (8 * vertical))


@dataclass
class Scan:
    """A scan, with what is in force for it."""
    parts: list
    """For each component of the scan its index in the frame, and its DC and its AC table."""
    start: int
    """Ss: the first zigzag position."""
    end: int
    """Se: the last one."""
    high: int
    """Ah: the bit that was reached before; 0 in a first scan."""
    low: int
    """Al: the bit that this scan reaches."""
    restart_interval: int
    data: range
    """Where the entropy-coded data is in the file."""


@dataclass
class Structure:
    """An image."""
    frame: Frame
    scans: list
    quantization: dict
    """The steps in zigzag order, by slot."""

    def steps(self, component):
        """The quantization steps of a component, in zigzag order."""
        return self.quantization[self.frame.components[component].table]


def read(file, start):
    """The structure of the image whose SOI is at a place of a file."""
    if file[start:start + 2] != b"\xff\xd8":
        raise Unreadable("there is no SOI")
    frame, scans, quantization, tables, interval = None, [], {}, dict(huffman.EXAMPLES), 0
    at = start + 2
    while (at := file.find(b"\xff", at)) >= 0:
        while file[at + 1:at + 2] == b"\xff":
            at += 1
        if at + 1 >= len(file):
            break
        marker = file[at + 1]
        at += 2
        if marker == 0 or marker == 0x01 or 0xD0 <= marker <= 0xD7:
            continue
        if marker == EOI:
            break
        if marker == SOI:
            raise Unreadable("there is a second SOI before EOI")
        length = int.from_bytes(file[at:at + 2], "big")
        content = file[at + 2:at + length]
        if length < 2 or len(content) != length - 2:
            raise Unreadable("a segment is longer than the file")
        at += length
        if marker in OTHER_FRAMES or marker in FRAMES and frame:
            raise Unreadable("there is not one frame header that is read here")
        if marker in FRAMES:
            frame = _frame(marker, content)
        elif marker == DQT:
            quantization |= _quantization(content)
        elif marker == DHT:
            tables |= huffman.tables(content)
        elif marker == DRI:
            if len(content) != 2:
                raise Unreadable("a DRI segment is not four bytes long")
            interval = int.from_bytes(content, "big")
        elif marker == SOS:
            end = _end_of_data(file, at)
            if frame is None or len(scans) == MAX_SCANS:
                raise Unreadable("there are too many scans, or one before the frame header")
            scans.append(_scan(content, frame, tables, interval, range(at, end)))
            at = end
    if frame is None:
        raise Unreadable("there is no frame header")
    _check_scans(frame, scans)
    return Structure(frame, scans, quantization)


def _check_scans(frame, scans):
    """Refuses scans that do not continue those before them, or code a bit again, which would take any time."""
    coded = set()
    for scan in scans:
        positions, bits = range(64), range(1)
        has_dc = has_ac = True
        if frame.is_progressive:
            if not scan.start <= scan.end <= 63 or scan.low > 13 or scan.high not in (0, scan.low + 1):
                raise Unreadable("a scan header is wrong")
            if scan.end > 0 if scan.start == 0 else len(scan.parts) > 1:
                raise Unreadable("a progressive scan has coefficients that cannot be together")
            positions, bits = range(scan.start, scan.end + 1), range(scan.low, scan.high or 16)
            has_dc, has_ac = scan.start == scan.high == 0, scan.start > 0
            refined = {(index, position, scan.high) for index, _, _ in scan.parts for position in positions}
            if scan.high and not refined <= coded or has_ac and (scan.parts[0][0], 0, 15) not in coded:
                raise Unreadable("a scan does not continue those before it")
        for _, dc, ac in scan.parts:
            used = [dc] * has_dc + [ac] * has_ac
            if not all(table and table.is_prefix_code for table in used) or has_dc and max(dc.codes, default=0) > 15:
                raise Unreadable("a Huffman table is missing or wrong")
        own = {(index, position, bit) for index, _, _ in scan.parts for position in positions for bit in bits}
        if coded & own:
            raise Unreadable("two scans code the same coefficients")
        coded |= own
    if not {(index, 0, 0 if not frame.is_progressive else 15) for index in range(len(frame.components))} <= coded:
        raise Unreadable("a component has no DC coefficients")


def _end_of_data(file, at):
    while (at := file.find(b"\xff", at)) >= 0:
        after = at + 1
        while file[after:after + 1] == b"\xff":
            after += 1
        if after == len(file) or not (file[after] == 0 or 0xD0 <= file[after] <= 0xD7):
            return at
        at = after + 1
    return len(file)


def _frame(marker, content):
    if content[0] != 8:
        raise Unreadable("samples are not of eight bits")
    components = [
        Component(content[at], content[at + 1] >> 4, content[at + 1] & 15, content[at + 2])
        for at in range(6, 6 + 3 * content[5], 3)]
    if not 1 <= len(components) <= 4 or not all(
            1 <= factor <= 4 for c in components for factor in (c.horizontal, c.vertical)):
        raise Unreadable("there are not one to four components with sampling factors from 1 to 4")
    height, width = int.from_bytes(content[1:3], "big"), int.from_bytes(content[3:5], "big")
    if not width or not height or len(content) != 6 + 3 * len(components):
        raise Unreadable("the frame header is wrong")
    return Frame(marker == 0xC2, width, height, components)


def _quantization(content):
    tables, at = {}, 0
    while at < len(content):
        wide, slot = content[at] >> 4, content[at] & 15
        size = 128 if wide else 64
        tables[slot] = np.frombuffer(
            content[at + 1:at + 1 + size], ">u2" if wide else "u1").astype(np.int32)
        at += 1 + size
    return tables


def _scan(content, frame, tables, interval, data):
    parts = []
    count = content[0]
    if not 1 <= count <= 4 or len(content) != 4 + 2 * count:
        raise Unreadable("a scan header is wrong")
    for at in range(1, 1 + 2 * count, 2):
        met = [part[0] for part in parts]
        index = next(i for i, component in enumerate(frame.components)
                     if component.identifier == content[at] and i not in met)
        slots = (0, content[at + 1] >> 4), (1, content[at + 1] & 15)
        if met and index < met[-1] or any(slot > 3 for _, slot in slots):
            raise Unreadable("a scan header is wrong")
        if frame.is_progressive:
            # There are no tables by default.
            tables = {place: table for place, table in tables.items() if table is not huffman.EXAMPLES.get(place)}
        parts.append((index, *map(tables.get, slots)))
    start, end, bits = content[1 + 2 * count:4 + 2 * count]
    return Scan(parts, start, end, bits >> 4, bits & 15, interval, data)
