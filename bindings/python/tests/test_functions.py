"""Arguments, results and exceptions of the functions."""

import copy
import hashlib
import inspect
import io
import mmap
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import upright
from conftest import FIXTURES
from upright import Orientation, _backend


def test_normalize_rotates_and_reports_it(portrait: bytes) -> None:
    result = upright.normalize(portrait)
    assert result.changed and result.lossless
    assert result.bytes[:2] == b"\xff\xd8" and result.bytes != portrait
    assert result.orientation is Orientation.RIGHT
    assert result.transform == "rotate-90"
    assert result.report["path"] == "-"
    assert result.changes[0].field == "exif.ifd0.orientation"
    assert (result.changes[0].old, result.changes[0].new) == ("6", "1")


def test_normalize_returns_an_upright_file_unchanged(portrait: bytes) -> None:
    first = upright.normalize(portrait)
    second = upright.normalize(first.bytes)
    assert not second.changed and second.bytes == first.bytes and second.undo is None
    assert second.reason is not None and second.reason.text == second.why and second.lossless is None


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data))[:]])
def test_bytes_of_every_kind_are_taken(portrait: bytes, kind: type) -> None:
    assert upright.normalize(kind(portrait)).bytes == upright.normalize(portrait).bytes


def test_paths_and_files_are_taken(portrait: bytes, portrait_path: Path) -> None:
    expected = upright.normalize(portrait).bytes
    assert upright.normalize(portrait_path).bytes == expected
    by_name = upright.normalize(str(portrait_path))
    assert by_name.bytes == expected and by_name.report["path"] == str(portrait_path)
    assert upright.normalize(io.BytesIO(portrait)).bytes == expected
    with open(portrait_path, "rb") as file:
        assert upright.normalize(file, path="named.jpg").report["path"] == "named.jpg"


def test_a_file_at_its_end_is_no_empty_photo(portrait: bytes) -> None:
    file = io.BytesIO(portrait)
    upright.normalize(file)
    with pytest.raises(ValueError, match=r"at its end.*seek\(0\)"):
        upright.normalize(file)
    file.seek(0)
    assert upright.normalize(file).changed


def test_a_result_is_saved_to_a_new_file(portrait: bytes, tmp_path: Path) -> None:
    result = upright.normalize(portrait)
    result.save(tmp_path / "upright.jpg")
    assert (tmp_path / "upright.jpg").read_bytes() == result.bytes
    (tmp_path / "photo.jpg").write_bytes(portrait)
    with pytest.raises(FileExistsError):
        result.save(tmp_path / "photo.jpg")
    assert (tmp_path / "photo.jpg").read_bytes() == portrait


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of the size of files")
def test_a_result_that_does_not_fit_on_the_disk_leaves_no_file(tmp_path: Path) -> None:
    program = """
import resource, signal, sys, upright
result = upright.normalize(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    result.save(sys.argv[2])
except OSError:
    sys.exit(3)
"""
    small = FIXTURES / "orientation/aligned-6.jpg"
    done = subprocess.run([sys.executable, "-c", program, small, tmp_path / "upright.jpg"], check=False)
    assert done.returncode == 3 and list(tmp_path.iterdir()) == []


def test_help_names_the_options() -> None:
    signature = inspect.signature(upright.normalize)
    assert set(signature.parameters) == {"source", *upright._options.NormalizeOptions.__annotations__}
    assert "snap" in inspect.signature(upright.crop).parameters


def test_errors_of_options_have_the_names_of_parameters(portrait: bytes) -> None:
    for options, message in [
        ({"on_conflict": "trust"}, "on_conflict must be one of skip, trust-tag, reset-tag; did you mean trust-tag?"),
        ({"on_conflct": "skip"}, "this function has no option on_conflct; did you mean on_conflict?"),
        ({"on-conflict": "skip"}, "this function has no option on-conflict; did you mean on_conflict?"),
        ({"spelling": "camel"}, "this function has no option spelling"),
    ]:
        with pytest.raises(upright.ArgumentError, match=f"^{re.escape(message)}$"):
            upright.normalize(portrait, **options)  # type: ignore[arg-type]


def test_errors_and_results_name_the_package(portrait: bytes) -> None:
    assert upright.NotJPEGError.__module__ == upright.normalize.__module__ == "upright"
    assert repr(upright.normalize(portrait)) == "<Result -: normalized: rotate-90, lossless, 320×480 pixels>"
    assert upright.crop(portrait, x=0, y=0, width=64, height=64).changed


def test_a_map_is_taken_as_often_as_it_is_given(portrait: bytes, portrait_path: Path) -> None:
    with open(portrait_path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        expected = upright.normalize(portrait)
        for _ in range(2):
            assert upright.normalize(mapped) == expected


def test_the_size_is_that_of_the_bytes(portrait: bytes) -> None:
    class Longer(bytes):
        def __len__(self) -> int:
            return 1 << 40

    class File(io.BytesIO):
        def read(self, size: "int | None" = -1, /) -> bytes:
            return Longer(super().read(size))

    expected = upright.normalize(portrait)
    assert upright.normalize(Longer(portrait)) == expected
    assert upright.normalize(File(portrait)) == expected
    assert expected.undo is not None
    assert upright.undo(Longer(expected.bytes), Longer(expected.undo)) == portrait
    with pytest.raises(TypeError):
        upright.undo(expected.bytes, 5)  # type: ignore[arg-type]


def test_what_is_no_file_is_a_type_error(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        upright.normalize(io.StringIO("text"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the bytes of a JPEG file, its path, or the file .* not builtins.int"):
        upright.normalize(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="an array of pixels is no file"):
        upright.normalize(memoryview(bytes(12)).cast("B", (2, 2, 3)))
    with pytest.raises(FileNotFoundError):
        upright.normalize(tmp_path / "none.jpg")


def test_undo_restores_the_original(portrait: bytes) -> None:
    result = upright.normalize(portrait)
    assert result.undo is not None
    digest = hashlib.sha256(portrait).hexdigest()
    assert upright.undo(result.bytes, result.undo, sha256=digest) == portrait
    with pytest.raises(upright.VerificationError):
        upright.undo(result.bytes, result.undo, sha256=hashlib.sha256(b"").hexdigest())
    with pytest.raises(upright.VerificationError):
        upright.undo(portrait, result.undo)
    with pytest.raises(upright.DamagedError):
        upright.undo(result.bytes, b"nothing")


def test_plan_and_audit_say_what_normalize_does(portrait: bytes) -> None:
    plan, audit = upright.plan(portrait), upright.audit(portrait)
    result = upright.normalize(portrait)
    for each in (plan, audit):
        assert each.status == "planned"
        assert (each.transform, each.orientation, each.lossless) == (result.transform, result.orientation, True)
        assert each.why == result.why == "Orientation 6: rotate 90° clockwise"
    assert audit.facts["size"] == len(portrait) and audit.facts["thumbnail"] is True


def test_an_audit_says_why_in_the_words_of_the_command_and_skips_what_normalize_refuses() -> None:
    words = [upright.audit(FIXTURES / f"orientation/aligned-{number}.jpg").why for number in range(1, 9)]
    assert words == [
        "Orientation is 1",
        "Orientation 2: flip horizontally",
        "Orientation 3: rotate 180°",
        "Orientation 4: flip vertically",
        "Orientation 5: transpose",
        "Orientation 6: rotate 90° clockwise",
        "Orientation 7: transverse",
        "Orientation 8: rotate 90° counter-clockwise",
    ]
    assert upright.rotate(FIXTURES / "orientation/aligned-1.jpg", 90).why is None
    audit = upright.audit(FIXTURES / "formats/exif.png")
    assert (audit.status, audit.lossless) == ("skipped", None) and audit.why
    for function in (upright.normalize, upright.plan):
        with pytest.raises(upright.NotJPEGError):
            function(FIXTURES / "formats/exif.png")


def test_verify_proves_and_disproves(portrait: bytes) -> None:
    result = upright.normalize(portrait)
    verdict = upright.verify(portrait, result.bytes)
    assert verdict.proven and verdict.status == "proven" and verdict.findings == ()
    verdict = upright.verify(portrait, portrait)
    assert not verdict.proven and verdict.findings[0].id == "not-transformed"
    rotated = upright.rotate(portrait, 90)
    assert upright.verify(portrait, rotated.bytes, transform="rotate-90").proven


def test_rotate_and_flip_transform_the_displayed_image(portrait: bytes) -> None:
    once = portrait
    for _ in range(4):
        once = upright.rotate(once, 90).bytes
    assert upright.verify(portrait, once, transform="none").proven
    transforms = {"horizontal": "flip-horizontal", "vertical": "flip-vertical"}
    for axis in ("horizontal", "vertical", "transpose", "transverse"):
        flipped = upright.flip(portrait, axis)
        assert upright.verify(portrait, flipped.bytes, transform=transforms.get(axis, axis)).proven
        assert upright.verify(portrait, upright.flip(flipped.bytes, axis).bytes, transform="none").proven
    tagged = upright.flip(portrait, "horizontal", tag_only=True)
    assert upright.plan(tagged.bytes).orientation == Orientation.RIGHT.then(Orientation.UP_MIRRORED)


def test_crop_grows_or_cuts_precisely(portrait: bytes) -> None:
    grown = upright.crop(portrait, 40, 60, 200, 150)
    assert grown.report["crop"]["result"]["x"] == 32 and grown.undo is None
    snapped = upright.crop(portrait, 40, 60, 200, 150, snap="exact")
    assert snapped.report["crop"]["result"] == {"x": 40, "y": 60, "width": 200, "height": 150}
    with pytest.raises(upright.CropError):
        upright.crop(portrait, 300, 0, 200, 150)
    with pytest.raises(ValueError, match="x is out of range"):
        upright.crop(portrait, 2**64, 0, 200, 150)


def test_files_with_stale_tags_are_skipped_until_somebody_decides() -> None:
    photo = FIXTURES / "conflict" / sorted(path.name for path in (FIXTURES / "conflict").glob("*.jpg"))[0]
    results = [upright.normalize(path) for path in sorted((FIXTURES / "conflict").glob("*.jpg"))]
    reasons = {result.reason.id: result for result in results if result.reason is not None}
    assert "conflict" in reasons and reasons["conflict"].reason is not None
    assert reasons["conflict"].reason.evidence
    assert not reasons["conflict"].changed
    path = reasons["conflict"].report["path"]
    assert upright.normalize(path, on_conflict="trust-tag").transform is not None
    assert upright.normalize(path, on_conflict="reset-tag").transform is None
    assert photo.exists()


@pytest.mark.parametrize(
    ("damage", "kind", "code"),
    [
        (lambda data: b"", upright.NotJPEGError, "empty"),
        (lambda data: b"PNG" + data, upright.NotJPEGError, "not-jpeg"),
        (lambda data: data[: len(data) // 2], upright.DamagedError, "truncated"),
    ],
)
def test_errors_have_a_class_and_a_code(portrait: bytes, damage, kind, code: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(kind) as raised:
        upright.normalize(damage(portrait))
    error = raised.value
    assert error.code == code and error.message and error.report["error"]["id"] == code
    assert isinstance(error, upright.UprightError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.offset, str(again)) == (error.code, error.offset, str(error))


def test_limits_are_errors_or_reasons(portrait: bytes) -> None:
    with pytest.raises(upright.LimitError):
        upright.normalize(portrait, max_bytes=100)
    with pytest.raises(upright.TimeLimitError):
        upright.normalize(portrait, time_limit=0)
    with pytest.raises(TimeoutError):
        upright.verify(portrait, portrait, time_limit=0)
    assert not upright.normalize(portrait, max_pixels=100).changed


def test_wrong_options_are_value_errors(portrait: bytes) -> None:
    for options in ({"unaligned": "perhaps"}, {"snap": "grow"}, {"nothing": 1}, {"path": "\0"}, {"max_bytes": -1}):
        with pytest.raises(ValueError):
            upright.normalize(portrait, **options)
    with pytest.raises(ValueError):
        upright.rotate(portrait, 45)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        upright.flip(portrait, "sideways")  # type: ignore[arg-type]
    assert upright.normalize(portrait, unaligned=None).changed  # type: ignore[arg-type]


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"cancellation": 3}, TypeError, "cancellation must be Cancellation, not int"),
    ({"time_limit": float("nan")}, ValueError, "time_limit must not be negative or NaN"),
    ({"time_limit": -1}, ValueError, "time_limit must not be negative or NaN"),
    ({"time_limit": "1"}, TypeError, "time_limit must be float, not str"),
    ({"max_pixels": 1.5}, TypeError, "max_pixels must be int, not float"),
    ({"max_pixels": True}, TypeError, "max_pixels must be int, not bool"),
    ({"max_pixels": 1 << 70}, ValueError, "max_pixels is out of range"),
    ({"lossless_only": 1}, TypeError, "lossless_only must be bool, not int"),
    ({"unaligned": b"skip"}, TypeError, "unaligned must be str, not bytes"),
]


@pytest.mark.parametrize(("options", "kind", "message"), WRONG)
def test_an_option_of_another_type_is_named(portrait: bytes, options: dict[str, Any], kind: type[Exception], message: str) -> None:
    for call in (upright.normalize, upright.plan, upright.audit):
        with pytest.raises(kind, match=message):
            call(portrait, **options)


def test_an_argument_of_another_type_is_named(portrait: bytes) -> None:
    wrong: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: upright.rotate(portrait, 2**32 + 90), ValueError, "degrees is out of range"),  # type: ignore[arg-type]
        (lambda: upright.rotate(portrait, 90.0), TypeError, "degrees must be int, not float"),  # type: ignore[arg-type]
        (lambda: upright.rotate(portrait, "90"), TypeError, "degrees must be int, not str"),  # type: ignore[arg-type]
        (lambda: upright.rotate(portrait, None), TypeError, "degrees must be int, not NoneType"),  # type: ignore[arg-type]
        (lambda: upright.flip(portrait, 1), TypeError, "axis must be str, not int"),  # type: ignore[arg-type]
        (lambda: upright.crop(portrait, 0, 0, 1.5, 8), TypeError, "width must be int, not float"),  # type: ignore[arg-type]
        (lambda: upright.undo(portrait, "undo"), TypeError, "undo must be bytes, not str"),  # type: ignore[arg-type]
        (lambda: upright.undo(portrait, b"", sha256=b"0"), TypeError, "sha256 must be str, not bytes"),  # type: ignore[arg-type]
    ]
    for call, kind, message in wrong:
        with pytest.raises(kind, match=message):
            call()
    assert upright.normalize(portrait, time_limit=float("inf"), max_pixels=1 << 62).changed


def test_cancelled_work_has_no_result(portrait: bytes) -> None:
    cancellation = upright.Cancellation()
    assert upright.normalize(portrait, cancellation=cancellation).changed
    cancellation.cancel()
    with pytest.raises(upright.CancelledError):
        upright.normalize(portrait, cancellation=cancellation)
    with pytest.raises(upright.CancelledError):
        upright.verify(portrait, portrait, cancellation=cancellation)


def test_a_cancellation_is_neither_copied_nor_pickled() -> None:
    cancellation = upright.Cancellation()
    for use in (copy.copy, copy.deepcopy, pickle.dumps, lambda one: pickle.dumps(one, 0)):
        with pytest.raises(TypeError, match="neither copied nor pickled"):
            use(cancellation)


def test_results_are_hashable_and_can_be_copied(portrait: bytes) -> None:
    result = upright.normalize(portrait)
    verdict = upright.verify(portrait, result.bytes)
    for one in (result, verdict, upright.plan(portrait), upright.audit(portrait)):
        for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            assert other == one and hash(other) == hash(one) and len({one, other}) == 1
    assert hash(result) != hash(upright.normalize(portrait, path="other.jpg"))


def test_the_types_have_the_options_of_the_library(portrait: bytes, tmp_path: Path) -> None:
    """Each function has the options of its type, and no other one."""
    settings = upright.describe()["settings"]
    values = {each["name"].replace("-", "_"): {"flag": True, "number": 1}.get(each["kind"], "?") for each in settings}
    types = upright._options
    calls: list[tuple[Any, Callable[..., object]]] = [
        (types.NormalizeOptions, lambda **options: upright.normalize(portrait, **options)),
        (types.NormalizeOptions, lambda **options: upright.plan(portrait, **options)),
        (types.NormalizeOptions, lambda **options: upright.audit(portrait, **options)),
        (types.TransformOptions, lambda **options: upright.rotate(portrait, 90, **options)),
        (types.TransformOptions, lambda **options: upright.flip(portrait, "vertical", **options)),
        (types.CropOptions, lambda **options: upright.crop(portrait, 0, 0, 64, 64, **options)),
        (types.VerifyOptions, lambda **options: upright.verify(portrait, portrait, **options)),
        (types.UndoOptions, lambda **options: upright.undo(portrait, b"", **options)),
    ]
    missing = tmp_path / "none.jpg"
    if type(_backend.backend).__name__ != "WasmBackend":
        calls += [
            (types.NormalizeFileOptions, lambda **options: upright.normalize_file(missing, **options)),
            (types.NormalizeFileOptions, lambda **options: upright.plan_file(missing, **options)),
            (types.NormalizeFileOptions, lambda **options: list(upright.normalize_folder(missing, **options))),
            (types.TransformFileOptions, lambda **options: upright.rotate_file(missing, 90, **options)),
            (types.TransformFileOptions, lambda **options: upright.flip_file(missing, "vertical", **options)),
            (types.CropFileOptions, lambda **options: upright.crop_file(missing, 0, 0, 64, 64, **options)),
            (types.RestoreFileOptions, lambda **options: upright.restore_file(missing, **options)),
        ]
    for type_, call in calls:
        found = {"cancellation"}
        for name, value in values.items():
            try:
                call(**{name: value})
            except upright.UprightError as error:
                if error.code == "unknown-option":
                    continue
            found.add(name)
        assert found == set(type_.__annotations__), call


def test_results_and_verdicts_print_what_they_are(portrait: bytes) -> None:
    result = upright.normalize(portrait, path="photo.jpg")
    assert str(result) == "photo.jpg: normalized: rotate-90, lossless, 320×480 pixels"
    again = upright.normalize(result.bytes)
    assert again.reason is not None and str(again) == f"-: already-upright: {again.reason.text}"
    assert str(upright.verify(portrait, result.bytes, result_path="new.jpg")) == "new.jpg: proven"
    lines = str(upright.verify(portrait, portrait)).splitlines()
    assert lines[0] == "-: not-proven" and len(lines) > 1


def test_width_and_height_are_those_of_the_result() -> None:
    """As Pillow reads them from the bytes."""
    image = pytest.importorskip("PIL.Image")
    photos = sorted((FIXTURES / "orientation").glob("*.jpg")) + sorted((FIXTURES / "conflict").glob("*.jpg"))
    for photo in photos:
        for result in [
            upright.normalize(photo),
            upright.normalize(photo, unaligned="trim"),
            upright.rotate(photo, 90),
            upright.rotate(photo, 90, tag_only=True),
            upright.crop(photo, 0, 0, 17, 9),
            upright.crop(photo, 0, 0, 17, 9, snap="exact"),
        ]:
            assert (result.width, result.height) == image.open(io.BytesIO(result.bytes)).size, str(result)
        assert (upright.plan(photo).width, upright.plan(photo).height) == (
            upright.normalize(photo).width,
            upright.normalize(photo).height,
        )
    heic = upright.rotate(FIXTURES / "formats/agree.heic", 180)
    assert heic.changed and (heic.width, heic.height) == (heic.report["width"], heic.report["height"])


def test_a_pillow_image_is_refused(portrait_path: Path) -> None:
    image = pytest.importorskip("PIL.Image").open(portrait_path)
    with pytest.raises(TypeError, match="pass the path or the bytes"):
        upright.normalize(image)


def test_an_infinite_time_limit_is_none(portrait: bytes) -> None:
    assert upright.normalize(portrait, time_limit=float("inf")).changed
    with pytest.raises(ValueError):
        upright.normalize(portrait, time_limit=float("nan"))


def test_many_threads_get_the_same(portrait: bytes) -> None:
    expected = upright.normalize(portrait)
    with ThreadPoolExecutor(8) as pool:
        for result in pool.map(upright.normalize, [portrait] * 64):
            assert (result.bytes, result.report) == (expected.bytes, expected.report)


def test_other_threads_run_during_a_call(portrait: bytes) -> None:
    """A thread that counts runs while another one is in the library, and at no other time."""
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.0001)

    interval = sys.getswitchinterval()
    counter = threading.Thread(target=count)
    try:
        sys.setswitchinterval(10)
        counter.start()
        before = counted[0]
        for _ in range(5):
            upright.normalize(portrait)
        after = counted[0]
    finally:
        sys.setswitchinterval(interval)
        done.set()
        counter.join()
    assert after > before


def test_versions_agree() -> None:
    assert upright.library_version() == upright.__version__
