"""Pasted text as one line: a block with line ends plays nothing by itself."""

from __future__ import annotations

import re
from collections import deque

from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from p2pcards.ui.streams import visible

PASTE = 300
"""Characters that are taken of a pasted block."""

BURST = 5
"""Lines that come at once behind a line end: more than anybody types ahead."""

BURST_SECONDS = 0.3
"""From one part of a block to the next, at most."""

_ENDS = (Keys.ControlM, Keys.ControlJ)
_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # what moves the cursor and colours
    r"|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles and other strings
    r"|[ -/]*[0-~])?"
)


def pasted(block: str) -> str:
    """The block on one line, without what a terminal obeys, and no longer than anybody needs."""
    return visible(" ".join(_SEQUENCE.sub("", block[: 20 * PASTE]).split()))[:PASTE]


class Burst:
    """Tells a pasted block from typed lines where the terminal doesn't: many line ends come at once."""

    def __init__(self) -> None:
        self._until = 0.0

    def taken(self, coming: deque[KeyPress], now: float) -> str | None:
        """What stands behind this line end, as one line, where it is part of a block; it is taken from what comes.

        None where somebody typed. coming: the keys that are there already.
        """
        block = "".join("\n" if press.key in _ENDS else press.data for press in coming)
        if sum(bool(line.strip()) for line in block.split("\n")) < BURST and now > self._until:
            return None
        self._until = now + BURST_SECONDS
        coming.clear()
        return pasted(block)
