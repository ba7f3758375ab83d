"""The functions on photos on disk."""

from __future__ import annotations

import gc
import inspect
import os
import pickle
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import upright
from upright import _backend, _reports

IS_WASM = type(_backend.backend).__name__ == "WasmBackend"
needs_files = pytest.mark.skipif(IS_WASM, reason="upright.wasm reads and writes no files")

SIDECAR = (
    b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
    b"<rdf:Description rdf:about='' xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='6'/></rdf:RDF></x:xmpmeta>"
)


@pytest.fixture
def photo(portrait: bytes, tmp_path: Path) -> Path:
    """A photo with a sidecar."""
    (tmp_path / "a.xmp").write_bytes(SIDECAR)
    path = tmp_path / "a.jpg"
    path.write_bytes(portrait)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@needs_files
def test_a_photo_is_normalized_with_its_sidecar_and_both_are_restored(photo: Path, portrait: bytes) -> None:
    before, record = contents(photo.parent), photo.parent / "record.ndjson"
    result = upright.normalize_file(photo, record=record)
    assert result.changed and result.status == "normalized" and result.transform == "rotate-90"
    assert (result.path, result.output, result.error) == (photo, None, None)
    assert (result.width, result.height) == (320, 480)
    assert [(each["action"], each["done"], each["path"]) for each in result.companions] == [("update", True, str(photo)[:-3] + "xmp")]
    assert photo.read_bytes() == upright.normalize(portrait).bytes
    assert b"tiff:Orientation='1'" in (photo.parent / "a.xmp").read_bytes()
    assert str(result) == f"{photo}: normalized: rotate-90, lossless, 320×480 pixels"
    assert not upright.normalize_file(photo, record=record).changed

    restored = upright.restore_file(photo, record=record)
    assert restored.changed and restored.status == "restored"
    record.unlink()
    assert contents(photo.parent) == before


@needs_files
def test_the_attributes_of_a_file_are_kept(photo: Path) -> None:
    photo.chmod(0o640)
    os.utime(photo, ns=(10**18, 10**18 + 5))
    try:
        os.setxattr(photo, "user.rating", b"5")
    except OSError:
        pytest.skip("no extended attributes here: keep TMPDIR on a file system that has them")
    (photo.parent / "link.jpg").symlink_to(photo)
    assert upright.normalize_file(photo.parent / "link.jpg").changed
    status = photo.stat()
    assert stat.S_IMODE(status.st_mode) == 0o640 and status.st_mtime_ns // 10**9 in (10**9, 10**9 + 1)
    assert os.getxattr(photo, "user.rating") == b"5" and (photo.parent / "link.jpg").is_symlink()
    assert upright.rotate_file(photo, 90, times="now").changed
    assert photo.stat().st_mtime_ns > 1_700_000_000 * 10**9


@needs_files
def test_a_plan_and_a_dry_run_write_nothing(photo: Path) -> None:
    before = contents(photo.parent)
    plan = upright.plan_file(photo)
    assert type(plan) is upright.FilePlan and plan.status == "planned" and not plan.companions[0]["done"]
    result = upright.rotate_file(photo, 90, record=photo.parent / "record.ndjson", dry_run=True)
    assert result.status == "planned" and not result.changed
    assert [each.status for each in upright.plan_folder(photo.parent)] == ["planned"]
    assert contents(photo.parent) == before


@needs_files
def test_outputs_have_the_sidecars_of_their_photos(photo: Path, portrait: bytes) -> None:
    out = photo.parent / "out.jpg"
    result = upright.normalize_file(photo, out)
    assert result.changed and result.output == out and out.read_bytes() == upright.normalize(portrait).bytes
    assert photo.read_bytes() == portrait and (photo.parent / "out.xmp").exists()
    with pytest.raises(upright.OutputExistsError) as raised:
        upright.flip_file(photo, "vertical", to=out)
    assert isinstance(raised.value, (FileExistsError, upright.FileError)) and raised.value.code == "exists"
    assert raised.value.remedies[0].action == "overwrite"
    assert upright.flip_file(photo, "vertical", to=out, overwrite=True).status == "flipped"
    crop = upright.crop_file(photo, 0, 0, 64, 64, to=photo.parent / "crop.jpg", sidecars="ignore")
    assert crop.status == "cropped" and (crop.width, crop.height) == (64, 64)
    with pytest.raises(ValueError, match="width is out of range"):
        upright.crop_file(photo, 0, 0, 1 << 70, 64)


@needs_files
def test_undo_data_in_the_photo_and_backups(photo: Path, portrait: bytes) -> None:
    result = upright.normalize_file(photo, embed_undo=True, backup=".orig", sidecars="ignore")
    assert result.changed and Path(f"{photo}.orig").read_bytes() == portrait
    assert upright.restore_file(photo).status == "restored" and photo.read_bytes() == portrait
    skipped = upright.restore_file(photo)
    assert skipped.status == "skipped" and skipped.reason is not None and skipped.reason.id == "no-undo-data"
    with pytest.raises(upright.ArgumentError, match="backup requires a suffix"):
        upright.normalize_file(photo, backup="/")


@needs_files
def test_a_hard_link_is_skipped_unless_it_may_be_broken(photo: Path, portrait: bytes) -> None:
    os.link(photo, photo.parent / "other.jpg")
    result = upright.normalize_file(photo)
    assert result.status == "skipped" and result.reason is not None and result.reason.id == "hard-linked"
    assert (result.reason.remedies[0].option, result.reason.remedies[0].value) == ("hard_links", "break")
    assert not result.changed and photo.read_bytes() == portrait
    assert upright.normalize_file(photo, hard_links="break").changed
    assert (photo.parent / "other.jpg").read_bytes() == portrait


@needs_files
def test_errors_have_classes_and_codes(photo: Path, portrait: bytes) -> None:
    missing = photo.parent / "none.jpg"
    with pytest.raises(FileNotFoundError, match="no such file") as raised:
        upright.normalize_file(missing)
    error = raised.value
    assert isinstance(error, upright.FileMissingError) and isinstance(error, upright.FileError)
    assert error.code == "not-found" and error.report["path"] == str(missing)
    assert pickle.loads(pickle.dumps(error)).code == "not-found"
    calls: list[tuple[Callable[[], Any], str, type]] = [
        (lambda: upright.normalize_file(photo.parent), "is-directory", upright.FileError),
        (lambda: upright.normalize_file(photo, record=photo), "not-record", upright.FileError),
        (lambda: upright.restore_file(photo, record=missing), "not-found", upright.FileMissingError),
        (lambda: upright.rotate_file(photo, 45), "argument", upright.ArgumentError),  # type: ignore[arg-type]
        (lambda: upright.normalize_file(photo, path="a"), "unknown-option", upright.ArgumentError),  # type: ignore[call-arg]
        (lambda: upright.normalize_file(photo, max_bytes=1), "limit", upright.LimitError),
        (lambda: upright.normalize_folder(photo.parent, sidecars="sink"), "unknown-value", upright.ArgumentError),  # type: ignore[arg-type]
        (lambda: upright.normalize_folder(photo.parent, record=missing / "record"), "not-found", upright.FileMissingError),
        (lambda: upright.normalize_folder(photo.parent, jobs=-1), "argument", upright.ArgumentError),
    ]
    for call, code, kind in calls:
        with pytest.raises(kind) as found:
            call()
        assert isinstance(found.value, upright.UprightError) and found.value.code == code
    photo.write_bytes(portrait[:10_000])
    with pytest.raises(upright.DamagedError) as cut:
        upright.normalize_file(photo)
    assert cut.value.code == "truncated" and cut.value.offset and str(cut.value).count("at byte") == 1
    with pytest.raises(ValueError, match="NUL"):
        upright.normalize_file("a\0b")


@needs_files
def test_a_path_that_is_not_utf_8_is_that_of_its_bytes(photo: Path, portrait: bytes) -> None:
    odd = Path(os.fsdecode(os.fsencode(photo.parent) + b"/\xff.jpg"))
    photo.rename(odd)
    record = Path(os.fsdecode(os.fsencode(photo.parent) + b"/\xfe.ndjson"))
    result = upright.normalize_file(odd, record=record)
    assert result.changed and result.path == odd
    assert upright.restore_file(odd, record=record).changed and odd.read_bytes() == portrait


@needs_files
def test_a_cancelled_call_changes_nothing(photo: Path, portrait: bytes) -> None:
    cancellation = upright.Cancellation()
    cancellation.cancel()
    with pytest.raises(upright.CancelledError):
        upright.normalize_file(photo, cancellation=cancellation)
    results = upright.normalize_folder(photo.parent, cancellation=cancellation)
    for _ in range(2):
        with pytest.raises(upright.CancelledError):
            next(results)
    results.close()
    assert list(results) == [] and photo.read_bytes() == portrait


@needs_files
def test_a_folder_that_is_cancelled_does_not_end_like_a_complete_one(tmp_path: Path, portrait: bytes) -> None:
    for number in range(50):
        (tmp_path / f"{number:03}.jpg").write_bytes(portrait)
    cancellation, found = upright.Cancellation(), []
    with pytest.raises(upright.CancelledError):
        for result in upright.normalize_folder(tmp_path, jobs=1, cancellation=cancellation):
            found.append(result)
            cancellation.cancel()
    assert 1 <= len(found) < 50 and found[0].changed


@needs_files
def test_a_folder_is_normalized_in_order_and_restored(tmp_path: Path, portrait: bytes) -> None:
    for name in ["1.jpg", "2.jpg", "sub/3.jpg", "sub/4.jpg"]:
        path = tmp_path / "photos" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"no photo" if name == "2.jpg" else portrait)
        path.with_suffix(".xmp").write_bytes(SIDECAR)
    before, record = contents(tmp_path / "photos"), tmp_path / "record.ndjson"
    results = list(upright.normalize_folder(tmp_path / "photos", record=record, jobs=2))
    assert [each.path.name for each in results] == ["1.jpg", "2.jpg", "3.jpg", "4.jpg"]
    assert [each.changed for each in results] == [True, False, True, True]
    error = results[1].error
    assert isinstance(error, upright.NotJPEGError) and error.report == results[1].report and "failed" in str(results[1])
    assert all(each.error is None for each in results if each.changed)
    assert upright.restore_file(results[0].path, record=record).changed
    restored = list(upright.restore_folder(tmp_path / "photos", record=record))
    assert [each.status for each in restored] == ["unchanged", "unchanged", "restored", "restored"]
    assert contents(tmp_path / "photos") == before
    missing = list(upright.normalize_folder(tmp_path / "none"))
    assert len(missing) == 1 and isinstance(missing[0].error, FileNotFoundError)


@needs_files
@pytest.mark.parametrize("ending", ["close", "with", "break"])
def test_a_loop_that_ends_early_ends_the_work(ending: str, tmp_path: Path, portrait: bytes) -> None:
    for number in range(100):
        (tmp_path / f"{number:03}.jpg").write_bytes(portrait)
    results = upright.normalize_folder(tmp_path, jobs=1)
    if ending == "with":
        with results:
            assert next(results).changed
    else:
        assert next(results).changed
        if ending == "close":
            results.close()
    with_more = iter(results)
    if ending != "break":
        assert list(with_more) == []
    del results, with_more
    gc.collect()
    count = sum(path.read_bytes() != portrait for path in tmp_path.iterdir())
    assert 1 <= count < 50


@needs_files
def test_a_thread_may_close_the_results_that_another_takes(tmp_path: Path, portrait: bytes) -> None:
    for number in range(20):
        (tmp_path / f"{number:03}.jpg").write_bytes(portrait)
    for _ in range(150):
        results = upright.plan_folder(tmp_path, jobs=1)
        taker = threading.Thread(target=lambda: [each.report for each in results])
        taker.start()
        results.close()
        taker.join()
        assert list(results) == []


@needs_files
def test_a_forked_process_does_not_wait_for_the_work(tmp_path: Path, portrait: bytes) -> None:
    (tmp_path / "a.jpg").write_bytes(portrait)
    code = (
        "import os, sys, upright; x = upright.plan_folder(sys.argv[1]); next(x)\n"
        "if os.fork() == 0: x.close(); del x; os._exit(0)\n"
        "print(os.wait()[1])"
    )
    assert subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, timeout=20, text=True).stdout == "0\n"


@needs_files
def test_a_process_that_is_forked_during_a_call_can_call_the_library(photo: Path) -> None:
    # The first call in a process prepares what later ones use.
    code = (
        "import os, sys, threading, upright; path = sys.argv[1]\n"
        "thread = threading.Thread(target=upright.plan_file, args=[path]); thread.start()\n"
        "child = os.fork()\n"
        "if child == 0: upright.plan_file(path); os._exit(0)\n"
        "thread.join(); print(os.waitpid(child, 0)[1])"
    )
    for _ in range(10):
        run = [sys.executable, "-W", "ignore", "-c", code, str(photo)]
        assert subprocess.run(run, capture_output=True, timeout=20, text=True).stdout == "0\n"


@needs_files
def test_a_process_that_is_forked_during_the_work_on_a_folder_does_not_call_the_library(photo: Path) -> None:
    code = (
        "import os, sys, upright; folder = sys.argv[1]; results = upright.plan_folder(folder)\n"
        "if os.fork() == 0:\n"
        "    try: upright.plan_file(folder + '/a.jpg')\n"
        "    except RuntimeError: os._exit(3)\n"
        "print(os.wait()[1] >> 8, flush=True)\n"
        "print(len(list(results)), flush=True)\n"
        "if os.fork() == 0: upright.plan_file(folder + '/a.jpg'); os._exit(0)\n"
        "print(os.wait()[1])"
    )
    run = [sys.executable, "-W", "ignore", "-c", code, str(photo.parent)]
    assert subprocess.run(run, capture_output=True, timeout=20, text=True).stdout == "3\n1\n0\n"


@needs_files
def test_an_argument_of_another_type_is_named(photo: Path, portrait: bytes) -> None:
    wrong: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: upright.rotate_file(photo, 2**32 + 90), ValueError, "degrees is out of range"),  # type: ignore[arg-type]
        (lambda: upright.rotate_file(photo, 90.0), TypeError, "degrees must be int, not float"),  # type: ignore[arg-type]
        (lambda: upright.flip_file(photo, None), TypeError, "axis must be str, not NoneType"),  # type: ignore[arg-type]
        (lambda: upright.normalize_file(photo, cancellation=3), TypeError, "cancellation must be Cancellation"),  # type: ignore[arg-type]
        (lambda: upright.normalize_file(photo, backup=b"x"), TypeError, "backup must be str, not bytes"),  # type: ignore[arg-type]
        (lambda: upright.normalize_file(photo, time_limit=float("nan")), ValueError, "time_limit must not be"),
        (lambda: upright.normalize_file(3), TypeError, "path must be str or os.PathLike, not int"),  # type: ignore[arg-type]
        (lambda: upright.normalize_file(photo, to=3), TypeError, "to must be str or os.PathLike"),  # type: ignore[arg-type]
        (lambda: upright.normalize_file(photo, record=3), TypeError, "record must be str or os.PathLike"),  # type: ignore[arg-type]
        (lambda: upright.normalize_folder(None), TypeError, "folder must be str or os.PathLike"),  # type: ignore[arg-type]
        (lambda: upright.normalize_folder(photo.parent, jobs="2"), TypeError, "jobs must be int, not str"),  # type: ignore[arg-type]
        (lambda: upright.normalize_folder(photo.parent, jobs=1.5), TypeError, "jobs must be int, not float"),  # type: ignore[arg-type]
        (lambda: upright.normalize_folder(photo.parent, jobs=2**32), ValueError, "jobs is out of range"),
    ]
    for call, kind, message in wrong:
        with pytest.raises(kind, match=message):
            call()
    assert photo.read_bytes() == portrait


@needs_files
def test_empty_paths_and_a_folder_that_is_gone_are_named(photo: Path, tmp_path: Path) -> None:
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: upright.normalize_file(""), "the path is empty"),
        (lambda: upright.normalize_file(photo, to=""), "the path of the output is empty"),
        (lambda: upright.normalize_file(photo, record=""), "the path is empty"),
        (lambda: upright.restore_file(photo, record=""), "the path is empty"),
    ]
    for call, message in calls:
        with pytest.raises(upright.FileMissingError, match=message):
            call()
    code = (
        "import os, sys, upright; os.mkdir(sys.argv[2]); os.chdir(sys.argv[2]); os.rmdir(sys.argv[2])\n"
        "try: upright.normalize_file(sys.argv[1], record=sys.argv[1] + '.ndjson')\n"
        "except upright.FileMissingError as error: print(error)"
    )
    run = [sys.executable, "-c", code, str(photo), str(tmp_path / "gone")]
    assert "the working directory does not exist" in subprocess.run(run, capture_output=True, text=True).stdout


@needs_files
def test_a_record_that_another_program_empties_is_the_last_result(tmp_path: Path, portrait: bytes) -> None:
    for number in range(30):
        (tmp_path / f"{number:03}.jpg").write_bytes(portrait)
    record = tmp_path / "record.ndjson"
    found: list[upright.FileResult] = []
    for result in upright.normalize_folder(tmp_path, record=record, jobs=1):
        if not found:
            os.truncate(record, 0)
        found.append(result)
    assert len(found) == 31 and all(each.error is None for each in found[:-1])
    error = found[-1].error
    assert isinstance(error, upright.FileError) and error.code == "replaced" and found[-1].path == record


@needs_files
def test_damage_of_a_record_is_said(photo: Path, portrait: bytes) -> None:
    record, other = photo.parent / "record.ndjson", photo.parent / "other.jpg"
    other.write_bytes(portrait[:5000])
    for call in (lambda: upright.restore_file(photo, record=photo), lambda: upright.restore_folder(photo.parent, record=photo)):
        with pytest.raises(upright.FileError, match="not a record") as raised:
            call()
        assert raised.value.code == "not-record"
    upright.normalize_file(photo, record=record)
    lines = record.read_bytes()
    for damage, code in [(b"{}\n", "record-damaged"), (lines[:100], "record-cut")]:
        record.write_bytes(lines + damage)
        with pytest.raises(upright.FileError) as damaged:
            upright.restore_file(other, record=record)
        assert damaged.value.code == code
        with upright.restore_folder(photo.parent, record=record) as results:
            first = next(results)
        assert isinstance(first.error, upright.FileError) and first.error.code == code and first.path == record
    upright.restore_file(photo, record=record)
    assert photo.read_bytes() == portrait


@needs_files
def test_a_photo_is_restored_alone_although_its_sidecar_cannot_be(photo: Path, portrait: bytes) -> None:
    record = photo.parent / "record.ndjson"
    upright.normalize_file(photo, record=record)
    (photo.parent / "a.xmp").write_bytes(b"changed")
    skipped = upright.restore_file(photo, record=record)
    assert skipped.reason is not None and skipped.reason.id == "sidecar-changed"
    assert (skipped.reason.remedies[0].option, skipped.reason.remedies[0].value) == ("without_sidecars", "true")
    assert upright.restore_file(photo, record=record, without_sidecars=True).changed
    assert photo.read_bytes() == portrait and (photo.parent / "a.xmp").read_bytes() == b"changed"


@needs_files
def test_a_photo_beside_a_sidecar_that_is_a_folder_is_restored_alone(photo: Path, portrait: bytes) -> None:
    record = photo.parent / "record.ndjson"
    (photo.parent / "b.jpg").write_bytes(portrait)
    (photo.parent / "b.xmp").write_bytes(SIDECAR)
    (photo.parent / "a.xmp").unlink()
    (photo.parent / "a.xmp").mkdir()
    upright.normalize_file(photo, record=record, sidecars="ignore")
    upright.normalize_file(photo.parent / "b.jpg", record=record)
    assert upright.restore_file(photo, record=record, without_sidecars=True).changed and photo.read_bytes() == portrait


@needs_files
def test_temporary_files_of_killed_runs_are_removed(photo: Path) -> None:
    left = photo.parent / ".a.jpg.upright-abc123.tmp"
    left.write_bytes(b"left")
    assert [each.changed for each in upright.normalize_folder(photo.parent)] == [True]
    assert not left.exists()


@needs_files
def test_a_record_is_never_overwritten_by_a_result(photo: Path, portrait: bytes) -> None:
    record = photo.parent / "record.ndjson"
    upright.normalize_file(photo, record=record)
    before = record.read_bytes()
    (photo.parent / "b.jpg").write_bytes(portrait)
    (photo.parent / "b.xmp").write_bytes(SIDECAR)
    link = photo.parent / "link"
    link.symlink_to(record)
    for output, log in [(record, record), (link, record), (photo.parent / "new.jpg", photo.parent / "new.xmp")]:
        with pytest.raises(upright.ArgumentError, match="the record is also"):
            upright.normalize_file(photo.parent / "b.jpg", output, record=log, overwrite=True)
    with pytest.raises(upright.ArgumentError, match="the record is also"):
        upright.restore_file(photo, record, record=record, overwrite=True)
    assert record.read_bytes() == before and not (photo.parent / "new.xmp").exists()
    assert upright.restore_file(photo, record=record).changed


@needs_files
def test_the_types_of_companions_are_those_of_reports(photo: Path) -> None:
    known = {*_reports.Companion.__annotations__}
    for each in upright.normalize_file(photo).companions:
        assert set(each) <= known


def test_help_names_the_options_of_files() -> None:
    names = set(inspect.signature(upright.normalize_file).parameters)
    assert {"path", "to", "record", "sidecars", "on_conflict", "hard_links", "embed_undo", "cancellation"} <= names
    assert "sidecars" not in inspect.signature(upright.restore_file).parameters
    assert "without_sidecars" in inspect.signature(upright.restore_folder).parameters
    assert "embed_undo" not in inspect.signature(upright.crop_file).parameters
    assert "sidecars" not in inspect.signature(upright.normalize).parameters


@pytest.mark.skipif(not IS_WASM, reason="the backend is libupright")
def test_upright_wasm_refuses_photos_on_disk(photo: Path, portrait: bytes) -> None:
    for call in (lambda: upright.normalize_file(photo), lambda: upright.plan_folder(photo.parent)):
        with pytest.raises(upright.UprightError, match="photos on disk need libupright") as raised:
            call()
        assert raised.value.code == "unsupported" and str(photo.parent) in raised.value.report["path"]
    assert photo.read_bytes() == portrait
