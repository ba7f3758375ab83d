"""Codes the scans of an image (docs/record-format.md, section 6)."""

import numpy as np

from . import decoding
from .record import Scan as Conventions
from .structure import Unreadable

ZERO_RUN, EOB = 0xF0, 0x00
MAX_RUN, MAX_CORRECTIONS = 0x7FFF, 937


def scan_data(frame, scan, coefficients, conventions, padding):
    """The entropy-coded data of a scan.

    coefficients has for each component an array of block rows, block columns and zigzag positions; conventions and
    padding are those of the record, or None and nothing.
    """
    conventions = conventions or Conventions()
    bits = _Bits(conventions)
    if not frame.is_progressive:
        coder = _Sequential(bits, conventions)
    elif scan.start == 0:
        coder = (_RefiningDC if scan.high else _FirstDC)(bits, scan)
    else:
        coder = (_RefiningAC if scan.high else _FirstAC)(bits, scan, conventions)
    components = [_Component(coefficients[index], scan, frame.is_progressive)
                  for index, _, _ in scan.parts]
    left = scan.restart_interval
    for mcu in decoding.mcus(frame, scan):
        if scan.restart_interval:
            if left == 0:
                coder.end_interval()
                bits.restart()
                left = scan.restart_interval
            left -= 1
        for part, column, row, is_padding in mcu:
            index, dc, ac = scan.parts[part]
            if not is_padding:
                coder.block(components[part].block(column, row), part, dc, ac)
            elif (index, row, column) in padding:
                coder.block(_block(padding[index, row, column]), part, dc, ac)
            else:
                coder.padding(part, dc, ac)
    coder.end_interval()
    return bits.finish()


class _Component:
    """The blocks of a component: for each its DC coefficient, and its other coefficients that are not zero."""

    def __init__(self, coefficients, scan, is_progressive):
        rows, self.columns, _ = coefficients.shape
        blocks = coefficients.reshape(-1, 64)
        self.dc = blocks[:, 0].tolist()
        first, last = (scan.start, scan.end) if is_progressive else (1, 63)
        number, position = np.nonzero(blocks[:, max(first, 1):last + 1])
        position += max(first, 1)
        self.starts = np.searchsorted(number, np.arange(rows * self.columns + 1)).tolist()
        self.positions, self.values = position.tolist(), blocks[number, position].tolist()

    def block(self, column, row):
        """The DC coefficient, and the positions and values of the others."""
        number = row * self.columns + column
        start, end = self.starts[number], self.starts[number + 1]
        return self.dc[number], zip(self.positions[start:end], self.values[start:end])


def _block(coefficients):
    return coefficients[0], [(position, value) for position, value in enumerate(coefficients)
                             if position > 0 and value]


class _Bits:
    """Entropy-coded data while it is written (section 6.2)."""

    def __init__(self, conventions):
        self.conventions = conventions
        self.data = []
        self.interval = 0
        self.start_interval()

    def start_interval(self):
        self.content = bytearray()
        self.pending = self.count = 0

    def put(self, bits, count):
        """Appends bits."""
        self.pending = self.pending << count | bits
        self.count += count
        if self.count >= 512:
            rest = self.count & 7
            self.content += (self.pending >> rest).to_bytes(self.count >> 3, "big")
            self.pending &= (1 << rest) - 1
            self.count = rest

    def symbol(self, table, symbol, bits=0, count=0):
        """Appends a symbol's code, and bits after it."""
        code, length = table.codes[symbol]
        self.put(code << count | bits, length + count)

    def value(self, table, zeros, value):
        """Appends the symbol of a value after zeros, and its additional bits."""
        category = abs(value).bit_length()
        if category > 15:
            raise Unreadable("a coefficient is too large")
        bits = value if value >= 0 else value - 1
        self.symbol(table, zeros << 4 | category, bits & (1 << category) - 1, category)

    def end_interval(self):
        """Fills up the last byte."""
        missing = -self.count % 8
        fill = self.conventions.fill.get(self.interval, 0)
        if fill.bit_length() == missing + 1:
            self.put(fill & (1 << missing) - 1, missing)
        else:
            self.put(((1 << missing) - 1) * self.conventions.fill_bit, missing)
        self.content += self.pending.to_bytes(self.count >> 3, "big")
        self.data.append(self.content.replace(b"\xff", b"\xff\x00"))
        self.start_interval()

    def restart(self):
        """Ends an interval with a restart marker."""
        self.end_interval()
        self.data.append(self.conventions.interval_bytes.get(self.interval, b""))
        self.data.append(bytes([0xFF, 0xD0 | self.interval & 7]))
        self.interval += 1

    def finish(self):
        """The data."""
        if self.conventions.ends_with_restart:
            self.restart()
        else:
            self.end_interval()
        return b"".join(self.data) + self.conventions.stray_bytes


class _Sequential:
    """Whole blocks (section 6.3)."""

    def __init__(self, bits, conventions):
        self.bits, self.zero_runs = bits, conventions.zero_runs
        self.number = 0
        self.predictions = [0] * 4

    def block(self, block, part, dc, ac):
        value, others = block
        bits = self.bits
        bits.value(dc, 0, value - self.predictions[part])
        self.predictions[part] = value
        reached = 0
        for position, value in others:
            zeros = position - reached - 1
            while zeros > 15:
                bits.symbol(ac, ZERO_RUN)
                zeros -= 16
            bits.value(ac, zeros, value)
            reached = position
        for _ in range(self.zero_runs.get(self.number, 0)):
            bits.symbol(ac, ZERO_RUN)
            reached += 16
        if reached < 63:
            bits.symbol(ac, EOB)
        self.number += 1

    def padding(self, part, dc, ac):
        self.block((self.predictions[part], ()), part, dc, ac)

    def end_interval(self):
        self.predictions = [0] * 4


class _FirstDC:
    """DC coefficients without their lowest bits."""

    def __init__(self, bits, scan):
        self.bits, self.low = bits, scan.low
        self.predictions = [0] * 4

    def block(self, block, part, dc, ac):
        value = block[0] >> self.low
        self.bits.value(dc, 0, value - self.predictions[part])
        self.predictions[part] = value

    def padding(self, part, dc, ac):
        self.bits.value(dc, 0, 0)

    def end_interval(self):
        self.predictions = [0] * 4


class _RefiningDC:
    """One more bit of the DC coefficients."""

    def __init__(self, bits, scan):
        self.bits, self.low = bits, scan.low
        self.last = [0] * 4

    def block(self, block, part, dc, ac):
        self.last[part] = block[0] >> self.low & 1
        self.bits.put(self.last[part], 1)

    def padding(self, part, dc, ac):
        self.bits.put(self.last[part], 1)

    def end_interval(self):
        self.last = [0] * 4


class _Run:
    """A pending EOB run (section 6.4)."""

    def __init__(self, bits, conventions):
        self.bits, self.conventions = bits, conventions
        self.length = 0

    def begin(self, after_codes, corrections=()):
        """Begins with a block."""
        self.length, self.begins_after_codes, self.corrections = 1, after_codes, list(corrections)

    def join(self, corrections=()):
        """Continues with a block."""
        self.length += 1
        self.corrections += corrections

    def is_continued(self, number):
        """Whether a block of this number without codes of its own continues the run."""
        if self.length == 0:
            return False
        allowed = (True, not self.begins_after_codes or self.length > 1, False)
        answer = (self.length < MAX_RUN and len(self.corrections) <= MAX_CORRECTIONS
                  and allowed[self.conventions.rule])
        if number in self.conventions.rule_exceptions:
            return not answer and self.length < MAX_RUN
        return answer

    def write(self, table):
        """Writes the run, if there is one."""
        if self.length == 0:
            return
        size = self.length.bit_length() - 1
        self.bits.symbol(table, size << 4, self.length & (1 << size) - 1, size)
        for bit in self.corrections:
            self.bits.put(bit, 1)
        self.length = 0


class _BandCoder:
    """What the two kinds of AC scans share."""

    def __init__(self, bits, scan, conventions):
        self.bits, self.scan, self.zero_runs = bits, scan, conventions.zero_runs
        self.run = _Run(bits, conventions)
        self.number = 0
        self.table = scan.parts[0][2]

    def block(self, block, part, dc, ac):
        self.band(block[1])
        self.number += 1

    def end_interval(self):
        self.run.write(self.table)


class _FirstAC(_BandCoder):
    """A band without its lowest bits."""

    def band(self, coefficients):
        bits, table, low = self.bits, self.table, self.scan.low
        reached = self.scan.start - 1
        for position, value in coefficients:
            magnitude = abs(value) >> low
            if magnitude == 0:
                continue
            self.run.write(table)
            zeros = position - reached - 1
            while zeros > 15:
                bits.symbol(table, ZERO_RUN)
                zeros -= 16
            bits.value(table, zeros, magnitude if value > 0 else -magnitude)
            reached = position
        if reached == self.scan.end:
            return
        zero_runs = self.zero_runs.get(self.number, 0)
        has_codes = reached >= self.scan.start or zero_runs > 0
        if not has_codes and self.run.is_continued(self.number):
            self.run.join()
            return
        self.run.write(table)
        for _ in range(zero_runs):
            bits.symbol(table, ZERO_RUN)
        self.run.begin(has_codes)


class _RefiningAC(_BandCoder):
    """One more bit of a band."""

    def band(self, coefficients):
        bits, table, low = self.bits, self.table, self.scan.low
        refined = [(position, abs(value) >> low, value > 0) for position, value in coefficients
                   if abs(value) >> low]
        last_new = max((position for position, magnitude, _ in refined if magnitude == 1), default=-1)
        if last_new >= 0:
            self.run.write(table)
        zeros, corrections = 0, []
        reached = self.scan.start - 1
        for position, magnitude, is_positive in refined:
            if position > last_new:
                corrections.append(magnitude & 1)
                continue
            zeros += position - reached - 1
            reached = position
            while zeros > 15:
                bits.symbol(table, ZERO_RUN)
                self.put(corrections)
                zeros -= 16
                corrections = []
            if magnitude > 1:
                corrections.append(magnitude & 1)
            else:
                bits.symbol(table, zeros << 4 | 1, int(is_positive), 1)
                self.put(corrections)
                zeros, corrections = 0, []
        if last_new == self.scan.end:
            return
        if last_new < 0 and self.run.is_continued(self.number):
            self.run.join(corrections)
        else:
            self.run.write(table)
            self.run.begin(last_new >= 0, corrections)

    def put(self, corrections):
        for bit in corrections:
            self.bits.put(bit, 1)
