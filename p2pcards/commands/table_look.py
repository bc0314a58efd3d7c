"""The command that changes the colours of the screen, and the themes that it knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2pcards.commands.command import Problem, Trouble
from p2pcards.commands.context import Context
from p2pcards.commands.entry import EVERYWHERE, Arg, By, Entry, Kind

THEMES: Mapping[str, str] = {
    "both": "for dark and for light ground",
    "dark": "for dark ground",
    "light": "for light ground",
    "contrast": "white on black, nothing pale",
    "deuter": "for red-green colour blindness",
    "tritan": "for blue-yellow colour blindness",
    "mono": "without colours",
}
"""The themes that are built in, the usual one first, and what each is for."""

USUAL_THEME = "both"

OWN_THEME = "of your config.toml"

LOOK: tuple[Entry, ...] = (
    Entry(
        "theme",
        "show the themes, or take another one",
        EVERYWHERE,
        By.UI,
        (Arg("NAME", Kind.THEME, True),),
        more="Without a name it shows them all, each in its colours. It stays for the next time, unless config.toml "
        "names one; tables `[themes.NAME]` there are themes of your own.",
        examples=("theme", "theme light"),
    ),
)


def themes(context: Context) -> Iterator[tuple[str, str]]:
    """All themes, and what each is for: those that are built in, then one's own."""
    yield from THEMES.items()
    yield from ((name, OWN_THEME) for name in context.themes)


def theme(typed: str, context: Context) -> str | Problem:
    """The theme of that name."""
    known = [name for name, _ in themes(context)]
    return typed.lower() if typed.lower() in known else Problem(Trouble.NO_SUCH, ("theme", typed, *known))
