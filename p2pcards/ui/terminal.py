"""What lies outside the lines of the screen: the window's title, signals, and the terminal as it was found."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output

HANGUP, INTERRUPTED, TERMINATED = 129, 130, 143
"""Exit codes: the terminal is gone, Ctrl-C, SIGTERM."""

_SAVE_TITLE, _RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
_NO_TITLE = {"linux", "eterm-color"}


@contextmanager
def own_title(output: Output) -> Iterator[Callable[[str], None]]:
    """Hands out a function that sets the window's title; in the end it is what it was, where the terminal remembers."""
    if not isinstance(output, Vt100_Output) or output.term in _NO_TITLE:
        yield output.set_title
        return
    output.write_raw(_SAVE_TITLE)
    try:
        yield output.set_title
    finally:
        with suppress(OSError, ValueError):  # the terminal may be gone
            output.clear_title()
            output.write_raw(_RESTORE_TITLE)
            output.flush()


@contextmanager
def signals(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> Iterator[None]:
    """Calls `end` with the exit code when the program is told to end or its terminal is closed.

    A hang-up often comes twice, from the system and from the shell: the second one must not cut off the good-bye. One
    that was ignored before, as under nohup, still is.
    """
    codes = {"SIGTERM": TERMINATED, "SIGHUP": HANGUP}
    heard: set[str] = set()
    watched: dict[str, int] = {}

    def told(name: str) -> None:
        heard.add(name)
        end(codes[name])

    for name in codes:
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
            with suppress(NotImplementedError, ValueError, RuntimeError):  # Windows; another thread than the main one
                loop.add_signal_handler(getattr(signal, name), told, name)
                watched[name] = getattr(signal, name)
    try:
        yield
    finally:
        for name, number in watched.items():
            loop.remove_signal_handler(number)
            if name == "SIGHUP" and name in heard:
                signal.signal(number, signal.SIG_IGN)


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing is printed over the screen: warnings become log records, and those without a file vanish."""
    nowhere = logging.NullHandler()
    root = logging.getLogger()
    root.addHandler(nowhere)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.removeHandler(nowhere)
