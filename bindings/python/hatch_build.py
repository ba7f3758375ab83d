"""Puts the C library into the wheel.

``UPRIGHT_LIBRARY=FILE`` names a libupright.so.0 of tools/package/install-library. Without it the wheel has no library,
works on every machine, and uses the libupright.so.0 of the system.
"""

import os
import re
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the library and names the platform that it is for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        library = os.environ.get("UPRIGHT_LIBRARY")
        if not library or self.target_name != "wheel":
            return
        build_data["force_include"][str(Path(library).resolve())] = "upright/libupright.so.0"
        build_data["pure_python"] = False
        # No part of it depends on the version of Python. auditwheel says which systems it runs on.
        platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
        build_data["tag"] = f"py3-none-{platform}"
