"""The tables of `config.toml`: `[tell]`, `[themes.NAME]` and `[keys]`, each with what may stand in it.

Reading a table raises `Wrong` at the first thing that can't be; who reads the file knows on which line that stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

EVENTS = ("my_turn", "joined", "started", "kicked", "round_over", "chat", "table_opened")
"""What can be told to somebody who looks elsewhere."""

WAYS = ("bell", "title", "notice", "sound")
"""How."""

THEMES = ("both", "dark", "light", "contrast", "deuter", "tritan", "mono")
"""As `ui.themes.THEMES`."""

STYLES = (
    "screen",
    "title",
    "title.note",
    "rule",
    "head",
    "rank",
    "dim",
    "key",
    "turn",
    "me",
    "fresh",
    "chat",
    "good",
    "warn",
    "coach",
    "said",
    "question",
    "mark",
    "offer.word",
    "offer.note",
    "offer.rest",
    "offer.chosen",
    "card.edge",
    "card.raised",
    "card.cursor",
    "card.new",
    "suit.s",
    "suit.h",
    "suit.d",
    "suit.c",
)
"""What of a screen has a look of its own, as `ui.theme.PALETTE`."""

ACTIONS = ("help", "hide", "cards", "log", "picker", "cancel", "leave", "redraw", "suspend", "page_up", "page_down")
"""What has a key that can be another one."""

_SHOWN = 60
"""Characters that a sentence has of a value."""

NAME = "a name has 1 to 16 of a-z 0-9 _ -"
_NAME = re.compile(r"[a-z0-9_-]{1,16}")

_HUES = "(?:bright)?(?:black|red|green|yellow|blue|magenta|cyan)|gray|white"
_COLOUR = rf"default|ansi(?:{_HUES})|#[0-9a-fA-F]{{3}}|#[0-9a-fA-F]{{6}}"
_STYLE = re.compile(rf"(?:no)?(?:bold|dim|italic|underline|reverse|strike)|(?:(?:fg|bg):)?(?:{_COLOUR})")
A_STYLE = "words like bold, dim, italic, underline, reverse, ansired, ansibrightblue, #ff8800, bg:ansiblue"

_EDIT = "insert|delete|home|end|pageup|pagedown|left|right|up|down"
_PRESSED = re.compile(rf"(?:c-)?f(?:[1-9]|1[0-9]|2[0-4])|c-[abd-gk-ln-z]|(?:(?:c|s|c-s)-)?(?:{_EDIT})")
_PLAIN = frozenset({"left", "right", "up", "down", "home", "end", "delete"})
"""Keys without which nobody could type."""

A_KEY = "a key like f5, c-x (Ctrl-X), c-f5 or c-pageup"


class Wrong(ValueError):
    """What can't be, in words without where it stands; path: the keys that lead to it, outermost first."""

    def __init__(self, path: tuple[str, ...], text: str) -> None:
        super().__init__(text)
        self.path = path


class Table(NamedTuple):
    """A table of the file, explained as a key is. read: what the program gets of it; raises Wrong."""

    name: str
    allowed: str
    effect: str
    example: str
    read: Callable[[Mapping[str, Any]], Mapping[str, Any]]


def unknown(name: str, what: str, known: Collection[str]) -> str:
    """That there is no such thing, and what may have been meant."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    return f"no {what} is called {name!r}; " + (
        f"did you mean {near[0]}?" if near else f"there is: {', '.join(known)}."
    )


def shown(value: Any) -> str:
    """A value of the file as the file would write it, in one line."""
    if isinstance(value, dict):
        return "a table"
    try:
        text = repr(value) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    except ValueError:  # an integer in base 16 of more digits than Python writes out
        return "that"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _tell(table: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    told: dict[str, tuple[str, ...]] = {}
    for event, ways in table.items():
        if event not in EVENTS:
            raise Wrong((event,), unknown(event, "event", EVENTS))
        given = [ways] if isinstance(ways, str) and ways else ways if isinstance(ways, list) else None
        if given is None or not all(isinstance(way, str) and way in WAYS for way in given):
            raise Wrong((event,), f"tell.{event} is a list of {', '.join(WAYS)} (or empty: []), not {shown(ways)}.")
        told[event] = tuple(dict.fromkeys(given))
    return told


def _themes(table: Mapping[str, Any]) -> Mapping[str, Mapping[str, str]]:
    """Every theme with the whole look of it that the file gives, those it is based on in the file first."""
    written = {name: _theme(name, theme) for name, theme in table.items()}
    for name, theme in written.items():
        seen = [name]
        while (below := written[seen[-1]].get("based_on", "")) in written:
            if below in seen:
                raise Wrong((name, "based_on"), f"themes.{name} is based on itself.")
            seen.append(below)
        if below and below not in THEMES:
            raise Wrong((seen[-1], "based_on"), unknown(below, "theme", (*THEMES, *written)))
        theme.setdefault("based_on", "")
    return written


def _theme(name: str, theme: Any) -> dict[str, str]:
    if not _NAME.fullmatch(name):
        raise Wrong((name,), f"no theme can be called {name!r}: {NAME}.")
    if name in THEMES:
        raise Wrong((name,), f"the theme {name} is built in: take another name, and based_on = {name!r}.")
    if not isinstance(theme, dict):
        raise Wrong((name,), f"themes.{name} is a table of styles, not {shown(theme)}.")
    styles: dict[str, str] = {}
    for path, style in _leaves(theme):
        key = ".".join(path)
        if key != "based_on" and key not in STYLES:
            raise Wrong((name, *path), unknown(key, "style", ("based_on", *STYLES)))
        if not isinstance(style, str):
            raise Wrong((name, *path), f"themes.{name}.{key} is a text in quotes, not {shown(style)}.")
        wrong = "" if key == "based_on" else next((one for one in style.split() if not _STYLE.fullmatch(one)), "")
        if wrong:
            raise Wrong((name, *path), f"themes.{name}.{key} has {wrong!r}; a style has {A_STYLE}.")
        styles[key] = " ".join(style.split())
    return styles


def _leaves(table: Mapping[str, Any], around: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """`suit.h = …` without quotes makes a table of its own: what is in it, by the path that leads there."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*around, name))
        else:
            yield (*around, name), value


def _keys(table: Mapping[str, Any]) -> Mapping[str, str]:
    keys: dict[str, str] = {}
    for action, key in table.items():
        if action not in ACTIONS:
            raise Wrong((action,), unknown(action, "action", ACTIONS))
        if not isinstance(key, str) or not _PRESSED.fullmatch(key.lower()) or key.lower() in _PLAIN:
            raise Wrong((action,), f"keys.{action} is {A_KEY}, not {shown(key)}.")
        other = next((one for one, taken in keys.items() if taken == key.lower()), "")
        if other:
            raise Wrong((action,), f"keys.{action} and keys.{other} are the same key {key!r}.")
        keys[action] = key.lower()
    return keys


TABLES = (
    Table(
        "tell",
        f"event = list of ways; events {', '.join(EVENTS)}; ways {', '.join(WAYS)}",
        "How you are told of what happens. An event that isn't named is told as usual; `[]` is not told.",
        'my_turn = ["bell", "title"]\nchat = []',
        _tell,
    ),
    Table(
        "themes.NAME",
        f"style = {A_STYLE}; based_on = the theme that the rest is taken from",
        f"A theme of your own, for `theme` and the key above. Styles: {', '.join(STYLES)}.",
        'based_on = "dark"\n"suit.h" = "bold #ff8800"\nturn = "reverse"',
        _themes,
    ),
    Table(
        "keys",
        f"action = {A_KEY}; actions {', '.join(ACTIONS)}",
        "Keys instead of the usual ones.",
        'help = "f5"\nhide = "c-x"',
        _keys,
    ),
)
"""All tables; the part before the dot is the name of a field of Config."""
