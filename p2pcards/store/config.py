"""The file of settings: `config.toml` in the config folder. What the command line says goes on top.

There is one schema, `Config`; docs/config.md is made from it. The program reads the file and never writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from p2pcards.errors import UserError
from p2pcards.store.folders import Folders
from p2pcards.wire.text import nick


class Config(Struct, frozen=True):
    """What the file says; empty: nothing. Paths begin at the root, at ~, or at the folder of the file."""

    nick: Annotated[
        str,
        Meta(description="What the others call you; else your login.", examples=["ana"]),
    ] = ""
    door: Annotated[
        Literal["", "open", "ask", "code", "lab", "lab+uid"],
        Meta(description="Who gets in at tables that you open; else `open`.", examples=["ask"]),
    ] = ""
    lab_key: Annotated[
        str,
        Meta(
            description="The file of your lab's key (`p2pcards lab-key create FILE` makes one).",
            examples=["/srv/lab/p2pcards.key"],
        ),
    ] = ""
    lab_keys: Annotated[
        str,
        Meta(
            description="The directory in which your lab's members prove their logins, mode 1777.",
            examples=["/srv/lab/p2pcards.d"],
        ),
    ] = ""


class Key(Struct, frozen=True):
    """A key of the file, explained. allowed: the values in words."""

    name: str
    allowed: str
    effect: str
    example: str


def keys() -> Iterator[Key]:
    """All keys, in the order of the schema."""
    for name, hint in get_type_hints(Config, include_extras=True).items():
        plain, meta = get_args(hint)
        yield Key(name, _allowed(name, plain), meta.description, str(meta.examples[0]))


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
    schema = {key.name: key for key in keys()}
    schema = {key.name: key for key in keys()}
    for name, value in found.items():
        where = f"{file}{_line(text, name)}"
        if name not in schema:
            near = get_close_matches(name, schema, 1)
            guess = f"did you mean {near[0]}?" if near else f"there is: {', '.join(schema)}."
            raise UserError(f"{where}: no setting is called {name!r}; {guess}", 2)
        if not _fits(name, value):
            raise UserError(f"{where}: {name} is {schema[name].allowed}, not {_shown(value)}.", 2)
    return _with_paths(msgspec.convert(found, Config), file.parent)


def _fits(name: str, value: Any) -> bool:
    try:
        msgspec.convert({name: value}, Config)
    except msgspec.ValidationError:
        return False
    return value == "" or (nick(value) == value if name == "nick" else str(value).isprintable())


def _with_paths(config: Config, folder: Path) -> Config:
    paths = {
        name: str(folder / _home(path)) if (path := getattr(config, name)) else "" for name in ("lab_key", "lab_keys")
    }
    return msgspec.structs.replace(config, **paths)


def _home(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:  # ~ somebody whom the system doesn't know
        return Path(path)


def _allowed(name: str, plain: Any) -> str:
    if values := [value for value in get_args(plain) if value]:
        return f"{', '.join(values[:-1])} or {values[-1]}"
    return {"nick": "1 to 16 of A-Z a-z 0-9 _ - (no word of the table: host, you, all, bot…)"}.get(
        name, "a path in quotes"
    )


def _line(text: str, name: str) -> str:
    """`, line 3` of the key or the table of that name; empty where it is written in another way."""
    quoted = re.escape(name)
    written = re.compile(rf"""\s*\[{{0,2}}\s*["']?{quoted}["']?\s*[=.\]]""")
    numbers = (number for number, line in enumerate(text.splitlines(), 1) if written.match(line))
    return next((f", line {number}" for number in numbers), "")


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
