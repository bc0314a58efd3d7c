"""The keys of the viewer of records. All of them have a typed word beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition, FilterOrBool
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from p2pcards.games.base import Seat
from p2pcards.ui.keynames import USUAL, keymap
from p2pcards.ui.pasting import pasted
from p2pcards.ui.replay_commands import Wish
from p2pcards.ui.replay_desk import Viewing

if TYPE_CHECKING:
    from p2pcards.ui.replay_app import Viewer

_STEPS: Mapping[str, Callable[[Viewing], None]] = {
    " ": lambda desk: desk.step(1),
    "n": lambda desk: desk.step(1),
    "right": lambda desk: desk.step(1),
    "enter": lambda desk: desk.step(1),
    "p": lambda desk: desk.step(-1),
    "left": lambda desk: desk.step(-1),
    "backspace": lambda desk: desk.step(-1),
    "]": lambda desk: desk.turn(1),
    "down": lambda desk: desk.turn(1),
    "[": lambda desk: desk.turn(-1),
    "up": lambda desk: desk.turn(-1),
    "pagedown": lambda desk: desk.round(1),
    "pageup": lambda desk: desk.round(-1),
    "home": lambda desk: desk.go_to(0),
    "end": lambda desk: desk.do(Wish("end")),
}
"""Keys that go somewhere."""

_LOOKS: Mapping[str, Callable[[Viewing], None]] = {
    "tab": lambda desk: desk.next_eyes(1),
    "s-tab": lambda desk: desk.next_eyes(-1),
    "0": lambda desk: desk.look_as(None),
    "+": lambda desk: desk.faster(1),
    "=": lambda desk: desk.faster(1),
    "-": lambda desk: desk.faster(-1),
    "l": lambda desk: desk.list_legal(),
}
"""Keys after which what runs by itself runs on."""

_PAGES = {"pageup": -1, "pagedown": 1, "up": -1, "down": 1, " ": 1}
"""Keys that turn a page."""

_WISHES: Mapping[str, str] = {"a": "play", "h": "hint", "?": "help", "q": "quit", "c-d": "quit", "L": "legal"}


def bindings(app: Viewer, own: Mapping[str, str] = USUAL) -> KeyBindings:
    """The bindings of the viewer. own: keys instead of the usual ones."""
    keys = KeyBindings()
    usual = keymap(own)
    typing = Condition(lambda: app.typing)
    reading = Condition(lambda: not app.typing and bool(app.desk.page))
    watching = Condition(lambda: not app.typing and not app.desk.page)

    def on(key: str, filter: FilterOrBool, work: Callable[[], None]) -> None:
        if key:
            keys.add(key, filter=filter)(lambda event: work())

    @keys.add(Keys.Any, filter=watching)
    def _any(event: KeyPressEvent) -> None:
        if event.data.isalnum() and event.data not in "123456789":
            app.begin_line(event.data)
        elif event.data in "123456789" and event.data:
            seat = int(event.data) - 1
            if seat < len(app.desk.reel.players):
                app.does(lambda desk: desk.look_as(Seat(seat)), runs_on=True)

    @keys.add(Keys.Any, filter=reading)
    def _nothing(event: KeyPressEvent) -> None:
        """A page is open: other keys wait."""

    @keys.add(Keys.BracketedPaste, filter=~reading)
    def _paste(event: KeyPressEvent) -> None:
        if not app.typing:
            app.begin_line()
        app.buffer.insert_text(pasted(event.data))

    for key, work in _STEPS.items():
        on(key, watching, partial(app.does, work))
    for key, work in _LOOKS.items():
        on(key, watching, partial(app.does, work, runs_on=True))
    for key, verb in _WISHES.items():
        on(key, watching, partial(app.wish, Wish(verb)))
    for key in ("g", ":", "/"):
        on(key, watching, app.begin_line)
    for key, pages in _PAGES.items():
        on(key, reading, partial(app.does, _turned(pages, app)))
    for key in ("escape", "q", "?", "L", "enter", usual["cancel"], usual["help"]):
        on(key, reading, partial(app.does, Viewing.quiet))
    on("c-d", reading, partial(app.wish, Wish("quit")))
    on("escape", watching, partial(app.does, Viewing.quiet))
    on(usual["cancel"], watching, partial(app.does, Viewing.quiet))
    on(usual["help"], watching, partial(app.wish, Wish("help")))
    for key in ("c", usual["cards"]):
        on(key, watching, partial(app.does, lambda desk: desk.next_cards(app.size), runs_on=True))
    on("enter", typing, app.enter)
    on("escape", typing, app.leave_line)
    on(usual["cancel"], typing, app.leave_line)
    on("c-c", True, app.interrupt)
    on("<sigint>", True, app.interrupt)
    on(USUAL["redraw"], True, app.redraw)
    on(usual["redraw"], True, app.redraw)
    on(usual["suspend"], True, lambda: app.jobs.suspend())
    return keys


def _turned(pages: int, app: Viewer) -> Callable[[Viewing], None]:
    """Turns the page that is open."""
    return lambda desk: desk.turn_page(pages, app.size)
