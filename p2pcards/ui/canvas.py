"""The part of the layout that shows finished lines."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.application import get_app
from prompt_toolkit.layout.controls import UIContent, UIControl

from p2pcards.ui.theme import Size
from p2pcards.ui.width import Line


class Canvas(UIControl):
    """Asks for its lines at every paint, for the size that the terminal has then."""

    def __init__(self, draw: Callable[[Size], list[Line]]) -> None:
        self._draw = draw

    def create_content(self, width: int, height: int) -> UIContent:
        """The lines for the whole screen; the window shows what it has room for."""
        size = get_app().output.get_size()
        lines = self._draw(Size(size.columns, size.rows))
        return UIContent(lambda place: [*lines[place]], len(lines), show_cursor=False)
