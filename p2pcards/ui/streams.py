"""Standard input and output as an event loop wants them: lines that come by themselves, writing that tells its end."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading
import unicodedata
from collections.abc import Callable
from typing import Protocol, TextIO

from p2pcards.ui.unread import is_unread

CHUNK = 65536
LINE_LIMIT = 65536
"""Characters after which an endless line is handed on as it is."""
AHEAD = 64
"""Lines that are read before the first of them is taken: an endless input must fill neither memory nor the loop."""

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs"})  # control, format and bidi, private, half a pair


class RawInput(Protocol):
    """Unbuffered bytes in; `sys.stdin.buffer.raw` is one, and any file opened with buffering=0."""

    def read(self, size: int, /) -> bytes | None: ...


def standard_input() -> RawInput | None:
    """The bytes of standard input, unbuffered; None where it is closed."""
    buffer = getattr(sys.stdin, "buffer", None)
    return getattr(buffer, "raw", buffer)


def read_lines(stdin: RawInput | None, heard: Callable[[str | None], None]) -> Callable[[], None]:
    """Calls `heard` in the running loop with every line, then with None. What it returns is called for each one taken.

    A thread reads, because files, pipes and consoles can be waited for in one way only on all systems. It reads the raw
    stream: a thread inside the buffered one would hold its lock when the program ends.
    """
    loop = asyncio.get_running_loop()
    room = threading.Semaphore(AHEAD)

    def tell(line: str | None) -> None:
        room.acquire()
        try:
            loop.call_soon_threadsafe(heard, line)
        except RuntimeError:
            return  # the loop is closed: nobody listens any more

    def work() -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        while chunk := _read(stdin):
            *lines, rest = (rest + decoder.decode(chunk)).split("\n")
            for line in lines:
                tell(line.removesuffix("\r"))
            if len(rest) > LINE_LIMIT:
                tell(rest)
                rest = ""
        if rest:
            tell(rest)
        tell(None)

    threading.Thread(target=work, name="stdin", daemon=True).start()
    return room.release


def _read(stdin: RawInput | None) -> bytes:
    try:
        return b"" if stdin is None else stdin.read(CHUNK) or b""
    except (OSError, ValueError):
        return b""


def visible(text: str) -> str:
    """The text on one line, without characters that a terminal obeys or hides; spaces stay as they are."""
    if text.isascii() and text.isprintable():
        return text
    shown = (" " if char.isspace() else char for char in text)
    return "".join(char for char in shown if unicodedata.category(char) not in _HIDDEN)


def columns(stream: TextIO) -> int:
    """Of the terminal that the stream writes to; 0 where it is none, or does not tell."""
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return 0


class Out:
    """Lines out, each flushed. broken: the reader is gone, and nothing is written any more."""

    def __init__(self, stdout: TextIO, broken: Callable[[], None]) -> None:
        self.stdout, self._broken, self.gone = stdout, broken, False

    def line(self, text: str) -> None:
        """One line, and nothing in it that a terminal obeys or hides, whoever wrote it."""
        self.write(f"{visible(text)}\n")

    def write(self, text: str) -> None:
        """Text as it is, for prompts and the bell."""
        if self.gone:
            return
        try:
            self.stdout.write(text)
            self.stdout.flush()
            self.gone = is_unread(self.stdout)
        except (OSError, ValueError):
            self.gone = True
            self._forget()
        if self.gone:
            self._broken()

    def _forget(self) -> None:
        """What is still buffered goes nowhere, so that the end of the program does not stumble over it."""
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stdout.fileno())
            os.close(nowhere)
        except (OSError, ValueError):
            return
