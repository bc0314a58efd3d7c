"""Out of the terminal and back: Ctrl-Z, `bg`, `fg`, and being stopped and woken from outside.

A program that stops itself leaves the terminal as it found it and takes it again when it is back in front: in between
it may go on without it (`bg`), or be told to end. One that was stopped without a word (`kill -STOP`) finds a terminal
that others have written to, and takes everything of it again.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any

from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.application.current import set_app

from p2pcards.ui.words_terminal import NO_JOBS

try:
    import termios
except ImportError:  # Windows, where nothing of this is
    termios = None  # type: ignore[assignment]  # there is no other way to say so

STOP_SECONDS = 0.2
"""Until a program that was told to stop has stopped, where it can be."""

FRONT_SECONDS = 0.2
"""Between two looks whether `fg` has brought us to the front."""

_STOP: int | None = getattr(signal, "SIGTSTP", None)
_GO: int | None = getattr(signal, "SIGCONT", None)


def repaint(screen: Application[Any]) -> None:
    """Paints everything anew, whatever others have done to the terminal; what stood there before the program stays."""
    output = screen.output
    output.enter_alternate_screen()
    output.reset_cursor_key_mode()
    screen.renderer.reset(leave_alternate_screen=False)  # it knows nothing of the terminal any more
    output.reset_attributes()
    output.erase_screen()
    output.cursor_goto(0, 0)
    output.flush()
    screen.invalidate()


class Jobs:
    """screen: whose terminal it is. lent: gives back, while the block runs, what else of the terminal is ours.
    farewell: a sentence for whoever stands before the shell then. say: one on the screen. back: it is there again."""

    def __init__(
        self,
        screen: Application[Any],
        lent: Callable[[], AbstractContextManager[None]],
        *,
        farewell: Callable[[], str],
        say: Callable[[str], None],
        back: Callable[[], None],
    ) -> None:
        self._screen, self._lent = screen, lent
        self._farewell, self._say, self._back = farewell, say, back
        self._woken = asyncio.Event()
        self._settings: list[Any] = []  # of the terminal before it was ours
        self._away: asyncio.Task[None] | None = None

    @contextmanager
    def watched(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Does as the shell wants until the block ends."""
        self._settings = _settings(self._screen)
        watched: list[int] = []
        for number, handler in ((_STOP, self.suspend), (_GO, self._continued)):
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                with suppress(NotImplementedError, ValueError, RuntimeError):  # another thread than the main one
                    loop.add_signal_handler(number, handler)
                    watched.append(number)
        try:
            yield
        finally:
            for number in watched:
                loop.remove_signal_handler(number)

    def suspend(self) -> None:
        """Stops the program, where a shell can bring it back."""
        if self._away is not None or not self._screen.is_running or self._screen.is_done:
            return
        if _STOP is None or signal.getsignal(_STOP) is signal.SIG_IGN:
            self._say(NO_JOBS)
            return
        with set_app(self._screen):
            self._away = self._screen.create_background_task(self._suspended(_STOP))

    async def _suspended(self, stop: int) -> None:
        try:
            async with in_terminal():
                with self._lent():
                    self._settle()
                    stopped = await self._stopped(stop)
            if stopped:
                self._back()
            else:
                self._say(NO_JOBS)
        finally:
            self._away = None

    async def _stopped(self, stop: int) -> bool:
        """Stops, and comes back when we are in front again or have to end; whether we were stopped at all.

        The system stops nobody whom no shell could bring back, so what counts is that we are woken.
        """
        loop = asyncio.get_running_loop()
        self._woken.clear()
        if _has_shell() and (sentence := self._farewell()):
            self._screen.output.write_raw(f"{sentence}\n")
            self._screen.output.flush()
        watched = loop.remove_signal_handler(stop)
        try:
            os.kill(0, stop)  # the whole job, as the terminal itself would
            for _ in range(2):  # the first time may have passed while we were stopped
                with suppress(TimeoutError):
                    async with asyncio.timeout(STOP_SECONDS):
                        await self._woken.wait()
        finally:
            if watched:
                loop.add_signal_handler(stop, self.suspend)
        while not (front := self._in_front()) and not self._screen.is_done:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(FRONT_SECONDS)
        if not front:
            _let_be()
        return self._woken.is_set()

    def _continued(self) -> None:
        self._woken.set()
        if self._away is None and self._screen.is_running and not self._screen.is_done:
            with suppress(Exception):  # the terminal may be gone; then its input ends too
                ExitStack().enter_context(self._screen.input.raw_mode())  # the settings from before are kept elsewhere
            repaint(self._screen)
            self._back()

    def _settle(self) -> None:
        """The settings of the terminal are those from before it was ours; `in_terminal` takes it again."""
        if self._settings:
            with suppress(OSError, termios.error):
                termios.tcsetattr(self._screen.input.fileno(), termios.TCSADRAIN, self._settings)

    def _in_front(self) -> bool:
        """Whether the terminal is ours; where it can't be told it is nobody else's."""
        try:
            return os.tcgetpgrp(self._screen.input.fileno()) == os.getpgrp()
        except OSError:
            return True


def _settings(screen: Application[Any]) -> list[Any]:
    """How the terminal is set now; nothing where it isn't one."""
    if termios is not None:
        with suppress(OSError, NotImplementedError, termios.error):
            return list(termios.tcgetattr(screen.input.fileno()))
    return []


def _has_shell() -> bool:
    """Whether our job is surely one of a shell's, which can bring it back."""
    with suppress(OSError):
        parent = os.getppid()
        return os.getpgid(parent) != os.getpgrp() and os.getsid(parent) == os.getsid(0)
    return False


def _let_be() -> None:
    """We end while the shell has the terminal: a change of its settings fails from now on, where it would stop us."""
    with suppress(ValueError):  # another thread than the main one
        signal.signal(signal.SIGTTOU, lambda number, frame: None)
