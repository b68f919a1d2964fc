"""Copies the components and the license into the package, because a wheel must install without Rust.

Copies the components from `dist`, and the license from the root of the repository. A source distribution already
contains the copies.
"""

import shutil
import sys
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
for name in ("messaging_plugin_sans_io.wasm", "messaging_once_sans_io.wasm"):
    made = HERE.parents[1] / "dist" / name
    held = HERE / "src" / "messaging_plugin" / name
    if made.is_file():
        shutil.copyfile(made, held)
        shutil.copyfile(HERE.parents[1] / "LICENSE", HERE / "LICENSE")
    elif not (held.is_file() and (HERE / "PKG-INFO").is_file()):
        sys.exit(
            f"{made} is missing, and the package needs this component; "
            "run at the repository's root: cargo pack --out dist"
        )

setup()
