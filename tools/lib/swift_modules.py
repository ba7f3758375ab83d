"""Compiles modules of Upright without SwiftPM, one after the other, as one package.

SwiftPM cannot link libFuzzer's main function, nor compile the changed copy of a module without the tests and the command.
"""

import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Each module imports only those before it.
CORE = ["ImageOrientation", "FileBytes", "JPEGCore", "ISOBMFF", "ImageFormats", "TurboTransform", "XMPPacket", "Upright",
        "ExifReference", "Verification"]
# What examples are linked with: all but the command and the C library, and what they need of other packages.
LIBRARIES = ["CSystem", "SystemPackage", *sorted({path.name for path in (ROOT / "Sources").iterdir()} - {"Commands", "CInterface"})]
FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]


def settings(build):
    """The settings of Package.swift for the compiler; `build` is the folder of the compiled modules."""
    features = [word for name in FEATURES for word in ("-enable-upcoming-feature", name)]
    libraries = [word for path in sorted((ROOT / "Sources").rglob("module.modulemap")) for word in ("-I", str(path.parent))]
    return ["-wmo", "-swift-version", "6", "-I", str(build), *features, *libraries]


def swift(build, *words):
    """Compiles or links a part of this package."""
    subprocess.run(["swiftc", "-parse-as-library", "-O", "-package-name", "upright", *settings(build), *map(str, words)], check=True)


def compile_modules(build, names, *options, sources=ROOT / "Sources"):
    """Compiles modules into `build` and returns their objects."""
    build.mkdir(parents=True, exist_ok=True)
    for name in names:
        print(name, flush=True)
        swift(build, *options, "-module-name", name, "-emit-module", "-emit-module-path", build / f"{name}.swiftmodule",
              "-emit-object", "-o", build / f"{name}.o", *sorted((sources / name).rglob("*.swift")))
    return [build / f"{name}.o" for name in names]


class Release:
    """The modules that SwiftPM compiled for release, for programs that are compiled and linked without it, into a folder."""

    PLACE = ROOT / ".build/release"
    LIBRARIES = ["libturbojpeg", "libexif", "expat", "nettle", "zlib"]

    # What SwiftPM names the package: its folder.
    PACKAGE = ROOT.name.lower()

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def resources(self, module):
        """The source that SwiftPM writes of the files that are embedded."""
        return sorted((self.PLACE / f"{module}.build/DerivedSources").glob("*.swift"))

    def compile(self, name, folder, *options):
        """Compiles a module, which finds others that were compiled so first; returns its object."""
        system = ROOT / ".build/checkouts/swift-system/Sources/CSystem/include"
        sources = sorted(folder.rglob("*.swift"))
        library = [] if (folder / "main.swift").exists() else ["-parse-as-library"]
        self.run(name, *library, *settings(self.folder), "-I", self.PLACE / "Modules", "-I", system, "-module-name", name,
                 *options, "-emit-object", "-o", f"{name}.o", *sources)
        return self.folder / f"{name}.o"

    def link(self, name, objects, modules):
        """Links a program with modules; returns its path."""
        # What SwiftPM links; folders may have objects of sources that are gone.
        known = {word for each in self.PLACE.glob("*.product/Objects.LinkFileList") for word in shlex.split(each.read_text())}
        built = sorted(path for path in known if any(f"/{module}.build/" in path for module in modules))
        (self.folder / f"{name}.objects").write_text("".join(f"{shlex.quote(str(path))}\n" for path in [*objects, *built]))
        flags = subprocess.run(["pkg-config", "--libs", *self.LIBRARIES], capture_output=True, text=True, check=True).stdout.split()
        self.run(name, "-o", name, f"@{name}.objects", *flags)
        return self.folder / name

    def run(self, name, *words):
        if subprocess.run(["swiftc", *map(str, words)], cwd=self.folder, check=False).returncode:
            sys.exit(f"{name} cannot be compiled or linked with what is in {self.PLACE}")
