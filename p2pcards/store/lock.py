"""A lock that the system gives back when the program ends, however it ends."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from p2pcards.errors import UserError

_HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What the systems answer when another program holds the lock."""


class Lock:
    """A held lock file: `release` frees it, and so does the end of the program, a crash included."""

    __slots__ = ("_fd",)

    def __init__(self, fd: int) -> None:
        self._fd = fd

    @classmethod
    def take(cls, file: Path) -> Lock | None:
        """The lock on this file, made where it doesn't exist; None while a running program holds it."""
        fd = -1
        try:
            fd = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if fd >= 0:
                os.close(fd)
                if error.errno in _HELD:
                    return None
            raise UserError(f"The lock {file} can't be used: {error.strerror}.") from error
        return cls(fd)

    def release(self) -> None:
        """Lets others have it."""
        os.close(self._fd)
