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
    """Calls `end` with the exit code when the program is told to end or its terminal is closed."""
    codes = {"SIGTERM": TERMINATED, "SIGHUP": HANGUP}
    set_: list[int] = []
    for name, code in codes.items():
        number = getattr(signal, name, None)
        if number is not None:
            with suppress(NotImplementedError, ValueError, RuntimeError):  # Windows; another thread than the main one
                loop.add_signal_handler(number, end, code)
                set_.append(number)
    try:
        yield
    finally:
        for number in set_:
            loop.remove_signal_handler(number)


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
