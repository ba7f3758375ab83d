"""Measures calls per second from Python, with one thread and with one for each core, and compares them with a batch of
the command; compares audits with Pillow and piexif, which read headers.

    python throughput.py UPRIGHT PHOTO...

Every round runs all of them in turn. The best round counts, because other work on the machine only slows them down.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import upright

ROUNDS = 5


def main(binary: str, *names: str) -> None:
    photos = [Path(name) for name in names]
    cores = len(os.sched_getaffinity(0))
    pool = ThreadPoolExecutor(cores)

    def threads(work: Callable[[Path], object]) -> Callable[[], object]:
        return lambda: list(pool.map(work, photos))

    def one(work: Callable[[Path], object]) -> Callable[[], object]:
        return lambda: [work(photo) for photo in photos]

    def command(*arguments: str) -> Callable[[], object]:
        def run() -> None:
            with tempfile.TemporaryDirectory() as folder:
                output = ["--output-dir", folder] if arguments[0] == "normalize" else []
                subprocess.run([binary, *arguments, *output, "-q", *names], stdout=subprocess.DEVNULL, check=False)

        return run

    def normalize(photo: Path) -> object:
        return upright.normalize(photo)

    jobs: dict[str, Callable[[], object]] = {
        "normalize, Python, one thread": one(normalize),
        f"normalize, Python, {cores} threads": threads(normalize),
        "normalize, command, --jobs 1": command("normalize", "--jobs", "1"),
        f"normalize, command, --jobs {cores}": command("normalize", "--jobs", str(cores)),
        "audit, Python": one(upright.audit),
        "plan, Python": one(upright.plan),
        "audit, command, --jobs 1": command("audit", "--jobs", "1"),
    }
    try:
        import PIL.Image

        def read_pillow(photo: Path) -> object:
            with PIL.Image.open(photo) as image:
                return image.size, image.getexif().get(0x0112)

        jobs["size and Orientation, Pillow"] = one(read_pillow)
    except ImportError:
        pass
    try:
        import piexif

        jobs["Exif, piexif"] = one(lambda photo: piexif.load(str(photo)))
    except ImportError:
        pass
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            best[name] = min(best.get(name, float("inf")), time.perf_counter() - start)
    size = sum(photo.stat().st_size for photo in photos)
    print(f"{len(photos)} files, {size / 1e6:.1f} MB, {ROUNDS} rounds, {cores} cores")
    for name, seconds in best.items():
        print(f"{len(photos) / seconds:10.1f} a second  {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
