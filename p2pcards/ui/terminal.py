"""What lies outside the lines of the screen: the window's title, and what else would be printed over them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output

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
