"""Lists what is wrong with the form of a JPEG file, after the checks of JHOVE 1.3x's modules JPEG-hul and TIFF-hul.

A complaint is named by JHOVE's message where it has one (JPEG-HUL-2 and so on), and begins with `T.81`, `TIFF` or `XMP`
if JHOVE does not check it: JHOVE skips Huffman tables, scan headers and thumbnails. exiftool -validate checks the types
and counts of tags.
"""

import struct
from xml.etree import ElementTree as ET

FRAMES = {0xC0 + n for n in range(16)} - {0xC4, 0xC8, 0xCC}
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
DIRECTORIES = {0x8769: "Exif", 0x8825: "GPS", 0xA005: "Interoperability"}
XMP = b"http://ns.adobe.com/xap/1.0/\0"


class Form:
    """The complaints about one JPEG stream."""

    def __init__(self, data, prefix=""):
        self.data = data
        self.prefix = prefix
        self.complaints = set()
        self.seen = set()
        self.segments = 0
        try:
            self.read()
        except (IndexError, struct.error):
            self.complain("JPEG-HUL-2 unexpected end of file")

    def complain(self, text):
        self.complaints.add(self.prefix + text)

    def read(self):
        """Reads segments up to EOI."""
        if self.data[:3] != b"\xff\xd8\xff":
            self.complain("JPEG-HUL-4 invalid header")
            return
        at = 2
        while True:
            if self.data[at] != 0xFF:
                self.complain("JPEG-HUL-7 expected a marker")
                return
            while self.data[at] == 0xFF:
                at += 1
            marker, at = self.data[at], at + 1
            if marker == 0xD9:
                if "frame" not in self.seen or "scan" not in self.seen:
                    self.complain("T.81 no frame or no scan")
                return
            if not 0xC0 <= marker <= 0xFE or marker == 0xD8 or 0xD0 <= marker <= 0xD7:
                self.complain("JPEG-HUL-6 marker not valid in context")
                return
            length = struct.unpack_from(">H", self.data, at)[0]
            body = self.data[at + 2:at + length]
            if length < 2 or len(body) != length - 2:
                self.complain("JPEG-HUL-2 unexpected end of file")
                return
            self.segment(marker, body)
            at += length
            if marker == 0xDA:
                at = self.end_of_scan(at)

    def segment(self, marker, body):
        """Checks one segment."""
        if marker != 0xFE:
            self.segments += 1
            if self.segments == 2 and not self.seen & {"JFIF", "Exif", "SPIFF"}:
                self.complain("JPEG-HUL-9 does not begin with SPIFF, Exif or JFIF")
        if marker == 0xE0 and body[:5] == b"JFIF\0":
            if self.segments > 1 and "Exif" not in self.seen:
                self.complain("JPEG-HUL-5 JFIF not at the beginning")
            if len(body) != 14 + 3 * body[12] * body[13]:
                self.complain("JPEG-HUL-7 expected a marker after the JFIF thumbnail")
            self.seen.add("JFIF")
        elif marker == 0xE1 and body[:6] == b"Exif\0\0":
            self.seen.add("Exif")
            self.complaints |= Tiff(body[6:], self.prefix).complaints
        elif marker == 0xE1 and body.startswith(XMP):
            self.xmp(body[len(XMP):])
        elif marker == 0xE2 and body[:12] == b"ICC_PROFILE\0" and body[13] == 1:
            if struct.unpack_from(">I", body, 14)[0] != len(body) - 14 or body[50:54] != b"acsp":
                self.complain("JPEG-HUL-11 invalid ICC profile")
        elif marker == 0xE8 and body[:6] == b"SPIFF\0":
            self.seen.add("SPIFF")
            if self.segments > 1:
                self.complain("JPEG-HUL-8 SPIFF not at the beginning")
        elif marker == 0xEE and body[:5] == b"Adobe" and (len(body) < 12 or body[11] > 2):
            self.complain("JPEG-HUL-12 Adobe transform")
        elif marker in FRAMES:
            self.frame(body)
        elif marker in (0xC4, 0xDB, 0xDA, 0xDD):
            if not {0xC4: huffman, 0xDB: quantization, 0xDA: scan, 0xDD: interval}[marker](body):
                self.complain(f"T.81 length or contents of segment {marker:02X}")
            if marker == 0xDA:
                self.seen.add("scan")

    def frame(self, body):
        """Checks the header of a frame."""
        if "frame" in self.seen:
            self.complain("T.81 second frame")
        self.seen.add("frame")
        precision, height, width, count = struct.unpack_from(">BHHB", body)
        if count not in (1, 3, 4):
            self.complain("JPEG-HUL-13 unknown color space")
        factors = [body[7 + 3 * index] for index in range(count)]
        if len(body) != 6 + 3 * count or not width or precision not in (8, 12) \
                or not all(1 <= factor >> 4 <= 4 and 1 <= factor & 15 <= 4 for factor in factors):
            self.complain("T.81 frame header")

    def xmp(self, packet):
        """JHOVE leaves out XMP that is no XML."""
        try:
            ET.fromstring(packet.rstrip(b"\0"))
        except (ET.ParseError, ValueError, LookupError):
            self.complain("XMP is not XML")

    def end_of_scan(self, at):
        """Where the marker after the entropy-coded data starts."""
        expected = 0
        while True:
            at = self.data.find(b"\xff", at)
            if at < 0:
                raise IndexError
            following = self.data[at + 1]
            if following == 0xFF:
                at += 1
            elif following == 0:
                at += 2
            elif 0xD0 <= following <= 0xD7:
                if following & 7 != expected:
                    self.complain("T.81 restart markers out of order")
                expected = (following + 1) & 7
                at += 2
            else:
                return at


def huffman(body):
    """Whether a DHT segment is whole: classes, identifiers, code counts."""
    at = 0
    while at < len(body):
        counts = body[at + 1:at + 17]
        space = 0
        for length, count in enumerate(counts, 1):
            space += count << (16 - length)
        if len(counts) != 16 or body[at] & 0xEC or space > 0xFFFF or sum(counts) > 256:
            return False
        at += 17 + sum(counts)
    return at == len(body) and at > 0


def quantization(body):
    """Whether a DQT segment is whole, without steps of 0."""
    at = 0
    while at < len(body):
        wide = body[at] >> 4
        if wide > 1 or body[at] & 15 > 3:
            return False
        size = 64 * (1 + wide)
        steps = body[at + 1:at + 1 + size]
        if len(steps) != size or 0 in (struct.unpack(">64H", steps) if wide else steps):
            return False
        at += 1 + size
    return at > 0


def scan(body):
    """Whether the header of a scan is whole."""
    return len(body) > 0 and 1 <= body[0] <= 4 and len(body) == 4 + 2 * body[0] \
        and body[-3] <= body[-2] <= 63


def interval(body):
    """Whether a DRI segment is whole."""
    return len(body) == 2


class Tiff:
    """The complaints about the TIFF structure of an Exif segment."""

    def __init__(self, data, prefix):
        self.data = data
        self.prefix = prefix
        self.complaints = set()
        self.visited = set()
        self.order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
        if self.order is None or len(data) < 8:
            self.complain("TIFF-HUL invalid header")
            return
        start, name = self.number("I", 4), "IFD0"
        while start and name != "IFD2":
            following = self.directory(start, name)
            start, name = following, f"IFD{int(name[3]) + 1}"

    def complain(self, text):
        self.complaints.add(self.prefix + text)

    def number(self, kind, at):
        return struct.unpack_from(self.order + kind, self.data, at)[0]

    def directory(self, start, name):
        """Checks a directory and those in it, and returns where the next one starts."""
        if start in self.visited:
            self.complain(f"TIFF-HUL loop of directories at {name}")
            return 0
        self.visited.add(start)
        try:
            count = self.number("H", start)
            last, thumbnail = 0, {}
            for at in range(start + 2, start + 2 + 12 * count, 12):
                tag, kind, number = struct.unpack_from(self.order + "HHI", self.data, at)
                if tag < last:
                    self.complain(f"TIFF-HUL-2 tag {tag:#06x} of {name} out of sequence")
                last = tag
                if kind not in SIZES:
                    self.complain(f"TIFF-HUL-3 unknown type of tag {tag:#06x} of {name}")
                    continue
                self.value(at, tag, kind, number, name)
                if tag in DIRECTORIES and kind in (4, 13):
                    self.directory(self.number("I", at + 8), DIRECTORIES[tag])
                elif name == "IFD1" and tag in (0x0201, 0x0202):
                    thumbnail[tag] = self.number("I", at + 8)
            if len(thumbnail) == 2:
                self.thumbnail(thumbnail[0x0201], thumbnail[0x0202])
            return self.number("I", start + 2 + 12 * count)
        except struct.error:
            self.complain(f"TIFF-HUL-1 premature end in {name}")
            return 0

    def value(self, at, tag, kind, number, name):
        """Checks where a value is, and whether text ends."""
        size = SIZES[kind] * number
        place = at + 8 if size <= 4 else self.number("I", at + 8)
        if size > 4 and place % 2:
            self.complain(f"TIFF-HUL-4 value of tag {tag:#06x} of {name} is not word-aligned")
        if place + size > len(self.data):
            self.complain(f"TIFF-HUL-1 value of tag {tag:#06x} of {name} is not in the segment")
        elif kind == 2 and number and self.data[place + number - 1]:
            self.complain(f"TIFF text of tag {tag:#06x} of {name} does not end in NUL")

    def thumbnail(self, place, size):
        """Checks the thumbnail like an image of its own. It need not begin with JFIF or Exif."""
        if place + size > len(self.data):
            self.complain("TIFF thumbnail is not in the segment")
            return
        form = Form(self.data[place:place + size], self.prefix + "thumbnail: ")
        self.complaints |= {text for text in form.complaints if "JPEG-HUL-9" not in text}


def complaints(data):
    """What is wrong with the form of a JPEG file, as a set of texts."""
    return Form(data).complaints
