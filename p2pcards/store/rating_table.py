"""The ladders of `store.rating`, kept beside the matches that led there (`ladder` in the file of the history)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from p2pcards.errors import UserError
from p2pcards.store.folders import Folders
from p2pcards.store.history_file import reading, writing
from p2pcards.store.rating import Ladder

PATIENCE = 0.1
"""Seconds to wait for another program that is writing: whoever asked for statistics has them already."""

_LADDER = msgspec.json.Decoder(Ladder)


class RatingTable:
    """A `store.rating.Ladders`. What can't be read or written costs time alone: it is made again."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    def load(self) -> Mapping[str, Ladder]:
        """By game."""
        try:
            with reading(self._folders) as connection:
                if connection is None:
                    return {}
                return {
                    game: _LADDER.decode(told) for game, told in connection.execute("SELECT game, told FROM ladder")
                }
        except UserError:
            return {}

    def keep(self, ladders: Mapping[str, Ladder]) -> None:
        """In place of those of all games."""
        told = [(game, msgspec.json.encode(ladder).decode()) for game, ladder in ladders.items()]
        try:
            with writing(self._folders, patience=PATIENCE) as connection:
                connection.execute("DELETE FROM ladder")
                connection.executemany("INSERT INTO ladder VALUES (?, ?)", told)
        except UserError:
            return
