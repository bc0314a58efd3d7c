"""What is said about the terminal itself."""

from __future__ import annotations

NO_JOBS = (
    "p2pcards can't be stopped here: the shell that started it, if there is one, could not bring it back. "
    "It stays on the screen."
)

STOPPED = "p2pcards is stopped: `fg` brings it back, `bg` lets it go on without a screen."

STOPPED_AT_TABLE = f"{STOPPED}\nUntil then your seat is held, and a table that you host may find another host."
