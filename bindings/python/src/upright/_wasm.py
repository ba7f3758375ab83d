"""upright.wasm, run by wasmtime: for machines that libupright was not built for."""

from __future__ import annotations

import ctypes
import json
import os
import struct
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

from ._backend import Answer, Argument, FileName, Rectangle
from ._forks import Calls

try:
    import wasmtime
except ModuleNotFoundError as error:
    raise ImportError("upright.wasm needs wasmtime: pip install wasmtime") from error

_CANCELLED, _TIME_LIMIT = 1, 2
"""Why a call is stopped, as Sources/WebAssembly/System/host.h gives it."""

_MAX_PAGES = 65535
"""4 GiB, as much as addresses of 32 bits allow; the option memory limits what a photo may take."""

_KEPT_PAGES = 1024
"""64 MiB. A memory never shrinks, so an instance whose memory is larger is not used again."""


class _Stop:
    """Stops one call by a number in its memory, which the module reads at every row of blocks."""

    def __init__(self, address: int) -> None:
        self._reason: Optional[ctypes.c_int32] = ctypes.c_int32.from_address(address)
        self._reason.value = 0
        self._lock = threading.Lock()

    def request(self, reason: int) -> None:
        with self._lock:
            if self._reason is not None:
                self._reason.value = reason

    def end(self) -> None:
        """Ends the call: its memory may belong to another one from now on."""
        with self._lock:
            self._reason = None


class _Cancellation:
    """Cancels calls of other threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: set[_Stop] = set()
        self._is_cancelled = False

    def cancel(self) -> None:
        with self._lock:
            self._is_cancelled = True
            for call in self._calls:
                call.request(_CANCELLED)

    def add(self, call: _Stop) -> None:
        with self._lock:
            self._calls.add(call)
            if self._is_cancelled:
                call.request(_CANCELLED)

    def remove(self, call: _Stop) -> None:
        with self._lock:
            self._calls.discard(call)


class _OutOfMemory(Exception):
    pass


class _Instance:
    """The module with a memory of its own, for one call at a time."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module) -> None:
        self._store = wasmtime.Store(engine)
        self.is_out_of_memory = False
        memory = next(each.type for each in module.imports if each.name == "memory")
        assert isinstance(memory, wasmtime.MemoryType)
        limits = wasmtime.Limits(memory.limits.min, _MAX_PAGES)
        self._memory = wasmtime.Memory(self._store, wasmtime.MemoryType(limits))
        linker = wasmtime.Linker(engine)
        linker.define(self._store, "env", "memory", self._memory)
        number = wasmtime.ValType.i32()
        for name, parameters, function in (
            ("random", [number, number], self._fill_randomly),
            ("outOfMemory", [], self._run_out_of_memory),
        ):
            kind = wasmtime.FuncType(parameters, [])
            linker.define(self._store, "upright", name, wasmtime.Func(self._store, kind, function))
        self._exports = linker.instantiate(self._store, module).exports(self._store)
        self._blocks: list[int] = []
        self._stop_address = self.invoke("upright_stop_address") & 0xFFFFFFFF

    # wasmtime keeps the last exception of a callback in one place for all threads, so the instance keeps it, too.
    def _run_out_of_memory(self) -> None:
        self.is_out_of_memory = True
        raise _OutOfMemory

    def _fill_randomly(self, address: int, count: int) -> None:
        self._write(address & 0xFFFFFFFF, os.urandom(count))

    def invoke(self, name: str, *arguments: int) -> int:
        """Calls a function of the module. Addresses from 2 GiB on are negative numbers."""
        function = self._exports[name]
        assert isinstance(function, wasmtime.Func)
        result = function(self._store, *arguments)
        return 0 if result is None else int(result)

    @property
    def pages(self) -> int:
        return self._memory.size(self._store)

    # wasmtime reserves the addresses of a whole memory, so it does not move when it grows.
    @property
    def _base(self) -> int:
        return ctypes.addressof(self._memory.data_ptr(self._store).contents)

    def _write(self, address: int, data: bytes) -> None:
        ctypes.memmove(self._base + address, data, len(data))

    def stop(self) -> _Stop:
        """Creates what stops the next call from another thread."""
        return _Stop(self._base + self._stop_address)

    def text(self, name: str, *arguments: int) -> Optional[bytes]:
        """The string that a function returns."""
        address = self.invoke(name, *arguments) & 0xFFFFFFFF
        return ctypes.string_at(self._base + address) if address else None

    def lent(self, name: str, result: int) -> Optional[bytes]:
        """A copy of bytes that belong to a result."""
        size = self.put(bytes(4))
        address = self.invoke(name, result, size) & 0xFFFFFFFF
        if not address:
            return None
        (count,) = struct.unpack("<I", ctypes.string_at(self._base + size, 4))
        return ctypes.string_at(self._base + address, count)

    def put(self, data: bytes) -> int:
        """Copies bytes into memory until ``free``."""
        # wasmtime takes a size modulo 2³², and the rest of the bytes would be written beyond what was allocated.
        fits = len(data) <= 0xFFFFFFFF
        address = self.invoke("malloc", max(len(data), 1)) & 0xFFFFFFFF if fits else 0
        if not address:
            self._run_out_of_memory()
        self._blocks.append(address)
        self._write(address, data)
        return address

    def put_strings(self, words: Sequence[bytes]) -> int:
        """Copies strings, as an array that ends with NULL."""
        addresses = [self.put(word + b"\0") for word in words]
        return self.put(struct.pack(f"<{len(addresses) + 1}I", *addresses, 0))

    def close(self) -> None:
        """Releases the memory. The callbacks refer to the instance, so it would not be collected."""
        self._store.close()

    def free(self) -> None:
        for block in self._blocks:
            self.invoke("free", block)
        self._blocks.clear()


class _NoAnswers:
    """What functions on a folder return."""

    def __init__(self, error: Answer) -> None:
        self.error = error

    def __next__(self) -> Answer:
        raise StopIteration

    def close(self) -> None:
        pass


class WasmBackend:
    """The functions of upright.wasm. wasmtime releases the lock of the interpreter while the module runs."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process = os.getpid()
        self._calls = Calls()
        self._lock = threading.Lock()
        self._compiled: Optional[tuple[wasmtime.Engine, wasmtime.Module]] = None
        self._idle: list[_Instance] = []

    def version(self) -> str:
        with self._calls:
            instance = _Instance(*self._module())
            try:
                text = instance.text("upright_version")
            finally:
                instance.close()
        assert text is not None
        return text.decode()

    def description(self) -> str:
        # Without its texts, the module is smaller.
        settings = Path(__file__).with_name("_settings.json").read_text("utf-8")
        return json.dumps({**json.loads(settings), "version": self.version()}, ensure_ascii=False)

    def stop(self) -> _Cancellation:
        return _Cancellation()

    def call(
        self,
        name: str,
        arguments: Sequence[Argument],
        words: Sequence[bytes],
        seconds: Optional[float],
        stop: Optional[_Cancellation],
    ) -> Answer:
        if isinstance(arguments[0], FileName):
            return _refused(arguments[0])
        if name not in ("verify", "undo") and (b"verify", b"reference") in zip(words[::2], words[1::2]):
            return _failed(name, words, "unknown-value", "verify cannot be reference: upright.wasm has no TurboJPEG")
        with self._calls:
            return self._answer(name, arguments, words, seconds, stop)

    def _answer(
        self,
        name: str,
        arguments: Sequence[Argument],
        words: Sequence[bytes],
        seconds: Optional[float],
        stop: Optional[_Cancellation],
    ) -> Answer:
        module = self._module()
        try:
            instance = self._instance(*module)
        except wasmtime.WasmtimeError as error:
            return _failed(name, words, "out-of-memory", f"there is not enough memory for upright.wasm: {error}")
        is_intact = False
        try:
            answer = _Call(instance, seconds, stop).answer("upright_" + name, arguments, words)
            is_intact = True
            return answer
        except (wasmtime.WasmtimeError, wasmtime.Trap, _OutOfMemory) as error:
            if instance.is_out_of_memory:
                return _failed(name, words, "out-of-memory", f"there is not enough memory ({_MAX_PAGES // 16} MiB)")
            return _failed(name, words, "internal", f"the module stopped: {error}")
        finally:
            # The state of an instance that stopped is unknown, so it is not used again.
            if is_intact and instance.pages <= _KEPT_PAGES and len(self._idle) < (os.cpu_count() or 1):
                self._idle.append(instance)
            else:
                instance.close()

    def folder(
        self, name: str, arguments: Sequence[Argument], words: Sequence[bytes], stop: Optional[_Cancellation]
    ) -> _NoAnswers:
        assert isinstance(arguments[0], FileName)
        return _NoAnswers(_refused(arguments[0]))

    def _instance(self, engine: wasmtime.Engine, module: wasmtime.Module) -> _Instance:
        try:
            return self._idle.pop()
        except IndexError:
            return _Instance(engine, module)

    def _module(self) -> tuple[wasmtime.Engine, wasmtime.Module]:
        with self._lock:
            if self._compiled is None:
                engine = wasmtime.Engine(_config(is_forked=os.getpid() != self._process))
                self._compiled = engine, wasmtime.Module.from_file(engine, str(self._path))
            return self._compiled


def _config(is_forked: bool) -> wasmtime.Config:
    config = wasmtime.Config()
    if is_forked:
        # If the program used wasmtime before the fork, the threads that would compile are missing, and waited for.
        config.parallel_compilation = False
    try:
        # Compiled once for each user, into a folder of wasmtime.
        config.cache = True
    except wasmtime.WasmtimeError:
        # There is no such folder, so each process compiles the module.
        pass
    return config


class _Call:
    """One call of a function."""

    def __init__(self, instance: _Instance, seconds: Optional[float], cancellation: Optional[_Cancellation]) -> None:
        self._instance = instance
        self._seconds = seconds
        self._cancellation = cancellation

    def answer(self, name: str, arguments: Sequence[Argument], words: Sequence[bytes]) -> Answer:
        instance = self._instance
        values = [value for argument in arguments for value in self._values(argument)]
        options = instance.put_strings(words)
        stop = instance.stop()
        timer = None
        try:
            if self._cancellation is not None:
                self._cancellation.add(stop)
            if self._seconds is not None:
                timer = _timer(self._seconds, stop)
            result = instance.invoke(name, *values, options, 0)
        finally:
            stop.end()
            if timer is not None:
                timer.cancel()
            if self._cancellation is not None:
                self._cancellation.remove(stop)
        answer = self._read(result)
        instance.invoke("upright_result_free", result)
        instance.free()
        return answer

    def _values(self, argument: Argument) -> list[int]:
        if isinstance(argument, bytes):
            return [self._instance.put(argument), len(argument)]
        assert not isinstance(argument, FileName)
        if isinstance(argument, Rectangle):
            return [self._instance.put(struct.pack("<4q", *argument))]
        return [ctypes.c_int32(argument).value]

    def _read(self, result: int) -> Answer:
        instance = self._instance
        code = instance.text("upright_result_error_code", result)
        offset = instance.invoke("upright_result_error_offset", result)
        return Answer(
            report=instance.text("upright_result_report", result) or b"",
            code=None if code is None else code.decode(),
            message=(instance.text("upright_result_error_message", result) or b"").decode(),
            offset=None if offset < 0 else offset,
            bytes=instance.lent("upright_result_bytes", result),
            undo=instance.lent("upright_result_undo", result),
        )


def _timer(seconds: float, stop: _Stop) -> Optional[threading.Timer]:
    """Stops a call after a time."""
    if seconds <= 0:
        stop.request(_TIME_LIMIT)
        return None
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), stop.request, [_TIME_LIMIT])
    timer.daemon = True
    timer.start()
    return timer


def _failed(name: str, words: Sequence[bytes], code: str, message: str) -> Answer:
    """The answer where the module gives none."""
    given = dict(zip(words[::2], words[1::2]))
    error = {"id": code, "text": message}
    path = given.get(b"path", b"-").decode(errors="replace")
    report: dict[str, Any]
    if name == "verify":
        result = given.get(b"result_path", b"-").decode()
        report = {"schema": "upright-verify/2", "original": path, "result": result, "status": "unreadable", "error": error}
    else:
        report = {"schema": "upright/2", "path": path, "status": "failed", "error": error}
    return Answer(json.dumps(report).encode(), code, message, None, None, None)


def _refused(file: FileName) -> Answer:
    """The answer of functions on files: the module reads and writes none."""
    message = "photos on disk need libupright, and upright.wasm has only functions on bytes"
    return _failed("file", [b"path", file.path or b"-"], "unsupported", message)


def backend(path: Path) -> WasmBackend:
    """Takes the module in the wheel."""
    if not path.exists():
        raise ImportError(f"this installation has no {path.name}: install the wheel for any platform (py3-none-any)")
    return WasmBackend(path)
