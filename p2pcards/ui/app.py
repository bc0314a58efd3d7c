"""The full-screen program: one prompt_toolkit Application for the whole run.

    code = await run_app(make_node, start, look=…, manual=…, log_file=…)

`make_node` is awaited after the first paint, so that the network and its cryptography are loaded while the home screen
is there already; whoever made the node also closes it, after `run_app` has returned. `start` is carried out as soon as
the node is there (`host tongits`, `join lab`, …). Exit codes:

    0    left by `quit`, Ctrl-D or the end of the one thing that `start` asked for
    3-5  what `start` asked for came to nothing (no such table, refused, host lost): the screen said it and went home
    129  the terminal is gone, 130 Ctrl-C, 143 SIGTERM

UserError comes out when the node could not be made. Nothing else does: what goes wrong inside is logged, told in one
sentence, and the game goes on; if the screen itself can't go on, the terminal is put back first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from prompt_toolkit.application import Application
from prompt_toolkit.auto_suggest import Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition, is_searching
from prompt_toolkit.formatted_text import AnyFormattedText
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
from prompt_toolkit.layout.processors import AppendAutoSuggestion, ConditionalProcessor
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle
from prompt_toolkit.widgets import SearchToolbar

from p2pcards.errors import UserError
from p2pcards.ui import frame, home
from p2pcards.ui.apart import apart
from p2pcards.ui.canvas import Canvas
from p2pcards.ui.choices import Keep, nowhere
from p2pcards.ui.faults import Faults
from p2pcards.ui.habits import USUAL, Habits
from p2pcards.ui.idle import Lull
from p2pcards.ui.jobs import Jobs, repaint
from p2pcards.ui.keynames import keymap, shown
from p2pcards.ui.keys import bindings
from p2pcards.ui.local import Local, Offer
from p2pcards.ui.menu import Menu
from p2pcards.ui.pace import Pace
from p2pcards.ui.recall import recall
from p2pcards.ui.signals import HANGUP, INTERRUPTED, signals
from p2pcards.ui.terminal import own_title, quiet, raw, ring
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.themes import Skin
from p2pcards.ui.width import Line
from p2pcards.ui.words_terminal import STOPPED, STOPPED_AT_TABLE

if TYPE_CHECKING:
    from p2pcards.commands.command import Command
    from p2pcards.table.notices import Notice
    from p2pcards.ui.desk import Desk
    from p2pcards.ui.picker import Picker
    from p2pcards.ui.ports import Node
    from p2pcards.ui.prompt import Answer

_LOG = logging.getLogger(__name__)

_KEYS = (("Tab", "complete"), ("Enter", "go"))
_TABLE_KEYS = (
    ("help", "help"),
    ("hide", "hide"),
    ("log", "log"),
    ("picker", "pick"),
    ("leave", "leave"),
    ("cards", "cards"),
)
_HOME_KEYS = (("help", "help"), ("log", "log"), ("picker", "arrows"), ("leave", "quit"))
_IDLE_KEYS = (("help", "help"), ("log", "log"), ("picker", "arrows"), ("leave", "leave"))
_ANSWERS = (("y, Enter", "yes"), ("Enter", "no"))
_PICKED_ANSWERS = (("Up Down", "choose"), ("Enter", "do it"), ("Esc", "no"))
_YES, _NO = ("y", "yes"), ("n", "no", "")
LEAVE = "Leave p2pcards: yes or no?"
"""What is asked where nothing else is lost by it."""

AWAITED = "Answer y or n first."
_ESCAPE_SECONDS = 0.05  # after a lone Esc, before it counts as one
_PAINTS = 3  # that fail one after the other, until nothing can be shown any more


class Question(NamedTuple):
    """Whether to leave: asked once, and the same key again says yes."""

    text: str
    key: str
    yes: Callable[[], None]


async def run_app(
    make_node: Callable[[], Awaitable[Node]],
    start: Command | None = None,
    *,
    look: Look | None = None,
    manual: Callable[[str], str] = str,
    log_file: Path | None = None,
    habits: Habits = USUAL,
    keep: Keep = nowhere,
    input: Input | None = None,
    output: Output | None = None,
    rest: Callable[[], None] | None = None,
) -> int:
    """Runs the screens until the person leaves and returns the exit code. manual: the rules of a game, as text; habits,
    keep: what is set, and where that is kept; rest: what is done while nothing is painted."""
    app = App(make_node, start, look or Look(), manual, log_file, habits, keep, input, output)
    if rest is not None:
        lull = Lull(rest)
        app.screen.after_render += lambda _: lull.painted()
    return await app.run()


class App:
    """Prompt, layout and keys. What the program knows and does is the Desk's."""

    def __init__(
        self,
        make_node: Callable[[], Awaitable[Node]],
        start: Command | None,
        look: Look,
        manual: Callable[[str], str],
        log_file: Path | None,
        habits: Habits,
        keep: Keep,
        input: Input | None,
        output: Output | None,
    ) -> None:
        self.desk: Desk | None = None
        self.question: Question | None = None
        self._pressed = False  # a key that does nothing while something is asked
        self._make_node, self._start = make_node, start
        self._look, self._manual = look, manual
        self._faults = Faults(self._tell, log_file)
        self._habits, self._keep = habits, keep
        self._skin = Skin(self._theme, habits.themes, colours=look.colours, few=self._few)
        self._said = ""  # before there is a desk
        self._pace = Pace(lambda: self.screen.invalidate(), self._follow)
        self._set_title: Callable[[str], None] = lambda text: None
        self._title = ""
        self._painting = 0  # paints that began since one came to its end
        self.buffer = Buffer(multiline=False, on_text_changed=self._offer, on_cursor_position_changed=self._offer)
        self.menu = Menu(self.buffer)
        self._search = SearchToolbar()
        self.screen: Application[int] = Application(
            layout=self._layout(),
            key_bindings=bindings(self, habits.keys, vi=habits.editing == "vi"),
            editing_mode=EditingMode.VI if habits.editing == "vi" else EditingMode.EMACS,
            style=DynamicStyle(self._skin.style),
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=False,
            color_depth=look.depth if look.colours else ColorDepth.MONOCHROME,
            input=input,
            output=output,
        )
        self.screen.before_render += self._paints
        self.screen.after_render += self._painted
        self.screen.ttimeoutlen = _ESCAPE_SECONDS
        self.screen.timeoutlen = _ESCAPE_SECONDS
        self.screen.key_processor.before_key_press += self._attended

    async def run(self) -> int:
        """From the first paint to the exit code."""
        loop = asyncio.get_running_loop()
        tasks: list[asyncio.Task[None]] = []

        def begin() -> None:
            tasks.extend(asyncio.create_task(work) for work in (self._furnish(), self._count_down()))

        try:
            with quiet(), self._faults.watched(loop), signals(loop, self.exit), own_title(self.screen.output) as title:
                self._set_title = title
                self.jobs = Jobs(
                    self.screen, title.lent, farewell=self._farewell, say=self._say, back=self.screen.invalidate
                )
                with self.jobs.watched(loop):
                    return await self.screen.run_async(pre_run=begin, set_exception_handler=False)
        except UserError:
            raise
        except (EOFError, OSError) as gone:
            _LOG.warning("no terminal any more: %r", gone)
            return HANGUP
        except Exception as broken:
            _LOG.exception("the screen")
            raise UserError(self._faults.last_words) from broken
        finally:
            self._put_back()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _put_back(self) -> None:
        """The terminal as it was, where a paint that failed left it half ours."""
        with suppress(OSError, ValueError):  # it may be gone
            self.screen.renderer.reset()

    def exit(self, code: int) -> None:
        """Ends the run; the first code counts."""
        if self.screen.is_running and not self.screen.is_done:
            self.screen.exit(result=code)

    # ---- what keys do

    def enter(self) -> None:
        """Runs what is typed, or answers the question. A bare Enter plays nothing."""
        text, self._pressed = self.buffer.text.strip(), False
        if self._asked:
            text = text or self._picked_answer()
            question, self.question = self.question, None
            self.buffer.reset()
            if question is None:
                self._typed(text or _NO[0])  # the desk asked, and takes the answer
            elif text.lower() in _YES:
                question.yes()
            elif text.lower() not in _NO:
                self._typed(text)
        elif text and self.desk is None:
            self._said = "One moment: the program is still starting."
        elif text and self.desk is not None:
            self.buffer.reset(append_to_history=not self.desk.is_secret(text))
            self._typed(text)
        self.refresh()

    def _attended(self, _: object) -> None:
        if self.desk is not None:
            self.desk.attended()

    def go_on(self) -> None:
        """Takes what is chosen and offers what may follow."""
        self.menu.close()
        self.refresh()

    def interrupt(self) -> None:
        """Ctrl-C: clears the line or the question; on an empty line it asks, and the second time it leaves."""
        if self.question is not None:
            self._interrupted()
        elif self._asked or self.buffer.text or (self.desk is not None and self.desk.asks_cards):
            self.buffer.reset()
            self.cancel()
        else:
            asked = self._at_stake("quit") or LEAVE
            self.question = Question(asked, "Ctrl-C", self._interrupted)
        self.refresh()

    def leave(self) -> None:
        """Ctrl-D on an empty line: asks, then leaves the table, or the program where there is no table."""
        self._pressed = False
        if self.question is not None:
            question, self.question = self.question, None
            question.yes()
        elif self._asked:
            self._typed(_YES[0])
        elif self._at_table:
            asked = self._at_stake("leave") or "Leave the table: yes or no?"
            self.question = Question(asked, "Ctrl-D", lambda: self._typed("leave", sure=True))
        else:
            self.question = Question(LEAVE, "Ctrl-D", self._quit)
        self.refresh()

    def cancel(self) -> None:
        """Closes what is open: a question, a page, the choice in the menu; or takes the only suggestion back."""
        if self._asked:
            self._pressed = False
            self.buffer.reset()
        if self.question is not None:
            self.question = None
        elif self._asked:
            self._typed(_NO[0])
        elif self.desk is not None and self.desk.asks_cards and not self.buffer.text:
            self.desk.drop()
        elif (self.desk is not None and self.desk.page_open) or (not self.menu.take_back() and self.desk is not None):
            self.desk.close_page()
        self.refresh()

    def command(self, text: str) -> None:
        """A command that a key stands for; the line being typed stays. While something is asked, only that counts."""
        if self._asked:
            self._pressed = True
        elif self.desk is not None:
            self._faults.safely(partial(self.desk.pressed, text))
        self.refresh()

    def next_cards(self) -> None:
        """Shows cards in the next way that has room."""
        if not self._asked and self.desk is not None:
            self._faults.safely(partial(self.desk.next_cards, self._size()))
        self.refresh()

    @property
    def picking(self) -> bool:
        """Whether keys are the card picker's: it is on, nothing is typed or asked, no page is open."""
        return self._picker_on and not self._asked and not (self.desk is not None and self.desk.page_open)

    @property
    def reading(self) -> bool:
        """Whether keys turn the page that is open."""
        return self._picker_on and not self._asked and self.desk is not None and self.desk.page_open

    @property
    def answering(self) -> bool:
        """Whether the answer to a question is picked."""
        return self._picker_on and self._asked

    @property
    def _picker_on(self) -> bool:
        return self.desk is not None and self.desk.picks and not self.buffer.text

    def pick(self, work: Callable[[Picker], None]) -> None:
        """What a key of the picker does."""
        if self.desk is not None:
            self._faults.safely(partial(work, self.desk.picker))
        self.refresh()

    def _picked_answer(self) -> str:
        return self.desk.picker.answer((_NO[0], _YES[0])) if self.desk is not None and self.desk.picks else ""

    def scroll(self, pages: int) -> None:
        """Moves the page that is open."""
        if self.desk is not None:
            self.desk.turn_page(pages, self._size())
        self.screen.invalidate()

    def _typed(self, text: str, *, sure: bool = False) -> None:
        if self.desk is not None:
            self._faults.safely(partial(self.desk.typed, text, sure=sure))

    def _interrupted(self) -> None:
        if self._at_table:
            self._typed("leave", sure=True)
        self.exit(INTERRUPTED)

    def _quit(self) -> None:
        if self.desk is None:
            self.exit(0)
        else:
            self.desk.quit()

    def _engaged(self) -> bool:
        """Whether a line has been begun or cards are raised, or something is being asked."""
        picks = self.desk is not None and self.desk.picks and self.desk.picker.engaged
        return bool(self.buffer.text) or picks or self.question is not None

    @property
    def _asked(self) -> bool:
        return self.question is not None or (self.desk is not None and bool(self.desk.question))

    def _at_stake(self, verb: str) -> str:
        return "" if self.desk is None else self.desk.at_stake(verb)

    @property
    def _at_table(self) -> bool:
        return self.desk is not None and self.desk.at_table

    @property
    def _holds_cards(self) -> bool:
        return self.desk is not None and self.desk.holds_cards

    # ---- what the menu offers

    def _offer(self, buffer: Buffer) -> None:
        """The line has changed. Of text that comes at once, as in a paste, only the end is looked at."""
        self.buffer.suggestion = None
        coming = self.screen.key_processor.input_queue
        if coming and coming[0].key == coming[0].data:
            return
        if self._asked:
            return
        self._faults.safely(self.menu.offer)
        self._faults.safely(self._recall)

    def _recall(self) -> None:
        """Behind what is typed stands in grey what a line typed before has there, where that can be done now."""
        if self.desk is not None and self.buffer.document.is_cursor_at_the_end:
            rest = recall(self.buffer.text, self.buffer.history.get_strings(), self.desk.allows)
            self.buffer.suggestion = Suggestion(rest) if rest else None

    @property
    def recalled(self) -> str:
        """What stands there."""
        suggestion = None if self._asked or self.menu.choosing else self.buffer.suggestion
        return suggestion.text if suggestion is not None and self.buffer.document.is_cursor_at_the_end else ""

    def refresh(self) -> None:
        """Something was typed: the menu and the screen follow."""
        self._follow()
        self.screen.invalidate()

    def _follow(self) -> None:
        """The menu, unless somebody is choosing in it, and the window's title."""
        if self.desk is not None and not self._asked:
            self.desk.picker.agrees = False
        if not self.menu.choosing:
            self.menu.close()
            self._offer(self.buffer)
        if self.desk is not None and (title := self.desk.window_title) != self._title:
            self._title = title
            self._set_title(title)

    # ---- what is painted

    def _layout(self) -> Layout:
        grey = ConditionalProcessor(AppendAutoSuggestion("class:offer.rest"), Condition(lambda: bool(self.recalled)))
        prompt = BufferControl(self.buffer, [grey], search_buffer_control=self._search.control)
        fits = Condition(lambda: self._size().cols >= frame.LEAST.cols and self._size().rows >= frame.LEAST.rows)
        # prompt_toolkit keeps a line scrolled that has become short again; from 0 it scrolls as far as the cursor needs
        line = Window(prompt, get_horizontal_scroll=lambda window: 0)
        below = HSplit(
            [
                VSplit([Window(FormattedTextControl(self._prompt), dont_extend_width=True), line], height=1),
                self._search,
                ConditionalContainer(Canvas(self._keys, 1), ~is_searching),
            ]
        )
        whole = HSplit([Canvas(self._lines), ConditionalContainer(below, fits)], style=self._skin.ground)
        return Layout(whole, prompt)

    def _theme(self) -> str:
        return self._habits.theme if self.desk is None else self.desk.theme

    def _few(self) -> bool:
        """Whether this terminal has 16 colours."""
        return self.screen.color_depth is ColorDepth.DEPTH_4_BIT

    def _prompt(self) -> AnyFormattedText:
        if self._asked:
            return [("class:question", " y/n > ")]
        return [("class:mark", " code > " if self.desk is not None and self.desk.asks_code else " > ")]

    def _keys(self, size: Size) -> list[Line]:
        own = keymap(self._habits.keys)
        does: tuple[tuple[str, str], ...] = (
            _HOME_KEYS if not self._at_table else _TABLE_KEYS if self._holds_cards else _IDLE_KEYS
        )
        first = self.desk.picker.keys if self.desk is not None and self.picking else _KEYS
        if self.picking:
            does = tuple((action, "type" if action == "picker" else text) for action, text in does)
        names = (*first, *((shown(own[action]), text) for action, text in does if own[action]))
        if self.answering:
            names = _PICKED_ANSWERS
        elif self._asked:
            names = self._answers
        return [frame.keys(names, size, self._look)]

    @property
    def _answers(self) -> tuple[tuple[str, str], ...]:
        """What the keys say to a question, with the line as it stands."""
        if self.buffer.text.strip().lower() in _YES:
            return (("Enter", "yes"),)
        return _ANSWERS if self.question is None else (*_ANSWERS, (f"{self.question.key} again", "yes"))

    def _lines(self, size: Size) -> list[Line]:
        if size.cols < frame.LEAST.cols or size.rows < frame.LEAST.rows:
            return frame.too_small(size)
        try:
            return self._draw(size)
        except Exception:
            _LOG.exception("drawing failed")
            return frame.finish([[("class:warn", self._faults.sentence)]], size, self._look)

    def _draw(self, size: Size) -> list[Line]:
        local = self._local()
        if self.desk is None:
            return frame.compose(home.draw(None, {}, size), size, self._look, local)
        self._pace.count(self.desk.counts_down)
        return frame.compose(self.desk.screen(size, local), size, self.desk.look(self._look), local)

    def _local(self) -> Local:
        local = Local(said=self._said) if self.desk is None else self.desk.local()
        if self.question is not None:
            local = local._replace(question=self.question.text)
        if local.question and self._pressed:
            local = local._replace(question=f"{AWAITED} {local.question}")
        if local.question and self.desk is not None and self.answering:
            return local._replace(menu=(Offer("no"), Offer("yes")), chosen=int(self.desk.picker.agrees))
        if local.question:
            return local
        offers, chosen = self.desk.menu() if self.desk is not None and self.picking else self.menu.shown
        return local._replace(menu=offers, chosen=chosen)

    def _size(self) -> Size:
        size = self.screen.output.get_size()
        return Size(size.columns, size.rows)

    # ---- in the background

    async def _furnish(self) -> None:
        """After the first paint: what is slow to load, then the node, then what was asked for at the start."""
        try:
            from p2pcards.ui.completer import Suggesting  # these load games and cryptography
            from p2pcards.ui.desk import Desk
            from p2pcards.ui.ways import Ways

            node = await self._make_node()
            bell, write = partial(ring, self.screen.output), raw(self.screen.output)
            ways = Ways(ring=bell, titled=True, write=write, command=self._habits.sound_command)
            self.desk = Desk(node, self._manual, exit_=self.exit, habits=self._habits, keep=self._keep, ways=ways)
            self.desk.engaged = self._engaged
            self.desk.few = self._few
            self.desk.apart = self._apart
            node.listen(self._heard)
            self.menu.completer = Suggesting(self.desk.suggest, self.desk.say_note, self.desk.shown)
            self._said = ""
            self.refresh()
            if self._start is not None:
                self._faults.safely(partial(self.desk.begin, self._start))
                self.refresh()
        except UserError as refused:
            if not self.screen.is_done:
                self.screen.exit(exception=refused)
        except Exception as broken:
            _LOG.exception("the program could not start")
            if not self.screen.is_done:
                self.screen.exit(exception=UserError(f"p2pcards could not start: {broken}{self._faults.where}."))

    def _heard(self, notice: Notice | None) -> None:
        if self.desk is not None:
            self._faults.safely(partial(self.desk.heard, notice))
            self._faults.safely(self._pace.happened)

    def _apart(self, work: Callable[[], Answer], then: Callable[[Answer], None]) -> None:
        async def done() -> None:
            try:
                then(await apart(work))
            except Exception as error:
                self._faults.caught("beside the screen", error)
            self.refresh()

        self._counting = asyncio.get_running_loop().create_task(done())

    async def _count_down(self) -> None:
        while True:
            try:
                await self._pace.count_down()
            except Exception as error:
                self._faults.caught("counting down", error)
                await asyncio.sleep(1)

    def _tell(self, text: str) -> None:
        """Something happened to the program itself: one sentence on the screen, and on we go, if it can be painted."""
        if self._painting >= _PAINTS:
            if not self.screen.is_done:
                self.screen.exit(exception=UserError(self._faults.last_words))
            return
        if self._painting:
            repaint(self.screen)
        if self.desk is not None:
            self.desk.tell(text)
        else:
            self._said = text
        self.screen.invalidate()

    def _say(self, text: str) -> None:
        if self.desk is not None:
            self.desk.say(text)
        else:
            self._said = text
        self.screen.invalidate()

    def _farewell(self) -> str:
        """For whoever stands before the shell while the program is stopped."""
        return STOPPED_AT_TABLE if self.desk is not None and self.desk.at_others else STOPPED

    def _paints(self, _: object) -> None:
        self._painting += 1

    def _painted(self, _: object) -> None:
        self._painting = 0
