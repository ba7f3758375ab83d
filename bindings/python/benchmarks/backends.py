"""Compares libupright with upright.wasm: processor time and memory of normalize, with both backends in turn.

    python backends.py PHOTO...

Needs a wheel with both. Each round is a process of its own, whose first call, which loads the backend, is not counted; the
best of the rounds counts, because other work on the machine only slows them down.
"""

from __future__ import annotations

import os
import subprocess
import sys

ROUNDS = 7
PROGRAM = """
import resource, sys, time, upright
def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
photo = open(sys.argv[1], "rb").read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
upright.normalize(photo)
start = used()
result = upright.normalize(photo)
print(used() - start, before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, result.lossless)
"""


def main(*photos: str) -> None:
    for photo in photos:
        seconds, memory, kind = {}, {}, ""
        for _ in range(ROUNDS):
            for backend in ("native", "wasm"):
                environment = {**os.environ, "UPRIGHT_BACKEND": backend}
                command = [sys.executable, "-c", PROGRAM, photo]
                done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
                taken, before, peak, lossless = done.stdout.split()
                seconds[backend] = min(seconds.get(backend, float("inf")), float(taken))
                memory[backend] = min(memory.get(backend, float("inf")), (int(peak) - int(before)) / 1024)
                kind = "lossless" if lossless == "True" else "re-encoded"
        ratio = seconds["wasm"] / seconds["native"]
        print(f"{photo}, {kind}: {ratio:.2f} times as long")
        for backend in seconds:
            print(f"  {backend}: {1000 * seconds[backend]:.0f} ms, {memory[backend]:.0f} MiB more than before the first call")


if __name__ == "__main__":
    main(*sys.argv[1:])
