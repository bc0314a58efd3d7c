"""What lies outside the lines of the screen: what the terminal can show, the window's title, and what else would be
printed over them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output

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
