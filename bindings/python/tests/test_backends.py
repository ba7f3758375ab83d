"""The same functions with libupright and with upright.wasm. ``UPRIGHT_EXPECTED_BACKEND`` names the one that must be in use."""

from __future__ import annotations

import gc
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import upright
from conftest import FIXTURES
from upright import _backend

EXPECTED = os.environ.get("UPRIGHT_EXPECTED_BACKEND") or os.environ.get("UPRIGHT_BACKEND") or "native"
IS_WASM = type(_backend.backend).__name__ == "WasmBackend"
only_wasm = pytest.mark.skipif(not IS_WASM, reason="the backend is libupright")


@pytest.fixture(scope="module")
def large() -> bytes:
    """A photo that takes long."""
    numpy, pillow = pytest.importorskip("numpy"), pytest.importorskip("PIL.Image")
    random = numpy.random.default_rng(1)
    image = pillow.fromarray(random.integers(0, 255, (1203, 1803, 3), numpy.uint8))
    image.getexif()[0x0112] = 6
    file = io.BytesIO()
    image.save(file, "JPEG", quality=90, exif=image.getexif())
    return file.getvalue()


def test_the_expected_backend_is_in_use() -> None:
    assert IS_WASM == (EXPECTED == "wasm")


@pytest.mark.parametrize("name", ["wasm", "native", "java"])
def test_a_backend_that_is_not_there_is_an_error_that_names_it(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import upright; print(type(upright._backend.backend).__name__)"],
        env={**os.environ, "UPRIGHT_BACKEND": name}, capture_output=True, text=True, check=False,
    )
    if name == "java":
        assert "UPRIGHT_BACKEND is 'java'; it must be 'native' or 'wasm'" in done.stderr
    elif name == "wasm" and not _backend.MODULE.exists():
        assert "this installation has no upright.wasm" in done.stderr
    elif name == "wasm" and importlib.util.find_spec("wasmtime") is None:
        assert "upright.wasm needs wasmtime: pip install wasmtime" in done.stderr
    elif name == "native" and not _backend.LIBRARY.exists() and done.returncode:
        assert "libupright.so.0" in done.stderr
    else:
        assert done.stdout == {"wasm": "WasmBackend", "native": "NativeBackend"}[name] + "\n"


def thread_time(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def test_a_call_is_stopped_while_it_works(large: bytes) -> None:
    expected = upright.normalize(large)
    whole = thread_time(lambda: upright.normalize(large))

    def limited() -> None:
        with pytest.raises(upright.TimeLimitError) as raised:
            upright.normalize(large, time_limit=whole / 4)
        assert raised.value.report["error"]["id"] == "time-limit"

    def cancelled() -> None:
        cancellation = upright.Cancellation()
        timer = threading.Timer(whole / 4, cancellation.cancel)
        timer.start()
        with pytest.raises(upright.CancelledError) as raised:
            upright.normalize(large, cancellation=cancellation)
        assert raised.value.report["error"]["id"] == "cancelled"
        timer.join()

    for work in (limited, cancelled):
        # On a busy machine, the other thread may come late.
        assert any(thread_time(work) < whole * 0.75 for _ in range(8))
    # A limit that was not reached, or that ends later, is none of a later call.
    assert upright.normalize(large, time_limit=3600).bytes == expected.bytes
    assert upright.normalize(large).bytes == expected.bytes


def test_a_cancellation_stops_calls_of_several_threads_and_no_others(large: bytes, portrait: bytes) -> None:
    cancellation, errors = upright.Cancellation(), []

    def work() -> None:
        try:
            upright.normalize(large, cancellation=cancellation)
        except upright.CancelledError as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    cancellation.cancel()
    assert upright.normalize(portrait).changed
    for thread in threads:
        thread.join()
    assert len(errors) == 3
    assert upright.normalize(portrait, cancellation=upright.Cancellation()).changed


@only_wasm
def test_memory_that_runs_out_is_an_error(large: bytes, portrait: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    from upright import _wasm

    monkeypatch.setattr(_wasm, "_MAX_PAGES", 160)
    monkeypatch.setattr(_backend.backend, "_idle", [])
    with pytest.raises(upright.OutOfMemoryError, match="not enough memory") as raised:
        upright.normalize(large, path="large.jpg")
    assert raised.value.report["path"] == "large.jpg" and raised.value.report["status"] == "failed"
    with pytest.raises(upright.OutOfMemoryError) as raised:
        upright.verify(large, large)
    assert raised.value.report["status"] == "unreadable"
    assert upright.normalize(portrait).changed
    monkeypatch.setattr(_backend.backend, "_idle", [])


def test_a_library_that_cannot_be_loaded_is_an_import_error(tmp_path: Path) -> None:
    shutil.copytree(upright.__path__[0], tmp_path / "upright", ignore=shutil.ignore_patterns("*.so.0", "__pycache__"))
    (tmp_path / "upright/libupright.so.0").write_text("no library")
    environment = {**os.environ, "UPRIGHT_BACKEND": "native", "PYTHONPATH": str(tmp_path)}
    script = [sys.executable, "-c", "import upright"]
    done = subprocess.run(script, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "ImportError: libupright cannot be loaded: " in done.stderr


@only_wasm
@pytest.mark.skipif(sys.maxsize < 2**33, reason="there are no bytes of this size")
def test_more_bytes_than_addresses_are_an_error(portrait: bytes) -> None:
    # Most systems give zeros only when they are read.
    large = bytes(2**32 + 90)
    for call in (lambda: upright.normalize(large), lambda: upright.undo(portrait, large), lambda: upright.verify(portrait, large)):
        with pytest.raises(upright.OutOfMemoryError):
            call()
    assert upright.normalize(portrait).changed


@only_wasm
def test_instances_that_are_not_used_again_release_their_memory(portrait: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    from upright import _wasm

    created: list[weakref.ref[Any]] = []

    class Instance(_wasm._Instance):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            created.append(weakref.ref(self))

    monkeypatch.setattr(_wasm, "_Instance", Instance)
    monkeypatch.setattr(_backend.backend, "_idle", [])
    for _ in range(3):
        upright.normalize(portrait)
    assert len(created) == 1
    monkeypatch.setattr(_wasm, "_KEPT_PAGES", 0)
    for _ in range(3):
        upright.normalize(portrait)
    assert len(created) == 3
    gc.collect()
    assert [each() for each in created] == [None] * 3


@only_wasm
def test_what_the_module_lacks_is_named(portrait: bytes) -> None:
    with pytest.raises(upright.ArgumentError, match="verify cannot be reference: upright.wasm has no TurboJPEG"):
        upright.normalize(portrait, verify="reference")
    crop = upright.crop(portrait, 0, 0, 64, 64)
    assert ("thumbnail", "removed") in [(change.field, change.new) for change in crop.changes]


@only_wasm
def test_a_process_without_a_cache_compiles_the_module(portrait_path: Path, tmp_path: Path) -> None:
    program = "import sys, upright; print(upright.normalize(sys.argv[1]).status)"
    environment = {**os.environ, "HOME": str(tmp_path / "none"), "XDG_CACHE_HOME": "/proc/none"}
    done = subprocess.run(
        [sys.executable, "-c", program, portrait_path], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "normalized\n", done.stderr


def test_a_forked_process_works(portrait_path: Path) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("there is no fork")
    expected = upright.normalize(portrait_path)
    child = os.fork()
    if child == 0:
        os._exit(0 if upright.normalize(portrait_path) == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


@only_wasm
def test_a_fork_waits_until_the_module_is_compiled(portrait_path: Path) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("there is no fork")
    program = """
import os, signal, sys, threading, time, upright
from upright import _wasm

begun = threading.Event()
compile = _wasm.wasmtime.Module.from_file
def slow(*arguments):
    begun.set()
    time.sleep(1)
    return compile(*arguments)
_wasm.wasmtime.Module.from_file = slow
thread = threading.Thread(target=upright.normalize, args=(sys.argv[1],))
thread.start()
begun.wait()
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(0 if upright.normalize(sys.argv[1]).changed else 1)
thread.join()
sys.exit(os.waitpid(child, 0)[1])
"""
    assert subprocess.run([sys.executable, "-c", program, portrait_path], check=False).returncode == 0


@only_wasm
def test_a_process_that_is_forked_by_a_program_with_wasmtime_of_its_own_compiles_the_module(portrait_path: Path, tmp_path: Path) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("there is no fork")
    program = """
import os, signal, sys, upright, wasmtime
# Two functions are compiled by threads that the forked process does not have.
wasmtime.Module(wasmtime.Engine(), "(module (func) (func))")
child = os.fork()
if child == 0:
    signal.alarm(300)
    os._exit(0 if upright.normalize(sys.argv[1]).changed else 1)
sys.exit(os.waitpid(child, 0)[1])
"""
    environment = {**os.environ, "HOME": str(tmp_path / "none"), "XDG_CACHE_HOME": "/proc/none"}
    assert subprocess.run([sys.executable, "-c", program, portrait_path], env=environment, check=False).returncode == 0


def test_photos_of_many_kinds_are_processed_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    photos = sorted((FIXTURES / "orientation").glob("*.jpg")) + sorted((FIXTURES / "bad").glob("*.jpg"))

    def outcome(photo: Path) -> Any:
        try:
            result = upright.normalize(photo)
        except upright.UprightError as error:
            return error.report
        return result.bytes, result.report, upright.verify(photo, result.bytes).report

    expected = [outcome(photo) for photo in photos]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(outcome, photos * 3)) == expected * 3
