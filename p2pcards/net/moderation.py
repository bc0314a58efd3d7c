"""Who is shown out, for how long, and who may come again: what is typed about it, made orders, votes and bans.

A kick stands in the journal of a table of ours; a ban beside it in our own list, for every table that we will host.
Somebody is named by nick, petname or proved login, by the words of the key, or by `~` and its beginning in hex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from p2pcards.errors import UserError
from p2pcards.net.acquaintance import Acquaintance, present
from p2pcards.net.sitting import Sitting
from p2pcards.table.effects import Voted
from p2pcards.table.notices import Failed, Notice
from p2pcards.table.people import Ban, Known, People, goes_by
from p2pcards.wire.entries import REASON_CHARS, SeatKind
from p2pcards.wire.identity import chip
from p2pcards.wire.text import clean

KICK_SECONDS = 600
"""How long somebody who was kicked stays out of that table."""

MOST_SECONDS = 100 * 365 * 24 * 3600
"""A longer ban is one for good."""


class Whom(Struct, frozen=True):
    """Somebody who is meant. here: at the table; knocks: at its door."""

    key: bytes
    nick: str
    here: bool = False
    knocks: bool = False


class Place(Struct, frozen=True):
    """The table we are at. seen: whom we saw there; alone: it has no network under it."""

    sitting: Sitting
    seen: Acquaintance
    alone: bool = False

    @property
    def ours(self) -> bool:
        """Whether we are its host."""
        return self.sitting.host is not None


class Moderation:
    """Kicks, bans, pardons and votes, at a table or at none."""

    def __init__(
        self, people: People, me: Callable[[], bytes], wall: Callable[[], float], tell: Callable[[Notice], None]
    ) -> None:
        """me: our key; wall: unix seconds; tell: takes what went wrong after something was done."""
        self._people, self._me, self._wall, self._tell = people, me, wall, tell

    def deny(self, place: Place, nick: str, reason: str) -> None:
        """Turns somebody away who waits at our door."""
        place.sitting.order("deny", nick, _reason(reason))

    def kick(self, place: Place, nick: str, reason: str) -> None:
        """Shows somebody out of our table; UserError where that can't be, as in all of these."""
        _host_only(place)
        whom = self._at(place, nick)
        if whom is None:
            raise UserError(f"Nobody called {clean(nick, 40)} is at this table.")
        if whom.knocks:
            raise UserError(f"{whom.nick} is still at the door: `deny {whom.nick}` sends them away.")
        place.sitting.order("kick", whom.nick, _reason(reason), str(int(self._wall()) + KICK_SECONDS))

    def ban(self, place: Place | None, name: str, seconds: str, reason: str) -> None:
        """Shows somebody out of our table and of all that we will host. seconds: "0" for good."""
        whom = self._at(place, name) if place is not None else None
        if whom is None:
            whom = self._known(name)
        if whom.key == self._me() or self._people.what(whom.key, whom.nick) is Known.OWN:
            raise UserError("That is you yourself.")
        since, lasts = int(self._wall()), int(seconds)
        until = since + lasts if 0 < lasts <= MOST_SECONDS else 0
        why = _reason(reason)
        ban = Ban(whom.key, whom.nick, self._people.login(whom.key), why, since, until)
        if place is None or not place.ours or not (whom.here or whom.knocks):
            self._people.ban(ban)
            if place is not None and place.ours and place.sitting.guest.public.door == "code":
                place.sitting.order("door", "code")  # they may know it, and have another key
            return
        if not whom.knocks:
            place.sitting.order("kick", whom.nick, why, str(until))
        try:
            self._people.ban(ban)
        except UserError as error:  # out they are
            holds = "They were turned away this once." if whom.knocks else "The ban holds for this table alone."
            self._tell(Failed(f"{error} {holds}", 0))
        if whom.knocks:  # behind the ban, so that its date is told at the door
            place.sitting.order("deny", whom.nick, why)

    def unban(self, place: Place | None, name: str) -> None:
        """Lifts the bans of somebody, and lets them come to our table again."""
        every = self._people.bans()
        standing = self._kicked(place)
        bans = [ban for ban in every if self._is_called(name, ban.key, ban.nick, ban.login)]
        meant = {key for key, nick in standing.items() if self._is_called(name, key, nick)}
        meant |= {ban.key for ban in bans if ban.key}
        bans += [ban for ban in every if ban.key in meant and ban not in bans]
        kicked = {key: nick for key, nick in standing.items() if key in meant}
        if not bans and not kicked:
            raise UserError(f"Nobody called {clean(name, 40)} is banned: `bans` lists who is.")
        found = {ban.key or ban.login.encode(): (ban.key, ban.nick or ban.login) for ban in bans}
        found |= {key: (key, nick) for key, nick in kicked.items()}
        if len(found) > 1:
            raise UserError(_several(found.values()))
        if bans:
            self._people.unban(bans)
        for key in kicked:
            if place is not None:
                place.sitting.order("pardon", key.hex())

    def _kicked(self, place: Place | None) -> dict[bytes, str]:
        """Keys that may not come to our table now, and the nicks that we saw them with."""
        if place is None or not place.ours:
            return {}
        wall, kicks = self._wall(), place.sitting.guest.public.kicks
        return {key: place.seen.nick_of(key) for key, kick in kicks.items() if kick.until == 0 or wall < kick.until}

    def vote(self, place: Place, words: tuple[str, ...]) -> None:
        """("kick", nick) calls a vote on showing a player out, ("yes",) and ("no",) vote on the open one."""
        guest = place.sitting.guest
        if words[0] == "kick":
            whom = self._at(place, words[1])
            seat = guest.public.seat_of(whom.key) if whom is not None else None
            if seat is None:
                raise UserError(f"No player at this table is called {clean(words[1], 40)}.")
            place.sitting.feed(Voted(seat, True))
            return
        view = guest.table_view()
        if view is None or view.vote is None:
            raise UserError("No vote is open: `vote kick NICK` calls one.")
        place.sitting.feed(Voted(view.vote.seat, words[0] == "yes"))

    # ---- who is meant

    def _at(self, place: Place | None, name: str) -> Whom | None:
        """Whoever is at the table or at its door; UserError for ourselves and for bots."""
        if place is None:
            return None
        public, lower = place.sitting.guest.public, name.lower()
        for held in public.seats:
            if held.kind is SeatKind.BOT and held.nick.lower() == lower:
                raise UserError(f"{held.nick} is a bot: `bot remove {held.nick}` takes it from the table.")
        here = [Whom(key, nick, here=True) for key, nick in present(public)]
        if place.sitting.host is not None:
            here += [Whom(knock.key, knock.nick, knocks=True) for knock in place.sitting.host.knocks]
        found = [one for one in here if one.nick.lower() == lower]
        found = found or [one for one in here if self._is_called(name, one.key, one.nick)]
        if len(found) > 1:
            raise UserError(_several((one.key, one.nick) for one in found))
        if found and found[0].key == self._me():
            raise UserError("That is you yourself: `leave` leaves the table.")
        return found[0] if found else None

    def _known(self, name: str) -> Whom:
        """Somebody we met before."""
        everybody = self._people.everybody()
        found = [
            Whom(one.key, one.nick or one.petname) for one in everybody if self._is_called(name, one.key, one.nick)
        ]
        if not found:
            raise UserError(f"You know nobody called {clean(name, 40)}.")
        if len(found) > 1:
            raise UserError(_several((one.key, one.nick) for one in found))
        return found[0]

    def _is_called(self, typed: str, key: bytes, nick: str, login: str = "") -> bool:
        """Whether somebody may be named so."""
        person = self._people.person(key) if key else None
        names = (person.petname, person.nick) if person else ()
        return goes_by(typed, key, (nick, login or self._people.login(key), *names))


def _host_only(place: Place) -> None:
    if not place.ours:
        raise UserError("Only the host can do that: `vote kick NICK` asks the table.")


def _reason(text: str) -> str:
    return clean(text, REASON_CHARS)


def _several(found: Iterable[tuple[bytes, str]]) -> str:
    names = ", ".join(f"{nick} ({chip(key)}, ~{key.hex()[:8]})" if key else nick for key, nick in found)
    return f"Several could be meant: {names}."
