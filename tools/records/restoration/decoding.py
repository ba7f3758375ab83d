"""Reads the coefficients of an image (docs/record-format.md, section 4.2; T.81, F.2.2 and G.2)."""

from array import array

import numpy as np

from .structure import Unreadable

# Magnitudes of coefficients are below it.
TOO_LARGE = 1 << 14
# As many bytes may follow the last MCU of an image.
MAX_STRAY = 8


def coefficients(file, structure):
    """For each component its coefficients: an array of block rows, block columns and zigzag positions."""
    frame = structure.frame
    grids = [frame.blocks(index) for index in range(len(frame.components))]
    values = [array("h", bytes(128 * columns * rows)) for columns, rows in grids]
    for scan in structure.scans:
        if _Scan(file, frame, scan, values).read() > (MAX_STRAY if scan is structure.scans[-1] else 0):
            raise Unreadable("bytes follow the last MCU of a scan")
        for _, dc, ac in scan.parts:
            for table in (dc, ac):
                if table:
                    table.forget_lookup()
    if any(_is_too_large(component) for component in values):
        raise Unreadable("a coefficient is too large")
    return [np.frombuffer(component, np.int16).reshape(rows, columns, 64).astype(np.int32)
            for component, (columns, rows) in zip(values, grids)]


def _is_too_large(values):
    return (np.abs(np.frombuffer(values, np.int16).astype(np.int32)) >= TOO_LARGE).any()


def mcus(frame, scan):
    """The blocks of each MCU of a scan, in their order.

    A block is the index of its part of the scan, its column and its row in the component's grid, and whether it is
    a padding block.
    """
    if len(scan.parts) == 1:
        columns, rows = frame.blocks(scan.parts[0][0])
        for row in range(rows):
            for column in range(columns):
                yield [(0, column, row, False)]
        return
    parts = []
    for number, (index, _, _) in enumerate(scan.parts):
        component = frame.components[index]
        parts.append((number, component.horizontal, component.vertical, *frame.blocks(index)))
    mcu_columns, mcu_rows = frame.mcus
    for mcu_row in range(mcu_rows):
        for mcu_column in range(mcu_columns):
            mcu = []
            for number, horizontal, vertical, columns, rows in parts:
                for row in range(mcu_row * vertical, (mcu_row + 1) * vertical):
                    for column in range(mcu_column * horizontal, (mcu_column + 1) * horizontal):
                        mcu.append((number, column, row, column >= columns or row >= rows))
            yield mcu


class _Scan:
    """A scan that is read."""

    def __init__(self, file, frame, scan, values):
        self.frame, self.scan, self.values = frame, scan, values
        self.intervals = _intervals(file[scan.data.start:scan.data.stop])
        if frame.is_progressive:
            read = {(True, True): self.first_dc, (True, False): self.refining_dc,
                    (False, True): self.first_ac, (False, False): self.refining_ac}
            self.read_block = read[scan.start == 0, scan.high == 0]
        else:
            self.read_block = self.sequential

    def read(self):
        """Reads all blocks; returns the number of bytes after the last one, without a restart marker."""
        scan = self.scan
        self.words = None
        columns = [self.frame.blocks(index)[0] for index, _, _ in scan.parts]
        nowhere = array("h", bytes(128))
        left = 0
        for mcu in mcus(self.frame, scan):
            if left == 0:
                if self.words and self.bytes_left():
                    raise Unreadable("bytes follow the last MCU of a restart interval")
                # The words of five bytes each that start at each byte, and the place of the next bit.
                self.words, self.at = next(self.intervals, None), 0
                if self.words is None:
                    raise Unreadable("a restart marker is missing")
                self.predictions = [0] * len(scan.parts)
                self.run = 0
                left = scan.restart_interval or -1
            left -= 1
            for part, column, row, is_padding in mcu:
                index, dc, ac = scan.parts[part]
                if is_padding:
                    self.read_block(nowhere, 0, part, dc, ac)
                    if _is_too_large(nowhere):
                        raise Unreadable("a coefficient is too large")
                else:
                    place = 64 * (row * columns[part] + column)
                    self.read_block(self.values[index], place, part, dc, ac)
        rest = self.bytes_left()
        after_marker = [len(words) - 12 for words in self.intervals]
        if len(after_marker) > 1 or after_marker and rest:
            raise Unreadable("markers follow the last MCU of a scan")
        return after_marker[0] if after_marker else rest

    def bytes_left(self):
        """The number of whole bytes of the interval that were not read."""
        left = 8 * (len(self.words) - 12) - self.at
        if left < 0:
            raise Unreadable("the data of a restart interval ends too early")
        return left // 8

    def bits(self, count):
        """The next bits, at most 32."""
        value = self.words[self.at >> 3] >> (40 - (self.at & 7) - count) & (1 << count) - 1
        self.at += count
        return value

    def symbol(self, table):
        """The next symbol."""
        entry = table.lookup[self.words[self.at >> 3] >> (24 - (self.at & 7)) & 0xFFFF]
        if entry == 0:
            raise Unreadable("invalid Huffman code")
        self.at += entry >> 8
        return entry & 0xFF

    def value(self, category):
        """A value of a category, by its additional bits (T.81, F.2.2.1)."""
        if category == 0:
            return 0
        bits = self.bits(category)
        return bits if bits >> (category - 1) else bits - (1 << category) + 1

    def sequential(self, values, place, part, dc, ac):
        """A whole block."""
        self.predictions[part] += self.value(self.symbol(dc))
        values[place] = self.predictions[part]
        # What follows is symbol and value, written out because nearly all of the time is spent here.
        words, lookup, at, position = self.words, ac.lookup, self.at, 0
        while position < 63:
            word = words[at >> 3]
            shift = 24 - (at & 7)
            entry = lookup[word >> shift & 0xFFFF]
            if entry == 0:
                raise Unreadable("invalid Huffman code")
            at += entry >> 8
            size = entry & 15
            if size:
                position += (entry >> 4 & 15) + 1
                at += size
                bits = word >> (shift + 16 - (entry >> 8) - size) & (1 << size) - 1
                values[place + position] = bits if bits >> (size - 1) else bits - (1 << size) + 1
            elif entry & 0xF0 == 0xF0:
                position += 16
            elif entry & 0xF0:
                raise Unreadable("a sequential scan has an EOB run")
            else:
                break
        if position > 63:
            raise Unreadable("a block has more than 64 coefficients")
        self.at = at

    def first_dc(self, values, place, part, dc, ac):
        """A DC coefficient without its lowest bits."""
        self.predictions[part] += self.value(self.symbol(dc))
        values[place] = self.predictions[part] << self.scan.low

    def refining_dc(self, values, place, part, dc, ac):
        """One more bit of a DC coefficient."""
        values[place] |= self.bits(1) << self.scan.low

    def first_ac(self, values, place, part, dc, ac):
        """A band without its lowest bits."""
        if self.run:
            self.run -= 1
            return
        position = self.scan.start
        while position <= self.scan.end:
            zeros, size = divmod(self.symbol(ac), 16)
            if size:
                position += zeros
                if position > self.scan.end:
                    raise Unreadable("a coefficient is beyond its band")
                values[place + position] = self.value(size) << self.scan.low
                position += 1
            elif zeros == 15:
                position += 16
                if position > self.scan.end:
                    raise Unreadable("a run of zeros is beyond its band")
            else:
                self.run = (1 << zeros) + self.bits(zeros) - 1
                return

    def refining_ac(self, values, place, part, dc, ac):
        """One more bit of a band."""
        position, last = place + self.scan.start, place + self.scan.end
        bit = 1 << self.scan.low
        while position <= last and not self.run:
            zeros, size = divmod(self.symbol(ac), 16)
            if size == 0 and zeros < 15:
                self.run = (1 << zeros) + self.bits(zeros)
                break
            if size > 1:
                raise Unreadable("a new coefficient has more than one bit")
            new = 0
            if size:
                new = bit if self.bits(1) else -bit
            while position <= last:
                if values[position]:
                    self.correct(values, position, bit)
                elif zeros == 0:
                    values[position] = new
                    position += 1
                    break
                else:
                    zeros -= 1
                position += 1
            else:
                raise Unreadable("a coefficient is beyond its band")
        if self.run:
            for position in range(position, last + 1):
                if values[position]:
                    self.correct(values, position, bit)
            self.run -= 1

    def correct(self, values, position, bit):
        """A correction bit."""
        if self.bits(1):
            values[position] += bit if values[position] > 0 else -bit


def _intervals(data):
    """The data of each restart interval: for each of its bytes the word of five bytes that starts there."""
    start = at = number = 0
    while (at := data.find(b"\xff", at)) >= 0:
        if data[at + 1]:
            if data[at + 1] != 0xD0 | number & 7:
                raise Unreadable("there is another marker where a restart marker is expected")
            yield _words(data[start:at])
            start, number = at + 2, number + 1
        at += 2
    yield _words(data[start:])


def _words(interval):
    content = interval.replace(b"\xff\x00", b"\xff") + bytes(16)
    octets = np.frombuffer(content, np.uint8).astype(np.int64)
    words = np.zeros(len(octets) - 4, np.int64)
    for number in range(5):
        words = words << 8 | octets[number:len(octets) - 4 + number]
    return array("q", words.tobytes())
