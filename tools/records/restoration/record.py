"""Lines of a file of records, and the undo record (docs/record-format.md, sections 1 and 2)."""

import base64
import gzip
import hashlib
import json
import os
import zlib
from dataclasses import dataclass, field

SCHEMA = "upright-record/1"
VERSION = 3


class Damaged(ValueError):
    """A line or an undo record is not as it must be."""


@dataclass
class Record:
    """What a line says."""
    before: dict
    after: dict
    undo: bytes | None
    """The undo record; None where the identical original is not promised."""
    place: bytes
    """The path of the result."""


def lines(path):
    """The lines of a file of records, text or packed, with their numbers; empty ones are left out."""
    with open(path, "rb") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if is_packed else open)(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if line != b"\n":
                yield number, line.rstrip(b"\n")


def fields_of(line):
    """The fields of a line without its line end, but for its check, and the check."""
    body = line[:-28] + b"}"
    check = hashlib.sha256(body).hexdigest()[:16]
    if line[-28:] != f',"check":"{check}"}}'.encode():
        raise Damaged("the line is damaged or cut off")
    fields = json.loads(body)
    if fields["schema"] != SCHEMA:
        raise Damaged(f"the line is of the version {fields['schema']}")
    return fields, check


def read_line(line):
    """The record of a line without its line end."""
    fields, _ = fields_of(line)
    undo = fields["undo"]
    if undo is not None:
        undo = zlib.decompress(base64.b64decode(undo, validate=True))
    place = os.path.join(_path(fields["base"]), _path(fields.get("output", fields["path"])))
    return Record(fields["before"], fields["after"], undo, place)


def _path(value):
    return os.fsencode(value) if isinstance(value, str) else bytes.fromhex(value["bytes"])


@dataclass
class Scan:
    """How a scan is written where that is not the usual way (section 6.1)."""
    fill_bit: int = 1
    fill: dict = field(default_factory=dict)
    ends_with_restart: bool = False
    rule: int = 0
    rule_exceptions: frozenset = frozenset()
    zero_runs: dict = field(default_factory=dict)
    stray_bytes: bytes = b""


@dataclass
class Image:
    """An image whose scans are coded again."""
    result_start: int
    start: int
    transform: int
    scans: list | None
    """For each scan its conventions; None where all are the usual ones."""
    padding: dict
    """Coefficients in zigzag order, by component, row and column."""
    exceptions: bytes | None
    patches: list


@dataclass
class Undo:
    """An undo record."""
    result_size: int
    steps: list
    images: list


class Reader:
    """Reads numbers and bytes."""

    def __init__(self, content):
        self.content, self.at = content, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.content[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        number = self.number()
        return number >> 1 if number % 2 == 0 else -(number >> 1) - 1

    def bytes(self):
        size = self.number()
        self.at += size
        if self.at > len(self.content):
            raise Damaged("the undo record breaks off")
        return self.content[self.at - size:self.at]

    def ascending(self, also=lambda: None):
        """An ascending list, as a dictionary of what follows each entry."""
        entries, last = {}, 0
        for _ in range(self.number()):
            last += self.number()
            entries[last] = also()
        return entries


def read_undo(content):
    """The undo record of its bytes."""
    reader = Reader(content)
    try:
        if (version := reader.number()) != VERSION:
            raise Damaged(f"the undo record is of version {version}")
        undo = Undo(reader.number(), [_step(reader) for _ in range(reader.number())],
                    [_image(reader) for _ in range(reader.number())])
    except IndexError:
        raise Damaged("the undo record breaks off") from None
    if reader.at != len(content):
        raise Damaged("something follows the undo record")
    return undo


def _step(reader):
    kind = reader.number()
    if kind <= 1:
        return ("copy", "skip")[kind], reader.number()
    if kind == 2:
        return "insert", reader.bytes()
    if kind == 3:
        return "pixels", reader.number(), reader.number(), reader.number()
    raise Damaged("the undo record has an unknown step")


def _image(reader):
    result_start, start, transform = reader.number(), reader.number(), reader.number()
    scans, padding = None, {}
    if reader.number():
        scans = [_scan(reader) for _ in range(reader.number())]
        for _ in range(reader.number()):
            place = reader.number(), reader.number(), reader.number()
            block = [reader.signed()] + [0] * 63
            for _ in range(reader.number()):
                position = reader.number()
                block[position] = reader.signed()
            padding[place] = block
    exceptions = reader.bytes() if reader.number() else None
    patches = [(reader.number(), reader.number(), reader.number(), reader.bytes())
               for _ in range(reader.number())]
    return Image(result_start, start, transform, scans, padding, exceptions, patches)


def _scan(reader):
    parts, scan = reader.number(), Scan()
    if parts & 1:
        scan.fill_bit = 0
    if parts & 2:
        scan.fill = reader.ascending(reader.number)
    scan.ends_with_restart = bool(parts & 4)
    if parts & 8:
        scan.rule = reader.number()
        scan.rule_exceptions = frozenset(reader.ascending())
    if parts & 16:
        scan.zero_runs = reader.ascending(reader.number)
    if parts & 32:
        scan.stray_bytes = reader.bytes()
    return scan
