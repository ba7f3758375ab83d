"""The HEIF and AVIF files of check/heif-structures: structures around coded images of four colors."""

import io
import random
import sys
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

from PIL import Image

sys.dont_write_bytecode = True
LOADER = SourceFileLoader("fixtures", str(Path(__file__).resolve().parents[1] / "dev/make-heif-fixtures"))
BOXES = module_from_spec(spec_from_loader("fixtures", LOADER))
LOADER.exec_module(BOXES)
box, full, ispe, irot, imir = BOXES.box, BOXES.full, BOXES.ispe, BOXES.irot, BOXES.imir
# The properties that state each orientation; some in more than one way.
ORIENTATIONS = [[], [irot(0)], [imir(1)], [irot(2)], [imir(0)], [irot(3), imir(1)], [irot(3)], [irot(1), imir(1)],
                [irot(1)]]
ALPHA, DEPTH = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"
GAIN = "urn:com:apple:photo:2020:aux:hdrgainmap"


def words(*values, size=2):
    return b"".join(v.to_bytes(size, "big") for v in values)


@dataclass
class Item:
    """An item: method 0 is in mdat, 1 in idat; a source is an index of dref; `place` makes it share another's bytes."""
    kind: bytes
    data: bytes
    properties: list = ()
    refers: list = ()
    hidden: bool = False
    method: int = 0
    source: int = 0
    place: int = None


@dataclass
class File:
    items: list
    brand: bytes
    shares: bool
    chance: random.Random
    groups: list = ()
    extra: bytes = b""
    dref: bytes = b""

    def bytes(self):
        properties, associations = [], []
        for number, item in enumerate(self.items, 1):
            indices = []
            for one in item.properties:
                if not self.shares or one not in properties:
                    properties.append(one)
                index = properties.index(one) if self.shares else len(properties) - 1
                essential = one[4:8] in (b"hvcC", b"av1C", b"irot", b"imir", b"clap")
                indices.append(index + 1 | (0x80 if essential else 0))
            if indices:
                associations.append(words(number) + bytes([len(indices)] + indices))
        infos = [full(b"infe", 2, words(n, 0) + i.kind + b"\0", flags=int(i.hidden)) for n, i in enumerate(self.items, 1)]
        references = [box(kind, words(n, len(to), *to)) for n, i in enumerate(self.items, 1) for kind, to in i.refers]
        data = b"".join(i.data for i in self.items if i.method == 1)
        first, based = self.chance.random() < 0.3, self.chance.random() < 0.5

        def meta(start):
            entries, place, inside = b"", start, 0
            for number, item in enumerate(self.items, 1):
                at = place if item.place is None else start + sum(len(i.data) for i in self.items[:item.place - 1])
                if item.method == 1:
                    at, inside = inside, inside + len(item.data)
                elif item.place is None:
                    place += len(item.data)
                base, offset = (at, 0) if based and item.method == 0 else (0, at)
                entries += words(number, item.method, item.source) + words(base, size=4) + words(1)
                entries += words(offset, len(item.data), size=4)
            children = [full(b"pitm", 0, words(1)), full(b"iloc", 1, b"\x44\x40", words(len(self.items)), entries),
                        full(b"iinf", 0, words(len(self.items)), *infos),
                        full(b"iref", 0, *references) if references else b"",
                        box(b"iprp", box(b"ipco", *properties),
                            full(b"ipma", 0, words(len(associations), size=4), *associations)),
                        box(b"idat", data) if data else b"", self.dref,
                        box(b"grpl", *(full(kind, 0, words(100 + n, len(to), *to, size=4))
                                       for n, (kind, to) in enumerate(self.groups))) if self.groups else b""]
            random.Random(len(self.items)).shuffle(children)
            return full(b"meta", 0, full(b"hdlr", 0, b"\0\0\0\0pict" + b"\0" * 13), *children)
        brands = box(b"ftyp", self.brand, b"\0\0\0\0mif1miaf" + self.brand + (b"tmap" if any(
            i.kind == b"tmap" for i in self.items) else b""))
        mdat = box(b"mdat", *(i.data for i in self.items if i.method == 0 and i.place is None))
        if first and not self.extra:
            return brands + mdat + meta(len(brands) + 8)
        start = len(brands) + len(meta(0)) + len(self.extra) + 8
        return brands + meta(start) + self.extra + mdat


def coded(kind):
    """The decoder configuration and the data of the four colors: plain, and gray for auxiliary images."""
    if kind == b"hvc1":
        return [BOXES.encoded(), BOXES.encoded(gray=True)]
    found = []
    for mode in "RGB", "L":
        stream = io.BytesIO()
        image = Image.open(io.BytesIO(BOXES.png(96, 64))).convert(mode)
        image.save(stream, "AVIF", quality=90, subsampling="4:0:0" if mode == "L" else "4:4:4")
        file = stream.getvalue()
        place = file.index(b"av1C") - 4
        found.append((file[place:place + int.from_bytes(file[place:place + 4], "big")], file[file.index(b"mdat") + 4:]))
    return found


def structures(kind, plain, gray, stated):
    """Names, whether the file may be skipped, and the arguments of the file; `stated` is irot and imir."""
    size = ispe(96, 64)

    def image(*properties, of=plain, dimensions=size, **other):
        return Item(kind, of[1], [of[0], dimensions, *properties], **other)

    def shown(*before, **other):
        return image(*before, *stated, **other)

    def aux(name, *properties, to=(1,), **other):
        return image(BOXES.auxiliary(name), *properties, of=gray, hidden=True, refers=[(b"auxl", to)], **other)
    thumb = shown(refers=[(b"thmb", [1])])
    grid = b"\0\0\1\1" + words(180, 120)
    tiles = [image(hidden=True) for _ in range(4)]
    tmap = b"\0" * 5 + b"\x40" + words(0, 1, 1, 1, size=4) + words(0, 1, 1, 1, 0, 1, 1, 1, 1, 1, size=4)[:40]
    dref = box(b"dinf", full(b"dref", 0, words(1, size=4), full(b"url ", 0, flags=1)))
    other = full(b"meta", 0, full(b"hdlr", 0, b"\0\0\0\0null" + b"\0" * 13))
    clap = BOXES.clap(60, 40)
    yield "plain", False, dict(items=[shown()])
    yield "thumbnail", False, dict(items=[shown(), thumb])
    yield "thumbnail-unlike", False, dict(items=[shown(), image(irot(1), refers=[(b"thmb", [1])])])
    yield "alpha", False, dict(items=[shown(), aux(ALPHA, *stated)])
    yield "depth-gain", False, dict(items=[shown(), aux(DEPTH, *stated), aux(GAIN, *stated), thumb])
    yield "aux-to-two", False, dict(items=[shown(), aux(GAIN, *stated, to=(1, 3)), aux("urn:x", *stated)])
    yield "alpha-unlike", True, dict(items=[shown(), aux(ALPHA, *([] if stated and stated != [irot(0)] else [irot(1)]))])
    yield "clap", False, dict(items=[shown(clap), thumb])
    yield "irot-clap", bool(stated), dict(items=[image(*stated, clap)])
    yield "irot-clap-imir", True, dict(items=[image(irot(1), clap, imir(0))])
    yield "imir-irot", len(stated) > 1, dict(items=[image(*reversed(stated))])
    yield "irot-twice", True, dict(items=[image(irot(1), irot(2))])
    yield "late-size", bool(stated), dict(items=[Item(kind, plain[1], [plain[0], *stated, size])])
    yield "no-size", True, dict(items=[Item(kind, plain[1], [plain[0], *stated])])
    yield "grid", False, dict(items=[Item(b"grid", grid, [ispe(180, 120), *stated], [(b"dimg", [2, 3, 4, 5])]), *tiles])
    yield "grid-idat", False, dict(items=[
        Item(b"grid", grid, [ispe(180, 120), *stated], [(b"dimg", [2, 3, 4, 5])], method=1), *tiles, thumb])
    yield "grid-rotated", True, dict(items=[
        Item(b"grid", grid, [ispe(180, 120), *stated], [(b"dimg", [2, 3, 4, 5])]),
        *(image(irot(2), hidden=True) for _ in range(4))])
    yield "iden", True, dict(items=[Item(b"iden", b"", [size, *stated], [(b"dimg", [2])]), image(hidden=True)])
    yield "derived", True, dict(items=[shown(), Item(b"iden", b"", [size], [(b"dimg", [1])])])
    yield "overlay", True, dict(items=[
        Item(b"iovl", bytes(10) + words(96, 64, 0, 0), [size, *stated], [(b"dimg", [2])]), image(hidden=True)])
    gain = [shown(), shown(of=gray, hidden=True), Item(b"tmap", tmap, [size], [(b"dimg", [1, 2])])]
    yield "tmap", False, dict(items=gain, groups=[(b"altr", [3, 1])])
    shared = [gain[0], gain[1], Item(b"tmap", tmap, [size, *stated], [(b"dimg", [1, 2])])]
    yield "tmap-shared", False, dict(items=shared, groups=[(b"altr", [3, 1])])
    yield "tmap-alone", bool(stated), dict(items=[image(), *gain[1:2], shared[2]], groups=[(b"altr", [3, 1])])
    yield "tmap-unlike", True, dict(items=[gain[0], image(*([] if stated[1:] or stated and stated[0] != irot(0) else [irot(1)]),
                                                          of=gray, hidden=True), gain[2]], groups=[(b"altr", [3, 1])])
    for group in b"ster", b"pymd", b"brst", b"altr":
        yield group.decode(), False, dict(items=[shown(), image(irot(1)), shown(refers=[(b"thmb", [2])])],
                                          groups=[(group, [1, 2])])
    yield "albc", True, dict(items=[shown(), shown()], groups=[(b"albc", [1, 2])])
    yield "ster-derived", True, dict(items=[shown(), Item(b"iden", b"", [size], [(b"dimg", [3])]), image(hidden=True)],
                                     groups=[(b"ster", [1, 2])])
    yield "two", True, dict(items=[shown(), image()])
    yield "hidden", False, dict(items=[shown(), image(hidden=True)])
    yield "shared-bytes", False, dict(items=[shown(), shown(refers=[(b"thmb", [1])], place=1)])
    yield "exif-overlaps", True, dict(items=[
        shown(), Item(b"Exif", plain[1][:20], refers=[(b"cdsc", [1])], hidden=True, place=1)])
    yield "idat", False, dict(items=[shown(method=1), thumb])
    yield "dref", True, dict(items=[shown(source=1)], dref=dref)
    yield "dref-of-thumbnail", True, dict(items=[shown(), image(source=1, refers=[(b"thmb", [1])])], dref=dref)
    yield "moov", True, dict(items=[shown()], extra=box(b"moov", full(b"mvhd", 0, bytes(96))))
    yield "two-meta", True, dict(items=[shown()], extra=other)
    yield "unknown-reference", True, dict(items=[shown(), image(hidden=True, refers=[(b"base", [1])])])
