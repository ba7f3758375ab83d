"""The return values of the functions."""

from __future__ import annotations

import builtins
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from ._orientation import Orientation

if TYPE_CHECKING:
    from ._errors import UprightError
    from ._reports import Companion, Facts, Report, ReportedFinding, Verification


@dataclass(frozen=True)
class Change:
    """A range of bytes that is replaced."""

    field: str
    """What the bytes are, such as ``exif.ifd0.orientation``; docs/what-changes.md lists the values."""
    offset: int
    """The first byte in the original."""
    old_length: int
    """How many bytes are replaced; 0 for an insertion."""
    new_length: int
    """How many bytes replace them."""
    old: Optional[str]
    """The value before."""
    new: Optional[str]
    """The value after."""


@dataclass(frozen=True)
class Evidence:
    """Evidence of a stale Orientation tag."""

    id: str
    text: str


@dataclass(frozen=True)
class Remedy:
    """What changes a decision or prevents an error: an option with another value, or another action."""

    option: Optional[str]
    """The option, such as ``on_conflict`` or ``max_pixels``; None if there is none."""
    value: Optional[str]
    """The value that helps; None for limits, which must be higher."""
    action: Optional[str]
    """Something else to do, such as ``convert``; docs/identifiers.md lists the values."""
    text: str
    """The effect as an imperative in English; empty for limits."""


@dataclass(frozen=True)
class Reason:
    """Why the image is unchanged."""

    id: str
    """The identifier, such as ``conflict``; docs/identifiers.md lists the values."""
    text: str
    """The reason in English."""
    evidence: tuple[Evidence, ...] = ()
    """The evidence of a stale tag, if that is the reason."""
    remedies: tuple[Remedy, ...] = ()
    """What changes the decision."""


@dataclass(frozen=True)
class Note:
    """A remark on a file, such as a field that is kept although it describes the image as it was stored."""

    id: str
    """The identifier, such as ``subject-kept``; docs/identifiers.md lists the values."""
    text: str
    """The remark in English."""
    remedies: tuple[Remedy, ...] = ()
    """What changes what is noted."""


def remedies(part: Mapping[str, Any]) -> tuple[Remedy, ...]:
    """The remedies of a reason or an error in a report."""
    found = []
    for each in part.get("remedies", ()):
        name = each.get("policy", each.get("limit"))
        option = None if name is None else name.replace("-", "_")
        found.append(Remedy(option, each.get("value"), each.get("action"), each.get("text", "")))
    return tuple(found)


_TRANSFORMS = {
    "flip-horizontal": "flip horizontally",
    "rotate-180": "rotate 180°",
    "flip-vertical": "flip vertically",
    "transpose": "transpose",
    "rotate-90": "rotate 90° clockwise",
    "transverse": "transverse",
    "rotate-270": "rotate 90° counter-clockwise",
}
"""The transforms in words, as the command prints them."""


def _hash(report: Mapping[str, Any]) -> int:
    """A hash of a report's own fields, for a dictionary has none. Equal reports have the same."""
    return hash(frozenset((name, value) for name, value in report.items() if isinstance(value, (str, int, float))))


@dataclass(frozen=True, repr=False)
class Plan:
    """What would be done with a file."""

    report: Report
    """The report, as the command prints it: an object of the schema upright/2."""

    def __hash__(self) -> int:
        return _hash(self.report)

    @property
    def status(self) -> str:
        """The status, such as ``normalized``; docs/output.md lists the values."""
        return str(self.report["status"])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        parts = [f"{self.report['path']}: {self.status}"]
        if self.transform is not None:
            parts.append(f"{self.transform}, {self.report.get('edges', 'lossless')}, {self.width}×{self.height} pixels")
        elif self.reason is not None:
            parts.append(self.reason.text)
        return ": ".join(parts)

    @property
    def format(self) -> Optional[str]:
        """The format of the file, by its content, such as ``jpeg`` or ``heic``; docs/output.md lists the values."""
        return self.report.get("format")

    @property
    def media_type(self) -> Optional[str]:
        """The media type of this format, such as ``image/jpeg``."""
        return self.report.get("mediaType")

    @property
    def width(self) -> Optional[int]:
        """The width of the resulting image, as it is stored; None if it is unknown."""
        return self._size[0]

    @property
    def height(self) -> Optional[int]:
        """The height of the resulting image, as it is stored; None if it is unknown."""
        return self._size[1]

    @property
    def _size(self) -> tuple[Optional[int], Optional[int]]:
        if "crop" in self.report:
            result = self.report["crop"]["result"]
            return result["width"], result["height"]
        width, height = self.report.get("width"), self.report.get("height")
        if width is None or height is None:
            return None, None
        trimmed = self.report.get("trimmed", {})
        width, height = width - trimmed.get("columns", 0), height - trimmed.get("rows", 0)
        # Other files store the image as before.
        swaps = self.format == "jpeg" and self.transform in ("rotate-90", "rotate-270", "transpose", "transverse")
        return (height, width) if swaps else (width, height)

    @property
    def orientation(self) -> Optional[Orientation]:
        """The orientation before, if there is a valid one."""
        value = self.report.get("orientation")
        return None if value is None else Orientation(value)

    @property
    def transform(self) -> Optional[str]:
        """How the stored image is transformed, such as ``rotate-90``; None if it is unchanged."""
        return self.report.get("transform")

    @property
    def lossless(self) -> Optional[bool]:
        """Whether every coefficient of an image that is transformed or cropped is kept; None for other images."""
        edges = self.report.get("edges")
        return None if edges is None else bool(edges == "lossless")

    @property
    def reason(self) -> Optional[Reason]:
        """Why the file stays as it is, or only its tag changes."""
        reason = self.report.get("reason")
        if reason is None:
            return None
        evidence = tuple(Evidence(each["id"], each["text"]) for each in reason.get("evidence", ()))
        return Reason(reason["id"], reason["text"], evidence, remedies(reason))

    @property
    def why(self) -> Optional[str]:
        """Why the image is normalized, such as ``Orientation 6: rotate 90° clockwise``, or stays as it is; None if it is
        rotated, flipped or cropped on request.
        """
        if self.reason is not None:
            return self.reason.text
        words = _TRANSFORMS.get(str(self.transform)) if self.status in ("planned", "normalized") else None
        return words and f"Orientation {self.report.get('orientation')}: {words}"

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes, in file order; for a plan, those that the header determines."""
        return tuple(
            Change(
                each["field"],
                each["offset"],
                each["oldLength"],
                each["newLength"],
                each.get("old"),
                each.get("new"),
            )
            for each in self.report.get("changes", ())
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        """What else is worth knowing."""
        return tuple(Note(each["id"], each["text"], remedies(each)) for each in self.report.get("notes", ()))


@dataclass(frozen=True, repr=False)
class Audit(Plan):
    """What would be done with a file, and what is in it."""

    __hash__ = Plan.__hash__

    @property
    def facts(self) -> Facts:
        """What is in the file."""
        return self.report["facts"]


@dataclass(frozen=True, repr=False)
class Result(Plan):
    """The result of a call."""

    bytes: builtins.bytes
    """The complete file: the new one, or the given one if nothing changed."""
    changed: bool
    """Whether the file is a new one."""
    undo: Optional[builtins.bytes]
    """The undo data; None if nothing changed or the identical original cannot be restored."""

    __hash__ = Plan.__hash__

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes ``bytes`` to a new file. ``normalize_file`` and others replace photos on disk.

        Raises ``FileExistsError`` if there is such a file.
        """
        file = open(path, "xb")  # noqa: SIM115: what remains is written by close, which may fail, too
        try:
            with file:
                file.write(self.bytes)
        except BaseException:
            os.unlink(path)
            raise


_DONE = frozenset(("normalized", "rotated", "flipped", "cropped", "reset", "tagged", "restored"))
"""The statuses of files that were written with another content."""


@dataclass(frozen=True, repr=False)
class FilePlan(Plan):
    """What would be done with a photo on disk and with the files beside it."""

    error: Optional[UprightError] = None
    """Why the photo of a folder could not be processed; None if it could."""

    __hash__ = Plan.__hash__

    def __str__(self) -> str:
        text = super().__str__()
        return text if self.error is None else f"{text}: {self.error}"

    @property
    def path(self) -> Path:
        """The photo."""
        bytes_ = self.report.get("pathBytes")
        return Path(self.report["path"] if bytes_ is None else os.fsdecode(bytes.fromhex(bytes_)))

    @property
    def output(self) -> Optional[Path]:
        """The file that was written, or would be; None if that is the photo, or none."""
        output = self.report.get("output")
        return None if output is None else Path(output)

    @property
    def companions(self) -> tuple[Companion, ...]:
        """The files beside the photo, such as sidecars, with what becomes of each."""
        return tuple(self.report.get("companions", ()))


@dataclass(frozen=True, repr=False)
class FileResult(FilePlan):
    """What was done with a photo on disk and with the files beside it."""

    __hash__ = Plan.__hash__

    @property
    def changed(self) -> bool:
        """Whether the photo was replaced, or its output has another content."""
        return self.status in _DONE


@dataclass(frozen=True)
class Finding:
    """A difference that a comparison found."""

    id: str
    text: str
    original_offset: Optional[int]
    result_offset: Optional[int]
    remedies: tuple[Remedy, ...] = ()
    """What changes the comparison."""


@dataclass(frozen=True, repr=False)
class Verdict:
    """The result of ``upright.verify``."""

    report: Verification
    """The report, as the command prints it: an object of the schema upright-verify/2."""

    def __hash__(self) -> int:
        return _hash(self.report)

    @property
    def status(self) -> str:
        """``proven``, ``partly-proven``, ``already-upright``, ``identical`` or ``not-proven``."""
        return str(self.report["status"])

    def __repr__(self) -> str:
        return f"<Verdict {self.report['result']}: {self.status}>"

    def __str__(self) -> str:
        lines = [f"{self.report['result']}: {self.status}"]
        return "\n".join(lines + [f"  {finding.text}" for finding in self.findings])

    @property
    def proven(self) -> bool:
        """Whether the result is the original, lossless and complete."""
        return self.status not in ("not-proven", "partly-proven")

    @property
    def partly_proven(self) -> bool:
        """Whether the result is the original, except for what images and notes name, such as a part that was re-encoded."""
        return self.status == "partly-proven"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The differences that disprove the result."""
        return _findings(self.report.get("findings", []))

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What else is worth knowing."""
        return _findings(self.report.get("notes", []))


def _findings(found: list[ReportedFinding]) -> tuple[Finding, ...]:
    return tuple(
        Finding(each["id"], each["text"], each.get("originalOffset"), each.get("resultOffset"), remedies(each))
        for each in found
    )
