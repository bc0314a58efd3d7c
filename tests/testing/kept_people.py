"""People kept in memory, with the rules of `table.people.Known`."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from p2pcards.table.people import Ban, Known, Person


class KeptPeople:
    """A `table.people.People`. own: keys of our programs; logins: what the lab proves, by key."""

    def __init__(self, *people: Person, own: Iterable[bytes] = ()) -> None:
        self.kept = {person.key: person for person in people}
        self.own = set(own)
        self.logins: dict[bytes, str] = {}
        self.banned_ones: list[Ban] = []

    def person(self, key: bytes) -> Person | None:
        return self.kept.get(key)

    def named(self, name: str) -> tuple[Person, ...]:
        lower = name.lower()
        found = [one for one in self.kept.values() if lower in (one.nick.lower(), one.petname.lower())]
        return tuple(sorted(found, key=lambda one: -one.last))

    def everybody(self) -> tuple[Person, ...]:
        return tuple(sorted(self.kept.values(), key=lambda one: -one.last))

    def what(self, key: bytes, nick: str) -> Known:
        if key in self.own:
            return Known.OWN
        if (person := self.kept.get(key)) is not None:
            return Known.VERIFIED if person.verified else Known.MET
        return Known.OTHER if self.named(nick) else Known.NEW

    def meet(self, key: bytes, nick: str, wall: float, login: str = "") -> None:
        before = self.kept.get(key) or Person(key, nick, wall, wall)
        self.kept[key] = replace(before, nick=nick, last=wall, login=login or before.login)

    def call(self, key: bytes, petname: str) -> None:
        self._change(key, petname=petname)

    def vouch(self, key: bytes, verified: bool) -> None:
        self._change(key, verified=verified)

    def ignore(self, key: bytes, ignored: bool) -> None:
        self._change(key, ignored=ignored)

    def login(self, key: bytes) -> str:
        return self.logins.get(key, "")

    def bans(self) -> tuple[Ban, ...]:
        return tuple(reversed(self.banned_ones))

    def banned(self, key: bytes, login: str, wall: float) -> Ban | None:
        for ban in self.bans():
            if ban.stands(wall) and (ban.key == key or (login and ban.login == login)):
                return ban
        return None

    def ban(self, ban: Ban) -> None:
        self.banned_ones = [*(one for one in self.banned_ones if one.key != ban.key), ban]

    def unban(self, bans: Iterable[Ban]) -> None:
        lifted = set(bans)
        self.banned_ones = [one for one in self.banned_ones if one not in lifted]

    def _change(self, key: bytes, **fields: object) -> None:
        before = self.kept.get(key) or Person(key, "somebody", 0.0, 0.0)
        self.kept[key] = replace(before, **fields)
