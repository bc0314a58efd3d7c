"""Keys beyond those of every prompt. All of them have a typed command or another key beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

if TYPE_CHECKING:
    from p2pcards.ui.app import App

PASTE = 300
"""Characters that are taken of a pasted block."""


def bindings(app: App) -> KeyBindings:
    """The bindings of the whole program."""
    keys = KeyBindings()
    typing = ~is_searching
    empty = Condition(lambda: not app.buffer.text)

    @keys.add("enter", filter=typing)
    def _enter(event: KeyPressEvent) -> None:
        app.enter()

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

    @keys.add("c-d", filter=empty & typing)
    def _leave(event: KeyPressEvent) -> None:
        app.leave()

    @keys.add("c-g", filter=typing)
    @keys.add("escape", filter=typing)
    def _cancel(event: KeyPressEvent) -> None:
        app.cancel()

    @keys.add("c-l")
    def _redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()

    @keys.add("c-z")
    def _suspend(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    @keys.add("f1")
    def _help(event: KeyPressEvent) -> None:
        app.command("help")

    @keys.add("f2")
    def _hide(event: KeyPressEvent) -> None:
        app.command("hide")

    @keys.add("f4")
    def _log(event: KeyPressEvent) -> None:
        app.command("log")

    @keys.add("pageup")
    def _page_up(event: KeyPressEvent) -> None:
        app.scroll(-1)

    @keys.add("pagedown")
    def _page_down(event: KeyPressEvent) -> None:
        app.scroll(1)

    @keys.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        app.buffer.insert_text(" ".join(event.data.split())[:PASTE])

    return keys
