"""What makes a program one of a lab: the lab's key, and its directory of keys (protocol 5)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from p2pcards.errors import UserError
from p2pcards.store.config import Config
from p2pcards.store.lab import lab_key
from p2pcards.store.settings import Settings

if TYPE_CHECKING:
    from p2pcards.store.roll import Roll


class Membership:
    """As the command line says, else as config.toml does.

    What the command line names must be there. What config.toml names may be missing, as on a machine that is taken
    home: the program goes on without, `notes` say why, and so does every refusal that comes of it.
    """

    def __init__(self, said: Settings, config: Config) -> None:
        """Raises UserError where the key that the command line names can't be used."""
        self._said, self._config = said, config
        self.notes: list[str] = []
        self._why_no_key = self._why_no_roll = ""
        self.lab = b""
        named = said.lab_key or config.lab_key
        if named:
            try:
                self.lab = lab_key(Path(named))
            except UserError as error:
                if said.lab_key:
                    raise UserError(str(error), 2) from error
                self._why_no_key = f" {error}"
                self.notes.append(str(error))

    @cached_property
    def roll(self) -> Roll | None:
        """The lab's directory of keys, read when it is first asked for; raises UserError like the key."""
        named = self._said.lab_keys or self._config.lab_keys
        if not named:
            return None
        from p2pcards.store.roll import Roll  # brings cryptography with it

        try:
            return Roll(Path(named))
        except UserError as error:
            if self._said.lab_keys:
                raise UserError(str(error), 2) from error
            self._why_no_roll = f" {error}"
            self.notes.append(str(error))
            return None

    def tell(self, say: Callable[[str], None]) -> None:
        """Says what `notes` has, once."""
        for note in self.notes:
            say(note)
        self.notes.clear()

    def check_door(self, door: str) -> None:
        """Raises UserError where a table of ours can't have this door for want of what makes a lab."""
        if not door:
            return
        from p2pcards.table.settings import NEEDS_LAB  # who names no door pays nothing

        if door in NEEDS_LAB and not self.lab:
            raise UserError(
                f"The door {door} needs the lab's key: --lab-key FILE, or lab_key in config.toml.{self._why_no_key}", 2
            )
        if door == "lab+uid" and self.roll is None:
            raise UserError(
                "The door lab+uid needs the lab's directory of keys: --lab-keys DIR, or lab_keys in config.toml."
                f"{self._why_no_roll}",
                2,
            )
