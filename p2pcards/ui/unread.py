"""Streams whose reader may go: what is written to them then goes nowhere, and what was begun is done to its end.

`p2pcards history show 3 | head` has nothing to complain of, and `p2pcards verify FILE | grep -q ana` still tells by its
exit code what it found.
"""

from __future__ import annotations

import errno
import io
from typing import Any

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""What the system says where the disk is full, or one's share of it."""


class _Raw(io.FileIO):
    """gone: the reader is. full: the disk is, so that something is missing."""

    gone = full = False

    def write(self, data: Any, /) -> int:  # bytes, or whatever has some
        if not self.gone:
            try:
                return super().write(data)
            except BrokenPipeError:
                self.gone = True
            except OSError as error:
                self.full = self.full or error.errno in FULL
                raise
        return memoryview(data).nbytes


def forgiving(stream: Any) -> Any:
    """The stream, or one to be put in its place that no reader's end can break; terminals, and what others have put in
    place, stay."""
    raw = _raw(stream)
    if type(stream) is not io.TextIOWrapper or type(raw) is not io.FileIO or stream.isatty():
        return stream
    stream.flush()
    ours = _Raw(raw.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(
        ours if raw is stream.buffer else io.BufferedWriter(ours),  # as Python does it for -u
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def is_full(stream: Any) -> bool:
    """Whether it is one of `forgiving` whose disk is full; what is still to be written then goes nowhere."""
    raw = _raw(stream)
    if isinstance(raw, _Raw) and raw.full:
        raw.gone = True
        return True
    return False


def is_unread(stream: Any) -> bool:
    """Whether it is one of `forgiving`, and its reader is gone."""
    raw = _raw(stream)
    return isinstance(raw, _Raw) and raw.gone


def _raw(stream: Any) -> Any:
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)  # without buffers (python -u) it is the same
