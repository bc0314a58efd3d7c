"""Being told to end from outside, whatever face the program has."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

HANGUP, INTERRUPTED, TERMINATED = 129, 130, 143
"""Exit codes: the terminal is gone, Ctrl-C, SIGTERM."""


def in_background() -> None:
    """Whoever reads from a terminal that another job has is not stopped: to it the input has ended."""
    if hasattr(signal, "SIGTTIN"):
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)


@contextmanager
def interrupts(loop: asyncio.AbstractEventLoop, heard: Callable[[], None]) -> Iterator[None]:
    """Calls `heard` at Ctrl-C where a loop can hear it; elsewhere that ends the program as ever."""
    before = signal.getsignal(signal.SIGINT)
    try:
        loop.add_signal_handler(signal.SIGINT, heard)
    except (NotImplementedError, ValueError, RuntimeError):  # Windows; another thread than the main one
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)


@contextmanager
def signals(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> Iterator[None]:
    """Calls `end` with the exit code when the program is told to end or its terminal is closed.

    A hang-up often comes twice, from the system and from the shell, or behind the end of the terminal's input: from the
    end of the face on it is ignored, for it must not cut off the good-bye. One that was ignored before, as under nohup,
    still is.
    """
    codes = {"SIGTERM": TERMINATED, "SIGHUP": HANGUP}
    watched: dict[str, int] = {}
    for name in codes:
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
            with suppress(NotImplementedError, ValueError, RuntimeError):  # Windows; another thread than the main one
                loop.add_signal_handler(getattr(signal, name), end, codes[name])
                watched[name] = getattr(signal, name)
    try:
        yield
    finally:
        for name, number in watched.items():
            if name == "SIGHUP":
                signal.signal(number, signal.SIG_IGN)  # not removed first, for then it would kill; the loop's end does
            else:
                loop.remove_signal_handler(number)
