"""Who is sitting here, as the system knows it."""

from __future__ import annotations

import getpass


def login() -> str:
    """The user's login name, "player" where the system has none. Others see it only as a nick made from it."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a user id without a name; Windows without USERNAME
        return "player"
