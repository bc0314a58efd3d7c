"""Whom we know, and whom we don't let in: `known_peers` and `bans` in the data folder (protocol 3).

    [3f0c…]                      the key
    nick = "ana"                 the last one
    first = 1700000000           unix seconds
    last = 1700000600

    [[ban]]
    key = "3f0c…"
    nick = "ana"
    since = 1700000000
    until = 0                    for good

Nothing is kept by address: people change machines, and share them. Nobody who only passed by is kept for ever: of those
without petname, vouch or ignore, a thousand are, first those who came again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import msgspec

from p2pcards.store.folders import Folders
from p2pcards.store.own_keys import OwnKeys
from p2pcards.store.tomlfile import Tables, TomlFile
from p2pcards.table.people import Ban, Known, Person

MOST_PASSERS = 1000
"""So many people are kept of whom the owner has said nothing."""

AGAIN_SECONDS = 6 * 3600
"""Who was seen again after so long is kept before any number of those who came once."""

MOST_PAST = 100
"""So many bans are kept that ran out."""

FRESH_SECONDS = 600
"""Who comes again within it as they were is not written down anew."""

_PEERS_HEAD = "# Whom you met at tables, by key. Kept by p2pcards; comments are not kept.\n\n"
_BANS_HEAD = "# Who may not come to your tables: `bans` lists them, `unban` lifts one. Comments are not kept.\n\n"


class Logins(Protocol):
    """What proves logins: `store.roll.Roll`."""

    def login(self, key: bytes) -> str:
        """The login of the key's owner; empty where it isn't proved."""


class KnownPeople:
    """A `table.people.People` in files."""

    def __init__(self, folders: Folders, roll: Logins | None = None) -> None:
        """Raises UserError where one of the files is there and can't be read."""
        self._roll = roll
        self._own = OwnKeys(folders.data)
        self._peers = TomlFile(folders.people, folders.locks, _PEERS_HEAD, "known people", _Known)
        self._bans = TomlFile(folders.bans, folders.locks, _BANS_HEAD, "bans", _bans)
        self._peers.load()
        self._bans.load()

    # ---- people

    def person(self, key: bytes) -> Person | None:
        """Whom we know by that key."""
        return self._peers.held().people.get(key)

    def named(self, name: str) -> tuple[Person, ...]:
        """Whom we know by that nick or petname, upper and lower case being one; the last seen first."""
        return self._peers.held().by_name.get(name.lower(), ())

    def everybody(self) -> tuple[Person, ...]:
        """Whom we know at all, the last seen first; the same tuple as long as the file has not changed."""
        return self._peers.held().everybody

    def what(self, key: bytes, nick: str) -> Known:
        """What a key with that nick is to us."""
        own = self._own.keys()
        if key in own:
            return Known.OWN
        person, login = self.person(key), self.login(key)
        if person is None or nick.lower() not in _names(person):
            for other in self.named(nick):
                if other.key != key and other.key not in own and not (login and login == other.login):
                    return Known.OTHER
        if login or (person is not None and person.verified):
            return Known.VERIFIED
        return Known.NEW if person is None else Known.MET

    def meet(self, key: bytes, nick: str, wall: float, login: str = "") -> None:
        """We are at one table."""
        known = self.person(key)
        fresh = known is not None and 0 <= wall - known.last < FRESH_SECONDS
        if known and fresh and (known.nick, known.login) == (nick, login or known.login):
            return

        def write(tables: Tables) -> None:
            entry = _entry_of(tables, key)
            entry.setdefault("first", int(wall))
            entry |= {"nick": nick, "last": int(wall)} | ({"login": login} if login else {})
            _forget_passers(tables)

        self._peers.change(write)

    def call(self, key: bytes, petname: str) -> None:
        """Gives or (empty) takes a petname."""
        self._mark(key, "petname", petname)

    def vouch(self, key: bytes, verified: bool) -> None:
        """The owner has compared the words, or takes that back."""
        self._mark(key, "verified", verified)

    def ignore(self, key: bytes, ignored: bool) -> None:
        """Whether what they say is not shown."""
        self._mark(key, "ignored", ignored)

    def login(self, key: bytes) -> str:
        """The login that the lab's directory of keys proves for the key; empty where there is none."""
        return self._roll.login(key) if self._roll else ""

    def _mark(self, key: bytes, name: str, value: str | bool) -> None:
        def write(tables: Tables) -> None:
            entry = _entry_of(tables, key)
            if value:
                entry[name] = value
            else:
                entry.pop(name, None)

        self._peers.change(write)

    # ---- bans

    def bans(self) -> tuple[Ban, ...]:
        """All of them, those that ran out too; the newest first."""
        return self._bans.held()

    def banned(self, key: bytes, login: str, wall: float) -> Ban | None:
        """The one that stands against the key or the login; of several the one that lasts longest."""
        standing = [ban for ban in self.bans() if ban.stands(wall) and _meant(ban, key, login)]
        return max(standing, key=lambda ban: ban.until or float("inf"), default=None)

    def ban(self, ban: Ban) -> None:
        """Adds it, in place of one of the same key."""

        def write(tables: Tables) -> None:
            kept = [entry for entry in tables.get("ban", []) if not _of(entry, ban)]
            tables["ban"] = [*_without_past(kept, ban.since), _ban_entry(ban)]

        self._bans.change(write)

    def unban(self, bans: Iterable[Ban]) -> None:
        """Lifts them."""
        lifted = tuple(bans)

        def write(tables: Tables) -> None:
            tables["ban"] = [entry for entry in tables.get("ban", []) if not any(_of(entry, ban) for ban in lifted)]

        self._bans.change(write)


class _Entry(msgspec.Struct):
    nick: str = ""
    first: float = 0
    last: float = 0
    petname: str = ""
    verified: bool = False
    login: str = ""
    ignored: bool = False


class _BanEntry(msgspec.Struct):
    key: str = ""
    nick: str = ""
    login: str = ""
    reason: str = ""
    since: int = 0
    until: int = 0


class _Known:
    """The people of the file, by key and by name."""

    def __init__(self, tables: Tables) -> None:
        self.people = {person.key: person for person in (_person(key, entry) for key, entry in tables.items())}
        self.everybody = tuple(sorted(self.people.values(), key=lambda person: -person.last))
        by_name: dict[str, list[Person]] = {}
        for person in self.everybody:
            for name in _names(person):
                by_name.setdefault(name, []).append(person)
        self.by_name = {name: tuple(named) for name, named in by_name.items()}


def _person(key: str, entry: Any) -> Person:
    try:
        kept = msgspec.convert(entry, _Entry)
    except msgspec.ValidationError as error:
        raise ValueError(f"{key}: {error}") from error
    return Person(_key(key), kept.nick, kept.first, kept.last, kept.petname, kept.verified, kept.login, kept.ignored)


def _key(text: str) -> bytes:
    key = bytes.fromhex(text)
    if len(key) != 32 or len(text) != 64:  # spaces would be taken
        raise ValueError(f"{text} is no key")
    return key


def _entry_of(tables: Tables, key: bytes) -> Tables:
    """The entry of that key, made where there is none; who edits the file may write a key in capitals."""
    text = key.hex()
    name = text if text in tables else next((name for name in tables if name.lower() == text), text)
    entry: Tables = tables.setdefault(name, {})
    return entry


def _names(person: Person) -> set[str]:
    return {name.lower() for name in (person.nick, person.petname) if name}


def _forget_passers(tables: Tables) -> None:
    passers = [key for key, entry in tables.items() if not {"petname", "verified", "ignored"} & set(entry)]
    if len(passers) > MOST_PASSERS:
        for key in sorted(passers, key=lambda key: _worth(tables[key]))[:-MOST_PASSERS]:
            del tables[key]


def _worth(entry: Tables) -> tuple[bool, float]:
    """Greater for whom to keep: a flood of fresh keys must not make us forget whose name is whose."""
    first, last = entry.get("first", 0), entry.get("last", 0)
    return last - first >= AGAIN_SECONDS, last


def _bans(tables: Tables) -> tuple[Ban, ...]:
    try:
        kept = msgspec.convert(tables.get("ban", []), list[_BanEntry])
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    found = [
        Ban(_key(each.key) if each.key else b"", each.nick, each.login, each.reason, each.since, each.until)
        for each in kept
    ]
    return tuple(sorted(found, key=lambda ban: -ban.since))


def _without_past(entries: list[Tables], now: int) -> list[Tables]:
    """All that stand, and of those that ran out the newest."""
    past = sorted(entry["until"] for entry in entries if 0 < entry.get("until", 0) <= now)
    bound = past[-MOST_PAST] if len(past) >= MOST_PAST else 0
    return [entry for entry in entries if not 0 < entry.get("until", 0) < bound]


def _ban_entry(ban: Ban) -> dict[str, str | int]:
    entry = {"key": ban.key.hex(), "nick": ban.nick, "login": ban.login, "reason": ban.reason}
    return {key: value for key, value in entry.items() if value} | {"since": ban.since, "until": ban.until}


def _of(entry: Tables, ban: Ban) -> bool:
    """Whether the entry is about the one whom the ban is about: the same key, or without keys the same login."""
    key: str = entry.get("key", "").lower()
    return key == ban.key.hex() and (bool(key) or entry.get("login", "") == ban.login)


def _meant(ban: Ban, key: bytes, login: str) -> bool:
    return (ban.key != b"" and ban.key == key) or (ban.login != "" and ban.login == login)
