"""Keys beyond those of every prompt. All of them have a typed command or another key beside them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from p2pcards.ui.jobs import repaint
from p2pcards.ui.pasting import Burst, pasted

if TYPE_CHECKING:
    from p2pcards.ui.app import App


USUAL: Mapping[str, str] = MappingProxyType(
    {
        "help": "f1",
        "hide": "f2",
        "log": "f4",
        "cancel": "c-g",
        "leave": "c-d",
        "redraw": "c-l",
        "suspend": "c-z",
        "page_up": "pageup",
        "page_down": "pagedown",
    }
)
"""What has a key that can be another one, and its usual one."""


def shown(key: str) -> str:
    """A key as people write it: `Ctrl-D`, `F1`."""
    modifiers = {"c": "Ctrl", "s": "Shift"}
    first, _, rest = key.partition("-")
    return f"{modifiers[first]}-{rest.upper()}" if rest and first in modifiers else key.capitalize()


def bindings(app: App, own: Mapping[str, str] = USUAL, *, vi: bool = False) -> KeyBindings:
    """The bindings of the whole program. own: keys instead of the usual ones; vi: Esc is the line's own."""
    keys = KeyBindings()
    typing = ~is_searching
    usual = {**USUAL, **own}
    empty = Condition(lambda: not app.buffer.text)
    burst = Burst()

    @keys.add(USUAL["redraw"])  # unless another action has it, which comes behind
    @keys.add(usual["redraw"])
    def _redraw(event: KeyPressEvent) -> None:
        repaint(event.app)

    @keys.add("enter", filter=typing)
    def _enter(event: KeyPressEvent) -> None:
        block = burst.taken(event.key_processor.input_queue, time.monotonic())
        if block is None:
            app.enter()
        else:
            app.buffer.insert_text(f" {block}")

    @keys.add("tab", filter=typing)
    def _tab(event: KeyPressEvent) -> None:
        app.menu.accept()

    @keys.add("s-tab", filter=typing)
    def _back(event: KeyPressEvent) -> None:
        app.buffer.complete_previous()

    @keys.add("down", filter=typing)
    def _down(event: KeyPressEvent) -> None:
        if app.menu.choosing:
            app.buffer.complete_next()
        else:
            app.buffer.history_forward()

    @keys.add("up", filter=typing)
    def _up(event: KeyPressEvent) -> None:
        if app.menu.choosing:
            app.buffer.complete_previous()
        else:
            app.buffer.history_backward()

    @keys.add(" ", filter=typing & Condition(lambda: app.menu.chosen_with_space))
    def _space(event: KeyPressEvent) -> None:
        app.go_on()

    @keys.add("c-c", filter=typing)
    @keys.add("<sigint>")
    def _interrupt(event: KeyPressEvent) -> None:
        app.interrupt()

    @keys.add(usual["leave"], filter=empty & typing)
    def _leave(event: KeyPressEvent) -> None:
        app.leave()

    @keys.add(usual["cancel"], filter=typing)
    @keys.add("escape", filter=typing & Condition(lambda: not vi))
    def _cancel(event: KeyPressEvent) -> None:
        app.cancel()

    @keys.add(usual["suspend"])
    def _suspend(event: KeyPressEvent) -> None:
        app.jobs.suspend()

    @keys.add(usual["help"])
    def _help(event: KeyPressEvent) -> None:
        app.command("help")

    @keys.add(usual["hide"])
    def _hide(event: KeyPressEvent) -> None:
        app.command("hide")

    @keys.add(usual["log"])
    def _log(event: KeyPressEvent) -> None:
        app.command("log")

    @keys.add(usual["page_up"])
    def _page_up(event: KeyPressEvent) -> None:
        app.scroll(-1)

    @keys.add(usual["page_down"])
    def _page_down(event: KeyPressEvent) -> None:
        app.scroll(1)

    @keys.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(pasted(event.data))

    return keys
