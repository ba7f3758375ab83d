"""What checks share: the program that they check, what they need, and what they find.

A check that is started as a script finds this module with

    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
# The program under test.
UPRIGHT = Path(os.environ.get("UPRIGHT_BINARY", ROOT / ".build/release/upright")).resolve()
# The program that `upright serve` starts.
SERVE = UPRIGHT.parent / "upright-serve"
# The folder of photos that a check takes besides the fixtures, if there is one.
CORPUS = [Path(folder) for folder in [os.environ.get("UPRIGHT_CORPUS")] if folder]
# Whether everything that is skipped is a failure.
IS_COMPLETE = bool(os.environ.get("UPRIGHT_REQUIRE_CHECKS"))
NAME = os.path.relpath(Path(sys.argv[0]).resolve(), ROOT)
failures = []


def expect(condition, text):
    """Notes what is not as it should be, once."""
    if not condition and text not in failures:
        failures.append(text)
        print("FAILED:", text, flush=True)
    return condition


def skip(reason):
    """Says that a part of the check is skipped, which is a failure if nothing may be."""
    print(f"{NAME}: skipped: {reason}", flush=True)
    if IS_COMPLETE:
        failures.append(reason)


def leave(reason):
    """Skips the whole check."""
    skip(reason)
    sys.exit(1 if IS_COMPLETE else 0)


def has(program, install="tools/setup --checks"):
    """Whether a program is installed; if it is not, what needs it is skipped."""
    if shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin"):
        return True
    skip(f"there is no {program}: {install}")
    return False


def need(*programs, install="tools/setup --checks"):
    """Leaves the check if a program is missing."""
    for program in programs:
        if not shutil.which(program):
            leave(f"there is no {program}: {install}")


def need_packages(*packages):
    """Leaves the check if a package for Python is missing."""
    for package in packages:
        if not importlib.util.find_spec(package):
            leave(f"there is no {package} for Python: pip install {package.replace('_', '-')}")


def finish(summary="all well"):
    """Prints the result, and ends."""
    print(f"{NAME}: {len(failures)} failures" if failures else f"{NAME}: {summary}")
    sys.exit(1 if failures else 0)


def upright(*arguments, **options):
    """Runs the program. 0, 1 and 2 are about single files; any other status is a failure."""
    done = subprocess.run([UPRIGHT, *map(str, arguments)], stdin=None if "input" in options else subprocess.DEVNULL,
                          capture_output=True, check=False, **options)
    expect(done.returncode in (0, 1, 2), f"upright {arguments[0]}: status {done.returncode}: {done.stderr[-500:]!r}")
    return done


def reports(*arguments, **options):
    """The reports of the program, each an object of JSON."""
    return [json.loads(line) for line in upright(*arguments, "--format", "ndjson", **options).stdout.splitlines()]
