"""What a name leads to, told alike by every Python: `Path` says less of it since 3.13 and 3.14."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def led_to(file: Path) -> Path:
    """What is read and written under that name; raises OSError where links lead to each other."""
    place = Path(os.path.realpath(file))
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(file))
    return place


def is_there(file: Path) -> bool:
    """Whether there is something of that name; raises OSError where it can't be told, or no file can be called so."""
    try:
        os.stat(file)  # noqa: PTH116 - what Path says hangs on its version
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
