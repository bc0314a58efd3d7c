"""The lab's key: 32 random bytes in a file that the members, and nobody else, can read (protocol 5.2)."""

from __future__ import annotations

import os
import secrets
import shlex
import stat
import sys
from pathlib import Path

from p2pcards.errors import UserError
from p2pcards.store.whole_file import refuse_nowhere

KEY_BYTES = 32
MODE = 0o640

_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)  # Windows has neither; a pipe must not stop the program
_BINARY: int = getattr(os, "O_BINARY", 0)


def create_lab_key(file: Path) -> str:
    """Makes a lab's key and returns what to do next; raises UserError, and changes nothing, where a file is there."""
    refuse_nowhere(file)
    try:
        fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
    except FileExistsError as error:
        raise UserError(f"{file} is there already: a key that is written over shuts its lab out.") from error
    except OSError as error:
        raise UserError(f"{file} can't be written: {error.strerror}.") from error
    try:
        with os.fdopen(fd, "wb") as out:
            out.write(secrets.token_bytes(KEY_BYTES))
            out.flush()
            os.fsync(out.fileno())
            if sys.platform != "win32":
                os.fchmod(fd, MODE)  # whatever the umask says: its group is to read it
            group = _group(os.fstat(fd).st_gid)
    except OSError as error:
        file.unlink(missing_ok=True)
        raise UserError(f"{file} can't be written: {error.strerror}.") from error
    named = shlex.quote(str(file.absolute()))
    return (
        f"The lab's key is in {file}, and the group {group} can read it. Give it to the members' group: "
        f"chgrp GROUP {named}\n"
        f"Members name it with --lab-key {named}, or once for all with lab_key in config.toml."
    )


def lab_key(file: Path) -> bytes:
    """The key in this file; raises UserError where there is none that is the members' alone."""
    try:
        fd = os.open(file, os.O_RDONLY | _NONBLOCK | _BINARY)
        with os.fdopen(fd, "rb") as found:
            state = os.fstat(fd)
            if not stat.S_ISREG(state.st_mode):
                raise UserError(f"{file} is not a regular file: a lab's key must be one.")
            if sys.platform != "win32" and state.st_mode & 0o007:
                mend = f"chmod o= {shlex.quote(str(file))}"
                raise UserError(f"The lab's key {file} can be read by everybody here; to keep it to members: {mend}")
            key = found.read(KEY_BYTES + 1)
    except PermissionError as error:
        raise UserError(f"The lab's key {file} can't be read: you are not in the group that may read it.") from error
    except OSError as error:
        raise UserError(f"The lab's key {file} can't be read: {error.strerror}.") from error
    if len(key) != KEY_BYTES:
        raise UserError(f"{file} is no lab's key ({KEY_BYTES} bytes): `p2pcards lab-key create FILE` makes one.")
    return key


def _group(number: int) -> str:
    if sys.platform == "win32":
        return str(number)
    import grp

    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
