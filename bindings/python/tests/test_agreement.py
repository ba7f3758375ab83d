"""The package, the C library, the command and the service give the same bytes and reports for every fixture.

``UPRIGHT_BINARY`` names the command, beside ``upright-serve``; ``UPRIGHT_C_EXAMPLE`` bindings/c/example.c as a
program; ``UPRIGHT_SERVICE_EXAMPLES`` the folder bindings/service.
"""

from __future__ import annotations

import email
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Optional

import pytest
import upright
from conftest import FIXTURES
from upright import _backend, _errors

BINARY = os.environ.get("UPRIGHT_BINARY", "")
C_EXAMPLE = os.environ.get("UPRIGHT_C_EXAMPLE", "")
SERVICE_EXAMPLES = os.environ.get("UPRIGHT_SERVICE_EXAMPLES", "")
# The command reads each format by its content, whatever the name; the others read what they are asked for.
PHOTOS = sorted(path for path in FIXTURES.rglob("*.jpg") if not path.read_bytes().startswith(b"\x89PNG"))

pytestmark = pytest.mark.skipif(not BINARY, reason="UPRIGHT_BINARY names no command")

Outcome = tuple[Optional[bytes], Any]
"""The complete file, None if it failed, and the report."""


def without_opinion(report: Mapping[str, Any]) -> Mapping[str, Any]:
    """A report without what libjpeg-turbo says of a damaged image, if upright.wasm is tested, which does not have it."""
    if type(_backend.backend).__name__ != "WasmBackend" or "error" not in report:
        return report
    text = re.sub(r" \(libjpeg-turbo reports: .*?\)", "", report["error"]["text"])
    return {**report, "error": {**report["error"], "text": text}}


def comparable(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without the fields that depend on paths and sidecars."""
    return {key: value for key, value in without_opinion(report).items() if key not in ("path", "output", "sidecar")}


def by_python(photo: Path) -> Outcome:
    try:
        result = upright.normalize(photo)
    except upright.UprightError as error:
        return None, error.report
    return result.bytes, result.report


def by_c(photo: Path, folder: Path) -> Outcome:
    result = folder / "result.jpg"
    result.unlink(missing_ok=True)
    process = subprocess.run([C_EXAMPLE, photo, result], capture_output=True, check=False)
    return (result.read_bytes() if process.returncode == 0 else None), json.loads(process.stdout)


def by_command(folder: Path, *arguments: str) -> dict[Path, dict[str, Any]]:
    """The reports of the command on all fixtures, by path."""
    process = subprocess.run(
        [BINARY, *arguments, "--format", "ndjson", FIXTURES],
        capture_output=True, check=False, cwd=folder,
    )
    assert process.returncode in (0, 1, 2), process.stderr
    # Only the command names options.
    lines = re.sub(rb' \((to |see upright)[^)"]*\)', b"", process.stdout).splitlines()
    reports = [json.loads(line) for line in lines]
    return {Path(report["path"]): report for report in reports}


def post(url: str, photo: Path, accept: str) -> tuple[int, Any]:
    """The status and the answer of the service."""
    request = urllib.request.Request(url, photo.read_bytes(), {"Accept": accept, "Content-Type": "image/jpeg"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            head = f"Content-Type: {response.headers['Content-Type']}\r\n\r\n".encode()
            return response.status, email.message_from_bytes(head + response.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    process = subprocess.Popen([BINARY, "serve", "--port", "0"], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith("listening on "), line
    yield line.removeprefix("listening on ").strip()
    process.terminate()
    process.wait()


def test_there_are_fixtures() -> None:
    assert len(PHOTOS) > 100


def test_the_command_and_c_make_the_same(tmp_path: Path) -> None:
    out = tmp_path / "out"
    reports = by_command(tmp_path, "normalize", "-r", "--output-dir", str(out))
    assert set(PHOTOS) <= set(reports)
    for photo in PHOTOS:
        report = reports[photo]
        bytes_, expected = by_python(photo)
        assert comparable(report) == comparable(expected), photo
        made = Path(report["output"]).read_bytes() if "output" in report else None
        assert made == bytes_, photo
        if C_EXAMPLE:
            of_c, report_of_c = by_c(photo, tmp_path)
            assert (of_c, without_opinion(report_of_c)) == (bytes_, without_opinion(expected)), photo


@pytest.mark.skipif(type(_backend.backend).__name__ == "WasmBackend", reason="upright.wasm reads and writes no files")
def test_photos_on_disk_become_the_same(tmp_path: Path) -> None:
    for folder in ("command", "python"):
        for number, photo in enumerate(PHOTOS):
            copy = tmp_path / folder / f"{number:03}.jpg"
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(photo, copy)
    process = subprocess.run(
        [BINARY, "normalize", "-r", "--format", "ndjson", "command"], capture_output=True, check=False, cwd=tmp_path
    )
    reports = [json.loads(line) for line in re.sub(rb' \((to |see upright)[^)"]*\)', b"", process.stdout).splitlines()]
    results = list(upright.normalize_folder(tmp_path / "python"))
    assert len(results) == len(reports) == len(PHOTOS)
    for report, result in zip(reports, results):
        assert Path(report["path"]).name == result.path.name
        assert comparable(report) == comparable(result.report), result.path
        assert (tmp_path / report["path"]).read_bytes() == result.path.read_bytes(), result.path


def test_every_code_of_files_has_a_class() -> None:
    description = json.loads(subprocess.run([BINARY, "describe"], capture_output=True, check=True).stdout)
    codes = {each["name"] for each in description["errors"] if each.get("place") in ("file system", "records")}
    assert len(codes) > 30
    assert {code for code in codes if isinstance(_errors.error(code, "", None, {}), upright.FileError)} == codes


def test_the_service_makes_the_same(service: str) -> None:
    for photo in PHOTOS:
        bytes_, expected = by_python(photo)
        status, answer = post(service + "normalize", photo, "multipart/form-data")
        if status != 200:
            error = expected["error"]
            assert bytes_ is None and answer["code"] == error["id"], photo
            assert answer.get("offset") == error.get("offset"), photo
            continue
        report, photo = (part.get_payload(decode=True) for part in answer.get_payload())
        assert photo == bytes_, photo
        assert comparable(json.loads(report)) == comparable(expected), photo


def test_audits_are_the_same(tmp_path: Path, service: str) -> None:
    reports = by_command(tmp_path, "audit")
    for photo in PHOTOS:
        try:
            expected: Mapping[str, Any] = upright.audit(photo).report
        except upright.UprightError as error:
            expected = error.report
        assert comparable(reports[photo]) == comparable(expected), photo
        status, answer = post(service + "audit", photo, "application/json")
        if status == 200:
            audit = comparable(json.loads(answer.get_payload(decode=True)))
            if "trailingBytes" not in expected["facts"]:  # The service has the whole file, the others read the header.
                assert 0 <= audit["facts"].pop("trailingBytes", 0) < photo.stat().st_size, photo
            assert audit == comparable(expected), photo
        else:
            assert answer["code"] == expected["error"]["id"], photo


def test_verdicts_are_the_same(tmp_path: Path) -> None:
    for photo in PHOTOS[::5]:
        try:
            result = upright.normalize(photo).bytes
        except upright.UprightError:
            continue
        other = tmp_path / "result.jpg"
        other.write_bytes(result)
        process = subprocess.run(
            [BINARY, "verify", "--format", "ndjson", photo, other], capture_output=True, check=False
        )
        assert json.loads(process.stdout) == upright.verify(photo, other).report, photo


@pytest.mark.skipif(not SERVICE_EXAMPLES, reason="UPRIGHT_SERVICE_EXAMPLES names no folder")
@pytest.mark.parametrize(("program", "example"), [("node", "upload.mjs"), ("php", "upload.php")])
def test_an_example_makes_the_same_through_the_service(
    program: str, example: str, service: str, tmp_path: Path, portrait_path: Path
) -> None:
    if not shutil.which(program):
        pytest.skip(f"there is no {program}")
    result = tmp_path / "result.jpg"
    command: list[str | Path] = [program, Path(SERVICE_EXAMPLES) / example, service]
    process = subprocess.run([*command, portrait_path, result], capture_output=True, text=True, check=True)
    assert result.read_bytes() == upright.normalize(portrait_path).bytes
    assert process.stdout == upright.normalize(portrait_path).status + "\n"
    result.unlink()
    # The rotated photo is upright, and damaged.
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(upright.normalize(portrait_path).bytes[:9000])
    for photo, code in ((FIXTURES / "bad/empty.jpg", "empty"), (cut, "truncated")):
        process = subprocess.run([*command, photo, result], capture_output=True, text=True, check=False)
        assert process.returncode == 2 and process.stderr.startswith(code + ": ") and not result.exists()


class Proxy(http.server.BaseHTTPRequestHandler):
    """A proxy that accepts no photo, and says so in HTML."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_error(413)

    def log_message(self, format: str, *_: object) -> None:
        pass


@pytest.mark.skipif(not SERVICE_EXAMPLES, reason="UPRIGHT_SERVICE_EXAMPLES names no folder")
@pytest.mark.parametrize(("program", "example"), [("node", "upload.mjs"), ("php", "upload.php")])
def test_an_example_repeats_what_a_proxy_says(program: str, example: str, tmp_path: Path, portrait_path: Path) -> None:
    if not shutil.which(program):
        pytest.skip(f"there is no {program}")
    result = tmp_path / "result.jpg"
    with http.server.HTTPServer(("127.0.0.1", 0), Proxy) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{proxy.server_port}"
        command: list[str | Path] = [program, Path(SERVICE_EXAMPLES) / example, address, portrait_path, result]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        proxy.shutdown()
    assert process.returncode == 2 and not result.exists()
    assert "413" in process.stderr and "SyntaxError" not in process.stderr and len(process.stderr.splitlines()) == 1
