"""Scans that are written by another convention than libjpeg's.

T.81 fixes what a decoder reads, not what an encoder writes: how the last byte before a marker is
filled, which empty blocks an EOBRUN takes in, what the blocks beyond a component's edge hold. cjpeg
writes one way, cameras and web services write others. `recode` takes a file of cjpeg and writes the
same image as one of those would: no coefficient of the image changes.

The scans are read and coded by the reader of records (tools/records/restoration), which knows these conventions.
"""

import re
import struct
import sys
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "records"))
from restoration import coding, decoding, huffman, structure  # noqa: E402
from restoration.record import Scan as Conventions  # noqa: E402

# The rule of record-format.md, section 6.4, for each way of EOBRUNs.
RULES = {"joined": 0, "apart": 1, "single": 2, "mixed": 0}


@dataclass(frozen=True)
class Convention:
    """How an encoder writes scans; the defaults are libjpeg's ways."""

    # The bits that fill the last byte of an interval, repeated; intervals take the patterns in turn.
    padding: tuple = ("1",)
    # Whether an RST marker follows the last interval of each scan, too.
    restart_after_last: bool = False
    # "joined": an EOBRUN is as long as possible; "apart": the EOB of a block that has coefficients
    # is a run of its own, and the empty blocks after it are another; "single": every run is 1; "mixed": every seventh
    # block begins one.
    eob_runs: str = "joined"
    # Whether every second block whose end is at least 16 zeros away has ZRLs before its EOB, if the scan does not refine.
    zrl_before_eob: bool = False
    # Which scans give blocks that only complete an MCU something else than the DC coefficient of the
    # block before: "", "all", or "refining".
    padding_blocks: str = ""
    # What follows the last interval of the last scan.
    after_last_scan: bytes = b""


class Table:
    """A Huffman table of a DHT segment, and the symbols that are coded with it."""

    def __init__(self, place, counts, values):
        self.place, self.counts, self.values, self.symbols = place, counts, values, set()

    def __getitem__(self, symbol):
        """Notes a symbol, instead of its code and length."""
        self.symbols.add(symbol)
        return 0, 1

    @property
    def codes(self):
        return self

    def fit(self):
        """Makes a table for the symbols, all codes of one length, unless it has codes for all."""
        if not self.symbols <= set(self.values):
            # A code of ones alone is reserved.
            length = len(self.symbols).bit_length()
            self.counts = bytes(len(self.symbols) if n == length else 0 for n in range(1, 17))
            self.values = bytes(sorted(self.symbols))
        return huffman.Table(self.counts, self.values)


def recode(jpeg, convention):
    """The same image, with its scans written by the convention.

    Tables that have no code for a symbol are replaced by tables whose codes have one length.
    """
    image = structure.read(jpeg, 0)
    coefficients = decoding.coefficients(jpeg, image)
    padding = padding_blocks(image, coefficients, convention)
    tables, parts = tables_and_parts(jpeg, image.scans)

    def data(scan, way):
        return coding.scan_data(image.frame, scan, coefficients, way, padding)

    ways = [conventions(image.frame, scan, coefficients, convention) for scan in image.scans]
    # The first time, for the symbols alone.
    for scan, way in zip(image.scans, ways):
        data(scan, way)
    fitted = {table: table.fit() for table in tables}
    for scan, way in zip(image.scans, ways):
        scan.parts = [(index, fitted.get(dc), fitted.get(ac)) for index, dc, ac in scan.parts]
        if len(set("".join(convention.padding))) > 1:
            way.fill = fill(*(data(scan, Conventions(**vars(way) | {"fill_bit": bit})) for bit in (0, 1)), convention)
    ways[-1].stray_bytes = convention.after_last_scan
    out, scans = bytearray(), iter(zip(image.scans, ways))
    for part in parts:
        if part is None:
            out += data(*next(scans))
        elif isinstance(part, list):
            payload = b"".join(bytes([table.place, *table.counts, *table.values]) for table in part)
            out += struct.pack(">BBH", 0xFF, structure.DHT, len(payload) + 2) + payload
        else:
            out += part
    return bytes(out)


def tables_and_parts(jpeg, scans):
    """The Huffman tables of a file, which the scans get, and its parts: segments, lists of tables, or None for a scan's data."""
    tables, slots, parts, at, left = [], {}, [jpeg[:2]], 2, list(scans)
    while jpeg[at + 1] != structure.EOI:
        marker, length = struct.unpack_from(">xBH", jpeg, at)
        content = jpeg[at + 4:at + 2 + length]
        parts.append(jpeg[at:at + 2 + length])
        at += 2 + length
        if marker == structure.DHT:
            parts[-1], start = [], 0
            while start < len(content):
                counts = content[start + 1:start + 17]
                end = start + 17 + sum(counts)
                parts[-1].append(Table(content[start], counts, content[start + 17:end]))
                start = end
            slots |= {table.place: table for table in parts[-1]}
            tables += parts[-1]
        elif marker == structure.SOS:
            scan = left.pop(0)
            # A scan header has two bytes for each component.
            named = content[2:2 + 2 * len(scan.parts):2]
            scan.parts = [(index, slots.get(both >> 4), slots.get(0x10 | both & 15))
                          for (index, _, _), both in zip(scan.parts, named)]
            parts.append(None)
            at = scan.data.stop
    return tables, [*parts, jpeg[at:at + 2]]


def blocks(frame, scan):
    """The blocks of a scan in their order: the index of the component, column, row, and whether it only completes an MCU."""
    for part, column, row, is_padding in chain.from_iterable(decoding.mcus(frame, scan)):
        yield scan.parts[part][0], column, row, is_padding


def padding_blocks(image, coefficients, convention):
    """Values of their own for the blocks that only complete an MCU, by component, row and column."""
    found = {}
    for scan in image.scans:
        refines = scan.high > 0
        if scan.start > 0 or convention.padding_blocks != "all" and not (convention.padding_blocks and refines):
            continue
        last, number = {}, 0
        for index, column, row, is_padding in blocks(image.frame, scan):
            if not is_padding:
                last[index] = int(coefficients[index][row, column, 0])
                continue
            block = found.setdefault((index, row, column), [last[index], *63 * [0]])
            if refines:
                block[0] ^= 1 << scan.low
            else:
                block[0] += number % 5 - 2 << scan.low
            if not image.frame.is_progressive and number % 2:
                block[2:4] = 1, -2
            number += 1
    return found


def conventions(frame, scan, coefficients, convention):
    """The conventions of a scan as a record has them, without mixed fill bits."""
    zero_runs, order = {}, list(blocks(frame, scan))
    start, end = max(scan.start, 1), scan.end if frame.is_progressive else 63
    for number, (index, column, row, is_padding) in enumerate(order):
        if not convention.zrl_before_eob or scan.high or number % 2:
            continue
        values = [] if is_padding else abs(coefficients[index][row, column, start:end + 1]) >> scan.low
        last = max((place for place, value in enumerate(values, start) if value), default=start - 1)
        if end - last > 16:
            zero_runs[number] = (end - last - 1) // 16
    return Conventions(fill_bit=int(convention.padding[0][0]), ends_with_restart=convention.restart_after_last,
                       rule=RULES[convention.eob_runs], zero_runs=zero_runs,
                       rule_exceptions=frozenset(range(0, len(order), 7) if convention.eob_runs == "mixed" else ()))


def fill(zeros, ones, convention):
    """The bits that fill the last bytes of intervals, from the data with zeros and with ones there."""
    found = {}
    for number, pair in enumerate(zip(*(re.split(rb"\xff[\xd0-\xd7]", data) for data in (zeros, ones)))):
        last, other = (piece.replace(b"\xff\0", b"\xff")[-1:] for piece in pair)
        if missing := (int.from_bytes(last, "big") ^ int.from_bytes(other, "big")).bit_length():
            pattern = convention.padding[number % len(convention.padding)]
            found[number] = 1 << missing | int((pattern * 8)[:missing], 2)
    return found
