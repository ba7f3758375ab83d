"""Lines of a record file, and the undo record (docs/record-format.md, sections 1 and 2)."""

import base64
import binascii
import hashlib
import json
import os
import re
import zlib
from dataclasses import dataclass, field

from .huffman import EXAMPLE_SEGMENTS

SCHEMA = "upright-record/1"
VERSIONS = 1, 2
# The limits of section 8.
MAX_LINE = 1 << 24
MAX_CONTENT = MAX_LINE + (1 << 16)
MAX_UNDO = 1 << 24
MAX_STEPS = MAX_ENTRIES = MAX_PADDING = 1 << 20
MAX_IMAGES, MAX_SCANS, MAX_PATCHES = 256, 1000, 1 << 16
# In version 1 of the undo record.
MAX_STRAY = 8
# Of an image, which takes up to 40 bytes of memory for each pixel.
MAX_PIXELS = 1 << 29
# After so many damaged members the rest of the file counts as one.
MAX_DAMAGE = 1000
MEMBER_START = b"\x1f\x8b\x08"
PIECE = 1 << 16
BASE64 = re.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Damaged(ValueError):
    """A line or an undo record is not as it must be."""


class NotRestored(ValueError):
    """What comes out is not the original, or there is no way to it."""


class RecordFile:
    """A record file: lines of text, or gzip members of whole lines (section 1)."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            start = file.read(PIECE).lstrip(b"\n")[:3]
            # No line of text has the bytes that a member begins with.
            self.is_packed = start == MEMBER_START or start[:1] != b"{" and _find(file, 0) is not None

    def __iter__(self):
        """The lines that are not empty: the number from 1, the place to read it again, and the line without its end.

        A line that is too long, and a member that is damaged, is None instead of its bytes.
        """
        with open(self.path, "rb") as file:
            yield from (_packed_lines if self.is_packed else _text_lines)(file)

    def line(self, place):
        """The line at a place, read again."""
        offset, start, end = place
        with open(self.path, "rb") as file:
            if self.is_packed:
                content, _ = _member(file, offset)
                return (content or b"")[start:end]
            file.seek(offset + start)
            return file.read(end - start)


def _text_lines(file):
    offset = number = 0
    while line := file.readline(MAX_LINE + 1):
        number, start = number + 1, offset
        offset += len(line)
        is_whole = line.endswith(b"\n") or len(line) <= MAX_LINE
        while not is_whole and line and not line.endswith(b"\n"):
            line = file.readline(PIECE)
            offset += len(line)
        content = line.removesuffix(b"\n")
        if content or not is_whole:
            yield number, (start, 0, len(content)), content if is_whole else None


def _packed_lines(file):
    offset = number = damaged = 0
    size = file.seek(0, os.SEEK_END)
    while offset < size:
        content, end = _member(file, offset)
        if content is None:
            number, damaged = number + 1, damaged + 1
            yield number, (offset, 0, 0), None
            following = _find(file, offset + 1) if damaged < MAX_DAMAGE else None
            offset = size if following is None else following
            continue
        start = 0
        for line in content.removesuffix(b"\n").split(b"\n"):
            number += 1
            if line:
                yield number, (offset, start, start + len(line)), line
            start += len(line) + 1
        offset = end


def _member(file, offset):
    """The content of the member at an offset, and its end; None if there is no whole one."""
    file.seek(offset)
    decoder, content = zlib.decompressobj(31), bytearray()
    try:
        while piece := decoder.unconsumed_tail or file.read(PIECE):
            content += decoder.decompress(piece, MAX_CONTENT + 1 - len(content))
            if len(content) > MAX_CONTENT:
                break
            if decoder.eof:
                return bytes(content), file.tell() - len(decoder.unused_data)
    except zlib.error:
        pass
    return None, offset


def _find(file, offset):
    """The offset of the next bytes that begin a member; None if there are none."""
    file.seek(offset)
    rest = b""
    while piece := file.read(PIECE):
        hit = (rest + piece).find(MEMBER_START)
        if hit >= 0:
            return offset - len(rest) + hit
        offset += len(piece)
        rest = (rest + piece)[-2:]
    return None


def fields_of(line):
    """The fields of a line without its line end, but for its check, and the check."""
    if line is None:
        raise Damaged("the line or the gzip member is damaged or too long")
    body = line[:-28] + b"}"
    check = hashlib.sha256(body).hexdigest()[:16]
    if line[-28:] != f',"check":"{check}"}}'.encode():
        raise Damaged("the line is damaged or cut off")
    if not body.startswith(b"{"):
        raise Damaged("the line does not start with an object")
    try:
        fields = json.loads(body.decode("utf-8"), parse_int=_integer, parse_constant=_integer,
                            object_pairs_hook=_object)
    except (ValueError, RecursionError):
        raise Damaged("the line is no JSON") from None
    if isinstance(fields, dict) and "check" in fields:
        raise Damaged("the line has its check twice")
    if not isinstance(fields, dict) or fields.get("schema") != SCHEMA:
        raise Damaged("the line is no record of a version that is known here")
    return fields, check


def _object(pairs):
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)


def _integer(digits):
    # Python takes long for long numbers; none of them is a size.
    return int(digits) if len(digits) < 20 else float(digits)


@dataclass
class Record:
    """What a line says that restoring needs."""
    before: tuple
    """The size and the SHA-256 of the original, in hexadecimal."""
    after: tuple
    """Those of the result."""
    undo: str | None
    """The undo data in base64; None where the identical original is not promised."""
    place: bytes | tuple | None
    """The path of the result; None if it was standard output. If the line of its base is missing, it is the base's name and the
    relative path, which are only compared."""
    origin: bytes | tuple | None
    """The path of the original; None if it was standard input."""
    date: str = ""
    """The time of the rewrite; it orders records."""

    def undo_record(self):
        """The undo record; its size is limited by that of the result."""
        try:
            content = base64.b64decode(self.undo, validate=True)
            limit = MAX_UNDO + 2 * self.after[0]
            decoder = zlib.decompressobj(zdict=EXAMPLE_SEGMENTS)
            undo = decoder.decompress(content, limit + 1)
        except (binascii.Error, zlib.error, ValueError):
            raise Damaged("the undo data is damaged") from None
        if len(undo) > limit or not decoder.eof or decoder.unused_data:
            raise Damaged("the undo data is damaged or too large")
        return read_undo(undo)


def read_line(line, bases=None):
    """The record of a line without its line end; None for the line of a base.

    `bases` are the directories of the lines before, by their identifiers; that of the line of a base is added.
    """
    fields, check = fields_of(line)
    if "path" not in fields:
        base = path_bytes(fields, "base")
        if not base.startswith(b"/"):
            raise Damaged("base is no absolute path")
        if bases is not None:
            bases[check] = base
        return None
    return record_of(fields, bases or {})


def record_of(fields, bases):
    """The record of the fields of a line."""
    if str(fields.get("base")).startswith("/"):
        raise Damaged("the line is one of Upright 0.2.0, before the format that is known here")
    undo = fields.get("undo")
    if undo is not None and not (isinstance(undo, str) and BASE64.fullmatch(undo)):
        raise Damaged("undo is no base64")
    origin = _place(fields, "path", bases)
    return Record(_content(fields, "before"), _content(fields, "after"), undo,
                  _place(fields, "output", bases) if "output" in fields else origin, origin, _date(fields))


def content_of(bytes_):
    """The size and the SHA-256 of some bytes, as a record has them."""
    return len(bytes_), hashlib.sha256(bytes_).hexdigest()


def _content(fields, name):
    value = fields.get(name)
    if not isinstance(value, dict):
        raise Damaged(f"{name} is no object")
    size, digest = value.get("size"), value.get("sha256")
    if type(size) is not int or size < 0 or not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{64}", digest):
        raise Damaged(f"{name} is no size and SHA-256")
    return size, digest


def _place(fields, name, bases):
    """An absolute path; None if it is standard input or output; the base's name and the path if the line of the base is missing."""
    path, base = path_bytes(fields, name), fields.get("base")
    if path == b"-":
        return None
    if path.startswith(b"/"):
        return normalized(path)
    if not isinstance(base, str):
        raise Damaged(f"{name} is relative, and there is no base")
    return normalized(os.path.join(bases[base], path)) if base in bases else (base, os.path.normpath(path))


def _date(fields):
    date = fields.get("date")
    return date if isinstance(date, str) and re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", date) else ""


def path_bytes(fields, name):
    """The bytes of a path: text, or an object if they are not UTF-8."""
    value = fields.get(name)
    try:
        if not isinstance(value, str) and not re.fullmatch("[0-9a-f]*", value["bytes"]):
            raise ValueError
        path = value.encode() if isinstance(value, str) else bytes.fromhex(value["bytes"])
    except (ValueError, TypeError, LookupError):
        raise Damaged(f"{name} is no path") from None
    if not path or b"\0" in path:
        raise Damaged(f"{name} is no path")
    return path


def normalized(path):
    """An absolute path without `.` and `..`, which are resolved in the text."""
    parts = []
    for part in path.split(b"/"):
        if part == b"..":
            del parts[-1:]
        elif part not in (b"", b"."):
            parts.append(part)
    return b"/" + b"/".join(parts)


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
    interval_bytes: dict = field(default_factory=dict)


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

    def number(self, limit=(1 << 63) - 1):
        """A number; one above the limit is refused."""
        value = shift = 0
        while True:
            byte = self.content[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if shift > 63 or value > limit:
                raise Damaged("a number of the undo record is too large")
            if byte < 0x80:
                return value

    def signed(self):
        number = self.number(0xFFFF)
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
        for _ in range(self.number(MAX_ENTRIES)):
            last += self.number()
            if last in entries:
                raise Damaged("a list of the undo record does not ascend")
            entries[last] = also()
        return entries


def read_undo(content):
    """The undo record of its bytes."""
    reader = Reader(content)
    try:
        if (version := reader.number()) not in VERSIONS:
            raise Damaged(f"the undo record is of version {version}")
        undo = Undo(reader.number(), [_step(reader) for _ in range(reader.number(MAX_STEPS))],
                    [_image(reader, version) for _ in range(reader.number(MAX_IMAGES))])
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
        width, height = reader.number(0xFFFF), reader.number(0xFFFF)
        if width == 0 or height == 0:
            raise Damaged("an uncompressed thumbnail is empty")
        return "pixels", width, height, _transform(reader)
    if kind == 4 and (size := reader.number(2)):
        return "table", size
    raise Damaged("the undo record has an unknown step")


def _transform(reader):
    number = reader.number(8)
    if number == 0:
        raise Damaged("there is no transform 0")
    return number


def _image(reader, version):
    result_start, start, transform = reader.number(), reader.number(), _transform(reader)
    scans, padding = None, {}
    if reader.number(1):
        scans = [_scan(reader, version) for _ in range(reader.number(MAX_SCANS))]
        for _ in range(reader.number(MAX_PADDING)):
            place = reader.number(3), reader.number(0xFFFF), reader.number(0xFFFF)
            block = [reader.signed()] + [0] * 63
            for _ in range(reader.number(63)):
                position = reader.number(63)
                if position == 0:
                    raise Damaged("the AC coefficients of a padding block begin at position 1")
                block[position] = reader.signed()
            padding[place] = block
    exceptions = reader.bytes() if reader.number(1) else None
    patches = [(reader.number(MAX_SCANS), reader.number(), reader.number(), reader.bytes())
               for _ in range(reader.number(MAX_PATCHES))]
    if len({scan for scan, *_ in patches}) < len(patches):
        raise Damaged("a scan has several patches")
    return Image(result_start, start, transform, scans, padding, exceptions, patches)


def _scan(reader, version):
    parts, scan = reader.number(63 if version == 1 else 127), Scan()
    if parts & 1:
        scan.fill_bit = 0
    if parts & 2:
        scan.fill = reader.ascending(reader.number)
        if not all(1 <= fill <= 255 for fill in scan.fill.values()):
            raise Damaged("a byte is not completed with up to seven bits")
    scan.ends_with_restart = bool(parts & 4)
    if parts & 8:
        scan.rule = reader.number(2)
        scan.rule_exceptions = frozenset(reader.ascending())
    if parts & 16:
        scan.zero_runs = reader.ascending(reader.number)
        if not all(1 <= count <= 3 for count in scan.zero_runs.values()):
            raise Damaged("a block does not have one to three ZRL codes before its EOB")
    if parts & 32:
        scan.stray_bytes = reader.bytes()
        if version == 1 and len(scan.stray_bytes) > MAX_STRAY:
            raise Damaged("a scan has too many stray bytes")
    if parts & 64:
        scan.interval_bytes = reader.ascending(reader.bytes)
    return scan
