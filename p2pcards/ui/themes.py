"""The themes of the screen: those that are built in, those of the file of settings, and the page that shows them all.

`both` is the palette of `ui.theme`, read on any ground. `dark` and `light` are for a ground of that kind, `contrast`
brings its own. Colours beyond the terminal's 16 are of its cube of 216, which looks the same everywhere. The two for
eyes that see colours otherwise keep suits, good and bad apart by hues that such eyes tell apart, and are read on any
ground. A terminal of 16 colours shows the nearest in hue. No theme tells anything by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from prompt_toolkit.styles import Style

from p2pcards.ui.frame import Screen, page_rows
from p2pcards.ui.keynames import NAMES
from p2pcards.ui.pages import aside, closing, turning
from p2pcards.ui.sixteen import sixteen
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
        "card.new": "underline bg:#00005f",
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
        "card.new": "underline bg:#ffffd7",
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
        "turn": "bold #5f5fff",
        "mark": "bold #5f5fff",
        "good": "#5f5fff",
        "warn": "bold #af5f00",
        "chat": "#008787",
        "question": "bold #af5f00",
        "suit.h": "bold #af5f00",
        "suit.d": "bold #5f5fff",
        "suit.c": "bold #008787",
    },
    "tritan": {
        "turn": "bold #008787",
        "mark": "bold #008787",
        "good": "#008787",
        "warn": "bold #d7005f",
        "chat": "#008787",
        "question": "bold #af00ff",
        "suit.h": "bold #d7005f",
        "suit.d": "bold #008787",
        "suit.c": "bold #af00ff",
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
    """The look of the screen while it is painted. now: the name of the theme; own: those of the file of settings; few:
    whether the terminal has 16 colours."""

    def __init__(
        self,
        now: Callable[[], str],
        own: Mapping[str, Palette],
        *,
        colours: bool,
        few: Callable[[], bool] = lambda: False,
    ) -> None:
        self._now, self._own, self._colours, self._few = now, own, colours, few
        self._made: dict[tuple[str, bool], tuple[Style, str]] = {}

    def style(self) -> Style:
        """The theme for prompt_toolkit; the same object while it is the same theme."""
        return self._worn()[0]

    def ground(self) -> str:
        """The style of the whole screen; empty where the theme leaves the ground to the terminal."""
        return self._worn()[1]

    def _worn(self) -> tuple[Style, str]:
        worn = name, few = self._now(), self._few()
        if worn not in self._made:
            looks = palette(name, self._own, colours=self._colours)
            looks = {place: sixteen(look) for place, look in looks.items()} if few else looks
            self._made[worn] = Style(list(looks.items())), "class:screen" if looks["screen"] else ""
        return self._made[worn]


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


def draw(
    known: Sequence[tuple[str, str]],
    now: str,
    own: Mapping[str, Palette],
    size: Size,
    scroll: int,
    *,
    few: bool = False,
    keys: Mapping[str, str] = NAMES,
) -> Screen:
    """The page of themes. known: each with what it is for; scroll: the first that is shown; few: in 16 colours;
    keys: their names by action."""
    rows = page_rows(size)
    name_width = max(cells(name) for name, _ in known)
    lines: list[Line] = []
    for name, about in known[scroll : scroll + rows]:
        mine = name == now
        shown = sample(palette(name, own))
        lines.append(
            [
                ("class:turn", " ▸ " if mine else "   "),
                ("class:key" if mine else "", pad(name, name_width)),
                ("", "  "),
                *([(sixteen(style), text) for style, text in shown] if few else shown),
                ("class:dim", f"  {about}"),
            ]
        )
    paged = len(known) > rows
    more = [f"{scroll + 1}-{scroll + len(lines)} of {len(known)}"] if paged else []
    ends = turning(keys) if paged else [closing(keys)]
    status = aside([*more, "`theme NAME` takes one", *ends])
    return Screen([("class:title", "themes")], status, [(lines, [])], news=False)
