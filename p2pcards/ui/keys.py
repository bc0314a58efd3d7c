"""Keys beyond those of every prompt. All of them have a typed command or another key beside them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition, FilterOrBool, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from p2pcards.ui.jobs import repaint
from p2pcards.ui.keynames import USUAL, keymap
from p2pcards.ui.pasting import Burst, pasted
from p2pcards.ui.picker_keys import add_picker

if TYPE_CHECKING:
    from p2pcards.ui.app import App

_Handler = Callable[[KeyPressEvent], None]


def bindings(app: App, own: Mapping[str, str] = USUAL, *, vi: bool = False) -> KeyBindings:
    """The bindings of the whole program. own: keys instead of the usual ones; vi: Esc is the line's own."""
    keys = KeyBindings()
    typing = ~is_searching
    usual = keymap(own)
    empty = Condition(lambda: not app.buffer.text)

    def on(action: str, filter: FilterOrBool = True) -> Callable[[_Handler], _Handler]:
        return keys.add(usual[action], filter=filter) if usual[action] else lambda handler: handler

    burst = Burst()

    @keys.add(USUAL["redraw"])  # unless another action has it, which comes behind
    @on("redraw")
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

    recalled = Condition(lambda: bool(app.recalled))

    @keys.add("right", filter=typing & recalled)
    @keys.add("c-f", filter=typing & recalled)
    @keys.add("end", filter=typing & recalled)
    @keys.add("c-e", filter=typing & recalled)
    def _recall(event: KeyPressEvent) -> None:
        app.buffer.insert_text(app.recalled)

    @keys.add("c-c", filter=typing)
    @keys.add("<sigint>")
    def _interrupt(event: KeyPressEvent) -> None:
        app.interrupt()

    @on("leave", filter=empty & typing)
    def _leave(event: KeyPressEvent) -> None:
        app.leave()

    @on("cancel", filter=typing)
    @keys.add("escape", filter=typing & Condition(lambda: not vi))
    def _cancel(event: KeyPressEvent) -> None:
        app.cancel()

    @on("suspend")
    def _suspend(event: KeyPressEvent) -> None:
        app.jobs.suspend()

    @on("help")
    def _help(event: KeyPressEvent) -> None:
        app.command("help")

    @on("hide")
    def _hide(event: KeyPressEvent) -> None:
        app.command("hide")

    @on("cards")
    def _cards(event: KeyPressEvent) -> None:
        app.next_cards()

    @on("log")
    def _log(event: KeyPressEvent) -> None:
        app.command("log")

    @on("picker")
    def _picker(event: KeyPressEvent) -> None:
        app.command("picker")

    @on("page_up")
    def _page_up(event: KeyPressEvent) -> None:
        app.scroll(-1)

    @on("page_down")
    def _page_down(event: KeyPressEvent) -> None:
        app.scroll(1)

    @keys.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(pasted(event.data))

    add_picker(keys, app, usual["cancel"])
    return keys
