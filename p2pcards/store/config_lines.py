"""On which line of a TOML file a value stands: `tomllib` tells what a file says, not where."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

Path = tuple[str, ...]
"""A key of the file with the tables around it, outermost first."""

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_KEY = rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*"
_TABLE = re.compile(rf"[ \t]*\[{{1,2}}[ \t]*({_KEY})[ \t]*\]")
_VALUE = re.compile(rf"[ \t]*({_KEY})[ \t]*=")


def line_of(text: str, path: Path) -> int:
    """The number of the line on which the key is written, or the nearest table or value around it; 0: none is found."""
    lines = list(_written(text))
    for length in range(len(path), 0, -1):
        for number, written in lines:
            if written[:length] == path[:length]:
                return number
    return 0


def _written(text: str) -> Iterator[tuple[int, Path]]:
    """Every line that begins with a key or opens a table, with the whole path of that."""
    table: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        if found := _TABLE.match(line):
            table = _parts(found[1])
            yield number, table
        elif found := _VALUE.match(line):
            yield number, (*table, *_parts(found[1]))


def _parts(key: str) -> Path:
    parts: list[str] = []
    try:
        level = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:  # amid a string of several lines
        return ()
    while isinstance(level, dict):
        ((name, level),) = level.items()
        parts.append(name)
    return tuple(parts)
