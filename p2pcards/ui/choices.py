"""What a person sets at the prompt and finds again the next time, by its names in config.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2pcards.ui.prompt import Settings

Keep = Callable[[str, str], None]
"""Keeps the value of a name."""


def nowhere(name: str, value: str) -> None:
    """Keeps nothing."""


def chosen(settings: Settings, order: str) -> Mapping[str, str]:
    """How it is set now. order: in which the hand lies."""
    return {
        "theme": settings.theme,
        "cards": settings.mode,
        "aces": settings.ace,
        "sort": order,
        "coach": "on" if settings.coach else "off",
        "forced": "play" if settings.forced else "ask",
        "input": "picker" if settings.picker else "typed",
    }
