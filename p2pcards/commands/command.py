"""A line that somebody typed, understood."""

from __future__ import annotations

from msgspec import Struct


class Command(Struct, frozen=True):
    """verb: the command's canonical word; args: its arguments, cleaned; action: canonical text of a game action."""

    verb: str
    args: tuple[str, ...] = ()
    action: str = ""
