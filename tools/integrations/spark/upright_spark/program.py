"""Runs `upright` on the files of a task."""

import ctypes
import json
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from upright_spark.schema import VERSION

LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


class ProgramError(RuntimeError):
    """`upright` could not run or failed as a whole."""


class Died(Exception):
    """A signal ended `upright`, perhaps because of one of the files."""


@dataclass(frozen=True)
class Program:
    """An `upright` command that takes its files from standard input and reports as NDJSON."""

    path: str
    arguments: tuple[str, ...]
    jobs: int = 1

    def reports(self, paths: Sequence[bytes]) -> Iterator[str]:
        """Yields one line for each file. If `upright` crashes, finds the file that causes it.

        Raises ProgramError if the work cannot be done for any file.
        """
        waiting = [paths] if paths else []
        while waiting:
            part = waiting.pop()
            last = None
            try:
                for last in self._run(part):
                    yield last
            except Died as death:
                rest = part[_position(part, last) :]
                if len(rest) == 1:
                    yield _death_report(rest[0], str(death))
                elif rest:
                    waiting += [rest[len(rest) // 2 :], rest[: len(rest) // 2]]

    def _run(self, paths: Sequence[bytes]) -> Iterator[str]:
        directories = [path for path in paths if path.endswith(b"/")]
        files = [path for path in paths if not path.endswith(b"/")]
        command = [self.path, *self.arguments, "--jobs", str(self.jobs), "--format", "ndjson"]
        # Standard input and the messages are files, so no pipe can fill up while another is read.
        with tempfile.TemporaryFile() as names, tempfile.TemporaryFile() as messages:
            names.write(b"".join(path + b"\0" for path in files))
            names.seek(0)
            try:
                process = subprocess.Popen(
                    [*command, "--files-from", "-", "-0", "--", *directories],
                    stdin=names,
                    stdout=subprocess.PIPE,
                    stderr=messages,
                    preexec_fn=_end_with_parent,
                )
            except OSError as error:
                raise ProgramError(
                    f"the worker {socket.gethostname()} cannot run {self.path}: {error.strerror}. "
                    "Install upright on every worker, or give its path with --upright."
                ) from None
            try:
                for line in process.stdout:
                    if line.endswith(b"\n"):
                        yield line[:-1].decode()
                process.wait()
            finally:
                process.stdout.close()
                if process.poll() is None:
                    process.terminate()
                    process.wait()
            messages.seek(0)
            self._check(process.returncode, messages.read().decode(errors="replace").strip())

    def _check(self, status: int, messages: str) -> None:
        if status < 0 and -status != signal.SIGTERM:
            raise Died(f"upright was ended by {signal.Signals(-status).name}")
        # For 0, 1 and 2, the lines have the results.
        if status not in (0, 1, 2) or (status == 2 and messages):
            raise ProgramError(
                f"upright on {socket.gethostname()} ended with status {status}: {messages}"
            )


def _end_with_parent() -> None:
    """Lets the kernel send SIGTERM to `upright` when the process of the task ends."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _position(paths: Sequence[bytes], last: str | None) -> int:
    """How many paths are done, given the last report."""
    if last is None:
        return 0
    path = report_path(json.loads(last))
    return paths.index(path) + 1 if path in paths else 0


def report_path(report: dict) -> bytes:
    """The path of a report."""
    if "pathBytes" in report:
        return bytes.fromhex(report["pathBytes"])
    return report["path"].encode()


def _death_report(path: bytes, text: str) -> str:
    report = {
        "schema": VERSION,
        "path": path.decode(errors="replace"),
        "status": "failed",
        "error": {"id": "crashed", "text": text},
    }
    try:
        path.decode()
    except UnicodeDecodeError:
        report["pathBytes"] = path.hex()
    return json.dumps(report)
