"""Tables watched entry by entry, and a program that takes one over with nothing but its journal and R."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from p2pcards.games.match import Match
from p2pcards.table.certificates import host_of
from p2pcards.table.dealer import Dealer
from p2pcards.table.escrow import quorum
from p2pcards.table.fold import RoundFold
from p2pcards.table.journal import Journal
from p2pcards.table.leaves import opened
from p2pcards.table.matchbook import MatchBook
from p2pcards.table.openround import OpenRound
from p2pcards.table.pen import Pen
from p2pcards.table.round import OPENING_SECONDS, HostRound
from p2pcards.table.succession import Restored, restore
from p2pcards.wire.entries import (
    BotPub,
    BotReason,
    Disclose,
    EntryKind,
    MatchStart,
    OpenPub,
    RoundEnd,
    TermStart,
    decode_pub,
    decode_wire,
)
from p2pcards.wire.envelope import ActKind, decode_envelope
from p2pcards.wire.messages import Act, Message
from p2pcards.wire.vote import sign_vote
from tests.testing.cluster import WALL, Cluster, Peer, at_random, identity, three
from tests.testing.dice import dice

# ---- a table that is watched from within


class Live(NamedTuple):
    """How the host stood just before an entry was written."""

    round: dict[str, Any] | None  # the open round; None before its cards are dealt, and behind its end
    match: Match
    secret: bytes
    shares: dict[bytes, tuple[int, int, bytes]]  # of the holders


class Played(NamedTuple):
    """A played table: its journal, and how its host stood at each length of it."""

    wires: list[bytes]
    live: dict[int, Live]


def standing(fold: RoundFold) -> dict[str, Any]:
    """All that a round in progress is."""
    leaves, seats = fold.leaves, len(fold.dealt.hands)
    return {
        "views": {seat: fold.game.encode_view(fold.view(seat)) for seat in (None, *range(seats))},
        "to_act": fold.to_act,
        "to_shuffle": fold.to_shuffle,
        "given": dict(fold.given),
        "turn_at": fold.turn_at,
        "outcome": fold.outcome,
        "actions": list(fold.actions),
        "dealt": (fold.order, fold.dealt, fold.opener),
        "got": [list(leaves.of(seat)) for seat in range(seats)],
        "held": [leaves.held(seat) for seat in range(seats)],
        "up": leaves.up,
        "next": list(leaves._stock[leaves._drawn :]),
        "cards": [[leaves.card_at(*leaf) for leaf in leaves.of(seat)] for seat in range(seats)],
    }


def watched(seed: int, play: Callable[[Cluster], None], **table: Any) -> Played:
    """Plays a table, and notes how the host stands at each entry."""
    live: dict[int, Live] = {}
    hosts: list[Cluster] = []
    append = Journal.append

    def noting(journal: Journal, entry: Any, sign: Any) -> bytes:
        if hosts and journal is hosts[0].host.public.journal:
            live[len(journal)] = _live(hosts[0])
        return append(journal, entry, sign)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "append", noting)
        cluster = three(seed, **table)
        hosts.append(cluster)
        cluster.order("start")
        play(cluster)
    live[len(cluster.host.public.journal)] = _live(cluster)
    return Played(list(cluster.host.public.journal.wires), live)


def _live(cluster: Cluster) -> Live:
    play, books = cluster.host._play, cluster.host.public
    holders = books.round.holders if books.round else ()
    shares = {key: share for key in holders if (share := play.dealer.share_of(key))}
    current = None
    if play.round:
        current = {**standing(play.round.fold), "waits for": play.round.to_act}
    return Live(current, replace(play.match, game=None), play.dealer.secret, shares)


# ---- odd evenings


def an_evening(cluster: Cluster) -> None:
    """Two rounds in which people act, dawdle, come and go, and let answers lie."""
    rng = cluster.rng

    def forgets(_: str, message: Message) -> bool:
        return (
            isinstance(message, Act)
            and decode_envelope(message.envelope).kind is ActKind.OPENING
            and rng.random() < 0.3
        )

    cluster.loses = forgets
    for _ in range(2):
        number = cluster.host.public.round_number
        while cluster.host.public.round is not None and cluster.host.public.round_number == number:
            _something(cluster, rng)
        for name in cluster.peers:
            if cluster.peers[name].link is None:
                cluster.back(name)
            if not cluster.host.public.match_over:
                cluster.want(name, "next")


def _something(cluster: Cluster, rng: Random) -> None:
    movers, chance = cluster.movers, rng.random()
    guests = [peer for peer in cluster.peers.values() if peer.name != "ana"]
    if chance < 0.02 and all(peer.link is not None for peer in guests):
        cluster.cut(rng.choice(guests).name)
    elif chance < 0.06:
        for peer in guests:
            if peer.link is None:
                cluster.back(peer.name)
    elif chance < 0.1 or not movers:
        cluster.pass_time(12)
    else:
        mover: Peer = rng.choice(movers)
        cluster.act(mover.name, at_random(cluster, mover))


TABLES: dict[str, dict[str, Any]] = {
    "tongits": {"game": "tongits"},
    "tongits, no clock": {"game": "tongits", "settings": {"turn_seconds": "0", "grace_seconds": "30"}},
    "straights": {"game": "straights", "seats": 4},
    "straights, open": {"game": "straights", "seats": 4, "options": {"open_discards": "true"}},
    "onecard": {"game": "onecard", "seats": 4, "options": {"decks": "1", "cards": "9"}},
    "onecard, order cards": {"game": "onecard", "seats": 5, "options": {"order_cards": "every_round"}},
    "tienlen": {"game": "tienlen", "seats": 4},
    "tienlen, three": {"game": "tienlen", "seats": 3, "options": {"scoring": "placement"}},
}


@cache
def evening(name: str, seed: int) -> Played:
    """One of these tables, played for two rounds."""
    table = dict(TABLES[name])
    wanted = {"turn_seconds": "10", "grace_seconds": "5", **table.pop("settings", {})}
    return watched(seed, an_evening, settings=wanted, **table)


# ---- the next host


class Next:
    """A program that holds the journal so far, and takes the table over without a word from its old host."""

    def __init__(self, name: str = "ben") -> None:
        self.pen = Pen(identity(name), WALL)
        self.dice = dice(name)
        self.book = MatchBook(self.pen.journal, self.pen.public)
        self.dealer = self._dealer()

    def _dealer(self) -> Dealer:
        return Dealer(self.pen, self.dice.randbytes, lambda key: False)

    def holds(self, *wires: bytes) -> Next:
        """These entries come."""
        for wire in wires:
            books = self.pen.public
            current = books.round
            entry = self.pen.journal.accept(wire, host_of(decode_wire(wire)[0], books))
            self._booked(entry.index, books.fold(entry), current)
        return self

    def _booked(self, index: int, body: object, current: OpenRound | None) -> None:
        if isinstance(body, MatchStart):
            self.book.start()
        elif isinstance(body, Disclose) and current:
            audited = self.book.disclosed(current, index, body.secret, {})
            assert audited.ok, audited

    def elected(self) -> None:
        """Whoever votes, but for the host, votes for this one."""
        pen, books = self.pen, self.pen.public
        at = pen.journal.term_at(pen.journal.last), pen.journal.last, pen.journal.head
        guests = [name for name in ("ben", "cy") if identity(name).key in books.voters]
        assert len(guests) >= quorum(len(books.voters))
        votes = (
            sign_vote(
                identity(name), books.table, books.term + 1, pen.identity.key, books.seat_of(identity(name).key), at
            )
            for name in guests
        )
        pen.open_term(EntryKind.TERM_START, TermStart(pen.identity.key, tuple(votes), 0), books.term + 1)

    def takes_over(self, secret: bytes) -> Restored:
        """As it would now."""
        self.dealer = self._dealer()
        return restore(self.pen, self.dealer, secret, self.book.match)

    def plays_on(self, restored: Restored) -> None:
        """The open round, or the one that is to be dealt, to its end, by bots that play anything; and its audit."""
        pen, books = self.pen, self.pen.public
        current = restored.round
        if current is None and not restored.ended:
            if restored.deal:
                self.dealer.open()
            current = self._deals(restored.match)
        elif current and restored.to_open:
            self._opens(current, restored.to_open)
        if current and not restored.ended:
            for seat in range(len(books.seats)):
                if books.plays_itself(seat):
                    pen.write(EntryKind.BOT, BotPub(seat, True, BotReason.GRACE))
            current.go_on(pen.now)
            while current.outcome is None:
                self._step(current)
            points = restored.match.settle(current.outcome).points
            ended = RoundEnd(books.round_number, current.outcome.reason, tuple(current.outcome.winners), points)
            pen.write(EntryKind.ROUND_END, ended)
        open_round = books.open_round
        index = pen.write(EntryKind.DISCLOSE, Disclose(books.round_number, self.dealer.close()))
        audited = self.book.disclosed(open_round, index, _secret_in(pen.journal.wires[index]), {})
        assert audited.ok, audited

    def _deals(self, match: Match) -> HostRound:
        deal = self.dealer.shuffled()
        self.pen.now += 20
        deal = deal or self.dealer.shuffled()
        assert deal is not None
        books, starter = self.pen.public, match.starter(deal.lot)
        index = self.dealer.bind(deal, starter)
        fold = RoundFold(books.rules, deal, len(books.seats), starter, match.first, index, books.epoch)
        current = HostRound(self.pen, fold, self.dealer.secret)
        if fold.leaves.up:
            self._opens(current, fold.leaves.up)
        return current

    def _opens(self, current: HostRound, leaves: tuple[tuple[int, int], ...]) -> None:
        self.pen.write(EntryKind.OPEN, OpenPub(opened(current.fold, self.dealer.secret, leaves)))

    def _step(self, current: HostRound) -> None:
        fold, now = current.fold, self.pen.now
        if fold.to_shuffle:
            if not self.dealer.dealing:
                self.dealer.reshuffle(fold.to_shuffle)
            deal = self.dealer.shuffled()
            if deal:
                fold.shuffle(deal.order, self.dealer.bind(deal), self.pen.public.epoch)
        elif current.to_act:
            seat = current.to_act[0]
            legal = list(fold.game.legal_actions(fold.view(seat)))
            current.bot_chose(seat, fold.game.format(self.dice.choice(legal)), now)
        self.pen.now += OPENING_SECONDS
        current.wake(self.pen.now)


def _secret_in(wire: bytes) -> bytes:
    entry, _ = decode_wire(wire)
    body = decode_pub(entry.kind, entry.pub)
    assert isinstance(body, Disclose)
    return body.secret


def secret_of(played: Played, length: int) -> bytes:
    """R of the round that is open at that length: as the host had it, or as it laid it open behind the round's end."""
    if played.live[length].secret:
        return played.live[length].secret
    later = (wire for wire in played.wires[length:] if decode_wire(wire)[0].kind is EntryKind.DISCLOSE)
    return _secret_in(next(later)) if Next().holds(*played.wires[:length]).pen.public.round else b""
