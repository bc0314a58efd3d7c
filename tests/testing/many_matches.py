"""A history of many matches, for benchmarks and tests of what is read from it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from p2pcards.store.folders import Folders
from p2pcards.store.history import History
from p2pcards.store.history_match import KeptMatch
from p2pcards.table.results import Ending, Over, Taker

SEATS = {"tongits": 3, "tienlen": 4, "straights": 4, "onecard": 4}
ENDINGS = {
    "tongits": ("tongits", "call", "exhausted"),
    "tienlen": ("out",),
    "straights": ("played",),
    "onecard": ("out",),
}
PEOPLE = 30
ROUND_BYTES = 1500
"""About what a short round with its proof takes, compressed."""


def person(number: int) -> tuple[str, str]:
    """A nick and the words of a key."""
    return f"person-{number}", f"word{number}-mango-tiger-plum-otter-fern"


def many_matches(count: int, seed: int = 0, own: str = "") -> Iterator[KeptMatch]:
    """Finished matches of all games, one an hour; a seat or two of some is a bot's. own: the key of the first person.

    Their records are no records: only what lists and statistics read is as it would be.
    """
    rng = random.Random(seed)  # noqa: S311 - the same history again
    began = datetime(2025, 1, 1, tzinfo=UTC)
    for number in range(count):
        game = rng.choice(list(SEATS))
        seats = SEATS[game]
        bots = rng.choice((0, 0, 1, seats - 1))
        places = rng.sample(range(1, seats + 1), seats)
        takers = []
        for seat, (who, place) in enumerate(zip(rng.sample(range(PEOPLE), seats), places, strict=True)):
            nick, key = person(who)
            if seat >= seats - bots:
                takers.append(Taker(f"bot-{seat}", "", rng.choice(("easy", "medium", "hard")), 0, place, place == 1))
            else:
                takers.append(Taker(nick, own if own and who == 0 else key, "", seats - place, place, place == 1))
        endings = tuple(Ending(rng.choice(ENDINGS[game]), (rng.randrange(seats),)) for _ in range(rng.randint(1, 5)))
        date = (began + timedelta(hours=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        record = ("head\n", *(f"{rng.randbytes(ROUND_BYTES // 2).hex()}\n" for _ in endings))
        table = f"{number:032x}"
        yield KeptMatch(
            number.to_bytes(16, "big"), record, date, game, "Friday night", table, Over.YES, tuple(takers), endings
        )


def fill(folders: Folders, count: int, seed: int = 0, own: str = "") -> None:
    """Puts them into the history of these folders."""
    History(folders).keep_all(many_matches(count, seed, own))
