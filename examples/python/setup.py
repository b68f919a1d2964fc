"""Puts the component into the package, where it is for who installs a wheel without Rust, and the licence beside it.

They come from the repository: `dist`, and its root. A source distribution carries both already.
"""

import shutil
import sys
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
MADE = HERE.parents[1] / "dist" / "messaging_plugin_sans_io.wasm"
HELD = HERE / "src" / "messaging_plugin" / MADE.name

if MADE.is_file():
    shutil.copyfile(MADE, HELD)
    shutil.copyfile(HERE.parents[1] / "LICENSE", HERE / "LICENSE")
elif not (HELD.is_file() and (HERE / "PKG-INFO").is_file()):
    sys.exit(
        f"{MADE} is missing, and without the component there is no package; "
        "at the repository's root type: cargo verify pack --out dist"
    )

setup()
