"""The board of tables on the terminal, kept fresh until somebody has seen enough of it.

Exit codes: 0 left by `q`, 129 the terminal is gone, 130 Ctrl-C, 143 SIGTERM.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle

from p2pcards.ui.canvas import Canvas
from p2pcards.ui.habits import USUAL, Habits
from p2pcards.ui.signals import HANGUP, INTERRUPTED, signals
from p2pcards.ui.terminal import own_title, quiet
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.themes import Skin
from p2pcards.ui.width import Line

_LOG = logging.getLogger(__name__)

REFRESH_SECONDS = 1.0
"""Between two paints without any news: what is said after a while comes with time alone."""


class Board:
    """The screen. draw: its lines but for the last row, for its size."""

    def __init__(
        self,
        draw: Callable[[Size], list[Line]],
        look: Look,
        habits: Habits = USUAL,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        skin = Skin(lambda: habits.theme, habits.themes, colours=look.colours, few=self._few)
        last = Window(FormattedTextControl(), height=1, always_hide_cursor=True)
        self._screen: Application[int] = Application(
            layout=Layout(HSplit([Canvas(draw), last], style=skin.ground)),
            key_bindings=self._keys(),
            style=DynamicStyle(skin.style),
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=False,
            color_depth=look.depth if look.colours else ColorDepth.MONOCHROME,
            refresh_interval=REFRESH_SECONDS,
            input=input,
            output=output,
        )

    def refresh(self) -> None:
        """The list may be another."""
        self._screen.invalidate()

    async def run(self) -> int:
        """Shows it until the end; the exit code."""
        loop = asyncio.get_running_loop()
        try:
            with quiet(), signals(loop, self._exit), own_title(self._screen.output) as title:
                title("p2pcards · tables")
                return await self._screen.run_async(set_exception_handler=False)
        except (EOFError, OSError) as gone:
            _LOG.warning("no terminal any more: %r", gone)
            return HANGUP
        finally:
            with suppress(OSError, ValueError):  # it may be gone
                self._screen.renderer.reset()

    def _few(self) -> bool:
        return self._screen.color_depth is ColorDepth.DEPTH_4_BIT

    def _exit(self, code: int) -> None:
        if self._screen.is_running and not self._screen.is_done:
            self._screen.exit(result=code)

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("q")
        @keys.add("c-d")
        def leave(event: KeyPressEvent) -> None:
            self._exit(0)

        @keys.add("c-c")
        @keys.add("<sigint>")
        def interrupt(event: KeyPressEvent) -> None:
            self._exit(INTERRUPTED)

        @keys.add("c-l")
        def again(event: KeyPressEvent) -> None:
            self._screen.renderer.clear()

        return keys
