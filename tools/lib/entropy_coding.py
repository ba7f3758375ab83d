"""Huffman-coded scans as symbols: reads the scans of a JPEG file and writes them by another convention.

T.81 fixes what a decoder reads, not what an encoder writes: how the last byte before a marker is
filled, which empty blocks an EOBRUN takes in, what the blocks beyond a component's edge hold. cjpeg
writes one way, cameras and web services write others. `recode` takes a file of cjpeg and writes the
same image as one of those would: no coefficient of the image changes.

Bits are text here, "0" and "1": the files are small, and nothing is easier to read.
"""

import re
import struct
from dataclasses import dataclass, field

SOF0, SOF2, DHT, SOI, EOI, SOS, DRI = 0xC0, 0xC2, 0xC4, 0xD8, 0xD9, 0xDA, 0xDD
EOB, ZRL = 0x00, 0xF0
# libjpeg ends an EOBRUN that has reached this length, or that holds more correction bits than this.
MAX_EOBRUN, MAX_CORRECTION_BITS = 0x7FFF, 937


@dataclass(frozen=True)
class Convention:
    """How an encoder writes scans; the defaults are libjpeg's ways."""

    # The bits that fill the last byte of an interval, repeated; intervals take the patterns in turn.
    padding: tuple = ("1",)
    # Whether an RST marker follows the last interval of each scan, too.
    restart_after_last: bool = False
    # "joined": an EOBRUN is as long as possible; "apart": the EOB of a block that has coefficients
    # is a run of its own, and the empty blocks after it are another; "single": every run is 1; "mixed": a run ends
    # early at every seventh EOB.
    eob_runs: str = "joined"
    # Whether every second block whose end is at least 16 zeros away has ZRLs before its EOB.
    zrl_before_eob: bool = False
    # The same for scans that refine a band, where no coefficient is refined on the way.
    zrl_in_refinement: bool = False
    # Which scans give blocks that only complete an MCU something else than the DC coefficient of the
    # block before: "", "all", or "refining".
    padding_blocks: str = ""
    # What follows the last interval of the last scan.
    after_last_scan: bytes = b""


@dataclass
class Component:
    """A component of the frame: its sampling factors, and its blocks without those of padding."""

    identifier: int
    horizontal: int
    vertical: int
    columns: int = 0
    rows: int = 0
    # The coefficients coded so far that are not zero: positions in zigzag order, by block.
    known: dict = field(default_factory=dict)


class Table:
    """A Huffman table of a DHT segment; `slot` is its class and destination."""

    def __init__(self, slot, counts, values):
        self.slot, self.counts, self.values = slot, counts, values

    def payload(self):
        return bytes([self.slot, *self.counts, *self.values])

    def codes(self):
        """The code of each symbol."""
        codes, code, values = {}, 0, iter(self.values)
        for length, count in enumerate(self.counts, start=1):
            for _ in range(count):
                codes[next(values)] = f"{code:0{length}b}"
                code += 1
            code <<= 1
        return codes

    def admit(self, symbols):
        """Makes a table for these symbols, all codes of one length, unless it has codes for all."""
        if symbols <= set(self.values):
            return
        # A code of ones alone is reserved.
        length = len(symbols).bit_length()
        self.counts = bytes(len(symbols) if n == length else 0 for n in range(1, 17))
        self.values = bytes(sorted(symbols))


@dataclass
class Block:
    """What one scan codes of a block."""

    component: Component
    is_padding: bool
    # The DC coefficient, or the bit that refines it; None in a scan of AC coefficients.
    dc: int | None = None
    # Symbols of AC coefficients, each with the bits that follow it.
    codes: list = field(default_factory=list)
    # Whether an EOB ends it, the correction bits after that EOB, and the position it is at.
    ends_early: bool = False
    corrections: str = ""
    position: int = 0


@dataclass
class Scan:
    """A scan: its header, and the blocks of its intervals in the order in which they are coded."""

    header: bytes
    is_progressive: bool
    components: list
    dc_tables: dict
    ac_tables: dict
    intervals: list = field(default_factory=list)

    @property
    def band(self):
        return tuple(self.header[-3:-1])

    @property
    def refines(self):
        return self.is_progressive and self.header[-1] >> 4 > 0


# ---------------------------------------------------------------------------------------------
# Reading

class BitReader:
    """The bits of an interval."""

    def __init__(self, data):
        data = data.replace(b"\xff\0", b"\xff")
        self.text = "".join(f"{byte:08b}" for byte in data)
        self.at = 0

    def take(self, count):
        self.at += count
        assert self.at <= len(self.text), "the interval ends early"
        return self.text[self.at - count:self.at]

    def number(self, count):
        return int(self.take(count) or "0", 2)

    def symbol(self, symbols):
        code = self.take(1)
        while code not in symbols:
            code += self.take(1)
        return symbols[code]


def read(jpeg):
    """The segments (marker, payload), lists of tables, and scans of a file that cjpeg has written."""
    parts, tables, components, restart_interval = [], {}, [], 0
    size, is_progressive, at = (0, 0), False, 2
    while jpeg[at + 1] != EOI:
        marker, length = struct.unpack_from(">xBH", jpeg, at)
        payload = jpeg[at + 4:at + 2 + length]
        at += 2 + length
        if marker == DHT:
            parts.append(list(read_tables(payload)))
            tables |= {table.slot: table for table in parts[-1]}
            continue
        if marker == SOS:
            end = re.compile(rb"\xff[^\0\xd0-\xd7]").search(jpeg, at).start()
            scan = scan_of(payload, is_progressive, components, tables)
            read_intervals(scan, jpeg[at:end], size, components, restart_interval)
            parts.append(scan)
            at = end
            continue
        if marker in range(SOF0, SOF2 + 1):
            size, components = read_frame(payload)
            is_progressive = marker == SOF2
        if marker == DRI:
            restart_interval = struct.unpack(">H", payload)[0]
        parts.append((marker, payload))
    return parts


def read_tables(payload):
    at = 0
    while at < len(payload):
        counts = payload[at + 1:at + 17]
        end = at + 17 + sum(counts)
        yield Table(payload[at], counts, payload[at + 17:end])
        at = end


def read_frame(payload):
    height, width = struct.unpack_from(">HH", payload, 1)
    parts = [payload[6 + 3 * i:9 + 3 * i] for i in range(payload[5])]
    components = [Component(part[0], part[1] >> 4, part[1] & 15) for part in parts]
    return divide(width, height, components), components


def divide(width, height, components):
    """Gives the components of an image the numbers of their blocks, and returns those of its MCUs."""
    widest, highest = max(c.horizontal for c in components), max(c.vertical for c in components)
    for component in components:
        component.columns = -(-(-(-width * component.horizontal // widest)) // 8)
        component.rows = -(-(-(-height * component.vertical // highest)) // 8)
    return -(-width // (8 * widest)), -(-height // (8 * highest))


def scan_of(header, is_progressive, components, tables):
    chosen = [(next(c for c in components if c.identifier == header[1 + 2 * i]), header[2 + 2 * i])
              for i in range(header[0])]
    return Scan(header, is_progressive, [component for component, _ in chosen],
                {component.identifier: tables.get(slots >> 4) for component, slots in chosen},
                {component.identifier: tables.get(0x10 | slots & 15) for component, slots in chosen})


def mcus(components, size):
    """The blocks of each MCU of a scan as (component, column, row)."""
    if len(components) == 1:
        only = components[0]
        for row in range(only.rows):
            for column in range(only.columns):
                yield [(only, column, row)]
        return
    for y in range(size[1]):
        for x in range(size[0]):
            yield [(c, x * c.horizontal + column, y * c.vertical + row) for c in components
                   for row in range(c.vertical) for column in range(c.horizontal)]


def read_intervals(scan, data, size, components, restart_interval):
    todo = list(mcus(scan.components, size))
    length = restart_interval or len(todo)
    pieces = re.split(rb"\xff[\xd0-\xd7]", data)
    symbols = [{table.slot: {code: symbol for symbol, code in table.codes().items()}
                for table in tables.values() if table}
               for tables in (scan.dc_tables, scan.ac_tables)]
    for number, piece in enumerate(pieces):
        reader = IntervalReader(scan, BitReader(piece), *symbols)
        chunk = todo[number * length:(number + 1) * length]
        scan.intervals.append([reader.block(*place) for mcu in chunk for place in mcu])


class IntervalReader:
    """Reads the blocks of an interval, one after the other."""

    def __init__(self, scan, bits, dc_symbols, ac_symbols):
        self.scan, self.bits = scan, bits
        self.dc_symbols, self.ac_symbols = dc_symbols, ac_symbols
        self.prediction = {component.identifier: 0 for component in scan.components}
        self.run = 0

    def block(self, component, column, row):
        is_padding = column >= component.columns or row >= component.rows
        block = Block(component, is_padding)
        start, end = self.scan.band
        if start == 0:
            block.dc = self.dc(component)
        if end > 0:
            self.ac(block, component.known.setdefault((column, row), set()), max(start, 1), end)
        return block

    def dc(self, component):
        if self.scan.refines:
            return self.bits.number(1)
        table = self.scan.dc_tables[component.identifier]
        size = self.bits.symbol(self.dc_symbols[table.slot])
        self.prediction[component.identifier] += signed(self.bits.take(size))
        return self.prediction[component.identifier]

    def ac(self, block, known, position, end):
        """Reads the AC coefficients; in a first scan of a band none of them is known, and no
        correction bit is there."""
        symbols = self.ac_symbols[self.scan.ac_tables[block.component.identifier].slot]
        while not self.run and position <= end:
            symbol = self.bits.symbol(symbols)
            zeros, size = symbol >> 4, symbol & 15
            if size == 0 and symbol != ZRL:
                self.run = (1 << zeros) + self.bits.number(zeros)
                break
            bits = self.bits.take(size)
            while position <= end and (zeros > 0 or position in known):
                if position in known:
                    bits += self.bits.take(1)
                else:
                    zeros -= 1
                position += 1
            if size > 0:
                known.add(position)
            position += 1
            block.codes.append((symbol, bits))
        block.position = position
        if self.run:
            self.run -= 1
            block.ends_early = True
            rest = sum(place in known for place in range(position, end + 1))
            block.corrections = self.bits.take(rest)


def signed(bits):
    """The value of additional bits (T.81, F.1.2.1)."""
    value = int(bits or "0", 2)
    return value if bits.startswith("1") else value - (1 << len(bits)) + 1


def additional_bits(value):
    size = abs(value).bit_length()
    return f"{value if value > 0 else value + (1 << size) - 1:0{size}b}" if size else ""


# ---------------------------------------------------------------------------------------------
# Writing

def recode(jpeg, convention):
    """The same image, with its scans written by the convention.

    Tables that have no code for a symbol are replaced by tables whose codes have one length.
    """
    parts, coded, needed = read(jpeg), [], {}
    for scan in (part for part in parts if isinstance(part, Scan)):
        change_blocks(scan, convention)
        coded.append([list(codes(scan, blocks, convention)) for blocks in scan.intervals])
        for table, symbol, _ in (code for interval in coded[-1] for code in interval):
            if table:
                needed.setdefault(table, set()).add(symbol)
    for table, symbols in needed.items():
        table.admit(symbols)

    out, rest = bytearray([0xFF, SOI]), iter(coded)
    for part in parts:
        if isinstance(part, Scan):
            out += segment(SOS, part.header) + scan_data(next(rest), convention)
        elif isinstance(part, list):
            out += segment(DHT, b"".join(table.payload() for table in part))
        else:
            out += segment(*part)
    return bytes(out) + convention.after_last_scan + bytes([0xFF, EOI])


def segment(marker, payload):
    return struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload


def change_blocks(scan, convention):
    """Puts ZRLs before EOBs, and values of their own into blocks that only complete an MCU."""
    start, end = scan.band
    blocks = [block for interval in scan.intervals for block in interval]
    enabled = {"": False, "all": True, "refining": scan.refines}[convention.padding_blocks]
    if enabled and start == 0:
        for number, block in enumerate(block for block in blocks if block.is_padding):
            if scan.refines:
                block.dc ^= 1
            else:
                block.dc += number % 5 - 2
            if not scan.is_progressive and number % 2:
                block.codes, block.ends_early = [(0x11, "1"), (0x02, "01")], True
    enabled = convention.zrl_in_refinement if scan.refines else convention.zrl_before_eob
    if enabled:
        for block in blocks[::2]:
            if block.corrections:
                continue
            while block.ends_early and block.position + 16 <= end:
                block.codes.append((ZRL, ""))
                block.position += 16


def codes(scan, blocks, convention):
    """The codes of an interval as (table, symbol, bits that follow); without a table, bits alone."""
    prediction, run, ended = {}, [], 0

    def end_run():
        """The EOBRUN of the blocks that have ended, each given by its correction bits."""
        if run:
            size = len(run).bit_length() - 1
            length = f"{len(run) - (1 << size):0{size}b}" if size else ""
            yield table, size << 4 | EOB, length + "".join(run)
            run.clear()

    for block in blocks:
        identifier = block.component.identifier
        if block.dc is not None and scan.refines:
            yield None, None, str(block.dc)
        elif block.dc is not None:
            bits = additional_bits(block.dc - prediction.get(identifier, 0))
            prediction[identifier] = block.dc
            yield scan.dc_tables[identifier], len(bits), bits
        table = scan.ac_tables[identifier]
        if block.codes:
            yield from end_run()
        for symbol, bits in block.codes:
            yield table, symbol, bits
        if not block.ends_early:
            continue
        run.append(block.corrections)
        is_full = len(run) == MAX_EOBRUN or sum(map(len, run)) > MAX_CORRECTION_BITS
        is_apart = block.codes and convention.eob_runs == "apart"
        is_single = convention.eob_runs == "single" or not scan.is_progressive
        ended += 1
        is_early = convention.eob_runs == "mixed" and ended % 7 == 0
        if is_full or is_apart or is_single or is_early:
            yield from end_run()
    yield from end_run()


def scan_data(intervals, convention):
    """The intervals of a scan as bytes, RST markers between them."""
    out = bytearray()
    for number, interval in enumerate(intervals):
        bits = "".join((table.codes()[symbol] if table else "") + more
                       for table, symbol, more in interval)
        pattern = convention.padding[number % len(convention.padding)]
        bits += (pattern * 8)[:-len(bits) % 8]
        out += int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
        if number + 1 < len(intervals) or convention.restart_after_last:
            out += bytes([0xFF, 0xD0 + number % 8])
    return bytes(out)
