"""Who somebody is to the owner of this program: a key with what is known about it, ready to be named."""

from __future__ import annotations

import re
from typing import NamedTuple

from p2pcards.table.people import Known, NoPeople, People
from p2pcards.table.tableview import TableView
from p2pcards.wire.entries import Kick
from p2pcards.wire.identity import chip
from p2pcards.wire.text import clean

NAME_CHARS = 32
"""Of petnames and logins, where they are shown."""

KNOWN: dict[str, str] = {
    Known.NEW: "new",
    Known.MET: "known",
    Known.VERIFIED: "verified",
    Known.OWN: "a program of yours",
}
"""What a key is to us, but for those that have another's name."""


_NUMBER = re.compile(r"-\d+$")


class Circle(NamedTuple):
    """Whom the owner knows, and when it is: unix seconds."""

    people: People = NoPeople()
    wall: float = 0.0


class Face(NamedTuple):
    """Somebody as the owner sees them.

    known: a `table.people.Known`; login: proved by the lab, or empty; like: the name of another whom we know, which is
    theirs too.
    """

    nick: str
    key: bytes
    known: str = Known.NEW
    petname: str = ""
    login: str = ""
    like: str = ""

    @property
    def other(self) -> bool:
        """Whether it is the name of somebody we know, under another key."""
        return self.known == Known.OTHER

    @property
    def chip(self) -> str:
        """Two words of the key."""
        return chip(self.key)

    @property
    def about(self) -> str:
        """Chip and what is known: `mango-tiger, known, called Annie, verified login alice`."""
        known = f"NOT the {self.like or self.nick} you know" if self.other else KNOWN.get(self.known, "")
        return ", ".join(filter(None, (self.chip, known, *self.names)))

    @property
    def names(self) -> list[str]:
        """What else they are called."""
        return [
            *([f"called {self.petname}"] if self.petname else []),
            *([f"verified login {self.login}"] if self.login else []),
        ]


def face(people: People, key: bytes, nick: str) -> Face:
    """The face of a key that goes by that nick."""
    person = people.person(key)
    petname = "" if person is None else clean(person.petname, NAME_CHARS)
    login, known = clean(people.login(key), NAME_CHARS), people.what(key, nick)
    return Face(clean(nick, NAME_CHARS), key, known, petname, login, namesake(people, nick))


def namesake(people: People, nick: str) -> str:
    """The name under which we may know another: a table puts a number behind one that is taken."""
    return nick if people.named(nick) else _NUMBER.sub("", nick)


def faces(people: People, table: TableView | None) -> dict[bytes, Face]:
    """Of everybody at the table who has a key, and of who waits at its door."""
    if table is None:
        return {}
    present = [(seat.key, seat.nick) for seat in table.seats if seat.key]
    present += zip(table.spectator_keys, table.spectators, strict=False)
    met = {key: face(people, key, nick) for key, nick in present}
    return met | {knock.key: waiting(people, knock.key, knock.nick, knock.known, knock.login) for knock in table.knocks}


def waiting(people: People, key: bytes, nick: str, known: str, login: str) -> Face:
    """The face of who stands at the door, of which the host has told us."""
    return face(people, key, nick)._replace(known=known, login=clean(login, NAME_CHARS))


def shown_out(people: People, table: TableView | None, wall: float) -> list[tuple[str, Kick]]:
    """Why keys may not come to our own table now, each with the nick that we know it by, if any."""
    if table is None or not table.mine:
        return []
    met = [(people.person(kick.key), kick) for kick in table.kicks if kick.stands(wall)]
    return [("" if person is None else clean(person.nick, NAME_CHARS), kick) for person, kick in met]
