"""Which action has which key, and how keys are named to people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

USUAL: Mapping[str, str] = MappingProxyType(
    {
        "help": "f1",
        "hide": "f2",
        "cards": "f3",
        "log": "f4",
        "picker": "f5",
        "cancel": "c-g",
        "leave": "c-d",
        "redraw": "c-l",
        "suspend": "c-z",
        "page_up": "pageup",
        "page_down": "pagedown",
    }
)
"""What has a key that can be another one, and its usual one."""


_MODIFIERS = {"c": "Ctrl", "s": "Shift"}
_WORDS = {"pageup": "PageUp", "pagedown": "PageDown"}


def keymap(own: Mapping[str, str]) -> Mapping[str, str]:
    """Every action's key: keys of one's own, and the usual ones but for those that have another action by now."""
    taken = {key for action, key in own.items() if action in USUAL}
    return {action: own.get(action, "" if key in taken else key) for action, key in USUAL.items()}


def shown(key: str) -> str:
    """A key as people write it: `Ctrl-D`, `F1`."""
    first, _, rest = key.partition("-")
    if rest and first in _MODIFIERS:
        return f"{_MODIFIERS[first]}-{_WORDS.get(rest, rest.upper())}"
    return _WORDS.get(key, key.capitalize())


CLOSE = "close"
"""What closes a page: Esc, or where that is the line's own the key of `cancel`."""

_BRACED = re.compile(r"\{(\w+)\}")


def names(own: Mapping[str, str], *, vi: bool = False) -> Mapping[str, str]:
    """Every action's key by its name; empty where it has none. vi: Esc is the line's own."""
    keys = {action: shown(key) for action, key in keymap(own).items()}
    return {**keys, CLOSE: keys["cancel"] if vi else "Esc"}


NAMES: Mapping[str, str] = MappingProxyType(names({}))
"""Those of somebody who has no key of one's own."""


def named(text: str, known: Mapping[str, str]) -> str:
    """The text with the key of each action in braces, `{hide}`; nothing where one of them has no key."""
    if not all(known[action] for action in _BRACED.findall(text)):
        return ""
    return _BRACED.sub(lambda found: known[found[1]], text)
