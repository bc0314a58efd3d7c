"""Where in the rules of its game a table stands: the section that is about what comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from p2pcards.table.tableview import TableView

HERE = " (you are here)"
"""Behind the heading of that section."""


def section(table: TableView) -> str:
    """The heading of the section; empty where the whole text begins with what matters."""
    from p2pcards.table.tableview import Stage  # the first picture waits for no table

    if table.stage is Stage.LOBBY:
        return ""
    if table.stage is not Stage.PLAYING:
        return _COUNTED[table.game.name]
    return _PHASES[table.game.name](table.view.public) if table.view is not None else "The deal"


def marked(text: Iterable[str], heading: str) -> list[str]:
    """The text with that heading marked."""
    return [line + HERE if line.startswith("#") and line.lstrip("#").strip() == heading else line for line in text]


def place(text: Sequence[str]) -> int:
    """On which line the marked heading stands; 0 where there is none."""
    return next((number for number, line in enumerate(text) if line.endswith(HERE)), 0)


def _tongits(public: Any) -> str:
    return "Calling a draw" if public.phase == "respond" else "Your turn"


def _tienlen(public: Any) -> str:
    if public.phase == "after_out":
        return "Going out"
    return "Tricks" if public.pile is None else "What beats what"


def _straights(public: Any) -> str:
    return "Your turn"


def _onecard(public: Any) -> str:
    if public.phase == "shuffle":
        return "The stock runs out"
    return "What cards do" if public.pending else "Your turn"


_PHASES: Mapping[str, Callable[[Any], str]] = {
    "onecard": _onecard,
    "straights": _straights,
    "tienlen": _tienlen,
    "tongits": _tongits,
}
"""While a round is open, from what is public."""

_COUNTED: Mapping[str, str] = {
    "onecard": "The score",
    "straights": "The match",
    "tienlen": "The score",
    "tongits": "The score",
}
"""When it is over."""
