"""What a person set at the prompt and wants to find again: `choices.toml` in the folder of data.

theme = "light"
sort = "suit"

What config.toml says goes before it. Nobody's evening hangs on this file: one that can't be read counts as empty, one
that can't be written is logged, and the screen is as it was set all the same.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from p2pcards.errors import UserError
from p2pcards.store.config import KEYS
from p2pcards.store.config_tables import THEMES
from p2pcards.store.folders import Folders
from p2pcards.store.tomlfile import Tables, TomlFile

CHOICES = ("theme", "cards", "aces", "sort", "coach", "forced", "input")
"""What is kept, by the names of config.toml."""

HEAD = "# As you set them last at the prompt; config.toml goes before. Comments are not kept.\n\n"

_log = logging.getLogger(__name__)


class ChoiceFile:
    """Such a file."""

    def __init__(self, folders: Folders) -> None:
        self._kept = TomlFile(folders.choices, folders.locks, HEAD, "choices", lambda found: found)
        self._fits = {key.name: key.fits for key in KEYS if key.name in CHOICES}

    def all(self, themes: Iterable[str] = ()) -> Mapping[str, str]:
        """By name; without what cannot be, or not any more. themes: the names of one's own."""
        try:
            found = self._kept.load()
        except UserError as error:
            _log.warning("%s", error)
            return {}
        gone = {"theme"} if found.get("theme") not in (*THEMES, *themes) else set()
        return {name: value for name, value in found.items() if name not in gone and self._can_be(name, value)}

    def keep(self, name: str, value: str) -> None:
        """Keeps one. A value that config.toml cannot have (`sort own` is for one round) changes nothing."""
        if not self._can_be(name, value):
            return

        def put(kept: Tables) -> None:
            kept[name] = value

        try:
            self._kept.change(put)
        except UserError as error:
            _log.warning("%s", error)

    def _can_be(self, name: str, value: object) -> bool:
        return name in self._fits and isinstance(value, str) and value != "" and self._fits[name](value)
