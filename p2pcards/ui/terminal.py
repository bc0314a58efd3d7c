"""What lies outside the lines of the screen: what the terminal can show, the window's title, and what else would be
printed over them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pcards.errors import UserError
from p2pcards.ui.theme import Look

_SAVE_TITLE, _RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
_NO_TITLE = {"linux", "eterm-color"}

_FORCED = {"1": ColorDepth.DEPTH_4_BIT, "2": ColorDepth.DEPTH_8_BIT, "3": ColorDepth.DEPTH_24_BIT}
_TRUE = {"truecolor", "24bit"}


def look_of(environ: Mapping[str, str], platform: str, *, ascii: bool, color: bool) -> Look:
    """What the terminal can show, by its surroundings. ascii, color: as the command line says.

    Colours are off by the command line, else by NO_COLOR, else by FORCE_COLOR=0. FORCE_COLOR=1, 2 or 3 is 16, 256 or
    all colours; else COLORTERM says that there are all. Systems other than Linux don't tell of UTF-8 by the locale.
    """
    forced = environ.get("FORCE_COLOR", "")
    depth = _FORCED.get(forced) or (ColorDepth.DEPTH_24_BIT if environ.get("COLORTERM", "").lower() in _TRUE else None)
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    charset = locale.partition("@")[0].lower().replace("-", "")
    return Look(
        unicode=not ascii and (platform in ("win32", "darwin") or charset.endswith("utf8")),
        colours=color and not environ.get("NO_COLOR") and forced.lower() not in ("0", "false"),
        depth=depth,
    )


class Title:
    """The window's title: called with a text it sets it."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._kept = isinstance(output, Vt100_Output) and output.term not in _NO_TITLE  # the terminal remembers others
        self._text = ""
        self._is_lent = False

    def __call__(self, text: str) -> None:
        """Sets it, or will when it is ours again."""
        self._text = text
        if not self._is_lent:
            self._output.set_title(text)

    def take(self) -> None:
        """It is ours, and what it was is remembered."""
        if self._kept:
            self._output.write_raw(_SAVE_TITLE)
        if self._text:
            self._output.set_title(self._text)

    def give_back(self) -> None:
        """It is what it was, where the terminal remembers."""
        if not self._kept:
            return
        with suppress(OSError, ValueError):  # the terminal may be gone
            self._output.clear_title()
            self._output.write_raw(_RESTORE_TITLE)
            self._output.flush()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """It is what it was while the block runs, and then ours again."""
        self.give_back()
        self._is_lent = True
        try:
            yield
        finally:
            self._is_lent = False
            self.take()


@contextmanager
def own_title(output: Output) -> Iterator[Title]:
    """Hands out what sets the window's title; in the end it is what it was."""
    title = Title(output)
    title.take()
    try:
        yield title
    finally:
        title.give_back()


def ring(output: Output) -> None:
    """Rings the bell."""
    with suppress(OSError, ValueError):  # the terminal may be gone
        output.bell()


def raw(output: Output) -> Callable[[str], None] | None:
    """Writes to the terminal what it obeys, and no part of the picture; None where there is no such terminal."""
    if not isinstance(output, Vt100_Output):
        return None

    def write(text: str) -> None:
        with suppress(OSError, ValueError):
            output.write_raw(text)
            output.flush()

    return write


@contextmanager
def on_console() -> Iterator[None]:
    """Says in a sentence that a window of Windows can't show a screen, where that is found out within."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ != "NoConsoleScreenBufferError":  # there is no such class elsewhere
            raise
        raise UserError("This window can't show a screen: take Windows Terminal, or winpty, or --plain.", 2) from error


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
