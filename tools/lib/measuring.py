"""Programs that compete on the same files, and what each of their processes takes."""

import os
import statistics
import subprocess
import sys
import time
from typing import NamedTuple


class Run(NamedTuple):
    """What one process and its children took, in seconds and in bytes."""

    user: float
    system: float
    wall: float
    peak: int

    @property
    def cpu(self):
        return self.user + self.system


def placed(command, **places):
    """The words of a command with paths in place of {in}, {out} and others."""
    for name, path in places.items():
        command = [str(word).replace(f"{{{name}}}", str(path)) for word in command]
    return command


class Contestant:
    """A command under test. It reads {in}, or else that file as its standard input, and writes {out}."""

    def __init__(self, name, *command, may_fail=False):
        self.name, self.command, self.may_fail, self.runs = name, command, may_fail, []

    def run(self, source, target):
        """Runs the command once, and keeps nothing but its result."""
        words = placed(self.command, **{"in": source, "out": target})
        is_listed = words == [str(word) for word in self.command] and source.is_file()
        with open(source if is_listed else os.devnull, "rb") as listing:
            start = time.perf_counter()
            process = subprocess.Popen(words, stdin=listing, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode and not self.may_fail:
            sys.exit(f"{' '.join(words)}: failed with status {process.returncode}")
        return Run(usage.ru_utime, usage.ru_stime, wall, usage.ru_maxrss * 1024)

    def values(self, measure):
        return [getattr(run, measure) for run in self.runs]


def compete(contestants, source, folder, runs):
    """Runs the contestants in turn, so that other work affects all, `runs` times after a warm-up; gives the output of each."""
    outputs = [folder / f"out-{index}.jpg" for index in range(len(contestants))]
    for number in range(runs + 1):
        for contestant, output in zip(contestants, outputs):
            run = contestant.run(source, output)
            contestant.runs += [run] * (number > 0)
    return outputs


def milliseconds(seconds):
    """The median, the least and the greatest of some times."""
    median, least, greatest = (f"{value * 1000:.0f}" for value in (statistics.median(seconds), min(seconds), max(seconds)))
    return f"{median} ({least}–{greatest})"


def print_table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|---" + "|---:" * (len(header) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)
