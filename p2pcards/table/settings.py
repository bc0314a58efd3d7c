"""Settings of a table: what is agreed for sitting together and is no rule of the game (rules 1, "Table settings")."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.cards import quoted
from p2pcards.errors import InvalidOption

DEFAULTS: Mapping[str, str] = {
    "seat_order": "random",
    "bot_fill": "true",
    "bot_level": "medium",
    "ragequit_level": "medium",
    "grace_seconds": "90",
}

ALLOWED: Mapping[str, tuple[str, ...]] = {
    "seat_order": ("random", "join_order"),
    "bot_fill": ("true", "false"),
    "bot_level": ("random", "easy", "medium"),
    "ragequit_level": ("random", "easy", "medium"),
}

EFFECTS: Mapping[str, str] = {
    "seat_order": "how seats are drawn when a match starts",
    "bot_fill": "bots take the open seats at the start",
    "bot_level": "how well new bots play",
    "ragequit_level": "how well the bot plays that takes over from a leaver",
    "grace_seconds": "how long a seat is kept for a player whose line is lost",
}

GRACE_LIMIT = 3600
"""The longest a seat may be kept, in seconds."""


def check_setting(key: str, value: str) -> None:
    """Raises InvalidOption, naming what is allowed, unless the setting can take the value."""
    if key not in DEFAULTS:
        raise InvalidOption(f"there is no option {quoted(key)}")
    if key in ALLOWED and value not in ALLOWED[key]:
        raise InvalidOption(f"{key} is one of: {', '.join(ALLOWED[key])}")
    if key == "grace_seconds" and not (value.isascii() and value.isdigit() and int(value) <= GRACE_LIMIT):
        raise InvalidOption(f"grace_seconds is a whole number from 0 to {GRACE_LIMIT}")


def changed(settings: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The settings that are not at their default, in a fixed order."""
    return tuple((key, settings[key]) for key in DEFAULTS if settings.get(key, DEFAULTS[key]) != DEFAULTS[key])
