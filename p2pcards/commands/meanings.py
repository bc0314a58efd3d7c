"""What the values of an option mean, from the line that explains it: `wins: one point for each round won; chips: …`."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.commands.context import Choice


def meanings(choice: Choice) -> Mapping[str, str]:
    """What each value does that the option's line explains by itself."""
    parts = (part.partition(": ") for part in choice.effect.split("; "))
    known = (*choice.values, "0")
    return {value: does for value, _, does in parts if value in known and does}


def means(choice: Choice, value: str) -> str:
    """What that value does; where it is not told by itself, what the option does."""
    told = meanings(choice)
    if value in told:
        return told[value]
    return choice.effect if len(told) > 1 else choice.effect.split("; ")[0]
