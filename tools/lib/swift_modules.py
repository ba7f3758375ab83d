"""Compiles modules of Upright without SwiftPM, one after the other, as one package.

SwiftPM cannot link libFuzzer's main function, nor compile the changed copy of a module without the tests and the command.
"""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Each module imports only those before it.
CORE = ["ImageOrientation", "JPEGCore", "ISOBMFF", "ImageFormats", "TurboTransform", "XMPPacket", "Upright"]
FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]


def swift(build, *words):
    """Runs the compiler with the settings of Package.swift; `build` is the folder of the compiled modules."""
    features = [word for name in FEATURES for word in ("-enable-upcoming-feature", name)]
    libraries = [word for path in sorted((ROOT / "Sources").glob("*/module.modulemap")) for word in ("-I", path.parent)]
    subprocess.run(["swiftc", "-parse-as-library", "-O", "-wmo", "-swift-version", "6", "-package-name", "upright",
                    "-I", str(build), *features, *map(str, [*libraries, *words])], check=True)


def compile_modules(build, names, *options, sources=ROOT / "Sources"):
    """Compiles modules into `build` and returns their objects."""
    build.mkdir(parents=True, exist_ok=True)
    for name in names:
        print(name, flush=True)
        swift(build, *options, "-module-name", name, "-emit-module", "-emit-module-path", build / f"{name}.swiftmodule",
              "-emit-object", "-o", build / f"{name}.o", *sorted((sources / name).rglob("*.swift")))
    return [build / f"{name}.o" for name in names]
