"""The package as users have it: a venv of its own in a temporary folder, with a current pip; asks the package index."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

_REPOSITORY = Path(__file__).parents[2]
_FOLDER = TemporaryDirectory(prefix="p2pcards-bench-")  # gone when the benchmark ends


@cache
def programs() -> Path:
    """The folder with `python` and `p2pcards`."""
    venv = Path(_FOLDER.name) / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    for what in ("--upgrade pip", str(_REPOSITORY)):
        subprocess.run([venv / "bin" / "python", "-m", "pip", "install", "-qq", *what.split()], check=True)
    return venv / "bin"


@cache
def environment() -> dict[str, str]:
    """Folders of its own for whatever is started, and a terminal with colours."""
    home = Path(_FOLDER.name) / "home"
    home.mkdir()
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "XDG_", "VIRTUAL_ENV"))}
    return {**kept, **folders, "XDG_RUNTIME_DIR": str(home), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
