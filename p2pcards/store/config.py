"""The file of settings: `config.toml` in the config folder. What the command line says goes on top.

There is one schema, `KEYS`; docs/config.md is made from it. The program reads the file before its first picture, so
only who has one pays for the reading, and never writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from p2pcards.errors import UserError
from p2pcards.store.folders import Folders
from p2pcards.wire.text import nick

DOORS = ("open", "ask", "code", "lab", "lab+uid")
"""As `table.settings.DOORS`."""

PATH = "a path in quotes"


class Config(NamedTuple):
    """What the file says; empty: nothing. Paths begin at the root, at ~, or at the folder of the file."""

    nick: str = ""
    door: str = ""
    lab_key: str = ""
    lab_keys: str = ""


class Key(NamedTuple):
    """A key of the file, explained. allowed: the values in words; fits: whether it can have that one."""

    name: str
    allowed: str
    effect: str
    example: str
    fits: Callable[[str], bool] = str.isprintable


KEYS = (
    Key(
        "nick",
        "1 to 16 of A-Z a-z 0-9 _ - (no word of the table: host, you, all, bot…)",
        "What the others call you; else your login.",
        "ana",
        lambda value: nick(value) == value,
    ),
    Key(
        "door",
        f"{', '.join(DOORS[:-1])} or {DOORS[-1]}",
        "Who gets in at tables that you open; else `open`.",
        "ask",
        DOORS.__contains__,
    ),
    Key(
        "lab_key",
        PATH,
        "The file of your lab's key (`p2pcards lab-key create FILE` makes one).",
        "/srv/lab/p2pcards.key",
    ),
    Key(
        "lab_keys",
        PATH,
        "The directory in which your lab's members prove their logins, mode 1777.",
        "/srv/lab/p2pcards.d",
    ),
)
"""All keys, each the name of a field of Config."""


def read_config(folders: Folders) -> Config:
    """What the file says, its paths whole; UserError names file, line and key of what can't be."""
    file = folders.settings
    try:
        written = file.read_bytes()
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise UserError(f"{file} can't be read: {error.strerror}.") from error
    import tomllib  # who has no such file pays nothing
    from difflib import get_close_matches

    try:
        text = written.decode("utf-8")
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file} is no TOML: {error}.", 2) from error
    schema = {key.name: key for key in KEYS}
    for name, value in found.items():
        where = f"{file}{_line(text, name)}"
        if name not in schema:
            near = get_close_matches(name, schema, 1)
            guess = f"did you mean {near[0]}?" if near else f"there is: {', '.join(schema)}."
            raise UserError(f"{where}: no setting is called {name!r}; {guess}", 2)
        if not (value == "" or (isinstance(value, str) and schema[name].fits(value))):
            raise UserError(f"{where}: {name} is {schema[name].allowed}, not {_shown(value)}.", 2)
    return _with_paths(Config(**found), file.parent)


def _with_paths(config: Config, folder: Path) -> Config:
    lab_key, lab_keys = (str(folder / _home(path)) if path else "" for path in (config.lab_key, config.lab_keys))
    return config._replace(lab_key=lab_key, lab_keys=lab_keys)


def _home(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:  # ~ somebody whom the system doesn't know
        return Path(path)


def _line(text: str, name: str) -> str:
    """`, line 3` of the key or the table of that name; empty where it is written in another way."""
    quoted = re.escape(name)
    written = re.compile(rf"""\s*\[{{0,2}}\s*["']?{quoted}["']?\s*[=.\]]""")
    numbers = (number for number, line in enumerate(text.splitlines(), 1) if written.match(line))
    return next((f", line {number}" for number in numbers), "")


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
