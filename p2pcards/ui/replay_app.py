"""The full-screen viewer of a record: one prompt_toolkit Application over a `Viewing`.

    code = await run_viewer(Viewing(reel), look=…, habits=…, log_file=…)

Exit codes: 0 left by `q` or Ctrl-D, 129 the terminal is gone, 130 Ctrl-C, 143 SIGTERM.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle

from p2pcards.bots.thinking import Thought
from p2pcards.errors import UserError
from p2pcards.games.base import Seat
from p2pcards.ui import frame
from p2pcards.ui.canvas import Canvas
from p2pcards.ui.faults import Faults
from p2pcards.ui.habits import USUAL, Habits
from p2pcards.ui.jobs import Jobs, repaint
from p2pcards.ui.replay_commands import Wish, parse
from p2pcards.ui.replay_desk import Viewing
from p2pcards.ui.replay_hint import Adviser
from p2pcards.ui.replay_keys import bindings
from p2pcards.ui.signals import HANGUP, INTERRUPTED, signals
from p2pcards.ui.terminal import own_title, quiet
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.themes import Skin
from p2pcards.ui.width import Line, clean
from p2pcards.ui.words_terminal import STOPPED

_LOG = logging.getLogger(__name__)

PAUSE = 3
"""So many moves' time it stays at a score sheet while it runs by itself."""

_ESCAPE_SECONDS = 0.05
_TITLE = 40  # cells of the record's title in that of the window


async def run_viewer(
    desk: Viewing,
    *,
    look: Look | None = None,
    habits: Habits = USUAL,
    log_file: Path | None = None,
    input: Input | None = None,
    output: Output | None = None,
) -> int:
    """Shows the record until the person leaves, and returns the exit code."""
    return await Viewer(desk, look or Look(), habits, log_file, input, output).run()


class Viewer:
    """Keys and layout. What is shown is the desk's."""

    def __init__(
        self,
        desk: Viewing,
        look: Look,
        habits: Habits,
        log_file: Path | None,
        input: Input | None,
        output: Output | None,
    ) -> None:
        self.desk = desk
        self.typing = False
        self.buffer = Buffer(multiline=False)
        self._look = look
        self._adviser = Adviser(self._advised)
        self._asked: Seat | None = None  # in whose place the bot thinks
        self._faults = Faults(self._tell, log_file)
        self._running: asyncio.Task[None] | None = None  # while it runs by itself
        skin = Skin(lambda: habits.theme, habits.themes, colours=look.colours, few=self._few)
        self.screen: Application[int] = Application(
            layout=self._layout(skin.ground),
            key_bindings=bindings(self, habits.keys),
            style=DynamicStyle(skin.style),
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=False,
            color_depth=look.depth if look.colours else ColorDepth.MONOCHROME,
            input=input,
            output=output,
        )
        self.screen.ttimeoutlen = _ESCAPE_SECONDS
        self.screen.timeoutlen = _ESCAPE_SECONDS

    async def run(self) -> int:
        """From the first paint to the exit code."""
        loop = asyncio.get_running_loop()
        try:
            with quiet(), self._faults.watched(loop), signals(loop, self.exit), own_title(self.screen.output) as title:
                title(f"p2pcards · {clean(self.desk.reel.record.title or self.desk.reel.game.title)[:_TITLE]}")
                self.jobs = Jobs(
                    self.screen, title.lent, farewell=lambda: STOPPED, say=self._tell, back=self.screen.invalidate
                )
                with self.jobs.watched(loop):
                    return await self.screen.run_async(set_exception_handler=False)
        except (EOFError, OSError) as gone:
            _LOG.warning("no terminal any more: %r", gone)
            return HANGUP
        except Exception as broken:
            _LOG.exception("the screen")
            raise UserError(self._faults.last_words) from broken
        finally:
            with suppress(OSError, ValueError):  # the terminal may be gone
                self.screen.renderer.reset()
            self._adviser.cancel()
            if self._running is not None:
                self._running.cancel()

    def exit(self, code: int) -> None:
        """Ends the run; the first code counts."""
        if self.screen.is_running and not self.screen.is_done:
            self.screen.exit(result=code)

    # ---- what keys do

    def does(self, work: Callable[[Viewing], None], *, runs_on: bool = False) -> None:
        """What a key does to the desk. runs_on: what runs by itself goes on."""
        if not runs_on:
            self.desk.playing = False
        self._faults.safely(partial(work, self.desk))
        self._settle()

    def wish(self, wish: Wish) -> None:
        """What was typed, or a key that stands for it."""
        match wish.verb:
            case "quit":
                self.exit(0)
            case "help":
                self.does(Viewing.open_help)
            case "hint":
                self.does(lambda desk: self._ask())
            case "play":
                self.does(lambda desk: self._try(wish), runs_on=True)
            case _:
                self.does(lambda desk: self._try(wish))

    def enter(self) -> None:
        """Does what is typed; an empty line does nothing."""
        line = self.buffer.text.strip()
        self.leave_line()
        if line:
            try:
                self.wish(parse(line))
            except UserError as refused:
                self.desk.say(str(refused), wrong=True)
        self.screen.invalidate()

    def begin_line(self, text: str = "") -> None:
        """A line is typed from now on."""
        self.desk.playing = False
        self.typing = True
        self.buffer.reset()
        self.buffer.insert_text(text)
        self._settle()

    def leave_line(self) -> None:
        """Keys are keys again."""
        self.typing = False
        self.buffer.reset()
        self.screen.invalidate()

    def interrupt(self) -> None:
        """Ctrl-C: takes back the line; without one it leaves."""
        if self.typing:
            self.leave_line()
        else:
            self.exit(INTERRUPTED)

    def redraw(self) -> None:
        """Everything anew."""
        repaint(self.screen)

    @property
    def size(self) -> Size:
        """Of the terminal."""
        size = self.screen.output.get_size()
        return Size(size.columns, size.rows)

    def _try(self, wish: Wish) -> None:
        try:
            self.desk.do(wish)
        except UserError as refused:
            self.desk.say(str(refused), wrong=True)

    def _ask(self) -> None:
        self.desk.quiet()
        try:
            seat = self.desk.adviser_seat()
        except UserError as refused:
            self.desk.say(str(refused))
            return
        self.desk.say("The bot thinks…")
        self._asked = seat
        self._at = self.desk.at, self.desk.eyes
        self._adviser.ask(self.desk.reel.game, self.desk.reel.view(self.desk.spot, seat))

    def _advised(self, thought: Thought[str] | None) -> None:
        if self._asked is not None:
            self.desk.say(self.desk.advice(thought, self._asked), wrong=thought is None)
            self._asked = None
            self.screen.invalidate()

    def _settle(self) -> None:
        """After anything that may have moved us: thoughts about another place end, and it runs or stands."""
        if self._asked is not None and self._at != (self.desk.at, self.desk.eyes):
            self._asked = None
            self._adviser.cancel()
        if self.desk.playing and self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())
        elif not self.desk.playing and self._running is not None:
            self._running.cancel()
            self._running = None
        self.screen.invalidate()

    async def _run(self) -> None:
        """One move after the other until the end."""
        while self.desk.playing:
            sheet = self.desk.reel.outcome(self.desk.spot) is not None
            await asyncio.sleep((PAUSE if sheet else 1) / self.desk.speed)
            self.desk.step(1)
            self.desk.playing = not self.desk.ended
            self.screen.invalidate()
        self._running = None

    # ---- what is painted

    def _layout(self, ground: Callable[[], str]) -> Layout:
        typing = Condition(lambda: self.typing)
        fits = Condition(lambda: self.size.cols >= frame.LEAST.cols and self.size.rows >= frame.LEAST.rows)
        line = Window(BufferControl(self.buffer), get_horizontal_scroll=lambda window: 0)
        prompt = Window(FormattedTextControl([("class:mark", " go to > ")]), dont_extend_width=True)
        whole = HSplit(
            [
                Canvas(self._above),
                ConditionalContainer(VSplit([prompt, line], height=1), typing & fits),
                ConditionalContainer(Canvas(self._progress, 1), ~typing & fits),
                ConditionalContainer(Canvas(lambda size: [self.desk.keys_line(size, self._look)], 1), fits),
            ],
            style=ground,
        )
        return Layout(whole, line)

    def _above(self, size: Size) -> list[Line]:
        try:
            return self.desk.picture(size, self._look)[:-1]
        except Exception:
            _LOG.exception("drawing failed")
            return frame.finish([[("class:warn", self._faults.sentence)]], size, self._look)

    def _progress(self, size: Size) -> list[Line]:
        return [self.desk.progress(size, self._look)]

    def _few(self) -> bool:
        return self.screen.color_depth is ColorDepth.DEPTH_4_BIT

    def _tell(self, text: str) -> None:
        self.desk.say(text, wrong=True)
        self.screen.invalidate()
