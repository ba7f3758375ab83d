"""Puts the C library and the WebAssembly module into the wheel.

``UPRIGHT_LIBRARY=FILE`` names a libupright.so.0 of tools/package/install-library, and ``UPRIGHT_MODULE=FILE`` an
upright.wasm of tools/package/wasm/build. A wheel without a library works on every machine. Without either, it uses the
libupright.so.0 of the system.
"""

import os
import re
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the files, and names the platform that they are for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        library, module = os.environ.get("UPRIGHT_LIBRARY"), os.environ.get("UPRIGHT_MODULE")
        for file, name in ((library, "libupright.so.0"), (module, "upright.wasm")):
            if file:
                build_data["force_include"][str(Path(file).resolve())] = f"upright/{name}"
        if library:
            build_data["pure_python"] = False
            # No part of it depends on the version of Python. auditwheel says which systems it runs on.
            platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
            build_data["tag"] = f"py3-none-{platform}"
