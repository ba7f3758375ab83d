"""Changes JPEG files at random, by a seeded generator: damage, and forms that the standard or a decoder allows."""

import struct
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / folder) for folder in ("lib", "dev/fixtures")]
import entropy_coding  # noqa: E402
from segments import segment  # noqa: E402

APP11, COM, DHT, DQT, DRI, EOI, SOS = 0xEB, 0xFE, 0xC4, 0xDB, 0xDD, 0xD9, 0xDA
FRAMES = {0xC0 + n for n in range(16)} - {0xC4, 0xC8, 0xCC}


class Part:
    """A marker with its segment, or the entropy-coded data after a scan header."""

    def __init__(self, start, end, marker=None):
        self.start, self.end, self.marker = start, end, marker


def parts(data):
    """The segments and scans of the primary image, as far as they can be found."""
    found, at = [], 2
    while data[:2] == b"\xff\xd8" and at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == EOI:
            found.append(Part(at, at + 2, EOI))
            break
        end = min(at + 2 + struct.unpack_from(">H", data, at + 2)[0], len(data))
        found.append(Part(at, end, marker))
        if marker == SOS:
            at = end
            while at + 1 < len(data) and not (data[at] == 0xFF and data[at + 1] not in (0, *range(0xD0, 0xD8))):
                at += 1
            found.append(Part(end, at))
            end = at
        at = max(end, at + 2)
    return found


def choose(random, data, *markers):
    """A random part with one of these markers; None if there is none."""
    matching = [part for part in parts(data) if part.marker in markers]
    return random.choice(matching) if matching else None


def replaced(data, start, end, new):
    return data[:start] + new + data[end:]


# Damage: any bytes.

def flip_bits(random, data, pool):
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def flip_bit_in_head(random, data, pool):
    changed = bytearray(data)
    scan = next((p.start for p in parts(data) if p.marker == SOS), len(data))
    changed[random.randrange(min(scan + 14, len(data)))] ^= 1 << random.randrange(8)
    return bytes(changed)


def set_bytes(random, data, pool):
    changed, at = bytearray(data), random.randrange(len(data))
    for offset in range(random.choice((1, 1, 2, 4))):
        if at + offset < len(changed):
            changed[at + offset] = random.choice((0, 0, 1, 0xFF, 0xFF, 0x7F, 0x80, random.randrange(256)))
    return bytes(changed)


def cut(random, data, pool):
    return data[:-random.randint(1, min(len(data), random.choice((4, 40, len(data)))))]


def insert(random, data, pool):
    at = random.randrange(len(data))
    return replaced(data, at, at, random.randbytes(random.choice((1, 2, 7, 30))))


def delete(random, data, pool):
    at = random.randrange(len(data))
    return replaced(data, at, at + random.choice((1, 1, 2, 16)), b"")


def splice(random, data, pool):
    """The segments of one file and those of another."""
    other = random.choice(pool)
    mine, theirs = parts(data), parts(other)
    if not mine or not theirs:
        return data
    return data[:random.choice(mine).start] + other[random.choice(theirs).start:]


def copy_segment(random, data, pool):
    """A segment of another file, or of this one, before any of this file."""
    source = random.choice((data, random.choice(pool)))
    candidates = [p for p in parts(source) if p.marker not in (None, EOI, SOS)]
    places = [p for p in parts(data) if p.marker]
    if not candidates or not places:
        return data
    part, place = random.choice(candidates), random.choice(places).start
    return replaced(data, place, place, source[part.start:part.end])


def drop_segment(random, data, pool):
    candidates = [p for p in parts(data) if p.marker not in (None, EOI)]
    if not candidates:
        return data
    part = random.choice(candidates)
    return replaced(data, part.start, part.end, b"")


def swap_segments(random, data, pool):
    candidates = [p for p in parts(data) if p.marker not in (None, EOI, SOS)]
    if len(candidates) < 2:
        return data
    a, b = sorted(random.sample(candidates, 2), key=lambda part: part.start)
    return data[:a.start] + data[b.start:b.end] + data[a.end:b.start] + data[a.start:a.end] + data[b.end:]


# Forms: the image stays what it is, for most decoders.

def without_eoi(random, data, pool):
    end = choose(random, data, EOI)
    return replaced(data, end.start, end.end, random.choice((b"", b"\xff", b"\xff\x42", b"\0"))) if end else data


def stray_bytes_in_scan(random, data, pool):
    scans = [p for p in parts(data) if p.marker is None]
    if not scans:
        return data
    at, count = random.choice(scans).end, random.choice((1, 2, 7, 8, 9, 35, 100, 385, 1000))
    stray = bytes(count) if random.random() < 0.5 else bytes(random.randrange(255) for _ in range(count))
    return replaced(data, at, at, stray)


def garbage_between_segments(random, data, pool):
    places = [p for p in parts(data) if p.marker]
    if not places:
        return data
    at, count = random.choice(places).start, random.choice((1, 2, 5, 40))
    return replaced(data, at, at, bytes(random.randrange(255) for _ in range(count)))


def fill_bytes(random, data, pool):
    places = [p for p in parts(data) if p.marker]
    at = random.choice(places).start if places else 0
    return replaced(data, at, at, b"\xff" * random.choice((1, 2, 3, 16))) if places else data


def one_identifier(random, data, pool):
    """All components of frame and scans have one identifier, or are numbered from 0."""
    changed, value, step = bytearray(data), random.choice((0, 1, 1, 255)), random.choice((0, 0, 0, 1))
    frame = choose(random, data, *FRAMES)
    if not frame or frame.start + 9 >= len(data):
        return data
    names = {}
    for index in range(data[frame.start + 9]):
        at = frame.start + 10 + 3 * index
        if at < frame.end:
            names[data[at]] = changed[at] = (value + step * index) % 256
    for part in parts(data):
        if part.marker == SOS and part.start + 4 < len(data):
            for index in range(data[part.start + 4]):
                at = part.start + 5 + 2 * index
                if at < part.end:
                    changed[at] = names.get(data[at], data[at])
    return bytes(changed)


def scan_parameters(random, data, pool):
    """Other values of Ss, Se, Ah and Al in a scan header."""
    scan, changed = choose(random, data, SOS), bytearray(data)
    if not scan or scan.end - scan.start < 5:
        return data
    changed[scan.end - 3:scan.end] = random.choice((b"\0\0\0", b"\0\x3f\0", b"\0\x3f\x01", b"\x01\x3f\0", b"\0\x40\0"))
    return bytes(changed)


def without_huffman_tables(random, data, pool):
    for part in reversed(parts(data)):
        if part.marker == DHT and random.random() < 0.9:
            data = replaced(data, part.start, part.end, b"")
    return data


def boxes(random, data, pool):
    """A JPEG XT segment: empty, short, or with content."""
    payload = random.choice((b"JP", b"JP\0\x01\0\0\0\x01", b"JP\0\x01\0\0\0\x01\0\0\0\x08free",
                             b"JP\0\x01\0\0\0\x01\0\0\0\x10free" + random.randbytes(8)))
    places = [p for p in parts(data) if p.marker]
    at = random.choice(places).start if places else 2
    return replaced(data, at, at, segment(APP11, payload))


def restart_interval(random, data, pool):
    """Another DRI, which may not be the scan's."""
    scans = [p for p in parts(data) if p.marker == SOS]
    at = random.choice(scans).start if scans else 2
    return replaced(data, at, at, segment(DRI, struct.pack(">H", random.choice((0, 0, 1, 2, 8, 65535)))))


def repeated_tables(random, data, pool):
    """The tables once more, before a scan."""
    scans, tables = [p for p in parts(data) if p.marker == SOS], [p for p in parts(data) if p.marker in (DHT, DQT)]
    if not scans or not tables:
        return data
    part, at = random.choice(tables), random.choice(scans).start
    return replaced(data, at, at, data[part.start:part.end])


def comment(random, data, pool):
    places = [p for p in parts(data) if p.marker]
    at = random.choice(places).start if places else 2
    return replaced(data, at, at, segment(random.choice((COM, 0xE0, 0xE3, 0xEC)), random.randbytes(random.randrange(20))))


def trailing_bytes(random, data, pool):
    tail = random.choice((b"\0", b"\xff", b"\xff\xd9", random.randbytes(50), random.choice(pool)))
    return data + tail


def other_convention(random, data, pool):
    """The same image, with scans as another encoder writes them."""
    convention = entropy_coding.Convention(
        padding=random.choice((("1",), ("0",), ("0", "1"), ("01", "1"))), restart_after_last=random.random() < 0.2,
        eob_runs=random.choice(("joined", "apart", "single", "mixed")), zrl_before_eob=random.random() < 0.3,
        padding_blocks=random.choice(("", "all", "refining")),
        after_last_scan=random.choice((b"", b"", b"\0", b"\0\0\0", b"\x12\x34")))
    try:
        return entropy_coding.recode(data, convention)
    except Exception:  # what the module does not read stays as it is
        return data


def dimensions(random, data, pool):
    """Another height or width in the frame header."""
    frame = choose(random, data, *FRAMES)
    if not frame or frame.end - frame.start < 9:
        return data
    at = frame.start + random.choice((5, 7))
    value = struct.unpack_from(">H", data, at)[0] + random.choice((-1, 1, -8, 8, -16, 16, 1000))
    return replaced(data, at, at + 2, struct.pack(">H", value % 65536))


DAMAGE = [flip_bits, flip_bit_in_head, set_bytes, cut, insert, delete, splice, copy_segment, drop_segment, swap_segments]
FORMS = [without_eoi, stray_bytes_in_scan, garbage_between_segments, fill_bytes, one_identifier, scan_parameters,
         without_huffman_tables, boxes, restart_interval, repeated_tables, comment, trailing_bytes, other_convention,
         dimensions]


def mutated(random, data, pool):
    """The file with one or a few changes, and their names."""
    names = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        change = random.choice(random.choice((DAMAGE, FORMS)))
        if data:
            data = change(random, data, pool)
            names.append(change.__name__)
    return data, names
