"""Matches and rounds as the host runs them: who sits where, the deal, the end, and whose turn a bot takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from p2pcards.errors import InvalidOption, UserError
from p2pcards.games.match import Match
from p2pcards.table import lobby
from p2pcards.table.access import free_seat
from p2pcards.table.deal import Deal, drawn_seats
from p2pcards.table.dealer import Dealer
from p2pcards.table.fold import RoundFold
from p2pcards.table.leaves import opened
from p2pcards.table.notices import BotTurn
from p2pcards.table.pen import Pen
from p2pcards.table.public import Public
from p2pcards.table.round import HostRound
from p2pcards.table.succession import credited, restore, void
from p2pcards.table.turnclock import Turn
from p2pcards.wire.entries import (
    Disclose,
    EntryKind,
    MatchEnd,
    MatchStart,
    OpenPub,
    RoundEnd,
    SeatKind,
)

NEXT_SECONDS = 20.0
"""How long the score sheet waits for those who have not typed `next`."""

AGAIN_SECONDS = 60.0
"""The same where a `stop` would end the match (rules 11)."""

AT_ONCE = 0.0
"""When a round is dealt whose deal came to nothing: nobody is waited for."""

Waiting = Iterable[tuple[bytes, str, bool]]
"""Spectators that want a seat: key, nick, whether a program."""


class Play:
    """The match at a table, and its open round."""

    def __init__(
        self,
        pen: Pen,
        random: Callable[[int], bytes],
        listens: Callable[[bytes], bool],
        final: Callable[[int], bool],
    ) -> None:
        """listens: whether somebody with that key is here and follows the journal.

        final: whether an entry is committed.
        """
        self._pen, self._final = pen, final
        self.dealer = Dealer(pen, random, listens)
        self.round: HostRound | None = None
        self.match = Match()
        self.ready: set[bytes] = set()  # members that typed `next`
        self.next_by: float | None = None
        self.secrets: list[tuple[str, bytes]] = []  # for the shell to keep or remove
        self._asked: tuple[int, bytes] | None = None  # the bot's turn last asked for: seat and head

    @property
    def _books(self) -> Public:
        return self._pen.public

    @property
    def between(self) -> bool:
        """A round is over and the match goes on."""
        return self._books.round is None and not self._books.match_over

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The seats of people whose move the round waits for."""
        return tuple(seat for seat in self._acting if self._books.plays_itself(seat))

    @property
    def _acting(self) -> tuple[int, ...]:
        """The seats that the round waits for."""
        return self.round.to_act if self.round and self.round.outcome is None else ()

    @property
    def turn(self) -> Turn | None:
        """Which turn it is; None where no person is waited for."""
        if self.round is None or not self.waits_for:
            return None
        return self._books.round_number, self.round.fold.turn_at

    def time_out(self, now: float) -> None:
        """The time of those who are waited for is up."""
        for seat in self.waits_for:
            if self.round is not None:
                self.round.time_out(seat, now)

    def lay_open(self) -> bool:
        """Lays the whole deck of the round open for everybody; False where it can't be done now."""
        books = self._books.round
        if self.round is None or books is None or books.deck or books.dealing or self.round.outcome:
            return False
        while books.to_lay_open:
            self._lay_open(self.round.fold, books.to_lay_open)
        return True

    @property
    def open_seats(self) -> int:
        """How many seats nobody holds."""
        return sum(held.kind is SeatKind.OPEN for held in self._books.seats)

    @property
    def may_start_again(self) -> bool:
        """A match is over, and another one can start with those who sit here."""
        books = self._books
        return books.match > 0 and books.match_over and not self.open_seats and not self._pen.journal.full

    def check_start(self, waiting: Waiting) -> None:
        """Raises UserError where a match can't start."""
        books = self._books
        if not books.match_over:
            raise UserError("The match is on already.")
        if self._pen.journal.full:
            raise UserError("This table has seen too many rounds; open another one.")
        self._check_enough(0 if self._fills else max(0, self.open_seats - len(list(waiting))))

    @property
    def _fills(self) -> bool:
        """Whether bots take the seats that are open at the start."""
        return self._books.setting("bot_fill") == "true"

    def start(self, waiting: Waiting) -> None:
        """Starts a match, bots in the open seats; UserError where it can't start."""
        books, waiting = self._books, list(waiting)
        self.check_start(waiting)
        self.seat(waiting)
        if self.open_seats:
            roster = lobby.filled(books, books.setting("bot_level")) if self._fills else lobby.closed_up(books)
            self._pen.write(EntryKind.ROSTER, roster)
        self._pen.write(EntryKind.MATCH_START, MatchStart(books.match + 1, self._drawn_seats()))
        self.match = Match.start(books.rules, len(books.seats))
        self.deal(())

    def _check_enough(self, empty: int) -> None:
        """Whether the match can be dealt without the empty seats; raises UserError."""
        seats = len(self._books.seats)
        try:
            self._books.rules.check_seats(seats - empty)
        except InvalidOption as error:
            raise UserError(f"{empty} of {seats} seats are still open, and bot_fill is off: {error}.") from error

    def deal(self, waiting: Waiting) -> None:
        """Begins to deal a round, from a secret that is on the disk before it is used (protocol 6.3)."""
        self.seat(waiting)
        self.ready.clear()
        self.next_by = None
        self.dealer.open()
        self.secrets.append((_kept(self._books.epoch), self.dealer.secret))
        self.go_on_dealing()

    def go_on_dealing(self) -> None:
        """Shuffles when every part is in, or its time is up; begins to shuffle anew where the stock has run out."""
        while True:
            if self.round and not self.dealer.dealing and (cards := self.round.fold.to_shuffle):
                self.dealer.reshuffle(cards)
            deal = self.dealer.shuffled()
            if deal is None:
                return
            if self.round:
                index = self.dealer.bind(deal)
                self.round.fold.shuffle(deal.order, index, self._books.epoch)
            else:
                self._begin(deal)
            self.dealer.replace_silent()

    def _begin(self, deal: Deal) -> None:
        """The cards are dealt: those that lie face up are opened for everybody."""
        books, starter = self._books, self.match.starter(deal.lot)
        index = self.dealer.bind(deal, starter)
        fold = RoundFold(books.rules, deal, len(books.seats), starter, self.match.first, index, books.epoch)
        self.round = HostRound(self._pen, fold, self.dealer.secret)
        if fold.leaves.up:
            self._lay_open(fold, fold.leaves.up)

    def _lay_open(self, fold: RoundFold, leaves: Iterable[tuple[int, int]]) -> None:
        self._pen.write(EntryKind.OPEN, OpenPub(opened(fold, self.dealer.secret, leaves)))

    def end_round(self, now: float, publish: Callable[[], None]) -> None:
        """Ends the round if it is over, and lays its secret open when nobody can lose that end any more.

        A secret laid open behind an end that another host rolls back would leave a deck that everybody knows.
        `publish` is called after each entry that guests are to see by itself.
        """
        books, outcome = self._books, self.round.outcome if self.round else None
        if outcome is not None and not books.open_round.ended:
            publish()
            self.match = self.match.settle(outcome)
            ended = RoundEnd(books.round_number, outcome.reason, tuple(outcome.winners), self.match.points)
            self._pen.write(EntryKind.ROUND_END, ended)
            publish()
        if books.round and books.round.ended and self._final(self._newest(EntryKind.ROUND_END)):
            self._disclose(now)

    def _newest(self, kind: EntryKind) -> int:
        """Index of the newest entry of that kind, of which there is one."""
        return next(entry.index for entry in reversed(self._pen.journal.entries) if entry.kind is kind)

    def _disclose(self, now: float) -> None:
        books = self._books
        first_epoch = books.open_round.first_epoch
        self.round = None
        self._pen.write(EntryKind.DISCLOSE, Disclose(books.round_number, self.dealer.close()))
        self.secrets.append((_kept(first_epoch), b""))
        self.match = credited(self.match, books.ends)
        if self.match.over:
            self._end_match()
        elif self._pen.journal.full:
            self.stop()
        else:
            self._await_next(now)

    def _await_next(self, now: float) -> None:
        """The next round is dealt when all want it, or after a while."""
        self.next_by = now + (AGAIN_SECONDS if self.match.endless else NEXT_SECONDS)

    def wait_anew(self, now: float) -> None:
        """The table stood still for a while: whatever somebody is given time for, he gets the whole time again."""
        self.dealer.wait_anew()
        if self.round and not self.dealer.dealing:
            self.round.go_on(now)
        if self.next_by:
            self._await_next(now)
        self._asked = None  # what a bot has chosen meanwhile was dropped

    def take_up(self, secret: bytes, match: Match, now: float) -> None:
        """Goes on with what the journal holds (protocol 7.6).

        secret: R of the open round; none where it is not to be had. match: as it stood after the last round that this
        program has checked.
        """
        books = self._books
        restored = restore(self._pen, self.dealer, secret, match)
        self.match, self.round = restored.match, restored.round
        if books.round and secret:
            self.secrets.append((_kept(books.round.first_epoch), secret))
        if restored.void:
            self._call_off(now)
        elif restored.round and not restored.ended:
            if restored.to_open:
                self._lay_open(restored.round.fold, restored.to_open)
            restored.round.go_on(now)
            self.go_on_dealing()
        elif books.round is None and not books.match_over:
            if self.match.over:
                self._end_match()
            elif restored.deal:
                self.next_by = AT_ONCE
            else:
                self._await_next(now)

    def _call_off(self, now: float) -> None:
        """The open round can't go on: it is void, and the next one is dealt at once."""
        first_epoch = self._books.open_round.first_epoch
        self._pen.write(EntryKind.ROUND_END, void(self._books))
        self.dealer.close()
        self.round, self.next_by = None, AT_ONCE
        self.secrets.append((_kept(first_epoch), b""))

    def stop(self) -> None:
        """Ends a match between two rounds, before its options do."""
        self.match = self.match.stop()
        self._end_match()

    def _end_match(self) -> None:
        self.next_by = None
        self.ready.clear()
        ended = MatchEnd(self._books.match, self.match.scores, tuple(self.match.winners))
        self._pen.write(EntryKind.MATCH_END, ended)

    def bot_turn(self) -> BotTurn | None:
        """The turn of a seat that a bot plays, once for each head."""
        books, head = self._books, self._pen.journal.head
        for seat in self._acting:
            if self.round is None or books.plays_itself(seat):
                continue
            if self._asked == (seat, head):
                return None
            self._asked = (seat, head)
            level = books.seats[seat].level or books.setting("bot_level")
            return BotTurn(seat, level, self.round.fold.view(seat), head)
        return None

    def seat(self, waiting: Waiting) -> None:
        """Whoever waits takes a free seat, or one that a bot keeps for nobody. It becomes a voter later (`Voters`)."""
        for key, nick, program in waiting:
            seat = free_seat(self._books, key)
            if seat is not None:
                self._pen.write(EntryKind.ROSTER, lobby.seated(self._books, key, nick, seat, program))

    def _drawn_seats(self) -> tuple[int, ...]:
        """The roster's seats in the order of the match (protocol 6.3, step 4)."""
        if self._books.setting("seat_order") == "join_order":
            return tuple(range(len(self._books.seats)))
        return drawn_seats(self._pen.journal.table, self._books.seats)


def _kept(epoch: int) -> str:
    """Name of the file that keeps R of a round."""
    return f"root-{epoch}"
