"""What the journal tells everybody: who sits where, by which rules, and how far the match is.

`Public.fold` takes one entry after another; it knows no hand and no game state, so host, guest and audit keep the same
books. It refuses what cannot follow, in any game: that is the guest's first line of defence against its host. What the
game itself has to say about an act is checked by the host at once and by everybody at the audit.
"""

from __future__ import annotations

import re
from typing import Any

from p2pcards.errors import InvalidAction, InvalidCard, InvalidOption, ProtocolError
from p2pcards.games.base import Game, Place, Seat, Secrecy, Where
from p2pcards.games.options import read_options
from p2pcards.games.registry import GAMES
from p2pcards.table.deal import commitment, drawn_seats, faces
from p2pcards.table.journal import Journal
from p2pcards.table.leaves import turned_up
from p2pcards.table.majority import BallotBox, read_ballot
from p2pcards.table.openround import Blind, OpenRound
from p2pcards.table.parts import DROPS, asked, escrow, read_parts
from p2pcards.table.rosters import check_goes, check_roster
from p2pcards.table.settings import DEFAULTS, DOORS, check_setting
from p2pcards.wire.entries import (
    ENVELOPES,
    BotPub,
    BotReason,
    DealCommit,
    DealOpen,
    DealReveal,
    DealStart,
    Disclose,
    Entry,
    EntryFlag,
    EntryKind,
    Genesis,
    Kick,
    MatchEnd,
    MatchStart,
    OpenPub,
    OptionsPub,
    Parts,
    Pub,
    Roster,
    RoundEnd,
    SeatKind,
    SeatPub,
    decode_pub,
)
from p2pcards.wire.envelope import ActKind, Envelope, choice_commitment, decode_envelope, unpack_opening
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import verify
from p2pcards.wire.text import clean

VOID = "void"
"""The reason of a round that came to nothing, because the host that dealt it is gone with its secret."""

_REASON = re.compile(r"[a-z_]{1,20}")

_ACT_KINDS = {
    EntryKind.ACT: ActKind.ACT,
    EntryKind.SEALED: ActKind.SEALED,
    EntryKind.BLIND: ActKind.BLIND,
    EntryKind.OPENING: ActKind.OPENING,
}


class Public:
    """The books of a table, folded from its journal."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.genesis: Genesis | None = None
        self.game: Game[Any, Any, Any] | None = None
        self.term = 1
        self.door = ""
        self.options: tuple[tuple[str, str], ...] = ()
        self.settings: tuple[tuple[str, str], ...] = ()
        self.seats: tuple[SeatPub, ...] = ()
        self.voters: tuple[bytes, ...] = ()
        self.spectators: tuple[tuple[bytes, str], ...] = ()
        self.kicks: dict[bytes, Kick] = {}  # the newest of each key, those that ran out too
        self.box = BallotBox()
        self.bots_on: set[int] = set()  # seats of members for whom a bot plays
        self.said: dict[bytes, int] = {}  # newest n of each key
        self.said_at: dict[bytes, int] = {}  # index of the entry that it stands in
        self.match = 0
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
    def host(self) -> bytes:
        """Key of the host."""
        return self.genesis.host if self.genesis else b""

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
        for seat, held in enumerate(self.seats):
            if held.kind is SeatKind.MEMBER and held.key == key:
                return seat
        return None

    def nick_of(self, key: bytes) -> str:
        """The nick of a member or spectator; empty for others."""
        for held in self.seats:
            if held.key == key and held.kind is SeatKind.MEMBER:
                return held.nick
        return dict(self.spectators).get(key, "")

    def plays_itself(self, seat: int) -> bool:
        """Whether acts of this seat come from its player now, not from the host's bot."""
        return self.seats[seat].kind is SeatKind.MEMBER and seat not in self.bots_on

    # ---- folding

    def fold(self, entry: Entry) -> Pub | Envelope:
        """Takes the journal's next entry in; raises ProtocolError where it can't stand. Gives its decoded body."""
        if entry.term != self.term or entry.epoch != self._epoch_of(entry):
            raise ProtocolError(f"entry {entry.index} names term {entry.term}, epoch {entry.epoch}")
        check_goes(self, entry)
        dealt_now = self.round is not None and self.round.turns_up and entry.index == self.round.started_at + 1
        if dealt_now and entry.kind is not EntryKind.OPEN:
            raise ProtocolError("cards of the deal that lie face up and are not opened")
        if entry.kind is EntryKind.BALLOT:
            return self._ballot(entry)
        if entry.kind in ENVELOPES:
            return self._fold_envelope(entry)
        pub = decode_pub(entry.kind, entry.pub)
        match pub:
            case Genesis():
                self._genesis(pub)
            case OptionsPub():
                self._options(pub)
            case Roster():
                self._roster(pub, entry.index)
            case Kick():
                self._kick(pub)
            case MatchStart():
                self._match_start(pub, entry.ms)
            case DealOpen():
                self._deal_open(pub, entry.index)
            case DealCommit() | DealReveal():
                self._parts(pub, entry.index)
            case DealStart():
                self._deal_start(pub, entry.index)
            case OpenPub():
                self._open(pub, entry.index)
            case BotPub():
                self._bot(pub)
            case RoundEnd():
                self._round_end(pub)
            case Disclose():
                self._disclose(pub, entry.index)
            case MatchEnd():
                self._match_end(pub)
        return pub

    def _epoch_of(self, entry: Entry) -> int:
        return self.epoch + (entry.kind is EntryKind.DEAL_OPEN)

    def _genesis(self, pub: Genesis) -> None:
        game = GAMES.get(pub.game)
        if game is None or game.rules != pub.rules:
            raise ProtocolError(f"a table of {pub.game!r}, rules {pub.rules}")
        self.genesis = pub

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
            self._count(pub.subject, left, index)
        stayed = enumerate(zip(self.seats, pub.seats, strict=False))
        self.bots_on &= {seat for seat, (was, now) in stayed if _kept(was, now)}
        self.seats, self.voters, self.spectators = pub.seats, pub.voters, pub.spectators

    def _kick(self, pub: Kick) -> None:
        """The host's word, or that of most of the table; nobody shows the host out."""
        if pub.key == self.host:
            raise ProtocolError("a host shown out of its own table")
        self.box.check(pub, self)
        self.kicks[pub.key] = pub

    def _ballot(self, entry: Entry) -> Envelope:
        """A vote is its player's own, and about somebody who has a seat; what it leads to, a KICK says."""
        envelope = decode_envelope(entry.pub)
        if entry.seat != envelope.seat or entry.seat >= len(self.seats):
            raise ProtocolError("a vote of another seat")
        if envelope.table != self.journal.table or envelope.epoch != self.epoch:
            raise ProtocolError("a vote of another table or epoch")
        seen, held = envelope.seen_index, self.seats[entry.seat]
        if not (seen < entry.index and self.journal.saw(seen, envelope.seen_head)):
            raise ProtocolError("a vote that saw another history")
        if held.kind is not SeatKind.MEMBER or not verify(held.key, entry.actsig, entry.pub):
            raise ProtocolError("a vote that its player did not sign")
        ballot = read_ballot(envelope, self)
        self._count(held.key, envelope, entry.index)
        self.box.put(ballot, entry.index)
        return envelope

    def _match_start(self, pub: MatchStart, ms: int) -> None:
        if not self.match_over or pub.match != self.match + 1:
            raise ProtocolError("a match that can't start")
        if any(held.kind is SeatKind.OPEN for held in self.seats):
            raise ProtocolError("a match with open seats")
        try:
            self.rules.check_seats(len(self.seats))
        except InvalidOption as error:
            raise ProtocolError(f"a match that can't be dealt: {error}") from error
        in_order = self.setting("seat_order") == "join_order"
        drawn = tuple(range(len(self.seats))) if in_order else drawn_seats(self.journal.table, self.seats)
        if pub.seats != drawn:
            raise ProtocolError("seats drawn otherwise than by the rule")
        self.seats = tuple(self.seats[seat] for seat in pub.seats)
        self.match, self.match_over, self.result, self.ends = pub.match, False, None, []
        self.names = tuple(held.nick for held in self.seats)
        self.levels = tuple(held.level for held in self.seats)
        self.keys = tuple(held.key if held.kind is SeatKind.MEMBER else b"" for held in self.seats)
        self.bots_on, self.round_number, self.started_ms, self.drops = set(), 0, ms, {}

    def _deal_open(self, pub: DealOpen, index: int) -> None:
        if self.round:
            self._reshuffle(self.round, pub, index)
            return
        if self.match_over or pub.round != self.round_number + 1:
            raise ProtocolError("a deal out of turn")
        if pub.epoch != self.epoch + 1 or pub.seats != tuple(range(len(self.seats))):
            raise ProtocolError("a deal of another epoch, or to other seats")
        if pub.cards != faces(self.rules.decks()):
            raise ProtocolError("a deal of other cards")
        if (pub.holders, pub.threshold) != escrow(self) or len(pub.shares) != len(pub.holders):
            raise ProtocolError("a secret shared otherwise than by the rule")
        deal = asked(self, pub, index)
        self.epoch, self.round_number = pub.epoch, pub.round
        self.round = OpenRound(
            pub.round, pub.epoch, index, len(pub.seats), pub.root, pub.holders, pub.threshold, pub.shares
        )
        self.round.epochs[self.epoch] = deal

    def _reshuffle(self, current: OpenRound, pub: DealOpen, index: int) -> None:
        if not self.rules.reshuffles or current.dealing or current.ended:
            raise ProtocolError("a reshuffle out of turn")
        current.again(pub)
        deal = asked(self, pub, index)
        self.epoch += 1
        current.epochs[self.epoch] = deal

    def _parts(self, pub: Parts, index: int) -> None:
        current = self._require(self.round)
        deal = self._require(current.dealing)
        reveals = isinstance(pub, DealReveal)
        if not deal.contributors or deal.committed is not reveals or deal.revealed or current.ended:
            raise ProtocolError("parts of a deal out of turn")
        for envelope in read_parts(self, deal, pub, index):
            self._count(deal.key_of(envelope.seat), envelope, index)
            (deal.parts if reveals else deal.commits)[envelope.seat] = envelope.payload
        deal.asked_at, deal.committed, deal.revealed = index, True, reveals
        deal.left_out |= set(pub.left_out)
        for key in map(deal.key_of, pub.left_out):
            self.drops[key] = self.drops.get(key, 0) + 1

    def _deal_start(self, pub: DealStart, index: int) -> None:
        current = self._require(self.round)
        deal = self._require(current.dealing)
        reshuffle = current.starter is not None
        if current.ended or (pub.starter != NO_SEAT if reshuffle else pub.starter not in range(current.seats)):
            raise ProtocolError("a deal that can't start")
        deal.start(pub.leaves)
        if not reshuffle:
            current.starter, current.started_at = pub.starter, index
            current.turns_up = any(place.where is Where.FACE_UP for place in self._layout(current))

    def _layout(self, current: OpenRound) -> tuple[Place, ...]:
        return self.rules.layout(current.seats, Seat(current.starter or 0), not self.ends)

    def _open(self, pub: OpenPub, index: int) -> None:
        """Cards turned up with the deal, or the whole deck where the settings allow it. Which ones, the audit says."""
        current = self._require(self.round)
        if current.starter is None or current.ended or current.dealing:
            raise ProtocolError("cards laid open out of turn")
        current.opens(self.journal.table, pub)
        places = [card[:2] for card in pub.cards]
        if index == current.started_at + 1 and turned_up(self._layout(current), current.first_epoch, places):
            return
        if self.setting("allow_peek") != "true":
            raise ProtocolError("cards laid open at a table that does not allow it")
        if places != current.to_lay_open:
            raise ProtocolError("a deck laid open twice, or in part")
        current.deck += bytes(card[3] for card in pub.cards)

    def _bot(self, pub: BotPub) -> None:
        if pub.seat not in range(len(self.seats)) or pub.on is (pub.seat in self.bots_on):
            raise ProtocolError("a bot that can't come or go")
        if pub.reason is BotReason.CONTRIBUTIONS and self.drops.get(self.seats[pub.seat].key, 0) < DROPS:
            raise ProtocolError("a bot for a player whose parts did come")
        self.bots_on ^= {pub.seat}

    def _round_end(self, pub: RoundEnd) -> None:
        current = self._require(self.round)
        if pub.reason == VOID:  # or it could deal until the cards please it
            raise ProtocolError("a round called off by the host that dealt it")
        if current.starter is None or current.ended or current.dealing or pub.round != current.number:
            raise ProtocolError("a round that can't end")
        if len(pub.points) != current.seats or any(seat not in range(current.seats) for seat in pub.winners):
            raise ProtocolError("a result for other seats")
        if not _REASON.fullmatch(pub.reason):
            raise ProtocolError("a round ended for no reason")
        current.settle_answers()
        current.ended = pub

    def _disclose(self, pub: Disclose, index: int) -> None:
        current = self._require(self.round)
        if current.ended is None or pub.round != current.number:
            raise ProtocolError("a disclosure out of turn")
        if commitment(self.journal.table, current.first_epoch, pub.secret) != current.root:
            raise ProtocolError("the disclosed secret is not the one committed to")
        self.ends.append(current.ended)
        self.disclosed, self.disclosed_at = pub.round, index
        self.round = None

    def _match_end(self, pub: MatchEnd) -> None:
        seats = range(len(self.seats))
        if self.match_over or self.round or pub.match != self.match:
            raise ProtocolError("a match that can't end")
        if len(pub.scores) != len(seats) or any(seat not in seats for seat in pub.winners):
            raise ProtocolError("a result for other seats")
        self.match_over, self.result = True, pub

    def _fold_envelope(self, entry: Entry) -> Envelope:
        current = self._require(self.round)
        envelope = decode_envelope(entry.pub)
        if current.starter is None or current.ended or current.dealing:
            raise ProtocolError("an act outside a round")
        if entry.seat != envelope.seat or entry.seat not in range(current.seats):
            raise ProtocolError("an act of another seat")
        if envelope.kind is not _ACT_KINDS[entry.kind]:
            raise ProtocolError(f"an envelope of kind {envelope.kind.name} in {entry.kind.name}")
        if envelope.table != self.journal.table or envelope.epoch != self.epoch:
            raise ProtocolError("an act of another table or epoch")
        seen = envelope.seen_index
        if not (current.started_at <= seen < entry.index and self.journal.saw(seen, envelope.seen_head)):
            raise ProtocolError("an act that saw another history")
        if entry.flags is EntryFlag.ACTSIG:
            held = self.seats[entry.seat]
            if not self.plays_itself(entry.seat) or not verify(held.key, entry.actsig, entry.pub):
                raise ProtocolError("an act that its player did not sign")
            self._count(held.key, envelope, entry.index)
        elif envelope.n != 0:
            raise ProtocolError("an act for a seat that counts as the seat's own")
        elif entry.flags is EntryFlag.TIME and entry.kind is EntryKind.BLIND:
            raise ProtocolError("an answer committed to after a time-out")
        elif entry.flags is EntryFlag.BOT and entry.kind is not EntryKind.OPENING and self.plays_itself(entry.seat):
            raise ProtocolError("a bot's act for a seat that plays itself")
        if entry.kind is EntryKind.BLIND:
            self._blind(entry, current, envelope)
        elif entry.kind is EntryKind.OPENING:
            self._opening(entry, current, envelope)
        else:
            current.settle_answers()
            if entry.kind is EntryKind.ACT:
                self._act(envelope.payload.decode())
            elif not self.rules.sealed_as:
                raise ProtocolError("a sealed choice in a game that has none")
        return envelope

    def _act(self, text: str) -> None:
        """An act is written canonically, and hides nothing; whether it is legal is for those who know the hands."""
        try:
            action = self.rules.parse(text)
        except (InvalidAction, InvalidCard) as error:
            raise ProtocolError(f"an act that is none: {error}") from error
        if self.rules.format(action) != text or self.rules.secrecy(action) is not Secrecy.PUBLIC:
            raise ProtocolError(f"an act not written canonically, or not in public: {text!r}")

    def _blind(self, entry: Entry, current: OpenRound, envelope: Envelope) -> None:
        if entry.seat in current.blinds or entry.seat in current.openings:
            raise ProtocolError("an answer given twice")
        if current.opening:
            raise ProtocolError("an answer given when others were open")
        current.blinds[entry.seat] = Blind(envelope.n, envelope.payload)
        current.committed_at = entry.index

    def _opening(self, entry: Entry, current: OpenRound, envelope: Envelope) -> None:
        """An opening must open the seat's own BLIND; a default after a time-out opens nothing."""
        n, salt, body = unpack_opening(envelope.payload)
        blind = current.blinds.get(entry.seat)
        if entry.seat in current.openings:
            raise ProtocolError("an answer opened twice")
        if entry.flags is not EntryFlag.TIME:
            if blind is None or n != blind.n:
                raise ProtocolError("an opening of no answer")
            if envelope.seen_index < current.committed_at:
                raise ProtocolError("an answer opened before all were given")
            if choice_commitment(self.journal.table, self.epoch, entry.seat, n, salt, body) != blind.commitment:
                raise ProtocolError("an opening that does not match the answer committed to")
        else:
            self._default(current, blind, n, salt, body)
        current.openings[entry.seat] = body.decode("utf-8", "replace")

    def _default(self, current: OpenRound, blind: Blind | None, n: int, salt: bytes, body: bytes) -> None:
        """What stands for an answer not opened in time, or (before any is open) not given at all."""
        words = self.rules.questions
        word = (words[0] if blind else words[-1]) if words else ""
        if n != (blind.n if blind else 0) or salt != bytes(32) or body != word.encode():
            raise ProtocolError("a default answer that is none")
        if blind is None and current.opening:
            raise ProtocolError("an answer given when others were open")

    def _count(self, key: bytes, envelope: Envelope, index: int) -> None:
        if envelope.n != self.said.get(key, 0) + 1:
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
