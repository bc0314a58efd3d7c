"""The keys of the card picker: they are its own while it is on and the line is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

if TYPE_CHECKING:
    from p2pcards.ui.app import App
    from p2pcards.ui.picker import Picker


def add_picker(keys: KeyBindings, app: App, cancel: str) -> None:
    """Adds them behind the prompt's own, which they come before. cancel: the key that is Esc as well, if any."""
    picking = Condition(lambda: app.picking) & ~is_searching
    answering = Condition(lambda: app.answering) & ~is_searching
    reading = Condition(lambda: app.reading) & ~is_searching

    @keys.add("left", filter=picking)
    def _left(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.move(-1))

    @keys.add("right", filter=picking)
    def _right(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.move(1))

    @keys.add("home", filter=picking)
    def _home(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.end(last=False))

    @keys.add("end", filter=picking)
    def _end(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.end(last=True))

    @keys.add("up", filter=picking)
    @keys.add("s-tab", filter=picking)
    def _up(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.up())

    @keys.add("down", filter=picking)
    def _down(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.down())

    @keys.add("tab", filter=picking)
    def _tab(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.next_line())

    @keys.add("enter", filter=picking)
    def _enter(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.enter())

    @keys.add(" ", filter=picking)
    def _space(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.space())

    @keys.add(" ", filter=reading)
    def _on(event: KeyPressEvent) -> None:
        app.scroll(1)

    @keys.add(" ", filter=answering)
    def _nothing(event: KeyPressEvent) -> None:
        """Begins no line, which would have the arrows."""

    @keys.add("up", filter=answering)
    @keys.add("down", filter=answering)
    @keys.add("left", filter=answering)
    @keys.add("right", filter=answering)
    @keys.add("tab", filter=answering)
    def _other(event: KeyPressEvent) -> None:
        app.pick(_change)

    def _back(event: KeyPressEvent) -> None:
        app.pick(lambda picker: picker.back())

    keys.add("escape", filter=picking)(_back)
    if cancel:
        keys.add(cancel, filter=picking)(_back)


def _change(picker: Picker) -> None:
    picker.agrees = not picker.agrees
