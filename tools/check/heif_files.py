"""The HEIF and AVIF files of check/heif-structures: structures around coded images of four colors."""

import io
import sys
from pathlib import Path

from PIL import Image

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "dev"))
from fixtures.heif import File, Item, auxiliary, box, clap, encoded, full, imir, irot, ispe, parts, png, words  # noqa: E402

# The properties that state each orientation; some in more than one way.
ORIENTATIONS = [[], [irot(0)], [imir(1)], [irot(2)], [imir(0)], [irot(3), imir(1)], [irot(3)], [irot(1), imir(1)],
                [irot(1)]]
ALPHA, DEPTH = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"
GAIN = "urn:com:apple:photo:2020:aux:hdrgainmap"


def coded(kind):
    """The decoder configuration and the data of the four colors: plain, and gray for auxiliary images."""
    if kind == b"hvc1":
        return [encoded(), encoded(gray=True)]
    found = []
    for mode in "RGB", "L":
        stream = io.BytesIO()
        image = Image.open(io.BytesIO(png(96, 64))).convert(mode)
        image.save(stream, "AVIF", quality=90, subsampling="4:0:0" if mode == "L" else "4:4:4")
        found.append(parts(stream.getvalue(), b"av1C"))
    return found


def structures(kind, plain, gray, stated):
    """Names, whether the file may be skipped, and the arguments of the file; `stated` is irot and imir."""
    size = ispe(96, 64)

    def image(*properties, of=plain, dimensions=size, **other):
        return Item(kind, of[1], [of[0], dimensions, *properties], **other)

    def shown(*before, **other):
        return image(*before, *stated, **other)

    def aux(name, *properties, to=(1,), **other):
        return image(auxiliary(name), *properties, of=gray, hidden=True, refers=[(b"auxl", to)], **other)
    thumb = shown(refers=[(b"thmb", [1])])
    grid = b"\0\0\1\1" + words(180, 120)
    tiles = [image(hidden=True) for _ in range(4)]
    tmap = b"\0" * 5 + b"\x40" + words(0, 1, 1, 1, size=4) + words(0, 1, 1, 1, 0, 1, 1, 1, 1, 1, size=4)[:40]
    dref = box(b"dinf", full(b"dref", 0, words(1, size=4), full(b"url ", 0, flags=1)))
    other = full(b"meta", 0, full(b"hdlr", 0, b"\0\0\0\0null" + b"\0" * 13))
    cropped = clap(60, 40)
    yield "plain", False, dict(items=[shown()])
    yield "thumbnail", False, dict(items=[shown(), thumb])
    yield "thumbnail-unlike", False, dict(items=[shown(), image(irot(1), refers=[(b"thmb", [1])])])
    yield "alpha", False, dict(items=[shown(), aux(ALPHA, *stated)])
    yield "depth-gain", False, dict(items=[shown(), aux(DEPTH, *stated), aux(GAIN, *stated), thumb])
    yield "aux-to-two", False, dict(items=[shown(), aux(GAIN, *stated, to=(1, 3)), aux("urn:x", *stated)])
    yield "alpha-unlike", True, dict(items=[shown(), aux(ALPHA, *([] if stated and stated != [irot(0)] else [irot(1)]))])
    yield "clap", False, dict(items=[shown(cropped), thumb])
    yield "irot-clap", bool(stated), dict(items=[image(*stated, cropped)])
    yield "irot-clap-imir", True, dict(items=[image(irot(1), cropped, imir(0))])
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
    yield "tmap-alone", stated not in ([], [irot(0)]), dict(items=[image(), *gain[1:2], shared[2]], groups=[(b"altr", [3, 1])])
    yield "tmap-unlike", True, dict(items=[gain[0], image(*([] if stated[1:] or stated and stated[0] != irot(0) else [irot(1)]),
                                                          of=gray, hidden=True), gain[2]], groups=[(b"altr", [3, 1])])
    # As phones write it: the size is the displayed one, and there is a rotation by 0.
    isAcross = any(each in stated for each in (irot(1), irot(3)))
    derived = Item(b"tmap", tmap, [ispe(64, 96) if isAcross and kind == b"hvc1" else size, irot(0)], [(b"dimg", [1, 2])])
    yield "tmap-still", False, dict(items=[*gain[:2], derived], groups=[(b"altr", [3, 1])])
    whole = Item(b"tmap", tmap, [ispe(*(120, 180) if isAcross and kind == b"hvc1" else (180, 120)), irot(0)], [(b"dimg", [1, 2])])
    # No decoder of AVIF reads a grid in idat, or what is auxiliary to two images.
    isHEVC = kind == b"hvc1"
    yield "tmap-grid", False, dict(items=[
        Item(b"grid", grid, [ispe(180, 120), *stated], [(b"dimg", [4, 5, 6, 7])], method=1 if isHEVC else 0),
        aux(GAIN, *stated, to=(1, 3) if isHEVC else (1,)), whole, *tiles, thumb], groups=[(b"altr", [3, 1])])
    yield "tmap-cropped", True, dict(items=[*gain[:2], Item(b"tmap", tmap, [size, cropped], [(b"dimg", [1, 2])])],
                                     groups=[(b"altr", [3, 1])])
    for group in b"ster", b"pymd", b"brst", b"altr":
        yield group.decode(), False, dict(items=[shown(), image(irot(1)), shown(refers=[(b"thmb", [2])])],
                                          groups=[(group, [1, 2])])
    extended = (b"uuid", [1, 2], bytes(range(16)))
    yield "ster-uuid", False, dict(items=[shown(), image(irot(1))], groups=[(b"ster", [1, 2]), extended])
    yield "uuid", True, dict(items=[shown(), shown()], groups=[extended])
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
