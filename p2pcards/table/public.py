"""What the journal tells everybody: who sits where, by which rules, who is host, and how far the match is.

`Public.fold` takes one entry after another; it knows no hand and no game state, so host, guest and audit keep the same
books. It refuses what cannot follow, in any game: that is the guest's first line of defence against its host. What the
game itself has to say about an act is checked by the host at once and by everybody at the audit.
"""

from __future__ import annotations

from typing import Any

from p2pcards.errors import InvalidOption, ProtocolError
from p2pcards.games.base import Game
from p2pcards.games.options import read_options
from p2pcards.games.registry import GAMES
from p2pcards.table.acts import ACTS, read_act, read_vote
from p2pcards.table.certificates import BEGINS, ELECTS, check_fork, check_handover, check_term_start
from p2pcards.table.deal import drawn_seats
from p2pcards.table.journal import Journal
from p2pcards.table.majority import BallotBox, read_ballot
from p2pcards.table.openround import OpenRound
from p2pcards.table.parts import DROPS
from p2pcards.table.rosters import check_goes, check_roster, orphaned
from p2pcards.table.rounds import disclose, end_round, lay_open, open_deal, start_deal, take_parts
from p2pcards.table.settings import DEFAULTS, DOORS, check_setting
from p2pcards.wire.entries import (
    BotPub,
    BotReason,
    Cause,
    DealCommit,
    DealOpen,
    DealReveal,
    DealStart,
    Disclose,
    Entry,
    EntryKind,
    Fork,
    Genesis,
    Handover,
    Kick,
    MatchEnd,
    MatchStart,
    OpenPub,
    OptionsPub,
    Pub,
    Roster,
    RoundEnd,
    SeatKind,
    SeatPub,
    TermStart,
    decode_pub,
)
from p2pcards.wire.envelope import ActKind, Envelope
from p2pcards.wire.text import clean

_WAITS_FOR_CARDS = ACTS | {EntryKind.DEAL_OPEN}
"""Kinds that no host may write while cards dealt face up are not opened yet."""


class Public:
    """The books of a table, folded from its journal."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.restart()

    @classmethod
    def of(cls, journal: Journal) -> Public:
        """The books of a whole journal; raises ProtocolError where an entry can't stand in it."""
        books = cls(journal)
        for entry in journal.entries:
            books.fold(entry)
        return books

    def restart(self) -> None:
        """Forgets everything, to be folded anew from the journal's first entry on."""
        self.table = b""  # T as of the newest entry folded
        self.tables: tuple[bytes, ...] = ()  # the earlier ones
        self.genesis: Genesis | None = None
        self.game: Game[Any, Any, Any] | None = None
        self.host = b""
        self.term = 1
        self.reigns: list[tuple[int, bytes]] = []  # index of the entry that begins the term, and its host
        self.handover: Handover | None = None  # the newest entry, which ends its term
        self.door = ""
        self.options: tuple[tuple[str, str], ...] = ()
        self.settings: tuple[tuple[str, str], ...] = ()
        self._sit((), 0)
        self.voters: tuple[bytes, ...] = ()
        # the ROSTER that took a vote without a word of its voter and left two, and the voters before it
        self.lapsed: tuple[int, tuple[bytes, ...]] = (-1, ())
        self.admitted: dict[bytes, int] = {}  # the entry that made each of them a voter, or did so again
        self.spectators: tuple[tuple[bytes, str], ...] = ()
        self.kicks: dict[bytes, Kick] = {}  # the newest of each key, those that ran out too
        self.going = b""  # who is said to be shown out and stands in the roster still
        self.box = BallotBox()
        self.bots_on: set[int] = set()  # seats of members for whom a bot plays
        self.said: dict[bytes, int] = {}  # newest n of each key
        self.said_at: dict[bytes, int] = {}  # index of the entry that it stands in
        self.match = 0
        self.match_table = b""  # T as the match began
        self.names: tuple[str, ...] = ()  # record names of the match, by seat
        self.levels: tuple[str, ...] = ()  # levels of bots that started the match, by seat
        self.keys: tuple[bytes, ...] = ()  # of the seats at the start of the match
        self.started_ms = 0
        self.match_over = True
        self.round_number = 0
        self.epoch = 0
        self.round: OpenRound | None = None
        self.drops: dict[bytes, int] = {}  # how often the part of a key was left out in this match
        self.ends: list[RoundEnd] = []  # rounds finished in this match
        self.result: MatchEnd | None = None
        self.disclosed = self.disclosed_at = 0  # number of the round disclosed last, and the entry that did so

    @property
    def title(self) -> str:
        """Of the table, safe to show."""
        return clean(self.genesis.title, 40) if self.genesis else ""

    @property
    def rules(self) -> Game[Any, Any, Any]:
        """The game with the table's options; there is one from the second entry on."""
        if self.game is None:
            raise ProtocolError("no options yet")
        return self.game

    @property
    def open_round(self) -> OpenRound:
        """The round that is open; for who knows that one is."""
        if self.round is None:
            raise RuntimeError("no round is open in the books")
        return self.round

    def setting(self, name: str) -> str:
        """A table setting as it stands."""
        return dict(self.settings).get(name, DEFAULTS[name])

    def seat_of(self, key: bytes) -> int | None:
        """The seat that belongs to a key."""
        return self._places.get(key)

    def nick_of(self, key: bytes) -> str:
        """The nick of a member or spectator; empty for others."""
        seat = self._places.get(key)
        return dict(self.spectators).get(key, "") if seat is None else self.seats[seat].nick

    def votes(self, key: bytes) -> bool:
        """Whether votes and acknowledgements of this key count: not those of who is being shown out."""
        return key in self.voters and key != self.going

    def host_at(self, index: int) -> bytes:
        """Key of the host that signed entry `index`."""
        return next((host for start, host in reversed(self.reigns) if start <= index), b"")

    def is_here(self, key: bytes) -> bool:
        """Whether the key stands in the roster."""
        return bool(self.nick_of(key)) or key in self.voters

    def plays_itself(self, seat: int) -> bool:
        """Whether acts of this seat come from its player now, not from the host's bot."""
        return self.seats[seat].kind is SeatKind.MEMBER and seat not in self.bots_on

    # ---- folding

    def fold(self, entry: Entry) -> Pub | Envelope:
        """Takes the journal's next entry in; raises ProtocolError where it can't stand. Gives its decoded body."""
        self._check_place(entry)
        if entry.kind is EntryKind.BALLOT:
            return self._ballot(entry)
        if entry.kind in ACTS:
            return read_act(self, self._require(self.round), entry)
        pub = decode_pub(entry.kind, entry.pub)
        match pub:
            case Genesis():
                self._genesis(pub, entry.index)
            case OptionsPub():
                self._options(pub)
            case Roster():
                self._roster(pub, entry.index)
            case Kick():
                self._kick(pub)
            case MatchStart():
                self._match_start(pub, entry)
            case DealOpen():
                open_deal(self, pub, entry.index)
            case DealCommit() | DealReveal():
                take_parts(self, pub, entry.index)
            case DealStart():
                start_deal(self, pub, entry.index)
            case OpenPub():
                lay_open(self, pub, entry.index)
            case BotPub():
                self._bot(pub)
            case RoundEnd():
                end_round(self, pub)
            case Disclose():
                disclose(self, pub, entry.index)
            case MatchEnd():
                self._match_end(pub)
            case TermStart():
                check_term_start(self, entry, pub)
                self._reign(pub.host, entry)
            case Handover():
                check_handover(self, pub)
                self.handover = pub
            case Fork():
                self._fork(pub, entry)
        return pub

    def _check_place(self, entry: Entry) -> None:
        """What holds for entries of any kind; raises ProtocolError."""
        begins = entry.kind in BEGINS
        if self.handover and not begins:
            raise ProtocolError("an entry of a host that has handed over")
        epoch = self.epoch + (entry.kind is EntryKind.DEAL_OPEN)
        if (entry.term != self.term and not begins) or entry.epoch != epoch:
            raise ProtocolError(f"entry {entry.index} names term {entry.term}, epoch {entry.epoch}")
        check_goes(self, entry)
        current = self.round
        if current is None or not current.turns_up or begins or entry.kind is EntryKind.OPEN:
            return
        if entry.term == self.journal.term_at(current.started_at) or entry.kind in _WAITS_FOR_CARDS:
            raise ProtocolError("cards of the deal that lie face up and are not opened")

    # ---- the table and its host

    def _genesis(self, pub: Genesis, index: int) -> None:
        game = GAMES.get(pub.game)
        if game is None or game.rules != pub.rules:
            raise ProtocolError(f"a table of {pub.game!r}, rules {pub.rules}")
        self.genesis, self.host, self.table = pub, pub.host, self.journal.table_at(index)
        self.reigns.append((index, pub.host))

    def _reign(self, host: bytes, entry: Entry) -> None:
        """A term begins. What the host before had begun to deal is dealt anew, and its seat counts as left out."""
        former = self.host
        self.term, self.host, self.handover = entry.term, host, None
        self.reigns.append((entry.index, host))
        if self.round is None:
            return
        if self.round.starter is not None:
            self.round.cut_short()
            return
        self.round, self.round_number = None, self.round_number - 1
        if self.seat_of(former) is not None:
            self.drops[former] = self.drops.get(former, 0) + 1

    def _fork(self, pub: Fork, entry: Entry) -> None:
        """Those named go on as a table of their own; bots have the seats of the others."""
        check_fork(self, entry, pub)
        named, dealer_stays = {key for key, _ in pub.said}, pub.host == self.host
        self._reign(pub.host, entry)
        self.tables, self.table = (*self.tables, self.table), pub.fresh
        if self.round and not dealer_stays:
            self.round.lost = True
        seats = orphaned(self, named)
        taken = {seat for seat, (was, now) in enumerate(zip(self.seats, seats, strict=True)) if was != now}
        self.bots_on = self.bots_on - taken if self.match_over else self.bots_on | taken
        self._sit(seats, entry.index)
        self.spectators = tuple(who for who in self.spectators if who[0] != self.going)
        self.voters = tuple(dict.fromkeys((*(key for key in self.voters if key in named), *sorted(named))))
        self.lapsed = -1, ()
        self.admitted, self.going = dict.fromkeys(self.voters, entry.index), b""

    def _options(self, pub: OptionsPub) -> None:
        genesis = self._require(self.genesis)
        if pub.door not in DOORS:
            raise ProtocolError(f"a door that we don't know: {pub.door!r}")
        if self.round:
            raise ProtocolError("options changed inside a round")
        if not self.match_over and (pub.options, pub.settings) != (self.options, self.settings):
            raise ProtocolError("options changed inside a match")
        game = GAMES[genesis.game]
        try:
            for key, value in pub.settings:
                check_setting(game.name, key, value)
            self.game = game(read_options(game, dict(pub.options)))
        except InvalidOption as error:
            raise ProtocolError(str(error)) from error
        self.door, self.options, self.settings = pub.door, pub.options, pub.settings

    def _roster(self, pub: Roster, index: int) -> None:
        left = check_roster(self, pub, index)
        if left is not None:
            self.count(pub.subject, left, index)
        stayed = enumerate(zip(self.seats, pub.seats, strict=False))
        self.bots_on &= {seat for seat, (was, now) in stayed if _kept(was, now)}
        self.admitted = {key: self.admitted.get(key, index) for key in pub.voters}
        if pub.cause is Cause.READMITTED:
            self.admitted[pub.subject] = index
        unasked = pub.cause not in (Cause.LEAVES, Cause.KICKED)
        if unasked and len(pub.voters) < ELECTS <= len(self.voters):
            self.lapsed = index, self.voters
        self._sit(pub.seats, index)
        self.voters, self.spectators = pub.voters, pub.spectators
        if self.going and not self.is_here(self.going):
            self.going = b""

    def _sit(self, seats: tuple[SeatPub, ...], at: int) -> None:
        """Who sits where, by entry `at`."""
        self.seats = seats
        self._places = {held.key: seat for seat, held in enumerate(seats) if held.kind is SeatKind.MEMBER}
        self.seats_at = at  # the newest entry that may have put somebody into another seat

    def _kick(self, pub: Kick) -> None:
        """The host's word, or that of most of the table; nobody shows the host out."""
        if pub.key == self.host:
            raise ProtocolError("a host shown out of its own table")
        self.box.check(pub, self)
        self.kicks[pub.key] = pub
        if self.is_here(pub.key):
            self.going = pub.key

    def _ballot(self, entry: Entry) -> Envelope:
        """A vote is its player's own, and about somebody who has a seat; what it leads to, a KICK says."""
        envelope = read_vote(self, entry)
        ballot = read_ballot(envelope, self)
        self.count(self.seats[entry.seat].key, envelope, entry.index)
        self.box.put(ballot, entry.index)
        return envelope

    # ---- the match

    def _match_start(self, pub: MatchStart, entry: Entry) -> None:
        if not self.match_over or pub.match != self.match + 1:
            raise ProtocolError("a match that can't start")
        if any(held.kind is SeatKind.OPEN for held in self.seats):
            raise ProtocolError("a match with open seats")
        try:
            self.rules.check_seats(len(self.seats))
        except InvalidOption as error:
            raise ProtocolError(f"a match that can't be dealt: {error}") from error
        in_order = self.setting("seat_order") == "join_order"
        drawn = tuple(range(len(self.seats))) if in_order else drawn_seats(self.table, self.seats)
        if pub.seats != drawn:
            raise ProtocolError("seats drawn otherwise than by the rule")
        self._sit(tuple(self.seats[seat] for seat in pub.seats), entry.index)
        self.match, self.match_over, self.result, self.ends = pub.match, False, None, []
        self.names = tuple(held.nick for held in self.seats)
        self.levels = tuple(held.level for held in self.seats)
        self.keys = tuple(held.key if held.kind is SeatKind.MEMBER else b"" for held in self.seats)
        self.bots_on, self.round_number, self.started_ms, self.drops = set(), 0, entry.ms, {}
        self.match_table = self.table

    def _bot(self, pub: BotPub) -> None:
        if pub.seat not in range(len(self.seats)) or pub.on is (pub.seat in self.bots_on):
            raise ProtocolError("a bot that can't come or go")
        if pub.reason is BotReason.CONTRIBUTIONS and self.drops.get(self.seats[pub.seat].key, 0) < DROPS:
            raise ProtocolError("a bot for a player whose parts did come")
        self.bots_on ^= {pub.seat}

    def _match_end(self, pub: MatchEnd) -> None:
        seats = range(len(self.seats))
        if self.match_over or self.round or pub.match != self.match:
            raise ProtocolError("a match that can't end")
        if len(pub.scores) != len(seats) or any(seat not in seats for seat in pub.winners):
            raise ProtocolError("a result for other seats")
        self.match_over, self.result = True, pub

    def count(self, key: bytes, envelope: Envelope, index: int) -> None:
        """Takes note of what a key said, in the order of its n; behind a good-bye that went round its host none lack.

        Raises ProtocolError where it is said before, or something before it is missing.
        """
        due = self.said.get(key, 0) + 1
        if envelope.n != due and not (envelope.kind is ActKind.LEAVE and envelope.n > due):
            raise ProtocolError("an act out of its order")
        self.said[key], self.said_at[key] = envelope.n, index

    @staticmethod
    def _require(part: Any) -> Any:
        if part is None:
            raise ProtocolError("an entry out of turn")
        return part


def _kept(was: SeatPub, now: SeatPub) -> bool:
    """Whether the seat goes on as it was, the same key or the same heir of it in it."""
    return now.kind is SeatKind.BOT or (was.kind, was.key) == (now.kind, now.key) != (SeatKind.OPEN, b"")
