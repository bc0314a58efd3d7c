"""A fake node whose table has a door: people knock, speak, vote and are shown out, as tests order."""

from __future__ import annotations

from p2pcards.commands.command import Command
from p2pcards.table.notices import (
    CodeIs,
    CodeWanted,
    DoorSet,
    Kicked,
    Knocked,
    Seated,
    Spoken,
    VoteCalled,
    VoteCast,
    Waiting,
    WentAway,
)
from p2pcards.table.people import Ban
from p2pcards.table.tableview import Knock, SeatView, Vote
from tests.testing.fake_node import KEY, NICK, FakeNode

CODE = "mango-tiger"
WALL = 1_800_000_000.0
"""Unix seconds at which the tests of doors play."""


class DoorNode(FakeNode):
    """`do` carries out what has to do with doors and people; `spoken` is what was said by us."""

    def do(self, command: Command) -> None:
        match command.verb, command.args:
            case "door", (policy,):
                self.change(door=policy, code=CODE if policy == "code" else "")
                self.tell(DoorSet(policy))
                if policy == "code":
                    self.tell(CodeIs(CODE, "asked"))
            case "admit", (nick,):
                self._leaves_the_door(nick, "admitted")
                self.comes(nick)
            case "deny", (nick, _):
                self._leaves_the_door(nick, "declined")
            case "ban", (nick, seconds, reason) if nick in {knock.nick for knock in self._seated.knocks}:
                until = round(WALL) + int(seconds) if seconds != "0" else 0
                self.people.ban(Ban(self.key_of(nick), nick, "", reason, round(WALL), until))
                self._leaves_the_door(nick, "declined")
            case (("kick" | "ban"), (nick, *_)):
                self.shown_out(nick, NICK, command.args[-1], 0 if command.verb == "ban" else round(WALL) + 600)
            case "say", (text,):
                self.tell(Spoken(NICK, KEY, "", text))
            case "msg", (nick, text):
                self.tell(Spoken(NICK, KEY, nick, text))
            case "vote", _:
                pass
            case "code", _:
                self.rows(*self.home.rows, asking="", joining="")
            case _:
                super().do(command)
                return
        self.done.append(command)

    def key_of(self, nick: str) -> bytes:
        """The key that goes with a nick in these tests."""
        return nick.encode().ljust(32, b".")[:32]

    def knocks(self, nick: str, known: str = "new", login: str = "", key: bytes = b"") -> None:
        """Somebody comes to the door."""
        asked = "name" if known == "other" else "ask"
        knock = Knock(nick, key or self.key_of(nick), known, login, asked, self.clock + 60)
        self.change(knocks=(*self._seated.knocks, knock))
        self.tell(Knocked(1, nick, knock.key, known, login, asked))

    def comes(self, nick: str) -> None:
        """Somebody takes the first open seat."""
        place = self._names.index("")
        self._sits(place, SeatView(nick, self.key_of(nick)))
        self.tell(Seated(place, nick, self.key_of(nick), ""))

    def says(self, nick: str, text: str, to: str = "") -> None:
        """Somebody at the table speaks."""
        keys = {seat.nick: seat.key for seat in self._seated.seats}
        self.tell(Spoken(nick, keys.get(nick) or self.key_of(nick), to, text))

    def calls_a_vote(self, nick: str, by: str, votes: tuple[int, ...], needed: int = 2) -> None:
        """Somebody wants another shown out."""
        seat = self._names.index(nick)
        self.change(vote=Vote(seat, by, votes, (), needed, self.clock + 30))
        self.tell(VoteCalled(seat, nick, by, needed, 30))

    def votes(self, nick: str, by: str, yes: bool = True) -> None:
        """Somebody votes on it."""
        self.tell(VoteCast(nick, by, yes, 2, 0, 2))

    def shown_out(self, nick: str, by: str, reason: str = "", until: int = 0) -> None:
        """Somebody has to go."""
        key = next((seat.key for seat in self._seated.seats if seat.nick == nick), self.key_of(nick))
        if nick in self._names:
            self._sits(self._names.index(nick), SeatView("", b""))
        self.tell(Kicked(nick, key, by, reason, until))

    def waits(self, seconds: int = 60) -> None:
        """We stand at somebody's door."""
        self.rows(*self.home.rows, joining="lab")
        self.tell(Waiting(seconds))

    def wants_code(self, title: str = "lab") -> None:
        """The table that we are on the way to asks for its code."""
        self.rows(*self.home.rows, joining=title, asking=title)
        self.tell(CodeWanted(title))

    def _sits(self, place: int, seat: SeatView) -> None:
        seats = list(self._seated.seats)
        seats[place] = seat
        self.change(seats=tuple(seats))

    def _leaves_the_door(self, nick: str, why: str) -> None:
        self.change(knocks=tuple(one for one in self._seated.knocks if one.nick != nick))
        self.tell(WentAway(nick, why))


def with_door(*, host: bool = True) -> DoorNode:
    """A node at a table of three, with ben beside us."""
    node = DoorNode()
    node.sit(others=1, host=host)
    return node
