"""What the functions return."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import Any, Optional

from ._orientation import Orientation


@dataclass(frozen=True)
class Change:
    """A change of some bytes of a file."""

    field: str
    """What the bytes mean, such as ``exif.ifd0.orientation``; docs/output.md lists them."""
    offset: int
    """Where they are in the original."""
    old_length: int
    """How many bytes are replaced; 0 where something is inserted."""
    new_length: int
    """How many bytes replace them."""
    old: Optional[str]
    """The value before, in words."""
    new: Optional[str]
    """The value afterwards, in words."""


@dataclass(frozen=True)
class Evidence:
    """A reason to suspect that the Orientation tag is stale."""

    id: str
    text: str


@dataclass(frozen=True)
class Reason:
    """Why a file stays as it is, or only its tag changes."""

    id: str
    """The identifier, such as ``conflict``; docs/output.md lists them."""
    text: str
    """The reason in English words."""
    evidence: tuple[Evidence, ...] = ()
    """What speaks for a stale tag, where that is the reason."""


@dataclass(frozen=True)
class Plan:
    """What would be done with a file."""

    report: dict[str, Any] = field(repr=False)
    """The report, as the command prints it: an object of the schema upright/1."""

    @property
    def status(self) -> str:
        """The one word for what became of the file, or would."""
        return str(self.report["status"])

    @property
    def orientation(self) -> Optional[Orientation]:
        """The orientation before, where there is a usable one."""
        value = self.report.get("orientation")
        return None if value is None else Orientation(value)

    @property
    def turn(self) -> Optional[str]:
        """How the stored image is transformed, such as ``rotate-90``."""
        return self.report.get("transform")

    @property
    def lossless(self) -> bool:
        """Whether every coefficient of the image is kept."""
        return bool(self.report.get("edges", "exact") == "exact")

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
        """The changes, in file order; of a plan, those that the header alone determines."""
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
        """What people should know besides."""
        return tuple(self.report.get("notes", ()))


@dataclass(frozen=True)
class Audit(Plan):
    """What would be done with a file, and what is in it."""

    @property
    def facts(self) -> dict[str, Any]:
        """What is in the file; docs/output.md describes the members."""
        facts: dict[str, Any] = self.report["facts"]
        return facts


@dataclass(frozen=True)
class Result(Plan):
    """What became of a file."""

    bytes: builtins.bytes = field(repr=False)
    """The complete file: the new one, or the old one where nothing changed."""
    changed: bool
    """Whether it is a new one."""
    undo: Optional[builtins.bytes] = field(repr=False)
    """What ``upright.undo`` needs; None where nothing changed, or the identical file cannot be restored."""


@dataclass(frozen=True)
class Finding:
    """What a comparison found."""

    id: str
    text: str
    original_offset: Optional[int]
    result_offset: Optional[int]


@dataclass(frozen=True)
class Verdict:
    """Whether a file is another one made upright."""

    report: dict[str, Any] = field(repr=False)
    """The report, as the command prints it: an object of the schema upright-verify/1."""

    @property
    def status(self) -> str:
        """``proven``, ``already-upright``, ``identical`` or ``not-proven``."""
        return str(self.report["status"])

    @property
    def proven(self) -> bool:
        """Whether nothing speaks against it."""
        return self.status != "not-proven"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is not as it must be."""
        return self._findings("findings")

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What people should know besides."""
        return self._findings("notes")

    def _findings(self, name: str) -> tuple[Finding, ...]:
        return tuple(
            Finding(each["id"], each["text"], each.get("originalOffset"), each.get("resultOffset"))
            for each in self.report.get(name, ())
        )
