"""Voters of one table in one room: each with books and a vote file of its own, and every word passed on by hand.

room = Room(forge, "ana", "ben", "cy")     # each holds what the forge has written
room.tick(5.25)                            # time goes on for all, and what they say is passed on until all is said
room.box("ana").won
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from p2pcards.table.election import DEAD, MARGIN, Election
from p2pcards.table.journal import Journal
from p2pcards.table.public import Public
from p2pcards.table.votefile import VoteFile
from p2pcards.wire.messages import Message, Prevote, PrevoteAsk, VoteAsk, decode, encode
from p2pcards.wire.vote import Vote, sign_vote
from tests.testing.cluster import identity
from tests.testing.forge import NAMES, Forge, member

DUE = DEAD + MARGIN
"""When the first in rank stands, behind the last word of the host."""

NAMES_OF = {identity(name).key: name for name in ("host", "ana", "ben", "cy", "dot", "eve")}


def books_of(journal: Journal, length: int | None = None) -> Public:
    """Books of their own over a copy of the journal."""
    return Public.of(journal.copy(length))


def follow(books: Public, journal: Journal) -> None:
    """The journal that these books are of becomes like that one."""
    books.journal.truncate(0)
    books.restart()
    for wire, entry in zip(journal.wires, journal.entries, strict=True):
        host = journal_host(journal, entry.index)
        books.fold(books.journal.accept(wire, host))


def journal_host(journal: Journal, index: int) -> bytes:
    """Who signed that entry."""
    return Public.of(journal.copy(index + 1)).host


class Room:
    """Elections, and the words between them. lost: which of them never arrive."""

    def __init__(self, forge: Forge, *names: str, now: float = 0.0, short: dict[str, int] | None = None) -> None:
        """short: how many entries some of them hold, who do not hold all."""
        self.forge, self.now = forge, now
        self.books = {name: books_of(forge.journal, (short or {}).get(name)) for name in names}
        files = dict.fromkeys(names, VoteFile(since=0))
        self.boxes = {name: Election(identity(name), self.books[name], files[name], now) for name in names}
        self.files: dict[str, bytes] = {}
        self.said: list[tuple[str, str, Message]] = []
        self.lost: Callable[[str, str, Message], bool] = lambda sender, far, message: False

    def box(self, name: str) -> Election:
        """The election of one."""
        return self.boxes[name]

    def restart(self, name: str, *, same_boot: bool = True, lost: bool = False) -> Election:
        """Its program starts anew, with what it kept, or (lost) without."""
        data = b"" if lost else self.files.get(name, VoteFile(since=0).encode())
        file = VoteFile.decode(data)
        box = self.boxes[name] = Election(identity(name), self.books[name], file, self.now, same_boot=same_boot)
        return box

    def tick(self, now: float, *names: str) -> None:
        """It is so late; these (all, where none is named) look at their clocks; what is said is passed on."""
        self.now = now
        for name in names or self.boxes:
            self.boxes[name].tick(now, [identity(other).key for other in self.boxes if other != name])
        self.pass_on()

    def pass_on(self) -> None:
        """Until nobody has anything to say."""
        while any(box.sent for box in self.boxes.values()):
            for name, box in self.boxes.items():
                if box.kept is not None:
                    self.files[name], box.kept = box.kept, None
                sent, box.sent[:] = list(box.sent), []
                for key, message in sent:
                    self._hand(name, NAMES_OF[key], message)

    def _hand(self, sender: str, far: str, message: Message) -> None:
        if self.lost(sender, far, message):
            return
        self.said.append((sender, far, message))
        if isinstance(message, Vote):
            written = VoteFile.decode(self.files[sender])
            assert written is not None
            assert written.vote == message, "a vote that left before it was written"
        if far in self.boxes:
            self.boxes[far].take(identity(sender).key, decode(*encode(message)), self.now)

    def heard(self, kind: type[Message]) -> list[tuple[str, str]]:
        """Who said a message of that kind to whom."""
        return [(sender, far) for sender, far, message in self.said if isinstance(message, kind)]

    def take(self, sender: str, far: str, message: Message) -> list[Message]:
        """One message of somebody who need not be in the room, and what is answered to it."""
        box = self.boxes[far]
        before = len(box.sent)
        box.take(identity(sender).key, decode(*encode(message)), self.now)
        answers = [answer for _, answer in box.sent[before:]]
        del box.sent[before:]
        if box.kept is not None:
            self.files[far], box.kept = box.kept, None
        return answers


def table() -> Forge:
    """host (without a seat), ana, ben and cy: four voters, so three decide."""
    forge = Forge()
    forge.lobby()
    return forge


def three() -> Forge:
    """host, ana and ben: two decide."""
    forge = Forge()
    forge.genesis(game="onecard")
    forge.options(("seat_order", "join_order"))
    forge.roster(member("ana"), member("ben"))
    return forge


def two() -> Forge:
    """host and ana."""
    forge = Forge()
    forge.genesis(game="onecard")
    forge.options(("seat_order", "join_order"))
    forge.roster(member("host", "helga"), member("ana"))
    return forge


def room(*names: str, forge: Forge | None = None, **how: Any) -> Room:
    """A room of these, or of ana, ben and cy."""
    return Room(forge or table(), *(names or NAMES), **how)


def shown(forge: Forge, index: int | None = None) -> tuple[int, int, bytes]:
    """Term, index and head of an entry, the newest where none is named."""
    journal = forge.journal
    at = journal.last if index is None else index
    return journal.term_at(at), at, journal.heads[at]


def prevote_ask(forge: Forge, term: int = 2, index: int | None = None, **changes: Any) -> PrevoteAsk:
    """What somebody with that newest entry asks."""
    at = forge.journal.last if index is None else index
    ask = PrevoteAsk(forge.journal.table, term, *shown(forge, at), forge.journal.wires[at][-64:])
    return replace(ask, **changes)


def vote_of(forge: Forge, name: str, candidate: str, term: int = 2, index: int | None = None) -> Vote:
    """A vote for somebody with that newest entry."""
    return sign_vote(identity(name), forge.journal.table, term, identity(candidate).key, None, shown(forge, index))


def vote_ask(forge: Forge, name: str, term: int = 2, index: int | None = None) -> VoteAsk:
    """What somebody with that newest entry asks then."""
    at = forge.journal.last if index is None else index
    return VoteAsk(vote_of(forge, name, name, term, at), forge.journal.wires[at][-64:])


def yes(answers: list[Message]) -> bool:
    """Whether the answer to a PREVOTE_ASK is yes."""
    return isinstance(answers[0], Prevote) and answers[0].yes
