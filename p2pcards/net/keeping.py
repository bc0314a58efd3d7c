"""Where this program keeps its tables, and what earlier programs of ours left there.

shelf = Shelf(keeping, lambda: identity.key)
shelf.tables()                        # for the home screen, the newest first
found, profile = shelf.find("lab")    # what `resume` goes back to; UserError (exit 3) where nothing is kept
shelf.reopen(table)                   # the folder of a table that we come to once more, None where there is none
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from p2pcards.commands.presets import NoPresets, Presets
from p2pcards.errors import UserError
from p2pcards.net.clock import now
from p2pcards.net.files import TableFolder, Take
from p2pcards.net.kept import Found, chosen, kept, voted
from p2pcards.table.listing import KeptTable
from p2pcards.table.merits import NoStatistics, Statistics
from p2pcards.table.people import NoPeople, People
from p2pcards.table.results import NoPast, Past
from p2pcards.wire.identity import Identity, short
from p2pcards.wire.text import clean_title

LOOK_SECONDS = 2.0
"""Between two looks at the folders, for the screen."""


class Keeping(Struct, frozen=True):
    """Where tables are kept, and how a folder is locked.

    another: gives the next free identity and its profile. profiles: all of ours, by the `short` of their keys; become:
    takes one of them, None where the program is to stay who it is.
    """

    tables: Path
    take: Take
    another: Callable[[], tuple[Identity, str]] | None = None
    presets: Presets = NoPresets()
    people: People = NoPeople()
    profiles: Callable[[], Mapping[str, str]] = dict
    become: Callable[[str], Identity] | None = None
    history: Callable[[], Past] = NoPast
    statistics: Callable[[], Statistics] = NoStatistics


class Shelf:
    """The tables that are kept on this machine."""

    def __init__(self, keeping: Keeping, key: Callable[[], bytes]) -> None:
        """key: our own, as of now."""
        self._keeping, self._key = keeping, key
        self._shown: tuple[KeptTable, ...] = ()
        self._looked_at = -LOOK_SECONDS

    def tables(self) -> tuple[KeptTable, ...]:
        """What can be resumed."""
        if now() - self._looked_at >= LOOK_SECONDS:
            at = time.time()
            self._shown = tuple(
                KeptTable(one.table, one.title, one.game, max(0.0, at - one.written), profile=profile)
                for one, profile in self._ours()
            )
            self._looked_at = now()
        return self._shown

    def stale(self) -> None:
        """The folders are others than a moment ago."""
        self._looked_at = -LOOK_SECONDS

    def find(self, wanted: str) -> tuple[Found, str]:
        """The table that is meant, and the profile whose seat it is ("": ours); of several the newest of our own."""
        ours = sorted(self._ours(), key=lambda one: one[1] != "")
        found = chosen((one for one, _ in ours), wanted)
        if found is None:
            called = f" called {clean_title(wanted)}" if wanted else ""
            raise UserError(f"No table{called} is kept on this machine to go back to.", 3)
        return found, {one.path: profile for one, profile in ours}[found.path]

    def was_at(self, table: bytes) -> bool:
        """Whether a program of ours left a folder of that table, with this key."""
        return voted(self._keeping.tables, table, short(self._key()), self._keeping.take) is not None

    def reopen(self, table: bytes) -> TableFolder | None:
        """That folder, ours now."""
        path = voted(self._keeping.tables, table, short(self._key()), self._keeping.take) if table else None
        return TableFolder.reopen(path, self._keeping.take) if path is not None else None

    def _ours(self) -> list[tuple[Found, str]]:
        """Every table of a key of ours, and the profile, "" for the present one."""
        found = kept(self._keeping.tables, self._keeping.take)
        if not found:
            return []
        mine = {short(self._key()): ""}
        profiles = {**self._keeping.profiles(), **mine} if self._keeping.become is not None else mine
        return [(one, profiles[one.key8]) for one in found if one.key8 in profiles]
