"""What a person always wants of the screen, whatever is played: said once, before the first picture."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

_NONE: Mapping[str, str] = MappingProxyType({})
_NOTHING: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_NOBODY: Mapping[str, Mapping[str, str]] = MappingProxyType({})


class Habits(NamedTuple):
    """As the file of settings says it (docs/config.md); empty: as usual.

    tell: event to ways; themes: by name, style to its look, with `based_on`; keys: action to key.
    """

    theme: str = ""
    cards: str = ""
    aces: str = ""
    sort: str = ""
    coach: str = ""
    hand: str = ""
    input: str = ""
    editing: str = ""
    forced: str = ""
    sound_command: str = ""
    tell: Mapping[str, tuple[str, ...]] = _NOTHING
    themes: Mapping[str, Mapping[str, str]] = _NOBODY
    keys: Mapping[str, str] = _NONE


USUAL = Habits()
"""Of somebody who said nothing."""
