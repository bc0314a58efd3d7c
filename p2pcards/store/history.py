"""The history: every match that was played, in one file of SQLite (`Folders.history`).

A match is kept after each of its rounds, whole, and is there once `keep` has returned, whatever becomes of the program
then. Several programs may play at one table and keep the same match: it is one row.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING

import msgspec

from p2pcards.store.folders import Folders
from p2pcards.store.history_file import reading, writing
from p2pcards.table.results import Ending, Over, Result, Taker

if TYPE_CHECKING:
    from p2pcards.store.history_match import KeptMatch  # brings all games along: who reads alone need not wait for them

_COLUMNS = "number, table_id, date, game, title, rounds, takers, endings, over"
_CHOSEN = "(?1 IS NULL OR game = ?1) AND date >= ?2 AND (over OR ?3)"
"""Matches of one game or all, from a date on; with the last, those that are not over too."""


class Kept(Enum):
    """What became of a match that was to be kept."""

    NEW = "new"
    GROWN = "grown"  # it was there, and had not come so far
    THERE = "there"


class History:
    """Raises UserError wherever the file can't be used; nothing has changed then."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    # ---- writing

    def keep(self, match: KeptMatch) -> Kept:
        """Keeps the match; one that is there already is replaced where this has come as far, or farther."""
        return self.keep_all([match])[0]

    def keep_all(self, matches: Iterable[KeptMatch], *, import_: bool = False) -> list[Kept]:
        """Keeps them together. import_: from elsewhere, so that what is over here stays as it is, and what
        is proved is replaced by nothing that isn't."""
        with writing(self._folders) as connection:
            return [_keep(connection, match, import_) for match in matches]

    def forget(self, numbers: Iterable[int]) -> int:
        """Forgets these matches for good; how many of them there were."""
        with writing(self._folders) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            gone = 0
            for number in numbers:
                gone += connection.execute("DELETE FROM match WHERE number = ?", (number,)).rowcount
                connection.execute("DELETE FROM part WHERE match = ?", (number,))
            return gone

    # ---- reading

    def results(self, game: str | None = None, *, since: str = "", unfinished: bool = False) -> Iterable[Result]:
        """How matches came out, the oldest first; of one game, or not before a date (RFC 3339, UTC).

        unfinished: those that are not over too.
        """
        return list(self._results(game, since, unfinished, "ASC"))

    def newest(self, game: str | None = None, *, since: str = "", limit: int = -1) -> list[Result]:
        """The matches, the newest first, those that are not over too. limit: at most so many."""
        return list(self._results(game, since, True, f"DESC LIMIT {limit}"))

    def count(self, game: str | None = None, *, since: str = "") -> int:
        """How many matches `newest` finds."""
        with reading(self._folders) as connection:
            if connection is None:
                return 0
            found = connection.execute(f"SELECT count(*) FROM match WHERE {_CHOSEN}", (game, since, True))  # noqa: S608 - a constant
            number: int = found.fetchone()[0]
            return number

    def result(self, number: int) -> Result | None:
        """How that match came out; None where there is none."""
        with reading(self._folders) as connection:
            if connection is None:
                return None
            rows = connection.execute(f"SELECT {_COLUMNS} FROM match WHERE number = ?", (number,))  # noqa: S608 - a constant
            return next(_read(rows), None)

    def text(self, number: int) -> str | None:
        """The whole record of that match; None where there is none."""
        with reading(self._folders) as connection:
            if connection is None:
                return None
            rows = connection.execute("SELECT text FROM part WHERE match = ? ORDER BY place", (number,))
            return "".join(zlib.decompress(text).decode() for (text,) in rows) or None

    def _results(self, game: str | None, since: str, unfinished: bool, order: str) -> Iterator[Result]:
        with reading(self._folders) as connection:
            if connection is not None:
                direction, _, limit = order.partition(" ")
                order = f"date {direction}, number {direction} {limit}"
                statement = f"SELECT {_COLUMNS} FROM match WHERE {_CHOSEN} ORDER BY {order}"  # noqa: S608 - constants
                yield from _read(connection.execute(statement, (game, since, unfinished)))


def _keep(connection: Connection, match: KeptMatch, import_: bool) -> Kept:
    found = connection.execute("SELECT number, takers, over, rounds FROM match WHERE key = ?", (match.key,)).fetchone()
    values = {
        "key": match.key,
        "date": match.date,
        "game": match.game,
        "title": match.title,
        "table_id": match.table,
        "rounds": match.rounds,
        "over": match.over,
        "takers": msgspec.json.encode(match.takers).decode(),
        "endings": msgspec.json.encode(match.endings).decode(),
    }
    if found is None:
        names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
        number = connection.execute(f"INSERT INTO match ({names}) VALUES ({marks})", values).lastrowid  # noqa: S608 - names of ours
        _put(connection, number, match.parts)
        return Kept.NEW
    number, takers, *stands = found
    comes = [match.over, match.rounds]
    gains = _proved(match.takers) - _proved(_TAKERS.decode(takers))
    stays = gains < 0 or (gains == 0 and (stands[0] == Over.YES or stands == comes))
    if stands > comes or (import_ and stays):
        return Kept.THERE
    if not _put(connection, number, match.parts):
        return Kept.THERE
    changes = ", ".join(f"{name} = :{name}" for name in values)
    connection.execute(f"UPDATE match SET {changes} WHERE number = :number", {**values, "number": number})  # noqa: S608 - names of ours
    return Kept.GROWN


def _proved(takers: Iterable[Taker]) -> bool:
    """Whether it is sure who played there: of what comes from elsewhere, by its proof."""
    return any(taker.key for taker in takers)


def _put(connection: Connection, number: int | None, parts: Sequence[str]) -> bool:
    """Makes these the parts of the record; whether any was another one."""
    kept = dict(connection.execute("SELECT place, digest FROM part WHERE match = ?", (number,)))
    coming = {place: text.encode() for place, text in enumerate(parts)}
    digests = {place: hashlib.sha256(text).digest()[:16] for place, text in coming.items()}
    fresh = [place for place, digest in digests.items() if kept.get(place) != digest]
    connection.executemany(
        "INSERT OR REPLACE INTO part (match, place, digest, text) VALUES (?, ?, ?, ?)",
        [(number, place, digests[place], zlib.compress(coming[place])) for place in fresh],
    )
    connection.execute("DELETE FROM part WHERE match = ? AND place >= ?", (number, len(parts)))
    return bool(fresh) or len(kept) > len(parts)


_TAKERS = msgspec.json.Decoder(tuple[Taker, ...])
_ENDINGS = msgspec.json.Decoder(tuple[Ending, ...])


def _read(rows: Iterable[Row]) -> Iterator[Result]:
    for number, table, date, game, title, rounds, takers, endings, over in rows:
        yield Result(
            number, table, date, game, title, rounds, _TAKERS.decode(takers), _ENDINGS.decode(endings), bool(over)
        )
