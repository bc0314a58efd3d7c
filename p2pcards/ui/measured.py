"""How wide a terminal draws the signs of our screens: it is asked where the cursor stands behind each.

widths = measure(sys.stdin.fileno(), sys.stdout.fileno(), SIGNS)    # None: it doesn't answer
"""

from __future__ import annotations

import os
import re
import select
import time
from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth

from p2pcards.ui.width import clean

SIGNS = "♠♥♦♣─│╭╯▸▾•…·✓✗×−░»é界"
"""What the screens are made of, a letter with an accent, and one that is two cells wide."""

ANSWER_SECONDS = 0.5

_PLACE = re.compile(rb"\x1b\[(\d+);(\d+)R")


def measure(into: int, out: int, signs: Sequence[str]) -> dict[str, int] | None:
    """Cells by sign, measured at the start of the line, which is empty afterwards; None where nothing is answered.

    into, out: descriptors of the terminal. Keys that are typed meanwhile are lost.
    """
    try:
        import termios
        import tty
    except ImportError:  # Windows
        return None
    try:
        before = termios.tcgetattr(into)
    except termios.error:
        return None
    try:
        tty.setcbreak(into)
        asked = "".join(f"\r{sign}\x1b[6n" for sign in signs)
        os.write(out, f"{asked}\r\x1b[K".encode())
        places = _answers(into, len(signs))
    except OSError:
        return None
    finally:
        termios.tcsetattr(into, termios.TCSAFLUSH, before)
    if len(places) < len(signs):
        return None
    return {sign: place - 1 for sign, place in zip(signs, places, strict=True)}


def odd(widths: dict[str, int]) -> str:
    """The signs that are drawn in another width than we count on, side by side."""
    return " ".join(sign for sign, width in widths.items() if width != get_cwidth(clean(sign)))


def _answers(into: int, count: int) -> list[int]:
    """The columns that the terminal names, until all are there or it has had its time."""
    told, end = b"", time.monotonic() + ANSWER_SECONDS
    while len(found := _PLACE.findall(told)) < count and (left := end - time.monotonic()) > 0:
        if select.select([into], [], [], left)[0]:
            more = os.read(into, 4096)
            if not more:
                break
            told += more
    return [int(column) for _, column in found[:count]]
