"""What `doctor` looks at on the disk: the key file and the folders, without reading a byte of what is in them.

    check_key(file)                # a Finding
    check_folders(folders)         # Findings

Nothing is made or mended. Whether something can be written is tried with a file without a name, which is gone at once;
where a folder isn't there yet, in the one that it would be made in.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from p2pcards.store.folders import Folders
from p2pcards.store.identity_file import SEED_BYTES
from p2pcards.table.findings import Code, Finding, found

TRIAL_BYTES = 64 * 1024
"""Written to see whether there is room."""


def check_key(file: Path) -> Finding:
    """Whether the key file is one, and its owner's alone."""
    try:
        known = file.lstat()
        if not stat.S_ISREG(known.st_mode):
            return found(Code.KEY_NO_FILE, file=file)
        if sys.platform != "win32" and known.st_uid != os.geteuid():
            return found(Code.KEY_OF_ANOTHER, file=file)
        if sys.platform != "win32" and known.st_mode & 0o077:
            return found(Code.KEY_OPEN, file=file)
        with file.open("rb"):  # whether it may be read; what is in it is nobody's affair here
            pass
    except FileNotFoundError:
        return found(Code.KEY_TO_COME, file=file)
    except OSError as error:
        return found(Code.KEY_UNREADABLE, file=file, why=error.strerror)
    return found(Code.KEY if known.st_size == SEED_BYTES else Code.KEY_NO_KEY, file=file)


def check_folders(own: Folders) -> Iterator[Finding]:
    """Whether what is to be kept can be written, and whether it lies where only this machine sees it."""
    places = tuple(dict.fromkeys((own.data, own.local)))
    shut = [(folder, why) for folder in places if (why := _why_shut(folder))]
    for folder, why in shut:
        yield found(Code.FILES_SHUT, folders=folder, why=why)
    if own.shared:
        yield found(Code.FILES_SHARED, folders=own.local)
    elif not shut:
        yield found(Code.FILES, folders=", ".join(map(str, places)))


def _why_shut(folder: Path) -> str:
    """Why nothing can be written there; "" where it can."""
    try:
        while not folder.exists():
            if folder.is_symlink():
                return "a link that leads nowhere is in the way"
            folder = folder.parent
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(bytes(TRIAL_BYTES))
            trial.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""
