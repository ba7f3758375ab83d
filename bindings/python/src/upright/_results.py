"""The return values of the functions."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import Any, Optional

from ._orientation import Orientation


@dataclass(frozen=True)
class Change:
    """A range of bytes that is replaced."""

    field: str
    """What the bytes are, such as ``exif.ifd0.orientation``; docs/output.md lists the values."""
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
class Reason:
    """Why the image is unchanged."""

    id: str
    """The identifier, such as ``conflict``; docs/output.md lists the values."""
    text: str
    """The reason in English."""
    evidence: tuple[Evidence, ...] = ()
    """The evidence of a stale tag, if that is the reason."""


@dataclass(frozen=True)
class Plan:
    """What would be done with a file."""

    report: dict[str, Any] = field(repr=False)
    """The report, as the command prints it: an object of the schema upright/2."""

    @property
    def status(self) -> str:
        """The status, such as ``normalized``; docs/output.md lists the values."""
        return str(self.report["status"])

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
    def lossless(self) -> bool:
        """Whether every coefficient of the image is kept."""
        return bool(self.report.get("edges", "lossless") == "lossless")

    @property
    def reason(self) -> Optional[Reason]:
        """Why the file stays as it is, or only its tag changes."""
        reason = self.report.get("reason")
        if reason is None:
            return None
        evidence = tuple(Evidence(each["id"], each["text"]) for each in reason.get("evidence", ()))
        return Reason(reason["id"], reason["text"], evidence)

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
    def notes(self) -> tuple[str, ...]:
        """What else is worth knowing."""
        return tuple(self.report.get("notes", ()))


@dataclass(frozen=True)
class Audit(Plan):
    """What would be done with a file, and what is in it."""

    @property
    def facts(self) -> dict[str, Any]:
        """What is in the file; docs/output.md describes the fields."""
        facts: dict[str, Any] = self.report["facts"]
        return facts


@dataclass(frozen=True)
class Result(Plan):
    """The result of a call."""

    bytes: builtins.bytes = field(repr=False)
    """The complete file: the new one, or the given one if nothing changed."""
    changed: bool
    """Whether the file is a new one."""
    undo: Optional[builtins.bytes] = field(repr=False)
    """The undo data; None if nothing changed or the identical original cannot be restored."""


@dataclass(frozen=True)
class Finding:
    """A difference that a comparison found."""

    id: str
    text: str
    original_offset: Optional[int]
    result_offset: Optional[int]


@dataclass(frozen=True)
class Verdict:
    """The result of ``upright.verify``."""

    report: dict[str, Any] = field(repr=False)
    """The report, as the command prints it: an object of the schema upright-verify/2."""

    @property
    def status(self) -> str:
        """``proven``, ``already-upright``, ``identical`` or ``not-proven``."""
        return str(self.report["status"])

    @property
    def proven(self) -> bool:
        """Whether there are no findings."""
        return self.status != "not-proven"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The differences that disprove the result."""
        return self._findings("findings")

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What else is worth knowing."""
        return self._findings("notes")

    def _findings(self, name: str) -> tuple[Finding, ...]:
        return tuple(
            Finding(each["id"], each["text"], each.get("originalOffset"), each.get("resultOffset"))
            for each in self.report.get(name, ())
        )
