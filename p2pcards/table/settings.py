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
    "turn_seconds": "0",
    "allow_peek": "false",
    "hints": "false",
    "hidden": "false",
    "idle_minutes": "30",
}

IN_PRACTICE: Mapping[str, str] = {"allow_peek": "true", "idle_minutes": "0"}
"""What a table without a network has of itself: nobody chose that."""

ALLOWED: Mapping[str, tuple[str, ...]] = {
    "seat_order": ("random", "join_order"),
    "bot_fill": ("true", "false"),
    "bot_level": ("random", "easy", "medium", "hard"),
    "ragequit_level": ("random", "easy", "medium", "hard"),
    "allow_peek": ("true", "false"),
    "hints": ("true", "false"),
    "hidden": ("true", "false"),
}

_FURTHER_LEVELS: Mapping[str, tuple[str, ...]] = {"straights": ("seed-easy", "seed-medium", "seed-hard")}

DOORS = ("open", "ask", "code", "lab", "lab+uid")
"""Policies of the door, the widest first."""

NEEDS_LAB = frozenset({"lab", "lab+uid"})

ASK_SECONDS = 60.0
"""How long somebody may wait at the door, and how long after a refusal nobody is asked again for the same key."""

EFFECTS: Mapping[str, str] = {
    "seat_order": "random: seats are drawn by lot; join_order: as people came",
    "bot_fill": "true: bots take the open seats at the start; false: open seats wait for people",
    "bot_level": "how well new bots play",
    "ragequit_level": "how well the bot of a leaver plays",
    "grace_seconds": "seconds that the seat of a lost player is kept",
    "turn_seconds": "seconds for a turn, then the safe move is made; 0: as long as it takes",
    "allow_peek": "true: a player may lay the whole deck open; false: nobody may lay the deck open",
    "hints": "true: a player may ask a bot what it would do; false: nobody may ask a bot",
    "hidden": "true: the table is on nobody's list; false: the table is on the list of tables",
    "idle_minutes": "idle minutes after which the table closes; 0: it stays open",
}

SECONDS_LIMIT = 3600
"""The longest a seat may be kept, or a turn may take, in seconds."""

SHORTEST_TURN = 5
"""A clock that leaves less time would play for people who know what they want."""

IDLE_LIMIT = 1440
"""The longest that nothing may happen at a table that closes by itself, in minutes."""

SHORTEST_IDLE = 5
"""In minutes: everybody is warned two minutes before."""

NUMBERS: Mapping[str, tuple[int, int]] = {
    "grace_seconds": (0, SECONDS_LIMIT),
    "turn_seconds": (SHORTEST_TURN, SECONDS_LIMIT),
    "idle_minutes": (SHORTEST_IDLE, IDLE_LIMIT),
}
"""Settings that are a whole number: the least beside 0, and the most."""


def levels(game: str) -> tuple[str, ...]:
    """The levels of bots that a table of the game may have."""
    return (*ALLOWED["bot_level"], *_FURTHER_LEVELS.get(game, ()))


def choices(game: str, key: str) -> tuple[str, ...]:
    """The values of a setting where they can be counted, else none."""
    return levels(game) if key in ("bot_level", "ragequit_level") else ALLOWED.get(key, ())


def check_setting(game: str, key: str, value: str) -> None:
    """Raises InvalidOption, naming what is allowed, unless the setting can take the value at a table of the game."""
    if key not in DEFAULTS:
        raise InvalidOption(f"There is no option {quoted(key)}")
    allowed = choices(game, key)
    if allowed and value not in allowed:
        raise InvalidOption(f"{key} is one of: {', '.join(allowed)}")
    if key in NUMBERS:
        least, most = NUMBERS[key]
        number = int(value) if value.isascii() and value.isdigit() and len(value) <= 4 else -1
        if number and not least <= number <= most:
            wanted = f"from 0 to {most}" if not least else f"0 (off) or from {least} to {most}"
            raise InvalidOption(f"{key} is a whole number, {wanted}")


def changed(settings: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The settings that are not at their default, in a fixed order."""
    return tuple((key, settings[key]) for key in DEFAULTS if settings.get(key, DEFAULTS[key]) != DEFAULTS[key])
