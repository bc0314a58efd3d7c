"""Where the links of a file lead."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def led_to(file: Path) -> Path:
    """What is read and written under that name; raises OSError where links lead to each other, on every Python.

    `Path.resolve` says so up to 3.12 by a RuntimeError, and later not at all.
    """
    place = Path(os.path.realpath(file))
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(file))
    return place
