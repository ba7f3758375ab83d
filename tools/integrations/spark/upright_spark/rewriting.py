"""Normalizes the files of a task, even if other attempts at the task run or ran.

A cluster repeats tasks: a worker is lost, or a slow task is started a second time elsewhere. This
is harmless, because `upright` replaces files atomically and does not change upright files. But its
report of a file that another attempt has normalized would be `already-upright`, and the table
would depend on failures. So each attempt keeps its own records. If a report is `already-upright`
and the records of any attempt contain the file, the report is made again from the original, which
the records restore.
"""

import itertools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from upright_spark.program import Program, ProgramError, report_path
from upright_spark.schema import VERSION


def rewrite_in_place(
    program: Program, paths: Sequence[bytes], records: Path, name: str, attempt: str
) -> Iterator[str]:
    """Normalizes files in place.

    program: `upright normalize` with its options, without `--record`.
    records: the folder with the records of the run.
    name: the name of the list, with which the records of its attempts begin.
    attempt: the name of this attempt, which is unique.
    """
    own = ("--record", str(records / f"{name}.{attempt}.ndjson"))
    recording = replace(program, arguments=(*program.arguments, *own))
    doubtful: dict[bytes, str] = {}
    for line in recording.reports(paths):
        if _may_be_of_another_attempt(report := json.loads(line)):
            doubtful[report_path(report)] = line
        else:
            yield line
    # Files that another attempt changed in the meantime.
    changed = [path for path, line in doubtful.items() if json.loads(line)["status"] == "failed"]
    for line in recording.reports(changed):
        doubtful[report_path(json.loads(line))] = line
    yield from _resolved(program, doubtful, _records(records, name, doubtful))


def remove_abandoned(program: Program, paths: Sequence[bytes]) -> None:
    """Removes temporary files that killed attempts left beside these files, unless they are in use.

    Every walk of `upright normalize` does this; `--exclude "*"` makes it take no files.
    """
    directories = sorted({os.path.dirname(path) for path in paths})
    for start in range(0, len(directories), 500):
        some = [path for path in directories[start : start + 500] if os.path.isdir(path)]
        command = [program.path, "normalize", "--recursive", "--quiet", "--exclude", "*", "--"]
        subprocess.run([*command, *some], stdout=subprocess.DEVNULL, check=False)


def _may_be_of_another_attempt(report: dict) -> bool:
    if report["status"] == "failed":
        return report["error"]["id"] == "changed"
    if report["status"] == "skipped":
        return report["reason"]["id"] in ("sidecar-conflict", "stale-sidecar")
    return report["status"] == "already-upright" and report["reason"]["id"] == "upright"


def _records(folder: Path, name: str, doubtful: dict[bytes, str]) -> dict[bytes, bytes]:
    """The first record of each of these files, with the line of its base, by any attempt at this list."""
    found: dict[bytes, bytes] = {}
    if not doubtful:
        return found
    for path in sorted(folder.glob(f"{name}.*.ndjson")):
        bases: dict[str, tuple[bytes, bytes]] = {}
        with path.open("rb") as file:
            for line in file:
                try:
                    record = json.loads(line)
                except ValueError:
                    continue  # A line of a killed attempt; its file was not replaced.
                if "path" not in record:
                    bases[record["check"]] = (_place(record["base"]), line)
                    continue
                base, head = bases.get(record.get("base"), (b"/", b""))
                place = os.path.join(base, _place(record["path"]))
                if place in doubtful and record["action"] != "updated":
                    found.setdefault(place, head + line)
    return found


def _place(field: str | dict) -> bytes:
    return field.encode() if isinstance(field, str) else bytes.fromhex(field["bytes"])


def _resolved(
    program: Program, doubtful: dict[bytes, str], records: dict[bytes, bytes]
) -> Iterator[str]:
    remade = dict(_remade(program, records)) if records else {}
    for path, line in doubtful.items():
        if path in remade:
            yield remade[path]
        elif path in records:
            record = records[path].splitlines()[-1]
            yield _report_of_record(json.loads(line), json.loads(record))
        else:
            yield line


def _remade(program: Program, records: dict[bytes, bytes]) -> Iterator[tuple[bytes, str]]:
    """Reports of files that are already done, made from their originals in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="upright-") as temporary:
        folder = os.fsencode(temporary)
        joined = Path(temporary, "records.ndjson")
        joined.write_bytes(b"".join(records.values()))
        undo = [program.path, "undo", "--record", joined, "--output-dir", temporary, "--quiet"]
        done = subprocess.run(undo, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if done.returncode not in (0, 1, 2):
            raise ProgramError(done.stderr.decode(errors="replace").strip())
        originals = {folder + path: path for path in records if os.path.exists(folder + path)}
        for path in originals.values():
            for sidecar in _sidecars(path):
                shutil.copy(sidecar, folder + sidecar)
        for line in program.reports(list(originals)):
            report = json.loads(line)
            path = originals[report_path(report)]
            yield path, _moved(report, path, temporary)


def _sidecars(path: bytes) -> Iterator[bytes]:
    stem = os.path.splitext(path)[0]
    for base, ending in itertools.product((path, stem), (b".xmp", b".XMP")):
        if os.path.isfile(base + ending):
            yield base + ending


def _moved(report: dict, path: bytes, folder: str) -> str:
    """The report with the paths of the file at its own place."""
    report["path"] = report["path"].removeprefix(folder)
    if "pathBytes" in report:
        report["pathBytes"] = path.hex()
    if "sidecar" in report:
        report["sidecar"] = report["sidecar"].replace(folder, "")
    return json.dumps(report)


def _report_of_record(report: dict, record: dict) -> str:
    """The report of a rewrite whose original cannot be restored, made from its record.

    It has no changes, because the record does not list them.
    """
    of_report = ("path", "pathBytes", "sampling", "coding")
    transform = {}
    if "transform" in record:
        edges = "trimmed" if "trimmed" in record else "re-encoded" if "reencoded" in record else "lossless"
        transform = {"transform": record["transform"], "edges": edges}
    of_image = ("orientation", "width", "height")
    return json.dumps(
        {
            "schema": VERSION,
            **{key: report[key] for key in of_report if key in report},
            **{key: record["before"][key] for key in of_image if key in record["before"]},
            **({"trimmed": record["trimmed"]} if "trimmed" in record else {}),
            **transform,
            "status": "normalized" if record["action"] == "transformed" else record["action"],
            "size": record["after"]["size"],
            "restorable": "undo" in record,
        }
    )
