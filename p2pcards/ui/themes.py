"""The themes of the screen: those that are built in, those of the file of settings, and the page that shows them all.

`both` is the palette of `ui.theme`, read on any ground. `dark` and `light` are for a ground of that kind, `contrast`
brings its own. Colours beyond the terminal's 16 are of its cube of 216, which looks the same everywhere. The two for
eyes that see colours otherwise keep suits, good and bad apart by hues that such eyes tell apart, and are read on any
ground. No theme tells anything by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from prompt_toolkit.styles import Style

from p2pcards.ui.frame import Screen, page_rows
from p2pcards.ui.theme import PALETTE, Size
from p2pcards.ui.width import Line, cells, pad

USUAL, COLOURLESS = "both", "mono"

Palette = Mapping[str, str]

_PALE_ON_DARK = dict.fromkeys(("rule", "card.edge"), "#767676") | dict.fromkeys(
    ("head", "rank", "dim", "offer.note", "offer.rest"), "#bcbcbc"
)
_PALE_ON_LIGHT = dict.fromkeys(("rule", "card.edge"), "#767676") | dict.fromkeys(
    ("head", "rank", "dim", "offer.note", "offer.rest"), "#5f5f5f"
)

_CHANGES: Mapping[str, Palette] = {
    "both": {},
    "dark": {
        **_PALE_ON_DARK,
        "turn": "bold #87d75f",
        "mark": "bold #87d75f",
        "good": "#87d75f",
        "warn": "bold #ff8787",
        "chat": "#87afff",
        "question": "bold #ff87ff",
        "suit.h": "bold #ff5f5f",
        "suit.d": "bold #5fafff",
        "suit.c": "bold #5fd75f",
    },
    "light": {
        **_PALE_ON_LIGHT,
        "turn": "bold #005f00",
        "mark": "bold #005f00",
        "good": "#005f00",
        "warn": "bold #af0000",
        "chat": "#005faf",
        "question": "bold #87005f",
        "suit.h": "bold #d70000",
        "suit.d": "bold #005fd7",
        "suit.c": "bold #005f00",
    },
    "contrast": {
        "screen": "#ffffff bg:#000000",
        **dict.fromkeys(("rule", "head", "rank", "dim", "offer.note", "card.edge", "chat", "coach"), ""),
        "offer.rest": "#bcbcbc",
        "turn": "bold #ffff00",
        "mark": "bold #ffff00",
        "good": "bold #00ff00",
        "warn": "bold reverse",
        "question": "bold reverse",
        "suit.s": "bold #ffffff",
        "suit.h": "bold #ff8787",
        "suit.d": "bold #87d7ff",
        "suit.c": "bold #87ff87",
    },
    "deuter": {
        "turn": "bold #005fff",
        "mark": "bold #005fff",
        "good": "#005fff",
        "warn": "bold #d75f00",
        "chat": "#008787",
        "question": "bold #d75f00",
        "suit.h": "bold #d75f00",
        "suit.d": "bold #005fff",
        "suit.c": "bold #008787",
    },
    "tritan": {
        "turn": "bold #008787",
        "mark": "bold #008787",
        "good": "#008787",
        "warn": "bold #ff0000",
        "chat": "#008787",
        "question": "bold #d700ff",
        "suit.h": "bold #ff0000",
        "suit.d": "bold #008787",
        "suit.c": "bold #d700ff",
    },
    "mono": {
        "turn": "bold",
        "mark": "bold",
        "good": "bold",
        "warn": "bold reverse",
        "chat": "italic",
        "question": "bold",
        "suit.s": "bold",
        "suit.h": "bold",
        "suit.d": "bold",
        "suit.c": "bold",
    },
}
"""What each has otherwise than `both`."""

THEMES: Mapping[str, Palette] = {name: {**PALETTE, **changes} for name, changes in _CHANGES.items()}
"""The themes that are built in: style class to its look, all classes in each."""


def palette(name: str, own: Mapping[str, Palette], *, colours: bool = True) -> Palette:
    """The theme of that name: an own one on top of what it is based on; the usual one where there is none.

    Without colours a theme that is built in is `mono`, and an own one keeps its bold, underlined and reversed words.
    """
    if name in own:
        changes = dict(own[name])
        return {**palette(changes.pop("based_on", ""), own, colours=colours), **changes}
    return THEMES.get(name, THEMES[USUAL]) if colours else THEMES[COLOURLESS]


class Skin:
    """The look of the screen while it is painted. now: the name of the theme; own: those of the file of settings."""

    def __init__(self, now: Callable[[], str], own: Mapping[str, Palette], *, colours: bool) -> None:
        self._now, self._own, self._colours = now, own, colours
        self._made: dict[str, tuple[Style, str]] = {}

    def style(self) -> Style:
        """The theme for prompt_toolkit; the same object while it is the same theme."""
        return self._worn()[0]

    def ground(self) -> str:
        """The style of the whole screen; empty where the theme leaves the ground to the terminal."""
        return self._worn()[1]

    def _worn(self) -> tuple[Style, str]:
        name = self._now()
        if name not in self._made:
            looks = palette(name, self._own, colours=self._colours)
            self._made[name] = Style(list(looks.items())), "class:screen" if looks["screen"] else ""
        return self._made[name]


# ---- the page

_SAMPLES: Sequence[tuple[str, str]] = (
    ("card.edge", "│"),
    ("suit.s", "A♠"),
    ("card.edge", "│"),
    ("suit.h", "K♥"),
    ("card.edge", "│"),
    ("suit.d", "9♦"),
    ("card.edge", "│"),
    ("suit.c", "2♣"),
    ("card.edge", "│"),
    ("", " "),
    ("turn", "▸ turn"),
    ("", " "),
    ("good", "good"),
    ("", " "),
    ("warn", "! warn"),
)
"""What the page shows of each theme, and in which style."""


def sample(one: Palette) -> Line:
    """Suits, a card's edge, whose turn it is, good and bad, in the theme's own colours."""
    ground = one.get("screen", "")
    return [(f"{ground} {one.get(name, '')}".strip(), text) for name, text in _SAMPLES]


def draw(known: Sequence[tuple[str, str]], now: str, own: Mapping[str, Palette], size: Size, scroll: int) -> Screen:
    """The page of themes. known: each with what it is for; scroll: the first that is shown."""
    rows = page_rows(size)
    name_width = max(cells(name) for name, _ in known)
    lines: list[Line] = []
    for name, about in known[scroll : scroll + rows]:
        mine = name == now
        lines.append(
            [
                ("class:turn", " ▸ " if mine else "   "),
                ("class:key" if mine else "", pad(name, name_width)),
                ("", "  "),
                *sample(palette(name, own)),
                ("class:dim", f"  {about}"),
            ]
        )
    more = f"{scroll + 1}-{scroll + len(lines)} of {len(known)} · PageUp, PageDown · " if len(known) > rows else ""
    status: Line = [("class:dim", f"{more}`theme NAME` takes one · Esc closes")]
    return Screen([("class:title", "themes")], status, [(lines, [])], news=False)
