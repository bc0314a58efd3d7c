"""The file of presets: `presets.toml` in the config folder, with a table for each game and name.

[tongits.chips]
scoring = "chips"
turn_seconds = 30
"""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.commands.presets import Rules
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.store.folders import Folders
from p2pcards.store.tomlfile import Tables, TomlFile

HEAD = "# Rules of tables under a name, for `preset load NAME` and `--preset NAME`. Comments are not kept.\n\n"

_MOST = 10**18 - 1
"""The highest number: no option goes so far, and a far longer one Python would not write out."""

_Kept = dict[str, dict[str, dict[str, bool | int | str]]]


class PresetFile:
    """A `commands.presets.Presets` in a file."""

    def __init__(self, folders: Folders) -> None:
        self._kept = TomlFile(folders.presets, folders.locks, HEAD, "presets", _checked)

    def all(self) -> Mapping[str, Mapping[str, Rules]]:
        """By game and name; read again only when the file has changed."""
        return {
            game: {name: tuple((key, _text(value)) for key, value in rules.items()) for name, rules in named.items()}
            for game, named in self._kept.load().items()
        }

    def save(self, game: str, name: str, rules: Rules) -> None:
        """Keeps the rules under the name."""

        def put(kept: Tables) -> None:
            kept.setdefault(game, {})[name] = {key: _value(text) for key, text in rules}

        self._kept.change(put)

    def delete(self, game: str, name: str) -> None:
        """Forgets them; UserError where they are not there."""

        def take(kept: Tables) -> None:
            if name not in kept.get(game, {}):
                raise UserError(f"No preset for {GAMES[game].title if game in GAMES else game} is called {name}.")
            del kept[game][name]
            if not kept[game]:
                del kept[game]

        self._kept.change(take)


def _checked(found: Tables) -> _Kept:
    """What was read, where it is presets: games, in them names, in them options with a plain value."""
    for game, named in found.items():
        if not isinstance(named, dict) or not all(isinstance(rules, dict) for rules in named.values()):
            raise ValueError(f"{game} has no presets in it")
        for name, rules in named.items():
            for key, value in rules.items():
                if not isinstance(value, bool | int | str) or (isinstance(value, int) and abs(value) > _MOST):
                    raise ValueError(f"{key} of {name} is neither a number, a word nor true or false")
    return found


def _text(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else text
