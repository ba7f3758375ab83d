"""JPEG files of folders, and their Orientation, which is found and set byte for byte, for surveys that need every value of it."""

import hashlib
import struct
from pathlib import Path

SUFFIXES = (".jpg", ".jpeg", ".jpe", ".jfif")


def segments(data):
    """The marker of each segment up to the first scan, and where its content starts and ends."""
    at, marker = 2, None
    while data[:2] == b"\xff\xd8" and at + 4 <= len(data) and data[at] == 0xFF and marker != 0xDA:
        marker, end = data[at + 1], at + 2 + struct.unpack_from(">H", data, at + 2)[0]
        yield marker, at + 4, end
        at = end


def orientation_place(data):
    """The offset of the two bytes of IFD0's Orientation, and their byte order; None if there is none."""
    for marker, start, end in segments(data):
        if marker == 0xE1 and data[start:start + 6] == b"Exif\0\0":
            return _in_tiff(data, start + 6, end)
    return None


def _in_tiff(data, start, end):
    end = min(end, len(data))
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[start:start + 4])
    if order is None or start + 8 > end:
        return None
    ifd = start + struct.unpack_from(order + "I", data, start + 4)[0]
    if ifd + 2 > end:
        return None
    for index in range(struct.unpack_from(order + "H", data, ifd)[0]):
        entry = ifd + 2 + 12 * index
        if entry + 12 > end:
            return None
        if struct.unpack_from(order + "HHI", data, entry) == (0x0112, 3, 1):
            return entry + 8, order
    return None


def patched(data, place, value):
    """The file with another Orientation."""
    offset, order = place
    return data[:offset] + struct.pack(order + "H", value) + data[offset + 2:]


def with_orientation(data, value):
    """The file with an Orientation, which it gets in a new Exif segment where it has none to set."""
    place = orientation_place(data)
    if place:
        return patched(data, place, value)
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + bytes([value, 0, 0, 0]) + bytes(4)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


def jpegs(*folders):
    """The JPEG files of some folders, each content once, in the order of their digests, which mixes folders and sizes."""
    found = {}
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix.lower() in SUFFIXES and path.is_file():
                found.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), path)
    return [found[digest] for digest in sorted(found)]
