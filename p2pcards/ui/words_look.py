"""What is said about themes."""

from __future__ import annotations

from collections.abc import Iterable

from p2pcards.ui.voice import listed


def themes(now: str, known: Iterable[tuple[str, str]], *, plain: bool) -> list[str]:
    """Which theme it is, and all that there are; a sentence each."""
    known = tuple(known)
    if plain:
        names = listed([name for name, _ in known], "and")
        return [f"Plain mode has no colours. The theme of the screen is {now}; there are {names}."]
    others = (f"{name}: {about}{' (this one)' if name == now else ''}" for name, about in known)
    return [f"The theme is {now}; `theme NAME` takes another one.", *others]


def taken(name: str, *, plain: bool) -> str:
    """That it is this theme now."""
    return f"The theme of the screen is {name}; plain mode has no colours." if plain else f"The theme is {name} now."
