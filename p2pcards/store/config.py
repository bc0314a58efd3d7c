"""The file of settings: `config.toml` in the config folder. What the command line says goes on top.

There is one schema, `KEYS` here and `TABLES` of `config_tables`; docs/config.md is made from it. The program reads the
file before its first picture, so only who has one pays for the reading, and never writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from p2pcards.errors import UserError
from p2pcards.store.folders import Folders
from p2pcards.wire.text import nick

DOORS = ("open", "ask", "code", "lab", "lab+uid")
"""As `table.settings.DOORS`."""

PATH = "a path in quotes"

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Config(NamedTuple):
    """What the file says; empty: nothing. Paths begin at the root.

    tell: event to ways; themes: by name, style to its look, with `based_on` ("" for none); keys: action to key.
    """

    nick: str = ""
    door: str = ""
    lab_key: str = ""
    lab_keys: str = ""
    theme: str = ""
    cards: str = ""
    aces: str = ""
    sort: str = ""
    coach: str = ""
    hand: str = ""
    pace: str = ""
    forced: str = ""
    input: str = ""
    editing: str = ""
    sound_command: str = ""
    tell: Mapping[str, tuple[str, ...]] = _NOTHING
    themes: Mapping[str, Mapping[str, str]] = _NOTHING
    keys: Mapping[str, str] = _NOTHING


class Key(NamedTuple):
    """A key of the file, explained. allowed: the values in words; fits: whether it can have that one."""

    name: str
    allowed: str
    effect: str
    example: str
    fits: Callable[[str], bool] = str.isprintable


def _one_of(name: str, values: tuple[str, ...], effect: str) -> Key:
    return Key(name, f"{', '.join(values[:-1])} or {values[-1]}", effect, values[0], values.__contains__)


def _is_command(line: str) -> bool:
    import shlex

    try:
        return line.isprintable() and bool(shlex.split(line))
    except ValueError:  # a quote that isn't closed
        return False


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
    Key(
        "theme",
        "both, dark, light, contrast, deuter, tritan, mono or one of your own",
        "The colours of the screen; `theme` shows them all. `both` is read on dark and on light ground.",
        "dark",
    ),
    _one_of("cards", ("text", "ascii", "boxes", "art"), "How cards are drawn, as `cardmode` sets it."),
    _one_of("aces", ("A", "1"), "How aces are written, as `aces` sets it."),
    _one_of("sort", ("rank", "suit", "melds"), "The order of your hand, as `sort` sets it."),
    _one_of("coach", ("on", "off"), "Whether the coach says what you can do, as `coach` sets it."),
    _one_of("hand", ("shown", "hidden", "my_turn"), "Whether your cards are on screen: `my_turn` shows them on it."),
    _one_of("pace", ("instant", "natural", "slow"), "How fast bots of your tables and practice play."),
    _one_of("forced", ("ask", "play"), "Whether a move that is your only one is played for you, as `forced` sets it."),
    _one_of("input", ("typed", "picker"), "Whether you type, or pick cards with the arrows, as `picker` sets it."),
    _one_of("editing", ("emacs", "vi"), "The keys that edit the line you type."),
    Key(
        "sound_command",
        "a command line; no shell is between",
        "What plays the sound of `[tell]`.",
        "paplay /usr/share/sounds/bell.oga",
        _is_command,
    ),
)
"""All keys that are texts, each the name of a field of Config."""


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

    from p2pcards.store.config_lines import line_of
    from p2pcards.store.config_tables import Wrong

    try:
        text = written.decode("utf-8")
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file} is no TOML: {error}.", 2) from error
    try:
        return _with_paths(Config(**{name: _read(name, value, found) for name, value in found.items()}), file.parent)
    except Wrong as wrong:
        number = line_of(text, wrong.path)
        raise UserError(f"{file}{f', line {number}' if number else ''}: {wrong}", 2) from None


def _read(name: str, value: Any, found: Mapping[str, Any]) -> Any:
    """The value of the key or the table; Wrong if it can't be."""
    from p2pcards.store.config_tables import TABLES, THEMES, Wrong, shown, unknown

    keys = {key.name: key for key in KEYS}
    tables = {table.name.partition(".")[0]: table for table in TABLES}
    if name in tables:
        if not isinstance(value, dict):
            raise Wrong((name,), f"{name} is a table: [{tables[name].name}], not {shown(value)}.")
        try:
            return tables[name].read(value)
        except Wrong as wrong:
            raise Wrong((name, *wrong.path), str(wrong)) from None
    if name not in keys:
        raise Wrong((name,), unknown(name, "setting", (*keys, *tables)))
    key = keys[name]
    if not (value == "" or (isinstance(value, str) and key.fits(value))):
        raise Wrong((name,), f"{name} is {key.allowed}, not {shown(value)}.")
    themes = found.get("themes")
    own = tuple(themes) if isinstance(themes, dict) else ()
    if name == "theme" and value and value not in (*THEMES, *own):
        raise Wrong((name,), unknown(value, "theme", (*THEMES, *own)))
    return value


def _with_paths(config: Config, folder: Path) -> Config:
    lab_key, lab_keys = (str(folder / _home(path)) if path else "" for path in (config.lab_key, config.lab_keys))
    return config._replace(lab_key=lab_key, lab_keys=lab_keys)


def _home(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:  # ~ somebody whom the system doesn't know
        return Path(path)
