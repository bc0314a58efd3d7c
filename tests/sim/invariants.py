"""What must hold in every world at every moment (protocol 7, 10 suite 8).

Nothing here asks a machine whether it is right: certificates are counted anew, what is committed is compared between
everybody who ever said so, and who hosts is looked at from outside, at one instant of true time.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from p2pcards.table.effects import Effects, LinkId
from p2pcards.table.journal import Journal
from p2pcards.table.notices import Alarm, Audited, BadShare, Closed, DoubleVote, FalseShare, Notice
from p2pcards.table.public import Public
from p2pcards.wire.entries import (
    EntryKind,
    Fork,
    Genesis,
    Handover,
    Kick,
    Roster,
    SeatKind,
    SeatPub,
    TermStart,
    decode_pub,
)
from p2pcards.wire.messages import Message, Secret, Share, View
from p2pcards.wire.vote import verify_vote
from tests.sim.program import Program

_BEGINNINGS = (EntryKind.GENESIS, EntryKind.TERM_START, EntryKind.FORK)

_OF_LIES = (Alarm, FalseShare, DoubleVote, BadShare, Audited, Closed)
"""Notices by which somebody may be told that another one lies."""

SWAPS = frozenset({"onecard"})
"""Games in which a hand may go from one player to another unseen."""


class Broken(AssertionError):
    """Something that must hold does not."""


class Watched(Protocol):
    """The world, as it is watched."""

    def programs(self) -> list[Program]:
        """Those that run."""

    def newest(self) -> list[Program]:
        """The newest of every machine, be it dead by now."""


class Invariants:
    """What was seen of one world so far."""

    def __init__(self, world: Watched) -> None:
        self._world = world
        self._committed: dict[tuple[bytes, int], tuple[bytes, str]] = {}  # T and index -> head, and who said so
        self._counted: dict[tuple[int, str], tuple[bytes, int]] = {}  # program -> T, how far its commits were looked at
        self._opened: dict[tuple[bytes, int, int], bytes] = {}  # C_R, epoch, place -> to whom
        self._seats: dict[str, tuple[SeatPub, ...]] = {}  # host -> the seats behind its last step
        self._hosts = set[str]()  # names of programs that hosted when they were last heard of

    # ---- at every step

    def always(self) -> None:
        """Never two active hosts of one table at one instant."""
        if len(self._hosts) < 2:
            return
        hosts = [program for program in self._world.programs() if program.peer.host is not None]
        active: dict[bytes, Program] = {}
        for program in hosts:
            host = program.peer.host
            if host is not None and not host.closed and host.active(program.now):
                other = active.setdefault(host.table, program)
                if other is not program:
                    raise Broken(f"two active hosts: {self._standing(other)} and {self._standing(program)}")

    def after(self, program: Program, effects: Effects) -> None:
        """Effects were carried out."""
        self._commits(program)
        host = program.peer.host
        if host is not None:
            self._seats[program.name] = host.public.seats
            self._hosts.add(program.name)
        else:
            self._hosts.discard(program.name)
        for notice in effects.notices:
            _check_told(program, notice)

    def _commits(self, program: Program) -> None:
        """No two say that different entries are committed in one place."""
        guest, host = program.peer.guest, program.peer.host
        self._commit(program, "guest", guest.journal, guest.committed)
        if host is not None:
            self._commit(program, "host", host.public.journal, host.commit)

    def _commit(self, program: Program, role: str, journal: Journal, committed: int) -> None:
        place = id(program), role
        table, seen = self._counted.get(place, (b"", -1))
        if table == journal.table and committed <= seen:
            return
        start = 0 if table != journal.table else seen + 1
        if committed >= len(journal):
            raise Broken(f"{program.name} ({role}) counts {committed} as committed, and holds {len(journal)} entries")
        if role == "host" and len(program.peer.guest.public.voters) > 2:
            self._by_its_own_term(program, journal, committed)
        for index in range(start, committed + 1):
            said = (journal.heads[index], program.name)
            head, who = self._committed.setdefault((journal.table, index), said)
            if head != said[0]:
                entry = journal.entries[index]
                raise Broken(f"entry {index} of {who} was committed; {program.name} ({role}) has {entry} there")
        self._counted[place] = journal.table, committed

    @staticmethod
    def _by_its_own_term(program: Program, journal: Journal, committed: int) -> None:
        """What an earlier host wrote commits with an entry of the own term, never by being counted."""
        host = program.peer.host
        if host is not None and host.public.host == program.key and committed >= 0:
            term = journal.entries[committed].term
            if term != host.public.term:
                raise Broken(f"{program.name}, host of term {host.public.term}, commits an entry of term {term}")

    # ---- what leaves

    def before_send(self, program: Program, link: LinkId, message: Message) -> None:
        """Shares and secrets go to a certified host, cards to who holds them."""
        if not isinstance(message, (Share, Secret, View)) or link not in program.links:
            return
        connection, end = program.links[link]
        to = getattr(connection.other(end).party, "key", b"")
        if isinstance(message, Share):
            self._share(program, message, to)
        elif isinstance(message, Secret):
            self._secret(program, to)
        else:
            self._view(program, message, to)

    def _share(self, program: Program, share: Share, to: bytes) -> None:
        books = program.peer.guest.public
        host = program.peer.host
        current = host.public.round if host is not None else books.round
        if host is not None and current is not None and to in current.holders:
            if current.holders.index(to) + 1 != share.x:
                raise Broken(f"{program.name} gives somebody else's share away")
            return
        journal = program.peer.guest.journal
        if certified(journal) != to:
            raise Broken(f"{program.name} gives its share to who is not certified")

    def _secret(self, program: Program, to: bytes) -> None:
        host = program.peer.host
        journal = program.peer.guest.journal if host is None else host.public.journal
        last = journal.entries[-1]
        body = decode_pub(last.kind, last.pub) if last.kind is EntryKind.HANDOVER else None
        if not isinstance(body, Handover) or body.successor != to:
            if host is not None or certified(journal) != to:
                raise Broken(f"{program.name} gives the secret away without a HANDOVER, to who is not certified")
            return
        voters = program.peer.guest.public.voters
        holds = [there for there in self._world.newest() if there.key in voters and _holds(there, journal)]
        wanted = len(voters) // 2 + 1 if len(voters) > 2 else 1
        if len(holds) < wanted:
            raise Broken(f"{program.name} gives the secret away for a HANDOVER that {len(holds)} hold")

    def _view(self, program: Program, message: View, to: bytes) -> None:
        host = program.peer.host
        if host is None:
            raise Broken(f"{program.name} shows views and is no host")
        books = host.public
        view = books.rules.decode_view(message.view)
        before = self._seats.get(program.name, ())  # it may be changed behind this message
        had = [seat for seat, held in enumerate(before) if held.kind is SeatKind.MEMBER and held.key == to]
        if view.seat not in {books.seat_of(to), had[-1] if had else None} or (view.seat is None and message.openings):
            raise Broken(f"{program.name} shows somebody the cards of seat {view.seat}")
        if books.rules.name in SWAPS:
            return
        deal = books.round.root if books.round else b""  # one that was rolled back had the same epoch, and other cards
        for epoch, place, _, _ in message.openings:
            first = self._opened.setdefault((deal, epoch, place), to)
            if first != to:
                raise Broken(f"{program.name} opens one card to two players")

    # ---- at the end

    def at_the_end(self) -> None:
        """Everybody holds the same, on the disk too, and replaying it gives what they have."""
        replayed: list[tuple[Journal, Public]] = []
        for program in self._world.programs():
            if program.closed is not None or not len(program.peer.guest.journal):
                continue
            journal, books = program.peer.guest.journal, program.peer.guest.public
            if program.whole and program.disk.journal != journal.wires:
                raise Broken(f"{program.name} has {len(program.disk.journal)} entries on its disk, not {len(journal)}")
            again = next((books for held, books in replayed if vars(held) == vars(journal)), None)
            if again is None:
                again = Public.of(journal.copy())
                replayed.append((journal, again))
            difference = unlike(again, books)
            if difference:
                raise Broken(f"{program.name}: replay and live books differ in {difference}")
            host = program.peer.host
            if host is not None and (difference := unlike(host.public, books)):
                raise Broken(f"{program.name}: the books of its host and of its guest differ in {difference}")
            self._holds_all(program, journal)

    def _holds_all(self, program: Program, journal: Journal) -> None:
        for index, head in enumerate(journal.heads):
            said = self._committed.get((journal.table, index))
            if said is not None and said[0] != head:
                raise Broken(f"{program.name} ends with another entry {index} than was committed")

    def standing(self) -> str:
        """How everybody stands, for a message."""
        return "; ".join(map(self._standing, self._world.programs()))

    @staticmethod
    def _standing(program: Program) -> str:
        peer, books = program.peer, program.peer.guest.public
        role = "host" if peer.host is not None else "guest"
        round_ = "in a round" if books.round else f"{books.round_number} rounds"
        held = f"{len(books.journal)} entries, {peer.guest.committed} committed"
        closed = ", closed" if program.closed else ""
        return f"{program.name}: {role}, term {books.term}, {held}, {len(program.links)} links, {round_}{closed}"


def _check_told(program: Program, notice: Notice) -> None:
    """Among honest programs nobody finds anybody lying."""
    if not isinstance(notice, _OF_LIES):
        return
    lies = isinstance(notice, (Alarm, FalseShare, DoubleVote))
    bad = isinstance(notice, BadShare) and not (notice.missing or notice.unkept)
    failed = isinstance(notice, Audited) and not notice.ok
    if lies or bad or failed or (isinstance(notice, Closed) and notice.reason == "broken"):
        raise Broken(f"{program.name} is told: {notice}")


def _holds(program: Program, journal: Journal) -> bool:
    return program.peer.guest.journal.saw(journal.last, journal.head)


def certified(journal: Journal) -> bytes:
    """The key that the newest beginning of a term names, where it does so rightly; else nothing."""
    voters: tuple[bytes, ...] = ()
    kicked: set[bytes] = set()
    host, before = b"", b""
    for entry in journal.entries:
        if entry.kind not in (*_BEGINNINGS, EntryKind.ROSTER, EntryKind.KICK):
            continue
        match decode_pub(entry.kind, entry.pub):
            case Roster(voters=now):
                voters = now
            case Kick(key=key, until=until):
                (kicked.discard if until and until * 1000 < entry.ms else kicked.add)(key)
            case Genesis(host=key):
                host = key
            case Fork(host=key, said=said):
                host, voters = key, tuple(who for who, _ in said)
            case TermStart() as start:
                before = host
                host = start.host if _counts(journal, entry.index, start, voters, kicked) else b""
    return host or (b"" if before else host)


def _counts(journal: Journal, index: int, start: TermStart, voters: tuple[bytes, ...], kicked: set[bytes]) -> bool:
    """Whether votes or a HANDOVER carry a TERM_START."""
    entry = journal.entries[index]
    if not start.votes:
        last = journal.entries[index - 1]
        body = decode_pub(last.kind, last.pub) if last.kind is EntryKind.HANDOVER else None
        return isinstance(body, Handover) and (body.successor, body.term) == (start.host, entry.term)
    said = {
        vote.voter
        for vote in start.votes
        if vote.voter in voters
        and vote.voter not in kicked
        and (vote.candidate, vote.term) == (start.host, entry.term)
        and journal.saw(vote.last, vote.head)
        and verify_vote(vote)
    }
    return len(said) >= len(voters) // 2 + 1


def unlike(one: Any, other: Any, path: str = "") -> str:
    """Where two things differ, "" where they don't."""
    if type(one) is not type(other):
        return f"{path}: {one!r} is not {other!r}"
    if one == other:
        return ""
    fields = _fields(one)
    if fields is None:
        return f"{path}: {one!r} is not {other!r}"
    if isinstance(one, dict | list | tuple) and len(one) != len(other):
        return f"{path}: {one!r} is not {other!r}"
    theirs = _fields(other) or {}
    if fields.keys() != theirs.keys():
        return f"{path}: {sorted(map(str, fields))} are not {sorted(map(str, theirs))}"
    return next((found for name in fields if (found := unlike(fields[name], theirs[name], f"{path}.{name}"))), "")


def _fields(thing: Any) -> dict[Any, Any] | None:
    """Its parts; None where it has none."""
    if isinstance(thing, Journal):
        return {"wires": tuple(thing.wires)}
    if isinstance(thing, msgspec.Struct):
        return {name: getattr(thing, name) for name in thing.__struct_fields__}
    if isinstance(thing, dict):
        return thing
    if isinstance(thing, list | tuple):
        return dict(enumerate(thing))
    if type(thing).__module__.startswith("p2pcards.") and hasattr(thing, "__dict__"):
        return dict(vars(thing))
    return None
