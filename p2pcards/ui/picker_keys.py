"""The keys of the card picker: they are its own while it is on and the line is empty."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

if TYPE_CHECKING:
    from p2pcards.ui.app import App
    from p2pcards.ui.picker import Picker


_DOES: Mapping[str, Callable[[Picker], None]] = MappingProxyType(
    {
        "left": lambda picker: picker.move(-1),
        "right": lambda picker: picker.move(1),
        "home": lambda picker: picker.end(last=False),
        "end": lambda picker: picker.end(last=True),
        "up": lambda picker: picker.up(),
        "s-tab": lambda picker: picker.up(),
        "down": lambda picker: picker.down(),
        "tab": lambda picker: picker.next_line(),
        "enter": lambda picker: picker.enter(),
        " ": lambda picker: picker.space(),
    }
)
"""What a key does with cards and menu."""


def _pressed(app: App, does: Callable[[Picker], None]) -> Callable[[KeyPressEvent], None]:
    return lambda event: app.pick(does)


def add_picker(keys: KeyBindings, app: App, cancel: str) -> None:
    """Adds them behind the prompt's own, which they come before. cancel: the key that is Esc as well, if any."""
    picking = Condition(lambda: app.picking) & ~is_searching
    answering = Condition(lambda: app.answering) & ~is_searching
    reading = Condition(lambda: app.reading) & ~is_searching

    for key, does in _DOES.items():
        keys.add(key, filter=picking)(_pressed(app, does))

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

    for key in filter(None, ("escape", cancel)):
        keys.add(key, filter=picking)(_pressed(app, lambda picker: picker.back()))


def _change(picker: Picker) -> None:
    picker.agrees = not picker.agrees
