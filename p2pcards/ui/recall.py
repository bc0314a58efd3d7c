"""The rest of a line that was typed before, to stand in grey behind what is typed now."""

from __future__ import annotations

from collections.abc import Callable, Sequence

TRIES = 12
"""Different lines that are looked at, the newest first; each may have to be read as a command."""


def recall(text: str, history: Sequence[str], allows: Callable[[str], bool]) -> str:
    """What the newest line that begins with `text` has behind it. history: the oldest line first; allows: whether a
    line can be done now, others are not offered."""
    begun = text.casefold()
    if not begun.strip():
        return ""
    tried: set[str] = set()
    for line in reversed(history):
        if len(line) <= len(text) or line[: len(text)].casefold() != begun or line in tried:
            continue
        if len(tried) == TRIES:
            break
        tried.add(line)
        if allows(line):
            return line[len(text) :]
    return ""
