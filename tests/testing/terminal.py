"""A terminal in this process: what the screens write goes to pyte, keys come from a pipe."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

DEADLINE = 20.0
"""Seconds until a test gives up waiting for something that takes milliseconds."""


class Terminal:
    """cols x rows of cells; `text()` is what stands there, `raw` every byte that was written."""

    encoding = "utf-8"

    def __init__(self, keys: PipeInput, cols: int, rows: int) -> None:
        self.keys, self.cols, self.rows = keys, cols, rows
        self.raw: list[str] = []
        self.screen = pyte.Screen(cols, rows)
        self._stream = pyte.Stream(self.screen)
        self.output = Vt100_Output(
            self,  # type: ignore[arg-type]  # of a text file it needs write, flush, isatty, fileno and encoding alone
            lambda: Size(rows=self.rows, columns=self.cols),
            term="xterm-256color",
            enable_cpr=False,
            default_color_depth=ColorDepth.DEPTH_4_BIT,
        )

    def write(self, text: str) -> int:
        self.raw.append(text)
        self._stream.feed(text)
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("no file")

    def type(self, text: str) -> None:
        """Sends keys: text and control characters as a terminal sends them."""
        self.keys.send_text(text)

    def resize(self, cols: int, rows: int) -> None:
        """Another window size; the program sees it at its next paint."""
        self.cols, self.rows = cols, rows
        self.screen.resize(rows, cols)

    def lines(self) -> list[str]:
        """The rows of the screen, without spaces behind them."""
        return [line.rstrip() for line in self.screen.display]

    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.lines())

    def bells(self) -> int:
        """How often it rang; the BEL that ends a title doesn't count."""
        return sum(piece == "\a" for piece in self.raw)

    async def until(self, found: Callable[[], object], what: str = "") -> None:
        """Waits until it holds; shows the screen when it never does."""
        end = asyncio.get_running_loop().time() + DEADLINE
        while not found():
            assert asyncio.get_running_loop().time() < end, f"never: {what}\n{self.text()}"
            await asyncio.sleep(0.005)

    async def sees(self, text: str) -> None:
        """Waits until the text stands on the screen."""
        await self.until(lambda: text in self.text(), text)


@asynccontextmanager
async def running(
    run: Callable[[Terminal], Awaitable[int]], cols: int = 80, rows: int = 24
) -> AsyncIterator[tuple[Terminal, asyncio.Task[int]]]:
    """The program on a terminal of its own, until the block ends; the task gives its exit code."""
    with create_pipe_input() as keys:
        terminal = Terminal(keys, cols, rows)
        task: asyncio.Task[int] = asyncio.ensure_future(run(terminal))
        try:
            yield terminal, task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
