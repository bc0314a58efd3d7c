"""Options as text and as values: read, written, explained. What a game allows stands in its `Options` struct."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct, inspect
from msgspec.structs import FieldInfo, fields

from p2pcards.cards import quoted
from p2pcards.errors import InvalidOption
from p2pcards.games.base import Game, Options

Rules = type[Game[Any, Any, Any]]

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_WIDEST = 64  # bits of an integer of TOML; a longer one, in base 16, Python would not write out
_JOINT, _NO_NAME = "+", "none"
_BETWEEN = re.compile(r"[+,\s]+")
_TRUTH = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


class Option(Struct, frozen=True):
    """One option for help screens; `choices` are its values where they can be counted, else empty."""

    name: str
    default: str
    allowed: str
    choices: tuple[str, ...]
    effect: str


@lru_cache
def explained(game: Rules) -> tuple[Option, ...]:
    """Every option of the game, in the order of its struct."""
    return tuple(map(_option, fields(game.options_type)))


def read_options(game: Rules, texts: Mapping[str, str]) -> Options:
    """The options that these texts set, the others at their defaults; raises InvalidOption with what is allowed."""
    known = {option.name: option for option in explained(game)}
    return _converted(
        game, {name: _value(known[name], text) if name in known else text for name, text in texts.items()}
    )


def convert_options(game: Rules, values: Mapping[str, object]) -> Options:
    """The same from values of a record: true, 3, "chips"."""
    return _converted(game, values)


def changed_options(options: Options) -> dict[str, bool | int | str]:
    """The values that differ from the game's defaults, in the order of its struct."""
    default = type(options)()
    values = {name: getattr(options, name) for name in options.__struct_fields__}
    return {name: value for name, value in values.items() if value != getattr(default, name)}


def written_options(options: Options) -> tuple[tuple[str, str], ...]:
    """The same as texts that `read_options` reads."""
    return tuple((name, _text(value)) for name, value in changed_options(options).items())


def _converted(game: Rules, values: Mapping[str, object]) -> Options:
    known = {option.name: option for option in explained(game)}
    values = {name: _worded(known.get(name), value) for name, value in values.items()}
    for name, value in values.items():
        if name not in known:
            raise InvalidOption(f"{game.title} has no option {quoted(name)}; it has {', '.join(known)}")
        try:
            msgspec.convert({name: value}, game.options_type)
        except msgspec.ValidationError:
            raise InvalidOption(
                f"{name} can't be {_shown(known[name], value)}; allowed: {known[name].allowed}"
            ) from None
    return msgspec.convert(dict(values), game.options_type)


def _shown(option: Option, value: object) -> str:
    """A value that is not allowed; a text in quotes where it only looks like one that is."""
    if isinstance(value, str):
        return f'"{value}"' if _value(option, value) != value else quoted(value)
    plain = isinstance(value, float) or (isinstance(value, int) and value.bit_length() < _WIDEST)
    return _text(value) if plain else "that"


def _worded(option: Option | None, value: object) -> object:
    """The choice that is meant, where that is a truth value or names in whatever order, in one text or in a list."""
    words = option.choices if option and option.choices != ("true", "false") else ()
    if isinstance(value, bool):
        return _text(value) if _text(value) in words else value
    if any(_JOINT in word for word in words):
        names = _BETWEEN.split(value) if isinstance(value, str) else value
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            wanted = set(names or [_NO_NAME])
            return next((word for word in words if set(word.split(_JOINT)) == wanted), value)
    return value


def _value(option: Option, text: str) -> object:
    if option.choices == ("true", "false"):
        return _TRUTH.get(text.lower(), text)
    if not option.choices and _WHOLE.fullmatch(text):
        return int(text)
    return text


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _option(field: FieldInfo) -> Option:
    effect, allowed = "", ""
    choices: tuple[str, ...] = ()
    kind = inspect.type_info(field.type)
    if isinstance(kind, inspect.Metadata):
        effect, kind = (kind.extra_json_schema or {}).get("description", ""), kind.type
    match kind:
        case inspect.BoolType():
            choices = ("true", "false")
        case inspect.LiteralType(values=values):
            choices = tuple(map(str, values))
        case inspect.IntType(ge=low, le=high):
            allowed = f"{low} to {high}"
    return Option(field.name, _text(field.default), allowed or " or ".join(choices), choices, effect)
