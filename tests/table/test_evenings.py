"""Whole evenings made up from a seed: people play, drop, return, leave and come, and the table holds.

EVENINGS=2000 pytest tests/table/test_evenings.py       many of them; a seed that fails is told and fails again
"""

from __future__ import annotations

import os
import random

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from p2pcards.errors import UserError
from p2pcards.games.options import explained
from p2pcards.games.registry import GAMES
from p2pcards.games.replay import replay
from p2pcards.table.effects import Chose, Voted
from p2pcards.table.notices import Alarm, Audited, Closed, MatchOver, Recorded
from p2pcards.table.tableview import Stage
from p2pcards.table.ticket import Ticket
from p2pcards.wire.entries import PROGRAM, EntryKind, SeatKind
from tests.testing.cluster import WALL, Cluster, Peer, identity

EVENINGS = int(os.environ.get("EVENINGS", "6"))
STEPS = 120
MOST_EVENTFUL = 40
GUESTS = ("ben", "cy", "dot", "eve")
POLITE = {
    "left",
    "bye",
    "superseded",
    "full",
    "already_here",
    "kicked",
    "banned",
    "declined",
    "wrong_code",
    "too_fast",
}
SHORT: dict[str, dict[str, tuple[str, ...]]] = {
    "tongits": {"ante": ("0", "5"), "match_rounds": ("0", "1", "2", "3")},
    "tienlen": {"match_rounds": ("0", "1", "3")},
    "straights": {"match_rounds": ("1", "2"), "threshold": ("20", "80"), "start_card": ("7S", "7H")},
    "onecard": {"rounds": ("1", "2"), "decks": ("1",), "cards": ("5", "7"), "turn_limit": ("60", "300")},
}
"""Options that are numbers, with values under which a match is over some day."""

EAGER = ("call", "expose", "take", "draw")
"""What leads to calls, and to an empty stock."""


class Evening:
    """One table and the dice that decide what its people do."""

    def __init__(self, seed: int) -> None:
        self.dice = dice = random.Random(seed)  # noqa: S311 - a test's dice
        name = dice.choice(["tongits", "tongits", *GAMES])
        counted = {option.name: option.choices for option in explained(GAMES[name]) if option.choices}
        fixed = {key: dice.choice(values) for key, values in SHORT[name].items()}
        options = {key: dice.choice(values) for key, values in counted.items() if dice.random() < 0.3} | fixed
        settings = {
            "grace_seconds": str(dice.choice([0, 2, 7])),
            "seat_order": dice.choice(["random", "join_order"]),
            "turn_seconds": str(dice.choice([0, 0, 5, 12])),
            "allow_peek": dice.choice(["true", "false"]),
        }
        seats = min(dice.choice(GAMES[name].seats), 5)
        self.cluster = Cluster(seed, game=name, seats=seats, options=options, settings=settings)
        game = self.cluster.host.public.rules
        self.cluster.bots = lambda turn: self._of([game.format(action) for action in game.legal_actions(turn.view)])
        self.cluster.join("ana", host=True, watch=dice.random() < 0.2, program=dice.random() < 0.2)
        for name in GUESTS[: dice.randrange(4)]:
            self._join(name)

    def _of(self, texts: list[str]) -> str:
        """A choice with a love for what leads to calls."""
        eager = [text for text in texts if text.split()[0] in EAGER]
        return self.dice.choice(eager if eager and self.dice.random() < 0.6 else texts)

    def _join(self, name: str) -> None:
        dice, host = self.dice, self.cluster.host
        code = host.code if dice.random() < 0.8 else "zoo-zoo"
        ticket = Ticket(host.public.door if dice.random() < 0.9 else "open", code)
        self.cluster.join(name, watch=dice.random() < 0.15, program=dice.random() < 0.1, ticket=ticket)

    # ---- what may happen

    def step(self) -> None:
        """Something."""
        dice, cluster = self.dice, self.cluster
        roll = dice.random()
        if roll < 0.74:
            self._play()
        elif roll < 0.82:
            self._move(dice.choice(GUESTS))
        elif roll < 0.86 and "ana" in cluster.peers:
            self._order()
        elif roll < 0.89:
            self._vote()
        elif roll < 0.9:
            peer = dice.choice(list(cluster.peers.values()))
            cluster.speak(peer.name, "hello", dice.choice(["", "", "ben", "bot-1"]))
        elif roll < 0.93:
            peer = dice.choice(list(cluster.peers.values()))
            cluster.want(peer.name, dice.choice(["next", "ready", "stop", "back", "skip", "skip", "deck", "dance"]))
        elif roll < 0.95:
            peer = dice.choice(list(cluster.peers.values()))
            cluster.tell(peer, Chose(dice.choice(["draw", "fold", "challenge", "discard AS", "play 7S", "pass", "x"])))
            cluster.settle()
        else:
            cluster.pass_time(dice.choice([0.1, 1, 2.5, 6, 11]))

    def _play(self) -> None:
        cluster, dice = self.cluster, self.dice
        movers = cluster.movers
        if movers:
            mover = dice.choice(movers)
            game = mover.guest.public.rules
            texts = [game.format(action) for action in game.legal_actions(mover.guest.my_turn)]
            if dice.random() < 0.03 and mover.name != "ana":  # the line breaks under it
                setattr(mover, dice.choice(["mute", "deaf"]), True)
                cluster.act(mover.name, self._of(texts))
                cluster.cut(mover.name)
            else:
                cluster.act(mover.name, self._of(texts))
        elif cluster.host.public.round is None:
            if cluster.host.public.match_over and dice.random() < 0.5:
                cluster.order("start")
            for name in list(cluster.peers):
                cluster.want(name, "next")

    def _move(self, name: str) -> None:
        cluster, dice = self.cluster, self.dice
        peer = cluster.peers.get(name)
        if peer is None or peer.guest.finished:
            self._join(name)
        elif peer.link is None:
            if dice.random() < 0.7:
                cluster.back(name)
            else:
                self._join(name)
        else:
            match dice.choice(["cut", "cut", "silence", "leave", "ragequit"]):
                case "cut":
                    cluster.cut(name)
                case "silence":
                    cluster.silence(name)
                case "leave":
                    cluster.leave(name)
                case _:
                    cluster.leave(name, 2)

    def _vote(self) -> None:
        cluster, dice = self.cluster, self.dice
        seat = cluster.peers[dice.choice(list(cluster.peers))].guest.me or 0
        for name in list(cluster.peers):
            if dice.random() < 0.7:
                cluster.tell(cluster.peers[name], Voted(seat, dice.random() < 0.8))
                cluster.settle()

    def _order(self) -> None:
        words = self.dice.choice(
            [
                ("set", "turn_seconds", "7"),
                ("set", "bot_fill", "true"),
                ("set", "seats", str(self.dice.randrange(1, 6))),
                ("bot", "add", ""),
                ("bot", "remove", ""),
                ("start",),
                ("door", self.dice.choice(["open", "ask", "code"])),
                ("admit", ""),
                ("deny", "", "no room"),
                ("kick", self.dice.choice(GUESTS), "", str(int(WALL + self.cluster.now) + 20)),
                ("pardon", identity(self.dice.choice(GUESTS)).key.hex()),
            ]
        )
        try:
            self.cluster.order(*words)
        except UserError:
            self.cluster.settle()

    # ---- what must hold

    def check(self) -> None:
        """What holds at any moment for the host and for everybody whom it can reach."""
        cluster = self.cluster
        host, books = cluster.host, cluster.host.public
        assert cluster.host_journal == books.journal.wires
        current = host._play.round
        assert (current is not None) is (books.round is not None and books.round.starter is not None)
        for name, peer in cluster.peers.items():
            assert peer.told(Alarm) == [], name
            assert all(audit.ok for audit in peer.told(Audited)), name
            assert {closed.reason for closed in peer.told(Closed)} <= POLITE, name
            assert peer.journal == cluster.host_journal[: len(peer.journal)], name
            if self._reached(peer):
                self._check_view(peer)

    def _reached(self, peer: Peer) -> bool:
        if peer.link is None or peer.deaf or peer.mute or peer.guest.finished:
            return False
        there = self.cluster.host._presence.connections.get(peer.link)
        return there is not None and there.welcomed

    def _check_view(self, peer: Peer) -> None:
        cluster = self.cluster
        host, books = cluster.host, cluster.host.public
        view = peer.guest.table_view()
        assert view is not None
        assert len(peer.journal) == len(cluster.host_journal)
        if books.round is None or books.round.ended is None:  # else it counts for guests once it is disclosed
            assert view.scores == (host._play.match.scores if books.match else ())
            assert view.pot == host._play.match.pot
        assert view.round == books.round_number
        current = host._play.round
        assert view.dealing is bool(books.round and books.round.dealing)
        if current is None:
            assert (view.stage is Stage.PLAYING) is view.dealing
            assert view.view is None
        else:
            assert view.stage is Stage.PLAYING
            assert view.to_act == current.to_act
            assert view.view == current.fold.view(peer.guest.me)
        held = {seat for seat, who in enumerate(view.seats) if who.held_until is not None}
        missing = {books.seat_of(key) for key, _ in host._presence.held()} - {None}  # a watcher waits to be let go
        assert held == missing
        clock = host._turns.clock
        assert (view.clock_at is None) is (clock.by is None)
        assert clock.by is None or view.clock_at is None or abs(view.clock_at - clock.by) <= 1
        assert set(view.skips) == {books.seat_of(key) for key in clock.skips} - {None}
        assert (len(view.deck) > 0) is bool(books.round and books.round.deck)

    def finish(self) -> None:
        """Those who are still there play to the end of the match; its record is everybody's."""
        cluster = self.cluster
        books = cluster.host.public
        for _ in range(4000):
            if books.match and books.match_over:
                break
            if not cluster.host.active(cluster.now):
                self._wait_for_voters()
            elif books.round is None and not books.match:
                cluster.order("set", "bot_fill", "true")
                cluster.order("start")
            elif cluster.movers:
                self._play()
            elif books.round is None and cluster.host._play.match.endless:
                for name, peer in cluster.peers.items():
                    if self._reached(peer):
                        cluster.want(name, "stop")
                cluster.pass_time(61)
            else:
                cluster.pass_time(5)
            if cluster.host._play.match.endless and not any(map(self._may_stop, self.there())):
                return  # nobody is left to stop it
        assert books.match_over, "the match does not end"
        self.check()
        for peer in self.there():
            assert peer.told(MatchOver)
        texts = {peer.told(Recorded)[-1].text for peer in self.there()}
        assert len(texts) <= 1
        for text in texts:
            found = replay(text)
            assert (found.exit_code, found.error) == (0, "")
            assert found.match.over
            assert len(found.rounds) == len(books.ends)

    def _wait_for_voters(self) -> None:
        """The table stands still: those that it hangs on come back."""
        cluster = self.cluster
        for name in GUESTS:
            peer = cluster.peers.get(name)
            if identity(name).key not in cluster.host.public.voters or (peer and self._reached(peer)):
                continue
            if peer and peer.link is not None:
                cluster.cut(name)
            if peer is None or peer.guest.finished:
                cluster.join(name)
            else:
                cluster.back(name)
        cluster.pass_time(1)

    def _may_stop(self, peer: Peer) -> bool:
        seat = peer.guest.me
        return seat is not None and not self.cluster.host.public.seats[seat].flags & PROGRAM

    def there(self) -> list[Peer]:
        """Who can be reached."""
        return [peer for peer in self.cluster.peers.values() if self._reached(peer)]


@settings(max_examples=EVENINGS, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate])
@given(st.integers(0, 2**32))
@example(867672)
@example(1091)
@example(333673)
@example(3407)
def test_an_evening(seed: int) -> None:
    evening = Evening(seed)
    for _ in range(STEPS):
        evening.step()
        evening.check()
    evening.finish()


def test_evenings_are_eventful() -> None:
    """What is made up covers what can happen under one host: else the evenings prove nothing."""
    wanted = set(EntryKind) - {EntryKind.TERM_START, EntryKind.HANDOVER, EntryKind.FORK}
    kinds: set[EntryKind] = set()
    causes: set[object] = set()
    games: set[str] = set()
    for seed in range(MOST_EVENTFUL):
        evening = Evening(seed)
        games.add(evening.cluster.host.public.rules.name)
        for _ in range(STEPS):
            evening.step()
        kinds |= {entry.kind for entry in evening.cluster.host.public.journal.entries}
        causes |= {held.kind for held in evening.cluster.host.public.seats}
        assert identity("host").key in evening.cluster.host.public.voters
        if kinds == wanted and causes >= {SeatKind.BOT, SeatKind.MEMBER} and games == set(GAMES):
            return
    raise AssertionError(f"never happened: {wanted - kinds}, {set(GAMES) - games}; seats: {causes}")
